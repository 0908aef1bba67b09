// The target: options, else the module's own, else sm_90; the PTX version: asked for, else the chip's own in LLVM.

// RUN: tile-opt %s --tile-attach-target | FileCheck %s
// RUN: tile-opt %s --tile-attach-target="chip=sm_100 ptx=8.7 O=3" 2>%t | FileCheck %s --check-prefix=OPTION
// RUN: FileCheck %s --check-prefix=WARNING --input-file=%t
// RUN: tile-opt %s --tile-attach-target=ptx=90 2>/dev/null | FileCheck %s --check-prefix=DIGITS

// CHECK: gpu.module @none [#nvvm.target<chip = "sm_90", features = "+ptx78">]
// OPTION: gpu.module @none [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx87">]
// DIGITS: gpu.module @none [#nvvm.target<chip = "sm_90", features = "+ptx90">]
// WARNING-NOT: module @none
gpu.module @none {
}

// CHECK: gpu.module @turing [#nvvm.target<chip = "sm_75", features = "+ptx63">]
// OPTION: gpu.module @turing [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx87">]
// WARNING: warning: the option's chip sm_100 is used; the gpu.module's target says sm_75
gpu.module @turing [#nvvm.target<chip = "sm_75">] {
}

// A chip with a suffix has its own least version.
// CHECK: gpu.module @a [#nvvm.target<chip = "sm_100a", features = "+ptx86">]
gpu.module @a [#nvvm.target<chip = "sm_100a">] {
}
// CHECK: gpu.module @f [#nvvm.target<chip = "sm_120f", features = "+ptx88">]
gpu.module @f [#nvvm.target<chip = "sm_120f">] {
}

// What else the target says stays.
// CHECK: gpu.module @whole [#nvvm.target<O = 1, chip = "sm_90", features = "+ptx83", flags = {fast}, verifyTarget = false>]
// WARNING: warning: the option's PTX version 8.7 is used; the gpu.module's target says 8.3
gpu.module @whole [#nvvm.target<O = 1, chip = "sm_90", features = "+ptx83", flags = {fast}, verifyTarget = false>] {
}
