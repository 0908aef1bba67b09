// CLASS: StackOverflow mlir::scf::ExecuteRegionOp::parse
// TIMES: 60000
// The parser calls itself for each region.
scf.execute_region {
