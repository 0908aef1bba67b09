// CLASS: Signal mlir::FloatType::getWidth < mlir::Type::getIntOrFloatBitWidth < mlir::detail::Parser::parseDenseArrayAttr
// WITH:
// The parser asks an index for its width.
module attributes {test.x = array<index: 1>} {}
