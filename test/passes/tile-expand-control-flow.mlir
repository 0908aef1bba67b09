// Slots that cross blocks live in one array, which each block loads what it reads first from, and stores what it wrote.

// RUN: tile-opt %s --tile-expand 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=PTX

!t = memref<1x1xi32, #gpu.address_space<private>>
!out = memref<1x1xi32, 1>

gpu.module @m {

// CHECK-LABEL: gpu.func @loop(
// CHECK:         %[[SLOT:.*]] = llvm.alloca %{{.*}} x i32 : (i32) -> !llvm.ptr
// CHECK:         %[[FIRST:.*]] = ptx.ld "global.b32"
// CHECK:         llvm.store %[[FIRST]], %[[SLOT]] : i32, !llvm.ptr
// CHECK:         scf.for
// CHECK:           %[[IN:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> i32
// CHECK-NEXT:      %[[ONE:.*]] = ptx.mov "b32" %[[IN]]
// CHECK-NEXT:      %[[TWO:.*]] = ptx.mov "b32" %[[ONE]]
// CHECK:           llvm.store %[[TWO]], %[[SLOT]]
// CHECK:         }
// CHECK:         %[[LAST:.*]] = llvm.load %[[SLOT]]
// CHECK:         ptx.st "global.b32" %{{.*}}, %[[LAST]]

// PTX-LABEL:   .entry loop(
// PTX-NOT:     .local
// PTX:         ld.global.b32
// PTX:       {{^}}$L__
// PTX-COUNT-2: mov.b32 %r
// PTX-NOT:     mov.b32
// PTX:         st.global.b32
gpu.func @loop(%out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !t
  tile.apply "ld.global.b32"(%a, %out) : !t, !out
  scf.for %i = %c0 to %n step %c1 {
    tile.apply "mov.b32"(%a, %a) : !t, !t
    tile.apply "mov.b32"(%a, %a) : !t, !t
  }
  tile.apply "st.global.b32"(%out, %a) : !out, !t
  gpu.return
}

// A tile of one block alone has no array, in a loop neither.
// CHECK-LABEL: gpu.func @inside(
// CHECK-NOT:     llvm.alloca
// CHECK:         scf.for
gpu.func @inside(%out: !out, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = tile.alloc : !t
    tile.apply "ld.global.b32"(%a, %out) : !t, !out
    tile.apply "st.global.b32"(%out, %a) : !out, !t
  }
  gpu.return
}

// Unstructured control flow.
// CHECK-LABEL: gpu.func @blocks(
// CHECK:         llvm.alloca
// CHECK:         llvm.store
// CHECK-NEXT:    cf.cond_br
// CHECK:       ^bb1:
// CHECK:         llvm.load
// CHECK:         ptx.st
gpu.func @blocks(%out: !out, %p: i1, %n: i32) kernel {
  %a = tile.alloc : !t
  tile.apply "mov.b32"(%a, %n) : !t, i32
  cf.cond_br %p, ^store, ^end
^store:
  tile.apply "st.global.b32"(%out, %a) : !out, !t
  cf.br ^end
^end:
  gpu.return
}

// PTX-LABEL:   .entry branches(
// PTX-NOT:     .local
// PTX-COUNT-2: ld.global.b32
// PTX:         st.global.b32
gpu.func @branches(%in: !out, %other: !out, %out: !out, %p: i1) kernel {
  %a = tile.alloc : !t
  scf.if %p {
    tile.apply "ld.global.b32"(%a, %in) : !t, !out
  } else {
    tile.apply "ld.global.b32"(%a, %other) : !t, !out
  }
  tile.apply "st.global.b32"(%out, %a) : !out, !t
  gpu.return
}

