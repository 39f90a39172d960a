/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to shared memory by 32-bit shared addresses, which take one register and which the
 * compiler does not recompute for every access. */
#ifndef ZOID_CODELETS_CUDA_MLSOR_SHARED_CUH
#define ZOID_CODELETS_CUDA_MLSOR_SHARED_CUH

#include <cuda_runtime.h>

namespace
{

__device__ __forceinline__ unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

__device__ __forceinline__ void get(float &value, unsigned at)
{
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(at));
}

__device__ __forceinline__ void get(double &value, unsigned at)
{
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(at));
}

__device__ __forceinline__ void put(unsigned at, float value)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(value) : "memory");
}

__device__ __forceinline__ void put(unsigned at, double value)
{
    asm volatile("st.shared.f64 [%0], %1;" ::"r"(at), "d"(value) : "memory");
}

/* Starts an asynchronous copy of a value from GPU memory. */
template <class T> __device__ __forceinline__ void fetch(unsigned at, const T *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(sizeof(T))
                 : "memory");
}

/* Waits for all copies that this thread has started. */
__device__ __forceinline__ void fetched()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

} // namespace
#endif
