// What no launch has, and what no pointer says.

// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu.module(tile-prepare-kernels))' -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error @+1 {{'gpu.func' op known_block_size is array<i32: 0, 1, 1>; sizes are positive}}
  gpu.func @zero() kernel attributes {known_block_size = array<i32: 0, 1, 1>} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op nvvm.reqntid is array<i32: -1, 1, 1>; sizes are positive}}
  gpu.func @negative() kernel attributes {nvvm.reqntid = array<i32: -1, 1, 1>} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op nvvm.maxnreg is 0 : i32; sizes are positive}}
  gpu.func @registers() kernel attributes {nvvm.maxnreg = 0 : i32} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op known_block_size is array<i32: 1024, 2, 1>; the most is 1024, 1024, 64, and 1024 in all}}
  gpu.func @threads() kernel attributes {known_block_size = array<i32: 1024, 2, 1>} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op nvvm.reqntid is array<i32: 1, 1, 65>; the most is 1024, 1024, 64}}
  gpu.func @deep() kernel attributes {nvvm.reqntid = array<i32: 1, 1, 65>} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op nvvm.cluster_dim is array<i32: 4, 8, 1>; the most is 16, 16, 16, and 16 in all}}
  gpu.func @cluster() kernel attributes {nvvm.cluster_dim = array<i32: 4, 8, 1>} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op known_grid_size is array<i32: 1, 70000, 1>; the most is 2147483647, 65535, 65535}}
  gpu.func @grid() kernel attributes {known_grid_size = array<i32: 1, 70000, 1>} {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op has an scf.index_switch with the case 4294967296; they have 32 bits}}
  gpu.func @case(%i: index) kernel {
    scf.index_switch %i
    case 4294967296 {
      scf.yield
    }
    default {
    }
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op has an scf.index_switch with the case 4294967296; they have 32 bits}}
  gpu.func @case_of_thread() kernel {
    %t = gpu.thread_id x
    scf.index_switch %t
    case 4294967296 {
      scf.yield
    }
    default {
    }
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op has nvvm.reqntid and nvvm.maxntid, which PTX does not take together; take one out}}
  gpu.func @both() kernel attributes {nvvm.maxntid = array<i32: 64, 1, 1>, nvvm.reqntid = array<i32: 64, 1, 1>} {
    gpu.return
  }
}

// -----

gpu.module @m {
  // expected-error @+1 {{'gpu.func' op argument #2 is memref<?xi32, 1>, and bare pointers need a static shape; give it one, or pass descriptors with bare-pointers=false}}
  gpu.func @shape(%a: i32, %b: memref<4xi32, 1>, %c: memref<?xi32, 1>) kernel {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op argument #0 is memref<*xi32>, and bare pointers need a static rank}}
  gpu.func @rank(%a: memref<*xi32>) kernel {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op argument #0 is memref<4xi32, strided<[?]>>, and bare pointers need a static layout}}
  gpu.func @layout(%a: memref<4xi32, strided<[?]>>) kernel {
    gpu.return
  }
  // expected-error @+1 {{'gpu.func' op argument #0 is memref<4xi32, #tile.layout<[4] : [2]>, 1>, whose layout tile ops alone can read; pass plain memory and take a tile.view of it}}
  gpu.func @tile(%a: memref<4xi32, #tile.layout<[4] : [2]>, 1>) kernel {
    gpu.return
  }
  // expected-error @+1 {{'func.func' op argument #0 is memref<?xi32>}}
  func.func @device(%a: memref<?xi32>) {
    return
  }
}
