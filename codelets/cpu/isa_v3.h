/* SPDX-License-Identifier: BSD-3-Clause */
/* x86-64-v3: AVX2 and FMA. */
#include <immintrin.h>

typedef float zoid_vector_f32 __attribute__((vector_size(32)));
typedef double zoid_vector_f64 __attribute__((vector_size(32)));
typedef unsigned char zoid_vector_u8 __attribute__((vector_size(32)));

static inline zoid_vector_f32 zoid_vector_fma_f32(zoid_vector_f32 a, zoid_vector_f32 b,
                                                  zoid_vector_f32 c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline zoid_vector_f64 zoid_vector_fma_f64(zoid_vector_f64 a, zoid_vector_f64 b,
                                                  zoid_vector_f64 c)
{
    return _mm256_fmadd_pd(a, b, c);
}

static inline zoid_vector_f32 zoid_vector_sqrt_f32(zoid_vector_f32 a)
{
    return _mm256_sqrt_ps(a);
}

static inline zoid_vector_f64 zoid_vector_sqrt_f64(zoid_vector_f64 a)
{
    return _mm256_sqrt_pd(a);
}
