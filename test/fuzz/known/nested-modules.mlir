// CLASS: StackOverflow mlir::ModuleOp::parse
// TIMES: 60000
// The parser calls itself for each region.
module {
