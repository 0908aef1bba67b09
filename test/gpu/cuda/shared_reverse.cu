// The kernel of examples/shared_reverse.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(64)
    shared_reverse(const float4 *__restrict__ in, float4 *__restrict__ out) {
  __shared__ float4 buffer[64];
  const unsigned shared = __cvta_generic_to_shared(buffer);
  float4 v;
  LOAD_V4("ld.global.v4.b32", v, "l"(in + threadIdx.x));
  STORE_V4("st.shared.v4.b32", "r"(shared + 16 * threadIdx.x), v);
  __syncthreads();
  LOAD_V4("ld.shared.v4.b32", v, "r"(shared + 16 * (63 - threadIdx.x)));
  STORE_V4("st.global.v4.b32", "l"(out + threadIdx.x), v);
}
