// 64 floats by one thread: 16 loads and 16 stores of 16 bytes.
gpu.module @kernels {
  gpu.func @copy(%from: memref<8x8xf32, 1> {llvm.align = 16 : i32}, %to: memref<8x8xf32, 1> {llvm.align = 16 : i32}) kernel {
    memref.copy %from, %to : memref<8x8xf32, 1> to memref<8x8xf32, 1>
    gpu.return
  }
}
