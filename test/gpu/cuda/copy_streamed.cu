// The kernel of bench/copy_streamed.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(128)
    copy_streamed(const float4 *__restrict__ in, float4 *__restrict__ out) {
  const unsigned at = blockIdx.x * 128 + threadIdx.x;
  float4 v;
  LOAD_V4("ld.global.cs.v4.b32", v, "l"(in + at));
  STORE_V4("st.global.cs.v4.b32", "l"(out + at), v);
}
