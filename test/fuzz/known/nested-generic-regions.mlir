// CLASS: StackOverflow libMLIR.so.22.1
// TIMES: 60000
// The parser calls itself for each region.
"test.x"() ({
