// The kernel of examples/swizzled_copy.mlir: vector v of row r lies in shared memory at v ^ r % 8 of it.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(128)
    swizzled_copy(const float4 *__restrict__ in, float4 *__restrict__ out) {
  __shared__ float4 buffer[128 * 8];
  const unsigned shared = __cvta_generic_to_shared(buffer);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float4 v[8];
  // Eight lanes have a row, and a warp goes on by four rows.
  const unsigned row = 32 * warp + lane / 8, vector = lane % 8;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + 8 * row + vector + 32 * i));
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const unsigned place = 8 * (row + 4 * i) + (vector ^ (row + 4 * i) % 8);
    STORE_V4("st.shared.v4.b32", "r"(shared + 16 * place), v[i]);
  }
  __syncthreads();
  // A lane has a row.
#pragma unroll
  for (int i = 0; i < 8; ++i)
    LOAD_V4("ld.shared.v4.b32", v[i], "r"(shared + 16 * (8 * threadIdx.x + (i ^ threadIdx.x % 8))));
#pragma unroll
  for (int i = 0; i < 8; ++i)
    STORE_V4("st.global.v4.b32", "l"(out + 8 * threadIdx.x + i), v[i]);
}
