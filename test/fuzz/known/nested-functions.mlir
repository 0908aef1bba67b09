// CLASS: StackOverflow mlir::detail::Parser::parseCommaSeparatedList and mlir::detail::Parser::parseFunctionType and mlir::detail::Parser::parseTypeListParens
// TIMES: 60000
// The parser calls itself for each type in a type.
"test.x"() :
(
