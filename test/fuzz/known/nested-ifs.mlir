// CLASS: StackOverflow mlir::scf::IfOp::parse
// TIMES: 60000
// The parser calls itself for each region.
scf.if %p {
