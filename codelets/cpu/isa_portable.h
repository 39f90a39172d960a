/* SPDX-License-Identifier: BSD-3-Clause */
/* Any processor: vectors of one element, fma and roots from the C library. Correct everywhere, fast
 * nowhere.
 */
#include <math.h>

typedef float zoid_vector_f32 __attribute__((vector_size(4)));
typedef double zoid_vector_f64 __attribute__((vector_size(8)));
typedef unsigned char zoid_vector_u8 __attribute__((vector_size(1)));

static inline zoid_vector_f32 zoid_vector_fma_f32(zoid_vector_f32 a, zoid_vector_f32 b,
                                                  zoid_vector_f32 c)
{
    return (zoid_vector_f32){fmaf(a[0], b[0], c[0])};
}

static inline zoid_vector_f64 zoid_vector_fma_f64(zoid_vector_f64 a, zoid_vector_f64 b,
                                                  zoid_vector_f64 c)
{
    return (zoid_vector_f64){fma(a[0], b[0], c[0])};
}

static inline zoid_vector_f32 zoid_vector_sqrt_f32(zoid_vector_f32 a)
{
    return (zoid_vector_f32){sqrtf(a[0])};
}

static inline zoid_vector_f64 zoid_vector_sqrt_f64(zoid_vector_f64 a)
{
    return (zoid_vector_f64){sqrt(a[0])};
}
