// The kernel of examples/fragment.mlir.

__device__ __forceinline__ void multiply(float2 &v, float by) {
  asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(v.x) : "f"(by));
  asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(v.y) : "f"(by));
}

extern "C" __global__ void __launch_bounds__(128)
    scale(const float *__restrict__ in, float *__restrict__ out, float by) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned first = 256 * warp + 16 * (lane / 4) + 2 * (lane % 4);
  constexpr unsigned quarter[] = {0, 8, 128, 136};
  float2 v[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("ld.global.v2.b32 {%0, %1}, [%2];" : "=f"(v[i].x), "=f"(v[i].y) : "l"(in + first + quarter[i]));
#pragma unroll
  for (float2 &each : v)
    multiply(each, by);
  if (warp == 2 && lane < 16) {
#pragma unroll
    for (float2 &each : v)
      multiply(each, by);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(out + first + quarter[i]), "f"(v[i].x), "f"(v[i].y)
                 : "memory");
}
