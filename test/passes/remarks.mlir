// What expansion did, through MLIR's remark engine: where it is asked for, and true.

// RUN: tile-opt %s --tile-expand --remarks-filter='tile-.*' 2>%t.remarks | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.remarks --implicit-check-not=remark:

// Nothing unasked, and nothing of other categories.
// RUN: tile-opt %s --tile-expand 2>&1 >/dev/null | FileCheck %s --check-prefix=UNASKED
// RUN: tile-opt %s --tile-expand --remarks-filter=unroll 2>&1 >/dev/null | FileCheck %s --check-prefix=UNASKED
// RUN: tile-opt %s --tile-expand --remarks-filter-passed='tile-.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=PASSED
// RUN: tile-opt %s --tile-expand --remarks-filter-missed='tile-.*' 2>&1 >/dev/null | FileCheck %s --check-prefix=MISSED

// For programs to read, and each place once.
// RUN: tile-opt %s --tile-expand --remarks-filter=tile-expand --remark-format=yaml --remarks-output-file=%t.yaml 2>&1 >/dev/null | count 0
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: tile-opt %s --tile-expand --remarks-filter=tile-expand --remark-policy=final -o /dev/null 2>%t.final
// RUN: grep -c ' remark: ' %t.remarks > %t.all
// RUN: grep -c ' remark: ' %t.final | diff %t.all -

// Local memory is a cost that is said in any case, but once.
// UNASKED-NOT: remark:
// UNASKED:     remark: 'tile.alloc' op stays in local memory: tile.read names an element by an index that is known only
// UNASKED-NOT: remark:
// MISSED-NOT:  remark:
// MISSED:      remark: [Missed] local-memory
// MISSED-NOT:  remark:
// PASSED-NOT:  remark: [Missed]
// PASSED:      remark: 'tile.alloc' op stays in local memory:

!t = memref<4x1xi32, #gpu.address_space<private>>
!spread = memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
!halves = memref<8x1xi16, #gpu.address_space<private>>
!one = memref<1x1xi32, strided<[1, 1], offset: ?>, #gpu.address_space<private>>

