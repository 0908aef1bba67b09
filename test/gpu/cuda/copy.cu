// The kernel of bench/copy.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(256) copy(const float4 *__restrict__ in, float4 *__restrict__ out) {
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + first + 256 * i));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    STORE_V4("st.global.v4.b32", "l"(out + first + 256 * i), v[i]);
}
