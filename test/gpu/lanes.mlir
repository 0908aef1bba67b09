// The lane and its masks, of every lane of a warp, and what can be said of registers whose values the machine chooses.

// REQUIRES: gpu
// RUN: %python %S/pack.py %t %s
// RUN: %python %t/run.py

// GPU: {"kernel": "lanes", "grid": [1], "block": [32], "args": [
// GPU:  {"type": "i32", "expect": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
// GPU:  24, 25, 26, 27, 28, 29, 30, 31, 32]},
// GPU:  {"type": "i32", "expect": [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
// GPU:  131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216, 33554432, 67108864, 134217728,
// GPU:  268435456, 536870912, 1073741824, 2147483648]},
// GPU:  {"type": "i32", "expect": [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65535,
// GPU:  131071, 262143, 524287, 1048575, 2097151, 4194303, 8388607, 16777215, 33554431, 67108863, 134217727,
// GPU:  268435455, 536870911, 1073741823, 2147483647]},
// GPU:  {"type": "i32", "expect": [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65535,
// GPU:  131071, 262143, 524287, 1048575, 2097151, 4194303, 8388607, 16777215, 33554431, 67108863, 134217727,
// GPU:  268435455, 536870911, 1073741823, 2147483647, 4294967295]},
// GPU:  {"type": "i32", "expect": [4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168,
// GPU:  4294967040, 4294966784, 4294966272, 4294965248, 4294963200, 4294959104, 4294950912, 4294934528, 4294901760,
// GPU:  4294836224, 4294705152, 4294443008, 4293918720, 4292870144, 4290772992, 4286578688, 4278190080, 4261412864,
// GPU:  4227858432, 4160749568, 4026531840, 3758096384, 3221225472, 2147483648, 0]},
// GPU:  {"type": "i32", "expect": [4294967295, 4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232,
// GPU:  4294967168, 4294967040, 4294966784, 4294966272, 4294965248, 4294963200, 4294959104, 4294950912, 4294934528,
// GPU:  4294901760, 4294836224, 4294705152, 4294443008, 4293918720, 4292870144, 4290772992, 4286578688, 4278190080,
// GPU:  4261412864, 4227858432, 4160749568, 4026531840, 3758096384, 3221225472, 2147483648]},
// GPU:  {"type": "i32", "expect": [0, 1, 1, 1, 1, 1, 1, 1]}]}

gpu.module @m {
  gpu.func @lanes(%lanes: memref<32xi32, 1>, %eq: memref<32xi32, 1>, %lt: memref<32xi32, 1>, %le: memref<32xi32, 1>,
                  %gt: memref<32xi32, 1>, %ge: memref<32xi32, 1>, %out: memref<8xi32, 1>) kernel {
    %c1 = arith.constant 1 : i32
    %x = gpu.thread_id x
    %lane = ptx.mov "u32" special "laneid" : () -> i32
    %lane1 = arith.addi %lane, %c1 : i32
    memref.store %lane1, %lanes[%x] : memref<32xi32, 1>
    %m0 = ptx.mov "u32" special "lanemask_eq" : () -> i32
    memref.store %m0, %eq[%x] : memref<32xi32, 1>
    %m1 = ptx.mov "u32" special "lanemask_lt" : () -> i32
    memref.store %m1, %lt[%x] : memref<32xi32, 1>
    %m2 = ptx.mov "u32" special "lanemask_le" : () -> i32
    memref.store %m2, %le[%x] : memref<32xi32, 1>
    %m3 = ptx.mov "u32" special "lanemask_gt" : () -> i32
    memref.store %m3, %gt[%x] : memref<32xi32, 1>
    %m4 = ptx.mov "b32" special "lanemask_ge" : () -> i32
    memref.store %m4, %ge[%x] : memref<32xi32, 1>

    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      %i1 = arith.constant 1 : index
      %i2 = arith.constant 2 : index
      %i3 = arith.constant 3 : index
      %i4 = arith.constant 4 : index
      %i5 = arith.constant 5 : index
      %i6 = arith.constant 6 : index
      %i7 = arith.constant 7 : index
      %zero = arith.constant 0 : i64

      // No shared memory is given at launch.
      %dynamic = ptx.mov "u32" special "dynamic_smem_size" : () -> i32
      memref.store %dynamic, %out[%c0] : memref<8xi32, 1>

      // Clocks go forward, and are read twice.
      %clock = ptx.mov "u64" special "clock64" : () -> i64
      %later = ptx.mov "u64" special "clock64" : () -> i64
      %forward = arith.cmpi ugt, %later, %clock : i64
      %forward1 = arith.extui %forward : i1 to i32
      memref.store %forward1, %out[%i1] : memref<8xi32, 1>
      %time = ptx.mov "u64" special "globaltimer" : () -> i64
      %then = ptx.mov "u64" special "globaltimer" : () -> i64
      %not_back = arith.cmpi uge, %then, %time : i64
      %runs = arith.cmpi ne, %time, %zero : i64
      %good = arith.andi %not_back, %runs : i1
      %good1 = arith.extui %good : i1 to i32
      memref.store %good1, %out[%i2] : memref<8xi32, 1>

      // Numbers are below how many there are.
      %sm = ptx.mov "u32" special "smid" : () -> i32
      %sms = ptx.mov "u32" special "nsmid" : () -> i32
      %sm_good = arith.cmpi ult, %sm, %sms : i32
      %sm1 = arith.extui %sm_good : i1 to i32
      memref.store %sm1, %out[%i3] : memref<8xi32, 1>
      %warp = ptx.mov "u32" special "warpid" : () -> i32
      %warps = ptx.mov "u32" special "nwarpid" : () -> i32
      %warp_good = arith.cmpi ult, %warp, %warps : i32
      %warp1 = arith.extui %warp_good : i1 to i32
      memref.store %warp1, %out[%i4] : memref<8xi32, 1>

      // Without a cluster size the cluster is the one block.
      %explicit = ptx.mov "pred" special "is_explicit_cluster" : () -> i1
      %implicit = ptx.mov "pred" not %explicit : (i1) -> i1
      %implicit1 = arith.extui %implicit : i1 to i32
      memref.store %implicit1, %out[%i5] : memref<8xi32, 1>
      %blocks = ptx.mov "u32" special "cluster_nctarank" : () -> i32
      memref.store %blocks, %out[%i6] : memref<8xi32, 1>
      %nctaid = ptx.mov "u32" special "cluster_nctaid.x" : () -> i32
      memref.store %nctaid, %out[%i7] : memref<8xi32, 1>
    }
    gpu.return
  }
}
