// CLASS: Signal mlir::FloatType::getWidth < mlir::Type::getIntOrFloatBitWidth < mlir::AsmPrinter::Impl::printDenseArrayAttr
// WITH:
// BYTES: 23010311 23030311
// The reader of bytecode takes an array of any type, and the printer asks an index for its width: the array's type is the
// second of the program here, not the first.
module attributes {test.x = array<i64: 1>, test.y = index} {}
