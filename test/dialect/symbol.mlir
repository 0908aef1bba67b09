// Addresses of symbols as text, in generic form and as bytecode.

// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tile-opt %s --symbol-dce | FileCheck %s --check-prefix=USED

gpu.module @m {
  // A symbol whose address is taken is used.
  // USED: memref.global "private" @a.b
  memref.global "private" @a.b : memref<64xi32, 1>
  memref.global "private" @table : memref<64xi32, #gpu.address_space<workgroup>>
  // USED-NOT: @unused
  memref.global "private" @unused : memref<64xi32, 1>
  func.func private @function() { return }

  // CHECK-LABEL: gpu.func @syntax(
  // CHECK-SAME:    %[[P:.*]]: i1, %[[OLD:.*]]: i64)
  // CHECK-NEXT:    ptx.mov "u64" symbol @a.b + 16 : () -> i64
  // CHECK-NEXT:    ptx.mov "u32" symbol @table : () -> i32
  // CHECK-NEXT:    ptx.mov "b64" symbol @function pred(not %[[P]]) preserve(%[[OLD]]) : () -> i64
  // CHECK-NEXT:    ptx.mov "u64" symbol @syntax : () -> i64
  gpu.func @syntax(%p: i1, %old: i64) kernel {
    %a = ptx.mov "u64" symbol @a.b + 16 : () -> i64
    %b = ptx.mov "u32" symbol @table : () -> i32
    %c = ptx.mov "b64" symbol @function pred(not %p) preserve(%old) : () -> i64
    %d = ptx.mov "u64" symbol @syntax : () -> i64
    gpu.return
  }

  // An address is a constant.
  // CSE-LABEL: gpu.func @merge(
  // CSE-COUNT-1: symbol @table :
  // CSE-NOT:     symbol @table :
  // CSE-COUNT-1: symbol @table + 4 :
  // CSE:         gpu.return
  gpu.func @merge() -> (i64, i64, i64) {
    %a = ptx.mov "u64" symbol @table : () -> i64
    %b = ptx.mov "u64" symbol @table : () -> i64
    %c = ptx.mov "u64" symbol @table + 4 : () -> i64
    gpu.return %a, %b, %c : i64, i64, i64
  }
}
