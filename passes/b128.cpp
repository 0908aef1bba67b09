// Keeps 128-bit registers whole between the instructions that use them.
//
// No value of LLVM 22's NVPTX backend has 128 bits. An asm's result in a b128 register is taken apart into two of 64
// bits (`mov.b128 {%rd1, %rd2}, %rq1;`) and an asm's input is put together from two, whatever its type: i128, vectors,
// fp128 (tried with llc at -O0 to -O3). So a value that goes from one instruction to another costs two instructions
// nobody asked for, with the very opcode that people ask for. Right after instruction selection, in SSA form, this pass
// gives the second instruction the register of the first; phis of halves become phis of the whole.
//
// What stays is for halves that come from elsewhere: a kernel's argument, a constant, i128 arithmetic, llvm.load.
#include "machine.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <map>
#include <set>

using namespace llvm;

namespace {

using Halves = std::pair<Register, Register>;

class Joiner {
public:
  explicit Joiner(MachineFunction &function)
      : function(function), registers(function.getRegInfo()), info(*function.getSubtarget().getInstrInfo()) {}

  bool run() {
    // The target's headers are not installed: its opcodes are known by name.
    SmallVector<MachineInstr *> joins, splits;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block) {
        StringRef name = info.getName(instruction.getOpcode());
        if (name == "V2I64toI128")
          joins.push_back(&instruction);
        if (name == "I128toV2I64")
          splits.push_back(&instruction);
      }
    for (MachineInstr *split : splits)
      wholes[{split->getOperand(0).getReg(), split->getOperand(1).getReg()}] = split->getOperand(2).getReg();
    bool changed = false;
    for (MachineInstr *join : joins) {
      Halves halves = {join->getOperand(1).getReg(), join->getOperand(2).getReg()};
      std::set<Halves> visited;
      if (!isWhole(halves, visited))
        continue;
      Register whole = wholeOf(halves, registers.getRegClass(join->getOperand(0).getReg()));
      registers.clearKillFlags(whole);
      registers.replaceRegWith(join->getOperand(0).getReg(), whole);
      join->eraseFromParent();
      changed = true;
    }
    // Halves that nobody reads any more: LLVM removes them later, at -O1 and above.
    return changed;
  }

private:
  MachineFunction &function;
  MachineRegisterInfo &registers;
  const TargetInstrInfo &info;
  std::map<Halves, Register> wholes;

  // The register that a chain of copies begins with.
  Register origin(Register half) const {
    MachineInstr *definition = registers.getVRegDef(half);
    while (definition && definition->isCopy() && definition->getOperand(1).getReg().isVirtual() &&
           !definition->getOperand(1).getSubReg()) {
      half = definition->getOperand(1).getReg();
      definition = registers.getVRegDef(half);
    }
    return half;
  }
  Halves origin(Halves halves) const { return {origin(halves.first), origin(halves.second)}; }

  // The phis of both halves, of one block, or null.
  std::pair<MachineInstr *, MachineInstr *> phis(Halves halves) const {
    MachineInstr *low = registers.getVRegDef(halves.first), *high = registers.getVRegDef(halves.second);
    bool both = low && high && low->isPHI() && high->isPHI() && low->getParent() == high->getParent();
    return both ? std::make_pair(low, high) : std::make_pair(nullptr, nullptr);
  }

  // What comes into two phis from the block at `operand` of the first.
  Halves incoming(MachineInstr *low, MachineInstr *high, unsigned operand) const {
    MachineBasicBlock *from = low->getOperand(operand + 1).getMBB();
    for (unsigned other = 1; other < high->getNumOperands(); other += 2)
      if (high->getOperand(other + 1).getMBB() == from)
        return {low->getOperand(operand).getReg(), high->getOperand(other).getReg()};
    return {};
  }

  // The instruction that makes a half undefined, where both are.
  MachineInstr *undefined(Halves halves) const {
    MachineInstr *low = registers.getVRegDef(halves.first), *high = registers.getVRegDef(halves.second);
    return low && high && low->isImplicitDef() && high->isImplicitDef() ? low : nullptr;
  }

  // Whether halves are those of a whole register or undefined, on every way through phis.
  bool isWhole(Halves halves, std::set<Halves> &visited) const {
    if (!halves.first.isVirtual() || !halves.second.isVirtual())
      return false;
    halves = origin(halves);
    if (wholes.count(halves) || undefined(halves) || !visited.insert(halves).second)
      return true;
    auto [low, high] = phis(halves);
    if (!low)
      return false;
    for (unsigned operand = 1; operand < low->getNumOperands(); operand += 2)
      if (!isWhole(incoming(low, high, operand), visited))
        return false;
    return true;
  }

  // The whole register of halves that are.
  Register wholeOf(Halves halves, const TargetRegisterClass *registerClass) {
    halves = origin(halves);
    if (auto known = wholes.find(halves); known != wholes.end())
      return known->second;
    Register whole = registers.createVirtualRegister(registerClass);
    if (MachineInstr *half = undefined(halves)) {
      BuildMI(*half->getParent(), half, half->getDebugLoc(), info.get(TargetOpcode::IMPLICIT_DEF), whole);
      return whole;
    }
    auto [low, high] = phis(halves);
    // Before what comes in, which may be this phi.
    wholes[halves] = whole;
    MachineInstrBuilder phi =
        BuildMI(*low->getParent(), low, low->getDebugLoc(), info.get(TargetOpcode::PHI), whole);
    for (unsigned operand = 1; operand < low->getNumOperands(); operand += 2) {
      Register from = wholeOf(incoming(low, high, operand), registerClass);
      registers.clearKillFlags(from);
      phi.addReg(from).addMBB(low->getOperand(operand + 1).getMBB());
    }
    return whole;
  }
};

struct JoinB128 : MachineFunctionPass {
  static char ID;
  JoinB128() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Keep 128-bit registers whole"; }
  bool runOnMachineFunction(MachineFunction &function) override { return Joiner(function).run(); }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
};
char JoinB128::ID = 0;

} // namespace

MachineFunctionPass *tile::createJoinB128() { return new JoinB128(); }
