/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared memory by its own addresses, which take one register, and which the compiler does not make
 * anew for every access. */
#ifndef ZOID_CODELETS_CUDA_SHARED_CUH
#define ZOID_CODELETS_CUDA_SHARED_CUH

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

/* Copies a value from the GPU's memory, in its own time. */
template <class T> __device__ __forceinline__ void fetch(unsigned at, const T *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(sizeof(T))
                 : "memory");
}

/* What this thread has fetched is there. */
__device__ __forceinline__ void fetched()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

} // namespace
#endif
