gpu.module @m {
  gpu.func @copy(%g: !llvm.ptr<1>) kernel {
    %q = ptx.ld "global.b128" %g : (!llvm.ptr<1>) -> i128
    ptx.st "global.b128" %g + 16, %q : (!llvm.ptr<1>, i128) -> ()
    gpu.return
  }
}
