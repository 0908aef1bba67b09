// CLASS: StackOverflow mlir::detail::Parser::parseAttribute and mlir::detail::Parser::parseCommaSeparatedList
// TIMES: 60000
// The parser calls itself for each attribute in an attribute.
module attributes {test.x =
{x =
