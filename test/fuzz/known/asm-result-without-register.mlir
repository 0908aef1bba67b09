// CLASS: Signal llvm::EVT::isExtendedVector < llvm::SelectionDAGBuilder::visitInlineAsm
// WITH: --gpu-module-to-binary=format=isa
// LLVM selects no instruction for inline asm whose result has a width that no register has; the asm is the user's.
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%a: i32) attributes {nvvm.kernel} {
    %b = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,r" %a : (i32) -> i33
    llvm.return
  }
}
