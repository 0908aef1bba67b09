// CLASS: StackOverflow mlir::detail::Parser::parseCommaSeparatedList and mlir::detail::Parser::parseTupleType
// TIMES: 60000
// The parser calls itself for each type in a type.
"test.x"() : () ->
tuple<
