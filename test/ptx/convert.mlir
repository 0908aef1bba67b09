// Conversions of scalars and to pairs: registers as wide as their values, constants, the order of sources.

// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O1 %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx -O3 %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx --chip sm_89 %s 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: 'ptx.cvt' op {{.*}} needs sm_90 and PTX 7.8; the target is sm_89 and PTX 8.1

gpu.module @m {

// Modifiers are printed in the order of the ISA.
// CHECK-LABEL: .entry scalars(
// CHECK:         cvt.rn.f32.u32 %r{{[0-9]+}}, [[N:%r[0-9]+]];
// CHECK:         cvt.rzi.ftz.sat.s16.f32 %rs{{[0-9]+}}, [[X:%r[0-9]+]];
// CHECK:         cvt.rpi.f32.f32 %r{{[0-9]+}}, [[X]];
// CHECK:         cvt.sat.u8.s32 %rs{{[0-9]+}}, [[N]];
// CHECK:         cvt.ftz.f64.f32 %rd{{[0-9]+}}, [[X]];
// CHECK:         cvt.rm.f16.f64 %rs{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK:         cvt.rn.relu.satfinite.bf16.f32 [[B:%rs[0-9]+]], [[X]];
// CHECK:         cvt.f32.bf16 %r{{[0-9]+}}, [[B]];
// CHECK:         cvt.rp.f16.bf16 %rs{{[0-9]+}}, [[B]];
// CHECK:         cvt.rna.satfinite.tf32.f32 %r{{[0-9]+}}, [[X]];
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @scalars(%n: i32, %x: f32, %d: f64) kernel {
  %0 = ptx.cvt "rn.f32.u32" %n : (i32) -> f32
  %1 = ptx.cvt "s16.f32.rzi.sat.ftz" %x : (f32) -> i16
  %2 = ptx.cvt "rpi.f32.f32" %x : (f32) -> f32
  %3 = ptx.cvt "sat.u8.s32" %n : (i32) -> i8
  %4 = ptx.cvt "ftz.f64.f32" %x : (f32) -> f64
  %5 = ptx.cvt "rm.f16.f64" %d : (f64) -> f16
  %6 = ptx.cvt "satfinite.relu.rn.bf16.f32" %x : (f32) -> bf16
  %7 = ptx.cvt "f32.bf16" %6 : (bf16) -> i32
  %8 = ptx.cvt "rp.f16.bf16" %6 : (bf16) -> i16
  %9 = ptx.cvt "rna.satfinite.tf32.f32" %x : (f32) -> i32
  gpu.return
}

// The class of a register is that of the value, not of the type.
// CHECK-LABEL: .entry wider(
// CHECK:         cvt.s32.s8 [[A:%r[0-9]+]], %rs{{[0-9]+}};
// CHECK:         cvt.s8.s32 [[C:%rd[0-9]+]], [[A]];
// CHECK:         cvt.rn.f16.u16 %rs{{[0-9]+}}, [[C]];
// CHECK:         cvt.rni.u8.f64 %r{{[0-9]+}}, %rd{{[0-9]+}};
// CHECK:         cvt.u8.u64 %rs{{[0-9]+}}, [[C]];
// CHECK:         @!%p{{[0-9]+}} cvt.s16.s8 [[A]], [[C]];
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @wider(%b: i8, %d: f64, %p: i1) kernel {
  %0 = ptx.cvt "s32.s8" %b : (i8) -> i32
  %1 = ptx.cvt "s8.s32" %0 : (i32) -> i64
  %2 = ptx.cvt "rn.f16.u16" %1 : (i64) -> f16
  %3 = ptx.cvt "rni.u8.f64" %d : (f64) -> i32
  %4 = ptx.cvt "u8.u64" %1 : (i64) -> i16
  %5 = ptx.cvt "s16.s8" %1 pred(not %p) preserve(%0) : (i64) -> i32
  gpu.return
}

// Beside bf16 integers of 8 bits have a register of their own.
// CHECK-LABEL: .entry bytes(
// CHECK:         { .reg .b8 b8_0; cvt.u8.u16 b8_0, %rs{{[0-9]+}}; cvt.rn.bf16.s8 [[B:%rs[0-9]+]], b8_0; }
// CHECK-NEXT:    { .reg .b8 b8_0; @%p{{[0-9]+}} cvt.rzi.u8.bf16 b8_0, [[B]]; @%p{{[0-9]+}} cvt.u16.u8 %rs{{[0-9]+}}, b8_0; }
// CHECK-NEXT:    cvt.rz.bf16.u8 %rs{{[0-9]+}}, 0xFD;
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @bytes(%b: i8, %p: i1) kernel {
  %c = arith.constant -3 : i8
  %0 = ptx.cvt "rn.bf16.s8" %b : (i8) -> bf16
  %1 = ptx.cvt "rzi.u8.bf16" %0 pred(%p) preserve(%b) : (bf16) -> i8
  %2 = ptx.cvt "rz.bf16.u8" %c : (i8) -> bf16
  gpu.return
}

// Constants of integers, f32 and f64 stand there; ptxas reads of them the bits of the type. Others cost a move.
// CHECK-LABEL: .entry constants(
// CHECK:         cvt.s32.s8 %r{{[0-9]+}}, 300;
// CHECK-NEXT:    cvt.rn.f32.u32 %r{{[0-9]+}}, -1;
// CHECK-NEXT:    cvt.rn.f16.f32 %rs{{[0-9]+}}, 0f3F800000;
// CHECK-NEXT:    cvt.rzi.s32.f64 %r{{[0-9]+}}, 0dC000000000000000;
// CHECK-NEXT:    cvt.rn.f16x2.f32 %r{{[0-9]+}}, 0f3F800000, 0f0000012C;
// CHECK:         cvt.f32.f16 %r{{[0-9]+}}, %rs{{[0-9]+}};
// CHECK-NEXT:    cvt.pack.sat.u8.s32.b32 %r{{[0-9]+}}, 300, -1, 300;
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @constants() kernel {
  %c300 = arith.constant 300 : i32
  %cm1 = arith.constant -1 : i32
  %half = arith.constant 1.0 : f16
  %single = arith.constant 1.0 : f32
  %double = arith.constant -2.0 : f64
  %0 = ptx.cvt "s32.s8" %c300 : (i32) -> i32
  %1 = ptx.cvt "rn.f32.u32" %cm1 : (i32) -> f32
  %2 = ptx.cvt "rn.f16.f32" %single : (f32) -> f16
  %3 = ptx.cvt "rzi.s32.f64" %double : (f64) -> i32
  %4 = ptx.cvt "rn.f16x2.f32" %single, %c300 : (f32, i32) -> vector<2xf16>
  %5 = ptx.cvt "f32.f16" %half : (f16) -> f32
  %6 = ptx.cvt "pack.sat.u8.s32.b32" %c300, %cm1, %c300 : (i32, i32, i32) -> vector<4xi8>
  gpu.return
}

// d, high, low (R122).
// CHECK-LABEL: .entry pairs(
// CHECK:         cvt.rz.relu.satfinite.bf16x2.f32 %r{{[0-9]+}}, [[X:%r[0-9]+]], [[Y:%r[0-9]+]];
// CHECK:         cvt.rn.satfinite.e4m3x2.f32 [[E:%rs[0-9]+]], [[X]], [[Y]];
// CHECK:         @%p{{[0-9]+}} cvt.rn.f16x2.e4m3x2 [[H:%r[0-9]+]], [[E]];
// CHECK:         cvt.rn.satfinite.relu.e5m2x2.f16x2 %rs{{[0-9]+}}, [[H]];
// CHECK:         cvt.pack.sat.s16.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, [[N:%r[0-9]+]];
// CHECK:         cvt.pack.sat.u4.s32.b32 %r{{[0-9]+}}, [[N]], %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @pairs(%x: f32, %y: f32, %m: i32, %n: i32, %p: i1) kernel {
  %0 = ptx.cvt "rz.relu.satfinite.bf16x2.f32" %x, %y : (f32, f32) -> vector<2xbf16>
  %1 = ptx.cvt "rn.satfinite.e4m3x2.f32" %x, %y : (f32, f32) -> i16
  %2 = ptx.cvt "rn.f16x2.e4m3x2" %1 pred(%p) preserve(%n) : (i16) -> i32
  %3 = ptx.cvt "rn.relu.satfinite.e5m2x2.f16x2" %2 : (i32) -> i16
  %4 = ptx.cvt "pack.sat.s16.s32" %m, %n : (i32, i32) -> vector<2xi16>
  %5 = ptx.cvt "pack.sat.u4.s32.b32" %n, %m, %2 : (i32, i32, i32) -> i32
  gpu.return
}

