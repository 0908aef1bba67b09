// The kernel of examples/warpgroup_halves.mlir.

extern "C" __global__ void __launch_bounds__(128) turn(const unsigned *__restrict__ in, unsigned *__restrict__ out) {
  const unsigned first = 2 * threadIdx.x;
  unsigned words[2];
  unsigned short low[2], high[2];
#pragma unroll
  for (int i = 0; i < 2; ++i)
    asm volatile("ld.global.b32 %0, [%1];" : "=r"(words[i]) : "l"(in + first + i));
#pragma unroll
  for (int i = 0; i < 2; ++i)
    asm volatile("mov.b32 {%0, %1}, %2;" : "=h"(low[i]), "=h"(high[i]) : "r"(words[i]));
  asm volatile("mov.b32 %0, {%1, %2};" : "=r"(words[0]) : "h"(low[0]), "h"(low[1]));
  asm volatile("mov.b32 %0, {%1, %2};" : "=r"(words[1]) : "h"(high[0]), "h"(high[1]));
#pragma unroll
  for (int i = 0; i < 2; ++i)
    asm volatile("st.global.b32 [%0], %1;" ::"l"(out + first + i), "r"(words[i]) : "memory");
}
