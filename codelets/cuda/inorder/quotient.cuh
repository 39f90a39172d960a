/* SPDX-License-Identifier: BSD-3-Clause */
/* Division by a constant, correctly rounded, with three dependent operations and no other division.
 *
 * Let r be 1 / b rounded, e = r b - 1, and q0 = a r rounded, p the bits of a value and m the
 * mantissa of b, in [1, 2). Then q0 is at most 2^p |e| + 1/2 units in the last place of a / b away
 * from it, so
 *
 *     m (2^p |e| + 1/2) <= 2            a - q0 b has at most p bits: one FMA computes it exactly;
 *     m (2^p |e| + 1/2) 2^p |e| < 1     a / b, which is 2^-p / m units or more from the midpoint of
 *                                       two values, is on the same side of it as
 *                                       q0 + (a - q0 b) r: its rounding is the quotient.
 *
 * Both hold for all m up to 1.3, and for most others. The compiler evaluates them for a literal,
 * and for a parameter takes that out of the loop over points. Neither a nor the results may be near
 * the ends of the range of exponents. */
#ifndef ZOID_CODELETS_CUDA_INORDER_QUOTIENT_CUH
#define ZOID_CODELETS_CUDA_INORDER_QUOTIENT_CUH

#include "codelets/cuda/stencil/vectors.cuh"

namespace
{

/* PRECISION: p. A value's bits are `word`s; LEAST to MOST: biased exponents of a that take part. b
 * is between 2^-NEAR and 2^NEAR. */
template <class T> struct divided;

template <> struct divided<float> {
    typedef unsigned word;
    enum { PRECISION = 24, BIAS = 127, LEAST = BIAS - 60, MOST = BIAS + 60, NEAR = 40 };

    static __device__ __forceinline__ float fma(float a, float b, float c)
    {
        return __fmaf_rn(a, b, c);
    }
};
template <> struct divided<double> {
    typedef unsigned long word;
    enum { PRECISION = 53, BIAS = 1023, LEAST = BIAS - 800, MOST = BIAS + 800, NEAR = 100 };

    static __device__ __forceinline__ double fma(double a, double b, double c)
    {
        return __fma_rn(a, b, c);
    }
};

template <class T> __device__ __forceinline__ typename divided<T>::word bits_of(T a)
{
    return __builtin_bit_cast(typename divided<T>::word, a);
}

/* Returns whether a's exponent is from LEAST to MOST - 1: two operations, of its upper word. */
template <class T> __device__ __forceinline__ bool takes_part(T a)
{
    typedef divided<T> d;
    constexpr int UPPER = 8 * (sizeof(T) - sizeof(unsigned)), AT = d::PRECISION - UPPER;
    const unsigned upper = (unsigned)(bits_of(a) >> UPPER);

    return upper + upper - ((unsigned)d::LEAST << AT) < (unsigned)(d::MOST - d::LEAST) << AT;
}

/* Returns the mantissa, in [1, 2). */
template <class T> __device__ __forceinline__ T mantissa(T a)
{
    typedef divided<T> d;
    typedef typename d::word word;
    const word low = ((word)1 << (d::PRECISION - 1)) - 1;

    return __builtin_bit_cast(T, (bits_of(a) & low) | (word)d::BIAS << (d::PRECISION - 1));
}

/* Returns r b - 1, for a rounded reciprocal, by sums and products, which compilers evaluate. */
template <class T> __device__ __forceinline__ double excess(T r, T b)
{
    const double split = (1 << 27) + 1, rs = split * r, bs = split * b;
    const double rh = rs - (rs - r), rl = r - rh, bh = bs - (bs - b), bl = b - bh;
    const double product = (double)r * b;

    return product - 1 + (rh * bh - product + rh * bl + rl * bh + rl * bl);
}

/* Returns whether three operations give the quotients by b. By a power of two, one does: the
 * compiler sees that. */
template <class T> __device__ __forceinline__ bool divides_fast(T b)
{
    typedef divided<T> d;
    const int power = (int)(bits_of(b) >> (d::PRECISION - 1) & (2 * d::BIAS + 1)) - d::BIAS;
    const double e = excess((T)1 / b, b), off = (e < 0 ? -e : e) * (double)(1l << d::PRECISION);
    const double m = mantissa(b), units = m * (off + 0.5);

    return off > 0 && power > -d::NEAR && power < d::NEAR && units < 1.99 && units * off < 0.99;
}

/* Returns a / b, for the same b at all points. The operations do not wait for the test. */
template <class T> __device__ __forceinline__ T quotient(T a, T b)
{
    typedef divided<T> d;
    const T r = (T)1 / b, first = a * r;
    T q = d::fma(d::fma(first, -b, a), r, first);

    if (!divides_fast(b))
        return a / b;
    settle(q);
    if (__builtin_expect(!takes_part(a), 0))
        q = a == 0 ? first : a / b;
    return q;
}

} // namespace
#endif
