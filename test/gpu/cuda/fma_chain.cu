// The kernel of bench/fma_chain.mlir.
#include "access.cuh"

__device__ __forceinline__ void multiply_add(float4 (&v)[4], float by, float summand) {
#pragma unroll
  for (float4 &each : v) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(each.x) : "f"(by), "f"(summand));
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(each.y) : "f"(by), "f"(summand));
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(each.z) : "f"(by), "f"(summand));
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(each.w) : "f"(by), "f"(summand));
  }
}

extern "C" __global__ void __launch_bounds__(256)
    fma_chain(const float4 *__restrict__ in, float4 *__restrict__ out, long turns, float half, float one, float two,
              float less) {
  const unsigned first = blockIdx.x * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    LOAD_V4("ld.global.v4.b32", v[i], "l"(in + first + 256 * i));
#pragma unroll 1
  for (long turn = 0; turn < turns; ++turn) {
    multiply_add(v, half, one);
    multiply_add(v, two, less);
  }
  multiply_add(v, half, one);
#pragma unroll
  for (int i = 0; i < 4; ++i)
    STORE_V4("st.global.v4.b32", "l"(out + first + 256 * i), v[i]);
}