gpu.module @m {
  // IR-LABEL:  gpu.func @copies(
  // IR-COUNT-8: ptx.mov
  // IR-NOT:     ptx.mov
  // IR-COUNT-4: ptx.st
  // IR-NOT:     ptx.
  // IR:         gpu.return
  // CHECK:      remarks.mlir:[[#@LINE+13]]:5: remark: [Passed] expand | Category:tile-expand | Function=copies | Instructions=4, Opcode=mov.b32
  // CHECK:      remarks.mlir:[[#@LINE+13]]:5: remark: [Passed] expand | {{.*}} | Instructions=4, Opcode=mov.b32
  // CHECK:      remarks.mlir:[[#@LINE+13]]:5: remark: [Passed] expand | {{.*}} | Instructions=4, Opcode=st.global.b32
  // CHECK:      remarks.mlir:[[#@LINE+8]]:10: remark: [Analysis] registers | {{.*}} | Registers=4, Type=i32
  // CHECK:      remarks.mlir:[[#@LINE+8]]:10: remark: [Analysis] registers | {{.*}} | Registers=7, Type=i32
  // CHECK:      remarks.mlir:[[#@LINE+5]]:3: remark: [Analysis] total | {{.*}} | Instructions=12, mov=8, st=4
  // YAML:       --- !Passed
  // YAML-NEXT:  Pass: tile-expand
  // YAML-NEXT:  Name: expand
  // YAML-NEXT:  DebugLoc: { File: {{.*}}remarks.mlir', Line: [[#@LINE+4]],
  gpu.func @copies(%out: memref<4x1xi32, 1>, %n: i32) kernel {
    %a = tile.alloc : !t
    %b = tile.alloc : !spread
    tile.apply "mov.b32"(%a, %n) : !t, i32
    tile.apply "mov.b32"(%b, %a) : !spread, !t
    tile.apply "st.global.b32"(%out, %b) : memref<4x1xi32, 1>, !spread
    gpu.return
  }
  // YAML:       Function: copies
  // YAML-NEXT:  Args:
  // YAML-NEXT:    - Opcode: mov.b32
  // YAML-NEXT:    - Instructions: '4'

  // An application in a loop that is taken apart is one, with the sum. Instructions by hand are in the total.
  // CHECK: remark: [Passed] expand | {{.*}} | Function=turns | Copies=4, Instructions=4, Opcode=mov.b32
  // CHECK: remark: [Analysis] registers
  // CHECK: remark: [Analysis] total | {{.*}} | Function=turns | Instructions=5, add=1, mov=4
  gpu.func @turns(%n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.alloc : !t
    scf.for %i = %c0 to %c4 step %c1 {
      %s = tile.slice %a[%i, 0] [1, 1] : !t to !one
      tile.apply "mov.b32"(%s, %n) : !one, i32
    }
    %x = ptx.add "s32" %n, %n : (i32, i32) -> i32
    gpu.return
  }

  // Registers that are read at another width than they were written, at the view: twice is as dear as once.
  // CHECK: remark: [Passed] expand | {{.*}} | Function=unpacked
  // CHECK: remarks.mlir:[[#@LINE+8]]:10: remark: [Analysis] repack | {{.*}} | Registers=8, Type=i16
  // CHECK: remark: [Passed] expand | {{.*}} | Instructions=8, Opcode=st.global.b16
  // CHECK: remark: [Passed] expand | {{.*}} | Instructions=8, Opcode=st.global.b16
  // CHECK: remark: [Analysis] registers
  // CHECK: remark: [Analysis] total
  gpu.func @unpacked(%in: memref<4x1xi32, 1>, %out: memref<8x1xi16, 1>) kernel {
    %a = tile.alloc : !t
    tile.apply "ld.global.b32"(%a, %in) : !t, memref<4x1xi32, 1>
    %v = tile.view %a : !t to !halves
    tile.apply "st.global.b16"(%out, %v) : memref<8x1xi16, 1>, !halves
    tile.apply "st.global.b16"(%out, %v) : memref<8x1xi16, 1>, !halves
    gpu.return
  }

  // Written through the view, in another block too, and read as they are; read through a view that costs nothing.
  // CHECK: remark: [Passed] expand | {{.*}} | Function=packed
  // CHECK: remarks.mlir:[[#@LINE+5]]:10: remark: [Analysis] repack | {{.*}} | Registers=4, Type=i32
  // CHECK: remark: [Passed] expand
  // CHECK: remark: [Analysis] registers
  // CHECK: remark: [Analysis] total
  gpu.func @packed(%out: memref<4x1xi32, 1>, %h: i16, %p: i1) kernel {
    %a = tile.alloc : !t
    %v = tile.view %a : !t to !halves
    scf.if %p {
      tile.apply "mov.b16"(%v, %h) : !halves, i16
    }
    tile.apply "st.global.b32"(%out, %a) : memref<4x1xi32, 1>, !t
    gpu.return
  }
  // CHECK: remark: [Passed] expand | {{.*}} | Function=alike
  // CHECK: remark: [Passed] expand
  // CHECK: remark: [Analysis] registers
  // CHECK: remark: [Analysis] total
  gpu.func @alike(%out: memref<8x1xi16, 1>, %h: i16) kernel {
    %a = tile.alloc : !t
    %v = tile.view %a : !t to !halves
    tile.apply "mov.b16"(%v, %h) : !halves, i16
    tile.apply "st.global.b16"(%out, %v) : memref<8x1xi16, 1>, !halves
    gpu.return
  }

  // Local memory, and why; it is no registers.
  // CHECK: remarks.mlir:[[#@LINE+4]]:10: remark: [Missed] local-memory | {{.*}} | Function=indexed | Bytes=16, Reason="tile.read names an element by an index that is known only when the program runs"
  // CHECK: remark: [Passed] expand
  // CHECK: remark: [Analysis] total | {{.*}} | Instructions=4, mov=4
  gpu.func @indexed(%n: i32, %i: index) -> i32 {
    %a = tile.alloc : !t
    tile.apply "mov.b32"(%a, %n) : !t, i32
    %e = tile.read %a[%i, 0] : !t
    gpu.return %e : i32
  }

  // Of what uses no registers and no instructions there is nothing to say.
  gpu.func @nothing() kernel {
    %a = tile.alloc : !t
    gpu.return
  }
}
