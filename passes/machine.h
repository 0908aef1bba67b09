// Passes on LLVM's machine code, which run in our own emitter right after instruction selection.
#ifndef PTX_TILE_MACHINE_H
#define PTX_TILE_MACHINE_H

namespace llvm {
class MachineFunctionPass;
}

namespace tile {
/// Takes copies of virtual registers away, in linear time.
llvm::MachineFunctionPass *createFoldCopies();

/// Keeps 128-bit registers whole between the instructions that use them.
llvm::MachineFunctionPass *createJoinB128();
} // namespace tile

#endif // PTX_TILE_MACHINE_H
