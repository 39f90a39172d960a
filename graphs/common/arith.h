/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer arithmetic. */
#ifndef ZOID_GRAPHS_COMMON_ARITH_H
#define ZOID_GRAPHS_COMMON_ARITH_H

/* Greatest common divisor. */
long zoid_gcd(long a, long b);
/* Sum over 0 <= i < n of floor((a i + high) / m) - floor((a i + low) / m), in O(log), for a, low,
 * high, n >= 0 and m > 0. */
long zoid_floor_sum_between(long n, long m, long a, long low, long high);

static inline long zoid_ceil_div(long a, long b)
{
    return (a + b - 1) / b;
}

#endif
