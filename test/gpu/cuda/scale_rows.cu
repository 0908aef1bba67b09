// The kernel of examples/scale_rows.mlir. The address is advanced, as LLVM does it there: with rows + 64 * i in the loop
// there are three instructions fewer in all, and one more in each turn.
#include "access.cuh"

extern "C" __global__ void __launch_bounds__(64) scale_rows(float4 *__restrict__ rows, long long n, float by) {
  float4 *row = rows + 64ll * blockIdx.x + threadIdx.x;
  for (long long i = blockIdx.x; i < n; i += gridDim.x, row += 64ll * gridDim.x) {
    float4 v;
    LOAD_V4("ld.global.v4.b32", v, "l"(row));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(v.x) : "f"(by));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(v.y) : "f"(by));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(v.z) : "f"(by));
    asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(v.w) : "f"(by));
    STORE_V4("st.global.v4.b32", "l"(row), v);
  }
}