// An application a register; a source may be a scalar, and registers wider than the type.
// CHECK-LABEL: .entry tile(
// CHECK:         ld.global.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
// CHECK:         cvt.rzi.sat.u8.f32 [[E:%rd[0-9]+]], [[A]];
// CHECK:         cvt.rzi.sat.u8.f32 %rd{{[0-9]+}}, [[B]];
// CHECK:         cvt.rzi.sat.u8.f32 %rd{{[0-9]+}}, [[C]];
// CHECK:         cvt.rzi.sat.u8.f32 [[F:%rd[0-9]+]], [[D]];
// CHECK:         @%p{{[0-9]+}} cvt.rn.f32.u8 [[A]], [[E]];
// CHECK-COUNT-3: @%p{{[0-9]+}} cvt.rn.f32.u8
// CHECK:         cvt.rn.bf16x2.f32 %r{{[0-9]+}}, 0f3F800000, [[A]];
// CHECK-COUNT-3: cvt.rn.bf16x2.f32 %r{{[0-9]+}}, 0f3F800000,
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @tile(%in: memref<1x4xf32, 1> {llvm.align = 16 : i64}, %p: i1) kernel {
  %one = arith.constant 1.0 : f32
  %a = tile.alloc : memref<4x1xf32, #gpu.address_space<private>>
  %b = tile.alloc : memref<4x1xi64, #gpu.address_space<private>>
  %h = tile.alloc : memref<4x1xvector<2xbf16>, #gpu.address_space<private>>
  %v = tile.view %a : memref<4x1xf32, #gpu.address_space<private>> to memref<1x4xf32, #gpu.address_space<private>>
  tile.apply "ld.global.v4.b32"(%v, %in) : memref<1x4xf32, #gpu.address_space<private>>, memref<1x4xf32, 1>
  tile.apply "cvt.rzi.sat.u8.f32"(%b, %a)
      : memref<4x1xi64, #gpu.address_space<private>>, memref<4x1xf32, #gpu.address_space<private>>
  tile.apply "cvt.rn.f32.u8"(%a, %b) pred(%p) preserve_dst
      : memref<4x1xf32, #gpu.address_space<private>>, memref<4x1xi64, #gpu.address_space<private>>
  tile.apply "cvt.rn.bf16x2.f32"(%h, %one, %a)
      : memref<4x1xvector<2xbf16>, #gpu.address_space<private>>, f32, memref<4x1xf32, #gpu.address_space<private>>
  gpu.return
}

}
