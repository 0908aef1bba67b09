// CLASS: Hang llvm::APInt::tcMultiplyPart
// TIMES: 60000 7
// MLIR's parser multiplies numbers of four bits for each digit, for each digit.
func.func private @f(i64) attributes {number = 7 : i64}
