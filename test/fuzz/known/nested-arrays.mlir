// CLASS: StackOverflow mlir::detail::Parser::parseAttribute and mlir::detail::Parser::parseCommaSeparatedListUntil
// TIMES: 60000
// The parser calls itself for each attribute in an attribute.
module attributes {test.x =
[
