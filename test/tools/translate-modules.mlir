// Several gpu.modules: one to standard output, or a file each.

// RUN: tile-translate --mlir-to-ptx --module one %s | FileCheck %s --check-prefix=ONE
// RUN: tile-translate --mlir-to-ptx --module=two %s | FileCheck %s --check-prefix=TWO
// ONE: .target sm_75
// ONE: .entry a(
// ONE-NOT: .entry
// TWO: .target sm_90
// TWO: .entry b(

// RUN: rm -rf %t
// RUN: tile-translate --mlir-to-ptx --output-dir %t/new %s | count 0
// RUN: FileCheck %s --check-prefix=ONE --input-file=%t/new/one.ptx
// RUN: FileCheck %s --check-prefix=TWO --input-file=%t/new/two.ptx
// RUN: tile-translate --mlir-to-ptx --output-dir %t/chosen --module two %s
// RUN: ls %t/chosen | FileCheck %s --check-prefix=CHOSEN
// CHOSEN-NOT: one.ptx
// CHOSEN: two.ptx

// RUN: not tile-translate --mlir-to-ptx %s 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: there are 2 gpu.modules ("one", "two"); --module NAME translates one, --output-dir DIR writes a file each
// RUN: not tile-translate --mlir-to-ptx --module three %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: there is no gpu.module "three"; there is "one", "two"
// RUN: not tile-translate --mlir-to-ptx --output-dir %t/new -o %t/file %s 2>&1 | FileCheck %s --check-prefix=EITHER
// EITHER: error: --output-dir and -o exclude each other
// RUN: not tile-translate --mlir-to-ptx --output-dir %t/new/one.ptx %s 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot make the folder "{{.*}}one.ptx":
// RUN: echo "// _____" | tr _ - > %t/between
// RUN: cat %s %t/between %s > %t/parts.mlir
// RUN: not tile-translate --mlir-to-ptx --split-input-file --output-dir %t/parts %t/parts.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: an earlier part of the input has a gpu.module "one" too, whose file this one would take; give them different names

gpu.module @one [#nvvm.target<chip = "sm_75">] {
  gpu.func @a() kernel {
    gpu.return
  }
}
gpu.module @two {
  gpu.func @b() kernel {
    gpu.return
  }
}
