// The kernel of bench/convert.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(256) convert(const float4 *__restrict__ in, uint2 *__restrict__ out) {
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  float4 v[4];
  uint2 w[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + first + 256 * i));
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w[i].x) : "f"(v[i].y), "f"(v[i].x));
    asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(w[i].y) : "f"(v[i].w), "f"(v[i].z));
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(out + first + 256 * i), "r"(w[i].x), "r"(w[i].y) : "memory");
}
