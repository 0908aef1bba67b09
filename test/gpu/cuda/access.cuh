// Loads and stores of four words by name, for the kernels of this folder: volatile as what a tile program asks for, and
// macros, since asm takes its text as it is. The address is an operand of asm: "l"(pointer).
#pragma once

#define LOAD_V4(opcode, v, address)                                                                                    \
  asm volatile(opcode " {%0, %1, %2, %3}, [%4];" : "=f"((v).x), "=f"((v).y), "=f"((v).z), "=f"((v).w) : address)
#define STORE_V4(opcode, address, v)                                                                                   \
  asm volatile(opcode " [%0], {%1, %2, %3, %4};" ::address, "f"((v).x), "f"((v).y), "f"((v).z), "f"((v).w) : "memory")
