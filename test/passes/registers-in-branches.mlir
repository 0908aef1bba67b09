// Branches that do the same to other registers stay two: one of both would take the address of its register, which then
// were in local memory.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-opt --tile-to-nvvm %s | FileCheck %s --check-prefix=LLVM

// CHECK-NOT: .local
// LLVM-NOT: ^bb{{.*}}: !llvm.ptr)

!t = memref<2x1xi32, #gpu.address_space<private>>
gpu.module @m {
  // CHECK-LABEL: .entry written(
  // CHECK-NOT:   .local
  // CHECK:       st.global.b32
  gpu.func @written(%out: memref<2x1xi32, 1>, %v: i32, %p: i1) kernel {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %v) : !t, i32
    scf.if %p {
      tile.write %v, %a[0, 0] : !t
    } else {
      tile.write %v, %a[1, 0] : !t
    }
    tile.apply "st.global.b32"(%out, %a) : memref<2x1xi32, 1>, !t
    gpu.return
  }

  // CHECK-LABEL: .entry changed(
  // CHECK-NOT:   .local
  // CHECK:       st.global.b32
  gpu.func @changed(%out: memref<2x1xi32, 1>, %v: i32, %which: index) kernel {
    %a = tile.alloc : !t
    %b = tile.alloc : !t
    tile.apply "mov.b32"(%a, %v) : !t, i32
    tile.apply "mov.b32"(%b, %v) : !t, i32
    scf.index_switch %which
    case 3 {
      %x = tile.read %a[0, 0] : !t
      %y = arith.addi %x, %v : i32
      tile.write %y, %a[0, 0] : !t
      scf.yield
    }
    case 5 {
      %x = tile.read %a[1, 0] : !t
      %y = arith.addi %x, %v : i32
      tile.write %y, %a[1, 0] : !t
      scf.yield
    }
    default {
      %x = tile.read %b[1, 0] : !t
      %y = arith.addi %x, %v : i32
      tile.write %y, %b[1, 0] : !t
    }
    tile.apply "add.u32"(%a, %a, %b) : !t, !t, !t
    tile.apply "st.global.b32"(%out, %a) : memref<2x1xi32, 1>, !t
    gpu.return
  }
}
