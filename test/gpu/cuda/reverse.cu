// The kernel of bench/reverse.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(256) reverse(const float4 *__restrict__ in, float4 *__restrict__ out) {
  __shared__ float4 buffer[1024];
  const unsigned shared = __cvta_generic_to_shared(buffer);
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  const unsigned mine = shared + 16 * threadIdx.x, theirs = shared + 16 * (255 - threadIdx.x);
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + first + 256 * i));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    STORE_V4("st.shared.v4.b32", "r"(mine + 4096 * i), v[i]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.shared.v4.b32", v[i], "r"(theirs + 4096 * i));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    STORE_V4("st.global.v4.b32", "l"(out + first + 256 * i), v[i]);
}
