// An scf.index_switch chooses by all bits of its index, though MLIR lowers it to a switch of 32: one that has more is none
// of the cases. What a launch counts has no more.

// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(tile-prepare-kernels))' | FileCheck %s
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=PTX

gpu.module @m {
  // CHECK:       gpu.func @wide(%{{.*}}: memref<1xi32, 1>, %[[I:.*]]: index)
  // CHECK:         %[[LOW:.*]] = arith.index_cast %[[I]] : index to i32
  // CHECK:         %[[BACK:.*]] = arith.index_cast %[[LOW]] : i32 to index
  // CHECK:         %[[SAME:.*]] = arith.cmpi eq, %[[I]], %[[BACK]] : index
  // CHECK:         %[[NONE:.*]] = arith.constant 2 : index
  // CHECK:         %[[CHOICE:.*]] = arith.select %[[SAME]], %[[I]], %[[NONE]] : index
  // CHECK:         scf.index_switch %[[CHOICE]]
  // PTX-LABEL: .entry wide(
  // PTX:         ld.param.b64 %rd[[I:[0-9]+]], [wide_param_1];
  // PTX:         setp.eq.b64 {{.*}}%rd[[I]]
  gpu.func @wide(%out: memref<1xi32, 1>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %v = scf.index_switch %i -> i32
    case 0 {
      %a = arith.constant 10 : i32
      scf.yield %a : i32
    }
    case -1 {
      %a = arith.constant 20 : i32
      scf.yield %a : i32
    }
    case 1 {
      %a = arith.constant 30 : i32
      scf.yield %a : i32
    }
    default {
      %a = arith.constant 40 : i32
      scf.yield %a : i32
    }
    memref.store %v, %out[%c0] : memref<1xi32, 1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @launch
  // CHECK-NOT:     arith.index_cast
  // CHECK:         scf.index_switch %thread_id_x
  gpu.func @launch() kernel {
    %t = gpu.thread_id x
    scf.index_switch %t
    case 0 {
      gpu.barrier
      scf.yield
    }
    default {
    }
    gpu.return
  }

  // The threads of all blocks are more than 32 bits count.
  // CHECK-LABEL: gpu.func @all
  // CHECK:         %[[LOW:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK:         arith.index_cast %[[LOW]] : i32 to index
  gpu.func @all() kernel {
    %t = gpu.global_id x
    scf.index_switch %t
    case 0 {
      gpu.barrier
      scf.yield
    }
    default {
    }
    gpu.return
  }
}
