// PTX has the named instructions, each as often as asked, whatever becomes of their results.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --implicit-check-not="inline asm"
// RUN: tile-translate --mlir-to-ptx -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | FileCheck %s

!t = memref<4x1xi32, #gpu.address_space<private>>
!one = memref<1x1xi32, #gpu.address_space<private>>
!out = memref<1x1xi32, 1>

gpu.module @m {

// Results that nobody reads, equal instructions, and copies of copies.
// CHECK-LABEL: .entry unread(
// CHECK-COUNT-12: mov.b32 %r
// CHECK-NOT:   mov.b32
// CHECK:       ret;
gpu.func @unread(%n: i32) kernel {
  %a = tile.alloc : !t
  tile.apply "mov.b32"(%a, %n) : !t, i32
  tile.apply "mov.b32"(%a, %n) : !t, i32
  tile.apply "mov.b32"(%a, %a) : !t, !t
  gpu.return
}

// Equal code in two branches is not merged.
// CHECK-LABEL: .entry branches(
// CHECK-COUNT-2: ld.global.b32
// CHECK-NOT:   ld.global
// CHECK:       st.global.b32
// CHECK-NOT:   st.global
// CHECK:       ret;
gpu.func @branches(%in: !out, %other: !out, %out: !out, %p: i1) kernel {
  %a = tile.alloc : !one
  scf.if %p {
    tile.apply "ld.global.b32"(%a, %in) : !one, !out
  } else {
    tile.apply "ld.global.b32"(%a, %other) : !one, !out
  }
  tile.apply "st.global.b32"(%out, %a) : !out, !one
  gpu.return
}

// Nor is the same instruction on the same operands, where control flow is not structured.
// CHECK-LABEL: .entry blocks(
// CHECK-COUNT-2: mov.b32 %r
// CHECK-NOT:   mov.b32
// CHECK:       ret;
gpu.func @blocks(%n: i32, %p: i1) kernel {
  %a = tile.alloc : !one
  cf.cond_br %p, ^yes, ^no
^yes:
  tile.apply "mov.b32"(%a, %n) : !one, i32
  cf.br ^end
^no:
  tile.apply "mov.b32"(%a, %n) : !one, i32
  cf.br ^end
^end:
  gpu.return
}

// A loop of known length is not unrolled.
// CHECK-LABEL: .entry loop(
// CHECK-COUNT-1: st.global.b32
// CHECK-NOT:   st.global
// CHECK:       ret;
gpu.func @loop(%n: i32, %out: !out) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = tile.alloc : !one
  tile.write %n, %a[0, 0] : !one
  scf.for %i = %c0 to %c4 step %c1 {
    tile.apply "st.global.b32"(%out, %a) : !out, !one
  }
  gpu.return
}

// A constant predicate is not folded (R79, D34).
// CHECK-LABEL: .entry never(
// CHECK:       @%p{{[0-9]+}} st.global.b32
gpu.func @never(%n: i32, %out: !out) kernel {
  %false = arith.constant false
  %a = tile.alloc : !one
  tile.write %n, %a[0, 0] : !one
  tile.apply "st.global.b32"(%out, %a) pred(%false) : !out, !one
  gpu.return
}

// A long expansion leaves nothing in .local.
// CHECK-LABEL: .entry long(
// CHECK-NOT:   .local
// CHECK-COUNT-512: mov.b32 %r
// CHECK-NOT:   mov.b32
// CHECK-COUNT-256: st.global.b32
// CHECK-NOT:   st.global
// CHECK:       ret;
gpu.func @long(%n: i32, %out: memref<256x1xi32, 1>) kernel {
  %a = tile.alloc : memref<256x1xi32, #gpu.address_space<private>>
  %b = tile.alloc : memref<256x1xi32, strided<[3, 1]>, #gpu.address_space<private>>
  tile.apply "mov.b32"(%a, %n) : memref<256x1xi32, #gpu.address_space<private>>, i32
  tile.apply "mov.b32"(%b, %a)
    : memref<256x1xi32, strided<[3, 1]>, #gpu.address_space<private>>, memref<256x1xi32, #gpu.address_space<private>>
  tile.apply "st.global.b32"(%out, %b)
    : memref<256x1xi32, 1>, memref<256x1xi32, strided<[3, 1]>, #gpu.address_space<private>>
  gpu.return
}


// What a loop repeats stays in it, and on its side of each barrier: loads and stores of one place, and reads of clocks.
// CHECK-LABEL: .entry barriers(
// CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
// CHECK:         mov.u64 %rd{{[0-9]+}}, %clock64;
// CHECK-NEXT:    st.shared.b32
// CHECK-NEXT:    bar{{.*}}.sync
// CHECK-NEXT:    ld.shared.b32
// CHECK-NEXT:    ld.shared.b32
// CHECK-NEXT:    bar{{.*}}.sync
// CHECK-NEXT:    mov.u64 %rd{{[0-9]+}}, %clock64;
// CHECK:         bra{{.*}} [[LOOP]];
// CHECK-NOT:   clock64
// CHECK-NOT:   .shared.
// CHECK:       ret;
gpu.func @barriers(%n: i32, %count: index) workgroup(%shared: memref<1x1xi32, #gpu.address_space<workgroup>>) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tile.alloc : !one
  tile.apply "mov.b32"(%a, %n) : !one, i32
  scf.for %i = %c0 to %count step %c1 {
    %begin = ptx.mov "u64" special "clock64" : () -> i64
    tile.apply "st.shared.b32"(%shared, %a) : memref<1x1xi32, #gpu.address_space<workgroup>>, !one
    gpu.barrier
    tile.apply "ld.shared.b32"(%a, %shared) : !one, memref<1x1xi32, #gpu.address_space<workgroup>>
    tile.apply "ld.shared.b32"(%a, %shared) : !one, memref<1x1xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %end = ptx.mov "u64" special "clock64" : () -> i64
  }
  gpu.return
}

}
