// A block that several others lead to stays one: LLVM would copy a short one to the end of each (early-tailduplication),
// and with it the instruction that is in it once.
//
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s

!word = memref<1x1xi32, #gpu.address_space<global>>
!register = memref<1x1xi32, #gpu.address_space<private>>

gpu.module @kernels {
  // CHECK-LABEL: .entry shared_block(
  // CHECK:       mov.v2.b32
  // CHECK-NOT:   mov.v2.b32
  gpu.func @shared_block(%p: i1, %q: i1, %a: !word, %b: !word) kernel {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : i32
    %c8 = arith.constant 8 : i32
    %x = tile.alloc : !register
    tile.apply "mov.b32"(%x, %c7) : !register, i32
    cf.cond_br %p, ^then, ^else
  ^then:
    scf.if %q {
      tile.apply "st.global.b32"(%a, %x) : !word, !register
    } else {
      tile.apply "st.global.b32"(%b, %x) : !word, !register
    }
    %pair:2 = ptx.mov "v2.b32" %c7, %c8 : (i32, i32) -> (i32, i32)
    cf.br ^join(%pair#1 : i32)
  ^else:
    memref.store %c7, %b[%c0, %c0] : !word
    cf.br ^join(%c7 : i32)
  ^join(%last: i32):
    memref.store %last, %a[%c0, %c0] : !word
    gpu.return
  }
}
