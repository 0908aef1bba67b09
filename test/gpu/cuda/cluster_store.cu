// The kernel of examples/cluster_store.mlir.

extern "C" __global__ void __cluster_dims__(2) __launch_bounds__(64) number(unsigned *__restrict__ out) {
  unsigned block, thread, number;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  asm volatile("mov.b32 %0, %1;" : "=r"(number) : "r"(64 * block + thread));
  asm volatile("st.global.b32 [%0], %1;" ::"l"(out + (64 * block + thread)), "r"(number) : "memory");
}
