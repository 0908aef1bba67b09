// One block writes and releases, another acquires and reads: with every kind of cache qualifier on the way, and a
// policy.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "ordered", "grid": [2], "block": [1], "args": [
// GPU:  {"type": "i32", "values": [1, 2, 3, 4, 5, 6, 7, 8]},
// GPU:  {"type": "i32", "expect": [1, 2, 3, 4, 5, 6, 7, 8]},
// GPU:  {"type": "i32", "values": [0], "expect": [1]},
// GPU:  {"type": "i32", "expect": [1, 5, 2, 6, 3, 7, 4, 8]},
// GPU:  {"type": "i64", "expect": [1, 8, 17]}]}

!in = memref<2x4xi32, 1>
!cell = memref<1x1xi32, 1>
!out = memref<8x1xi32, 1>
!quads = memref<2x4xi32, #gpu.address_space<private>>
!ones = memref<8x1xi32, #gpu.address_space<private>>
!one = memref<1x1xi32, #gpu.address_space<private>>

gpu.module @m {
  gpu.func @ordered(%in: !in {llvm.align = 16 : i64}, %data: !in {llvm.align = 16 : i64}, %flag: !cell,
                    %out: !out, %more: !llvm.ptr<1>) kernel {
    %block = gpu.block_id x
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %tries = arith.constant 100000000 : i32
    %is_writer = arith.cmpi eq, %block, %c0 : index
    %policy = llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64 $0;", "=l" : () -> i64
    scf.if %is_writer {
      %quads = tile.alloc : !quads
      tile.apply "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v4.b32"(%quads, %in) cache_policy(%policy)
          : !quads, !in
      tile.apply "st.weak.global.L1::evict_first.L2::cache_hint.v4.b32"(%data, %quads) cache_policy(%policy)
          : !in, !quads
      %ready = tile.alloc : !one
      tile.apply "mov.b32"(%ready, %one) : !one, i32
      tile.apply "st.release.gpu.global.b32"(%flag, %ready) : !cell, !one
    } else {
      // It gives up sometime, so that a fault is no hang.
      %ready = tile.alloc : !one
      %left = scf.while (%n = %tries) : (i32) -> i32 {
        tile.apply "ld.acquire.gpu.global.b32"(%ready, %flag) : !one, !cell
        %found = tile.read %ready[0, 0] : !one
        %waits = arith.cmpi eq, %found, %zero : i32
        %may_try = arith.cmpi sgt, %n, %zero : i32
        %again = arith.andi %waits, %may_try : i1
        scf.condition(%again) %n : i32
      } do {
      ^bb0(%n: i32):
        %next = arith.subi %n, %one : i32
        scf.yield %next : i32
      }
      %ones = tile.alloc : !ones
      %columns = tile.view %data : !in to memref<8x1xi32, #tile.layout<[4, 2, 1] : [1, 4, 1]>, 1>
      tile.apply "ld.relaxed.sys.global.L2::256B.b32"(%ones, %columns)
          : !ones, memref<8x1xi32, #tile.layout<[4, 2, 1] : [1, 4, 1]>, 1>
      tile.apply "st.global.wt.b32"(%out, %ones) : !out, !ones

      // Once more what it wrote, in pairs and as devices see it.
      %p = memref.extract_aligned_pointer_as_index %out : !out -> index
      %q = arith.index_cast %p : index to i64
      %mine = llvm.inttoptr %q : i64 to !llvm.ptr<1>
      %a = ptx.ld "mmio.relaxed.sys.global.u32" %mine : (!llvm.ptr<1>) -> i32
      %b = ptx.ld "volatile.global.s32" %mine + 28 : (!llvm.ptr<1>) -> i32
      %wide_a = arith.extui %a : i32 to i64
      %wide_b = arith.extui %b : i32 to i64
      %c17 = arith.constant 17 : i64
      ptx.st "global.cs.v2.u64" %more, %wide_a, %wide_b : (!llvm.ptr<1>, i64, i64) -> ()
      ptx.st "volatile.global.u64" %more + 16, %c17 : (!llvm.ptr<1>, i64) -> ()
    }
    gpu.return
  }
}
