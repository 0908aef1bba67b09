// Fill a tile of four registers with 17, copy it into a tile whose registers lie two apart, store that (R100).
//
// RUN: tile-opt %s --tile-expand=forward=false | FileCheck %s --check-prefix=SLOTS
// RUN: tile-translate --mlir-to-ptx %s | FileCheck %s --check-prefix=PTX

!tile = memref<4x1xi32, #gpu.address_space<private>>
!spread = memref<4x1xi32, strided<[2, 1]>, #gpu.address_space<private>>
!out = memref<4x1xi32, #gpu.address_space<global>>

gpu.module @kernels {
  gpu.func @register_move(%out: !out) kernel {
    %c17 = arith.constant 17 : i32
    %a = tile.alloc : !tile
    %b = tile.alloc : !spread
    tile.apply "mov.b32"(%a, %c17) : !tile, i32
    tile.apply "mov.b32"(%b, %a) : !spread, !tile
    tile.apply "st.global.b32"(%out, %b) : !out, !spread
    gpu.return
  }
}

// Four instructions for each application; the copy writes slots 0, 2, 4 and 6 of seven registers.
// SLOTS-LABEL: gpu.func @register_move
// SLOTS-DAG:     %[[A:.*]] = llvm.alloca {{.*}} x !llvm.array<4 x i32>
// SLOTS-DAG:     %[[B:.*]] = llvm.alloca {{.*}} x !llvm.array<7 x i32>
// SLOTS-COUNT-4: ptx.mov "b32" %c17_i32 : (i32) -> i32
// SLOTS:         %[[W0:.*]] = ptx.mov "b32"
// SLOTS:         %[[P0:.*]] = llvm.getelementptr %[[B]][0, 0]
// SLOTS-NEXT:    llvm.store %[[W0]], %[[P0]]
// SLOTS:         %[[W1:.*]] = ptx.mov "b32"
// SLOTS:         %[[P1:.*]] = llvm.getelementptr %[[B]][0, 2]
// SLOTS-NEXT:    llvm.store %[[W1]], %[[P1]]
// SLOTS:         %[[W2:.*]] = ptx.mov "b32"
// SLOTS:         %[[P2:.*]] = llvm.getelementptr %[[B]][0, 4]
// SLOTS-NEXT:    llvm.store %[[W2]], %[[P2]]
// SLOTS:         %[[W3:.*]] = ptx.mov "b32"
// SLOTS:         %[[P3:.*]] = llvm.getelementptr %[[B]][0, 6]
// SLOTS-NEXT:    llvm.store %[[W3]], %[[P3]]
// SLOTS-NOT:     ptx.mov
// SLOTS-COUNT-4: ptx.st "global.b32"
// SLOTS-NOT:     ptx.
// SLOTS:         gpu.return

// PTX-LABEL:   .visible .entry register_move(
// PTX-NOT:     .local
// PTX-COUNT-8: mov.b32
// PTX-NOT:     mov.b32
// PTX:         st.global.b32 [%[[OUT:.*]]], %
// PTX:         st.global.b32 [%[[OUT]]+4], %
// PTX:         st.global.b32 [%[[OUT]]+8], %
// PTX:         st.global.b32 [%[[OUT]]+12], %
// PTX-NOT:     st.global
// PTX:         ret;