// An index that is no constant: the array stays, and so does .local, which a remark says.
// REMARKS:     remark: 'tile.alloc' op stays in local memory: tile.read names an element by an index that is known only when the program runs
// REMARKS-NOT: remark:
// CHECK-LABEL: gpu.func @dynamic(
// CHECK-SAME:    %{{.*}}, %[[I:[a-z0-9]+]]: index
// CHECK:         %[[ARRAY:.*]] = llvm.alloca %{{.*}} x !llvm.array<7 x i32>
// CHECK:         %[[SLOT:.*]] = llvm.getelementptr %[[ARRAY]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i32
// CHECK-NEXT:    llvm.load %[[SLOT]]
gpu.func @dynamic(%out: !out, %i: index) kernel {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i32
  %a = tile.alloc : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  tile.apply "mov.b32"(%a, %c7) : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>, i32
  %e = tile.read %a[%i, 0] : memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
  memref.store %e, %out[%c0, %c0] : !out
  gpu.return
}

// Registers read at another width go through the array, which LLVM removes.
// CHECK-LABEL: gpu.func @width(
// CHECK:         %[[ARRAY:.*]] = llvm.alloca %{{.*}} x !llvm.array<1 x i64> {alignment = 16 : i64}
// CHECK:         llvm.getelementptr %[[ARRAY]][1] : (!llvm.ptr) -> !llvm.ptr, i32
// PTX-LABEL:   .entry width(
// PTX-NOT:     .local
// PTX:         mov.b64 %rd{{[0-9]+}}, 1234605616436508552
// PTX-COUNT-2: st.global.b32
gpu.func @width(%out: memref<2x1xi32, 1>) kernel {
  %c = arith.constant 0x1122334455667788 : i64
  %a = tile.alloc : memref<1x1xi64, #gpu.address_space<private>>
  tile.apply "mov.b64"(%a, %c) : memref<1x1xi64, #gpu.address_space<private>>, i64
  %v = tile.view %a : memref<1x1xi64, #gpu.address_space<private>> to memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %v) : memref<2x1xi32, 1>, memref<2x1xi32, #gpu.address_space<private>>
  gpu.return
}

// What was never written has no register of its own, and no .local.
// PTX-LABEL:   .entry undefined(
// PTX-NOT:     .local
// PTX:         st.global.b8
gpu.func @undefined(%bytes: memref<1xf8E5M2, 1>, %out: memref<1xi32, 1>) kernel {
  %c0 = arith.constant 0 : index
  %a = tile.alloc : memref<1xf8E5M2, #gpu.address_space<private>>
  tile.apply "st.global.b8"(%bytes, %a) : memref<1xf8E5M2, 1>, memref<1xf8E5M2, #gpu.address_space<private>>
  %b = tile.alloc : memref<1xf32, #gpu.address_space<private>>
  %x = tile.read %b[0] : memref<1xf32, #gpu.address_space<private>>
  %bits = arith.bitcast %x : f32 to i32
  memref.store %bits, %out[%c0] : memref<1xi32, 1>
  gpu.return
}

// A part of a float that is read as half of another one: integers in and out of the array, and no .local.
// CHECK-LABEL: gpu.func @parts(
// CHECK:         llvm.alloca %{{.*}} x !llvm.array<2 x i32> {alignment = 16 : i64}
// CHECK:         %[[IN:.*]] = llvm.bitcast %{{.*}} : f32 to i32
// CHECK:         llvm.store %[[IN]], %{{.*}} : i32, !llvm.ptr
// CHECK:         %[[OUT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         llvm.bitcast %[[OUT]] : i64 to f64
// PTX-LABEL:   .entry parts(
// PTX-NOT:     .local
// PTX:         mov.f64
// PTX:         st.global.b32
gpu.func @parts(%x: f32, %p: i1, %out: memref<2x1xf32, 1>) kernel {
  %a = tile.alloc : memref<2x1xf32, #gpu.address_space<private>>
  tile.write %x, %a[0, 0] : memref<2x1xf32, #gpu.address_space<private>>
  %v = tile.view %a : memref<2x1xf32, #gpu.address_space<private>> to memref<1x1xf64, #gpu.address_space<private>>
  scf.if %p {
    tile.apply "mov.f64"(%v, %v) : memref<1x1xf64, #gpu.address_space<private>>, memref<1x1xf64, #gpu.address_space<private>>
  }
  tile.apply "st.global.b32"(%out, %a) : memref<2x1xf32, 1>, memref<2x1xf32, #gpu.address_space<private>>
  gpu.return
}

