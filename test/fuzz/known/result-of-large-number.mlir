// CLASS: Memory llvm::report_bad_alloc_error < mlir::gpu::GPUFuncOp::parse
// WITH: --allow-unregistered-dialect
// MLIR's parser makes a table of so many results before it looks how many the op has.
gpu.module @m {
  gpu.func @f() {
    %a = "some.op"() : () -> i8
    "some.op"(%a#2147483648) : (i8) -> ()
    gpu.return
  }
}
