// The kernel of examples/registers_in_loops.mlir.
#include "access.cuh"

__device__ __forceinline__ void move(float &x) { asm volatile("mov.f32 %0, %0;" : "+f"(x)); }

extern "C" __global__ void __launch_bounds__(16)
    registers_in_loops(const float4 *__restrict__ in, float4 *__restrict__ out, long n) {
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + threadIdx.x + 16 * i));
#pragma unroll 1
  for (long turn = 0; turn < n; ++turn)
    if (turn == 0) {
#pragma unroll
      for (float4 &each : v) {
        move(each.x);
        move(each.y);
        move(each.z);
        move(each.w);
      }
    }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    STORE_V4("st.global.v4.b32", "l"(out + threadIdx.x + 16 * i), v[3 - i]);
}