// Predicates cross blocks as predicates.
// PTX-LABEL:   .entry flags(
// PTX-NOT:     .local
// PTX:         mov.pred %p
// PTX:         @%p{{[0-9]+}} st.global.b32
gpu.func @flags(%n: i32, %q: i1, %p: i1, %out: memref<2x1xi32, 1>) kernel {
  %one = tile.alloc : memref<1xi1, #gpu.address_space<private>>
  %two = tile.alloc : memref<2x1xi1, #gpu.address_space<private>>
  %never = tile.alloc : memref<1xi1, #gpu.address_space<private>>
  scf.if %p {
    tile.apply "mov.pred"(%one, %q) : memref<1xi1, #gpu.address_space<private>>, i1
    tile.apply "mov.pred"(%two, %q) : memref<2x1xi1, #gpu.address_space<private>>, i1
  }
  %r = tile.alloc : memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "mov.b32"(%r, %n) : memref<2x1xi32, #gpu.address_space<private>>, i32
  %a = tile.read %one[0] : memref<1xi1, #gpu.address_space<private>>
  %b = tile.read %two[1, 0] : memref<2x1xi1, #gpu.address_space<private>>
  %c = tile.read %never[0] : memref<1xi1, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %r) pred(%a) : memref<2x1xi32, 1>, memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %r) pred(%b) : memref<2x1xi32, 1>, memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %r) pred(%c) : memref<2x1xi32, 1>, memref<2x1xi32, #gpu.address_space<private>>
  gpu.return
}

// A while loop that reads in its condition what its body wrote, around a loop and a switch.
// CHECK-LABEL: gpu.func @nested(
// CHECK:         scf.while
// CHECK:           %[[LEFT:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK:           arith.cmpi sgt, %[[LEFT]]
// CHECK:         } do {
// CHECK:           scf.for
// CHECK:           scf.index_switch
// PTX-LABEL:   .entry nested(
// PTX-NOT:     .local
// PTX:         ld.global.v2.b32
// PTX:       {{^}}$L__
// PTX:         mov.b32 %r
// PTX:         st.global.v2.b32
// PTX-NOT:     .local
// PTX:         ret;
gpu.func @nested(%in: memref<1x2xi32, 1> {llvm.align = 8 : i32}, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = tile.alloc : memref<1x2xi32, #gpu.address_space<private>>
  %words = tile.view %a : memref<1x2xi32, #gpu.address_space<private>> to memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "ld.global.v2.b32"(%a, %in) : memref<1x2xi32, #gpu.address_space<private>>, memref<1x2xi32, 1>
  scf.while : () -> () {
    %left = tile.read %a[0, 0] : memref<1x2xi32, #gpu.address_space<private>>
    %more = arith.cmpi sgt, %left, %zero : i32
    scf.condition(%more)
  } do {
    scf.for %i = %c0 to %n step %c1 {
      tile.apply "mov.b32"(%words, %words)
        : memref<2x1xi32, #gpu.address_space<private>>, memref<2x1xi32, #gpu.address_space<private>>
    }
    %left = tile.read %a[0, 0] : memref<1x2xi32, #gpu.address_space<private>>
    %less = arith.subi %left, %one : i32
    scf.index_switch %n
    case 7 {
      tile.write %zero, %a[0, 0] : memref<1x2xi32, #gpu.address_space<private>>
      scf.yield
    }
    default {
      tile.write %less, %a[0, 0] : memref<1x2xi32, #gpu.address_space<private>>
    }
    scf.yield
  }
  tile.apply "st.global.v2.b32"(%in, %a) : memref<1x2xi32, 1>, memref<1x2xi32, #gpu.address_space<private>>
  gpu.return
}

}
