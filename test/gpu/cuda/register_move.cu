// The kernel of examples/register_move.mlir.

extern "C" __global__ void register_move(unsigned *__restrict__ out) {
  unsigned a[4], b[4];
#pragma unroll
  for (unsigned &each : a)
    asm volatile("mov.b32 %0, 17;" : "=r"(each));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("mov.b32 %0, %1;" : "=r"(b[i]) : "r"(a[i]));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("st.global.b32 [%0], %1;" ::"l"(out + i), "r"(b[i]) : "memory");
}
