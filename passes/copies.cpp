// Takes copies of virtual registers away, right after instruction selection.
//
// LLVM 22 selects a copy for each input of an asm. Its peephole pass folds them, and for each goes over all uses of the
// register that is copied: of a pointer that 65,536 instructions load from, that is nine tenths of a compilation.
// Without that pass the register coalescer takes longer still. Here it is one step for each use.
#include "machine.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

namespace {

struct FoldCopies : MachineFunctionPass {
  static char ID;
  FoldCopies() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Fold copies of virtual registers"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    MachineRegisterInfo &registers = function.getRegInfo();
    DenseSet<Register> copied;
    bool hasChanged = false;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : make_early_inc_range(block)) {
        if (!isFoldable(instruction, registers))
          continue;
        Register to = instruction.getOperand(0).getReg(), from = instruction.getOperand(1).getReg();
        // It lives longer than any of its uses knew.
        registers.clearKillFlags(to);
        if (copied.insert(from).second)
          registers.clearKillFlags(from);
        instruction.eraseFromParent();
        registers.replaceRegWith(to, from);
        hasChanged = true;
      }
    return hasChanged;
  }

private:
  static bool isFoldable(const MachineInstr &instruction, const MachineRegisterInfo &registers) {
    if (!instruction.isCopy())
      return false;
    const MachineOperand &to = instruction.getOperand(0), &from = instruction.getOperand(1);
    return to.getReg().isVirtual() && from.getReg().isVirtual() && !to.getSubReg() && !from.getSubReg() &&
           registers.hasOneDef(to.getReg()) && registers.hasOneDef(from.getReg()) &&
           registers.getRegClass(to.getReg()) == registers.getRegClass(from.getReg());
  }
};
char FoldCopies::ID = 0;

} // namespace

MachineFunctionPass *tile::createFoldCopies() { return new FoldCopies(); }
