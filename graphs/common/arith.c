/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/arith.h"

long zoid_gcd(long a, long b)
{
    return b ? zoid_gcd(b, a % b) : a;
}

typedef __int128 wide;

static wide floor_sum(wide n, wide m, wide a, wide b)
{
    wide sum = n * (n - 1) / 2 * (a / m) + n * (b / m), top;

    if (n <= 0)
        return 0;
    a %= m;
    b %= m;
    top = a * n + b;
    return top < m ? sum : sum + floor_sum(top / m, a, m, top % m);
}

long zoid_floor_sum_between(long n, long m, long a, long low, long high)
{
    return (long)(floor_sum(n, m, a, high) - floor_sum(n, m, a, low));
}
