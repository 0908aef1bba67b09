// CLASS: StackOverflow mlir::gpu::GPUModuleOp::parse
// TIMES: 60000
// The parser calls itself for each region.
gpu.module @n {
