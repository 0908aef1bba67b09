// Conversions that only some chips have: floats of 6 and 4 bits, powers of two, stochastic rounding.

// RUN: tile-translate --mlir-to-ptx --chip sm_100a %s | FileCheck %s
// RUN: tile-translate --mlir-to-ptx --chip sm_103a %s | FileCheck %s
// RUN: not tile-translate --mlir-to-ptx %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tile-translate --mlir-to-ptx --chip sm_100f %s 2>&1 | FileCheck %s --check-prefix=FAMILY
// RUN: not tile-translate --mlir-to-ptx --chip sm_100a --ptx 8.6 %s 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not tile-translate --mlir-to-ptx --chip sm_120 %s 2>&1 | FileCheck %s --check-prefix=PLAIN

// OLD: 'ptx.cvt' op {{.*}} needs sm_100a, sm_100f, {{.*}} or sm_121f and PTX 8.6; the target is sm_90 and PTX 7.8
// FAMILY: 'ptx.cvt' op {{.*}} needs sm_100a or sm_103a and PTX 8.7; the target is sm_100f and PTX 8.8
// PTX: 'ptx.cvt' op {{.*}} needs sm_100a or sm_103a and PTX 8.7; the target is sm_100a and PTX 8.6
// PLAIN: 'ptx.cvt' op {{.*}} needs sm_100a, sm_100f, {{.*}} or sm_121f and PTX 8.6; the target is sm_120 and PTX 8.7

gpu.module @m {

// e2m1x2 lies in a register of 8 bits; the predicate stands before every instruction.
// CHECK-LABEL: .entry small(
// CHECK:         { .reg .b8 b8_0; cvt.rn.satfinite.relu.e2m1x2.f32 b8_0, [[X:%r[0-9]+]], [[Y:%r[0-9]+]]; cvt.u16.u8 [[B:%rs[0-9]+]], b8_0; }
// CHECK:         { .reg .b8 b8_0; @!%p{{[0-9]+}} cvt.rn.satfinite.e2m1x2.f32 b8_0, [[Y]], 0f3F800000; @!%p{{[0-9]+}} cvt.u16.u8 %rs{{[0-9]+}}, b8_0; }
// CHECK:         { .reg .b8 b8_0; cvt.u8.u16 b8_0, [[B]]; cvt.rn.f16x2.e2m1x2 %r{{[0-9]+}}, b8_0; }
// CHECK:         cvt.rn.satfinite.e2m3x2.f32 [[E:%rs[0-9]+]], [[X]], [[Y]];
// CHECK:         cvt.rn.relu.f16x2.e2m3x2 %r{{[0-9]+}}, [[E]];
// CHECK:         cvt.rp.satfinite.ue8m0x2.f32 [[P:%rs[0-9]+]], [[X]], [[Y]];
// CHECK:         cvt.rn.bf16x2.ue8m0x2 [[H:%r[0-9]+]], [[P]];
// CHECK:         cvt.rz.ue8m0x2.bf16x2 %rs{{[0-9]+}}, [[H]];
// CHECK:         cvt.rn.satfinite.tf32.f32 %r{{[0-9]+}}, [[X]];
gpu.func @small(%x: f32, %y: f32, %p: i1, %old: i8) kernel {
  %one = arith.constant 1.0 : f32
  %0 = ptx.cvt "rn.satfinite.relu.e2m1x2.f32" %x, %y : (f32, f32) -> i8
  %1 = ptx.cvt "rn.satfinite.e2m1x2.f32" %y, %one pred(not %p) preserve(%old) : (f32, f32) -> i8
  %2 = ptx.cvt "rn.f16x2.e2m1x2" %0 : (i8) -> vector<2xf16>
  %3 = ptx.cvt "rn.satfinite.e2m3x2.f32" %x, %y : (f32, f32) -> i16
  %4 = ptx.cvt "rn.relu.f16x2.e2m3x2" %3 : (i16) -> i32
  %5 = ptx.cvt "rp.satfinite.ue8m0x2.f32" %x, %y : (f32, f32) -> i16
  %6 = ptx.cvt "rn.bf16x2.ue8m0x2" %5 : (i16) -> vector<2xbf16>
  %7 = ptx.cvt "rz.ue8m0x2.bf16x2" %6 : (vector<2xbf16>) -> i16
  %8 = ptx.cvt "rn.satfinite.tf32.f32" %x : (f32) -> i32
  gpu.return
}

// Random bits come last, from a register. Of four sources the first is the highest.
// CHECK-LABEL: .entry random(
// CHECK:         cvt.rs.relu.satfinite.f16x2.f32 %r{{[0-9]+}}, [[X:%r[0-9]+]], [[Y:%r[0-9]+]], [[R:%r[0-9]+]];
// CHECK:         cvt.rs.satfinite.e2m1x4.f32 %rs{{[0-9]+}}, {[[X]], [[Y]], 0f3F800000, [[X]]}, [[R]];
// CHECK:         mov.b32 [[C:%r[0-9]+]], 17;
// CHECK:         @%p{{[0-9]+}} cvt.rs.relu.satfinite.e4m3x4.f32 [[R]], {[[X]], [[X]], [[Y]], [[Y]]}, [[C]];
gpu.func @random(%x: f32, %y: f32, %bits: i32, %p: i1) kernel {
  %one = arith.constant 1.0 : f32
  %c17 = arith.constant 17 : i32
  %0 = ptx.cvt "rs.relu.satfinite.f16x2.f32" %x, %y, %bits : (f32, f32, i32) -> vector<2xf16>
  %1 = ptx.cvt "rs.satfinite.e2m1x4.f32" %x, %y, %one, %x, %bits : (f32, f32, f32, f32, i32) -> i16
  %2 = ptx.cvt "rs.relu.satfinite.e4m3x4.f32" %x, %x, %y, %y, %c17 pred(%p) preserve(%bits)
      : (f32, f32, f32, f32, i32) -> i32
  gpu.return
}

// CHECK-LABEL: .entry tile(
// CHECK:         ld.global.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
// CHECK:         ld.global.v4.b32 {[[E:%r[0-9]+]], [[F:%r[0-9]+]], [[G:%r[0-9]+]], [[H:%r[0-9]+]]}
// CHECK:         cvt.rs.satfinite.e5m2x4.f32 %r{{[0-9]+}}, {[[A]], [[B]], [[C]], [[D]]}, [[R:%r[0-9]+]];
// CHECK:         cvt.rs.satfinite.e5m2x4.f32 %r{{[0-9]+}}, {[[E]], [[F]], [[G]], [[H]]}, [[R]];
// CHECK-NOT:     cvt.
// CHECK:         ret;
gpu.func @tile(%in: memref<2x4xf32, 1> {llvm.align = 16 : i64}, %bits: i32) kernel {
  %a = tile.alloc : memref<2x4xf32, #gpu.address_space<private>>
  %b = tile.alloc : memref<2x1xi32, #gpu.address_space<private>>
  tile.apply "ld.global.v4.b32"(%a, %in) : memref<2x4xf32, #gpu.address_space<private>>, memref<2x4xf32, 1>
  tile.apply "cvt.rs.satfinite.e5m2x4.f32"(%b, %a, %bits)
      : memref<2x1xi32, #gpu.address_space<private>>, memref<2x4xf32, #gpu.address_space<private>>, i32
  gpu.return
}

}
