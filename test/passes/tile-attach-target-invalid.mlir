// Targets that nothing can follow. LLVM would warn on standard error, ignore them, or end the process.

// RUN: tile-opt %s --tile-attach-target -split-input-file -verify-diagnostics
// RUN: not tile-opt %s --tile-attach-target=chip=sm_91 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt %s --tile-attach-target=chip=90 2>&1 | FileCheck %s --check-prefix=DIGITS
// RUN: not tile-opt %s --tile-attach-target=ptx=8 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: not tile-opt %s --tile-attach-target=ptx=7.9 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not tile-opt %s --tile-attach-target=O=0 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not tile-opt %s --tile-attach-target=O=fast 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: not tile-opt %s --tile-to-ptx=chip=sm_91 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: unknown chip "sm_91"; near it LLVM 22 knows sm_90, sm_90a, sm_89, sm_88
// DIGITS: error: unknown chip "90"; near it LLVM 22 knows sm_90, sm_90a, sm_89, sm_88
// MALFORMED: error: PTX version "8" is malformed; write it as 8.3
// VERSION: error: PTX 7.9 is unknown to LLVM 22, which knows 3.2, 4.0, {{.*}} 7.8, 8.0, {{.*}} 9.0
// LEVEL: error: O=0 is refused: LLVM then doubles the moves and keeps registers in memory; the least is O=1
// FAST: error: optimization level "fast" is none of 1, 2 and 3

// expected-error @+1 {{'gpu.module' op unknown chip "sm_999"; near it LLVM 22 knows sm_121, }}
gpu.module @chip [#nvvm.target<chip = "sm_999">] {
}

// -----

// expected-error @+1 {{'gpu.module' op unknown chip "sm_90\0"; near it}}
gpu.module @nul [#nvvm.target<chip = "sm_90\00">] {
}

// -----

// expected-error @+1 {{'gpu.module' op sm_100a needs PTX 8.6; PTX 8.0 is asked for by the gpu.module's target}}
gpu.module @old [#nvvm.target<chip = "sm_100a", features = "+ptx80">] {
}

// -----

// expected-error @+1 {{'gpu.module' op feature "+ptx99" of the target: PTX 9.9 is unknown to LLVM 22}}
gpu.module @new [#nvvm.target<features = "+ptx99">] {
}

// -----

// expected-error @+1 {{'gpu.module' op feature "+sm_90" of the target is not of the form +ptx83}}
gpu.module @feature [#nvvm.target<features = "+sm_90">] {
}

// -----

// expected-error @+1 {{'gpu.module' op features "+ptx83,+ptx84" of the target name two PTX versions}}
gpu.module @features [#nvvm.target<features = "+ptx83,+ptx84">] {
}

// -----

// expected-error @+1 {{'gpu.module' op O=0 is refused}}
gpu.module @level [#nvvm.target<O = 0>] {
}

// -----

// expected-error @+1 {{'gpu.module' op target has the triple "nvptx-nvidia-cuda"; PTX is for nvptx64-nvidia-cuda}}
gpu.module @triple [#nvvm.target<triple = "nvptx-nvidia-cuda">] {
}

// -----

// expected-error @+1 {{'gpu.module' op target links files, which this emitter does not; take link out of}}
gpu.module @link [#nvvm.target<link = ["libdevice.bc"]>] {
}

// -----

// expected-error @+1 {{'gpu.module' op target #rocdl.target is no #nvvm.target; there is PTX for these only}}
gpu.module @rocdl [#rocdl.target] {
}

// -----

// expected-error @+1 {{'gpu.module' op has 2 targets (sm_80, sm_90); the option chip chooses one of them}}
gpu.module @two [#nvvm.target<chip = "sm_80">, #nvvm.target<chip = "sm_90">] {
}
