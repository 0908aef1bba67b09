// The kernel of bench/store_some.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(256)
    store_some(const float4 *__restrict__ in, float4 *__restrict__ out, float least) {
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + first + 256 * i));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("{ .reg .pred p; setp.gt.f32 p, %1, %5; @p st.global.v4.b32 [%0], {%1, %2, %3, %4}; }" ::"l"(
                     out + first + 256 * i),
                 "f"(v[i].x), "f"(v[i].y), "f"(v[i].z), "f"(v[i].w), "f"(least)
                 : "memory");
}
