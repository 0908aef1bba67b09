// The kernel of examples/load_compute_store.mlir.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(64) triple(const float4 *__restrict__ in, float4 *__restrict__ out) {
  float4 v[3];
#pragma unroll
  for (int i = 0; i < 3; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + 3 * threadIdx.x + i));
#pragma unroll
  for (float4 &each : v) {
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(each.x) : "f"(3.0f));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(each.y) : "f"(3.0f));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(each.z) : "f"(3.0f));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(each.w) : "f"(3.0f));
  }
#pragma unroll
  for (int i = 0; i < 3; ++i)
    STORE_V4("st.global.v4.b32", "l"(out + 3 * threadIdx.x + i), v[i]);
}
