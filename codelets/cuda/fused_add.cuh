/* SPDX-License-Identifier: BSD-3-Clause */
/* a b + c, rounded once, in either type. */
#ifndef ZOID_CODELETS_CUDA_FUSED_ADD_CUH
#define ZOID_CODELETS_CUDA_FUSED_ADD_CUH

static __device__ __forceinline__ float fused_add(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

static __device__ __forceinline__ double fused_add(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

#endif
