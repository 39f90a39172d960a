/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of up to 19 digits with small powers of ten, the usual case, take one operation with more
 * bits than a double. Results that this might round twice, and all other numbers, are left to the C
 * library. */
#include "runtime/matrices/real.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct decimal {
    bool negative, any; /* any: there is a digit */
    uint64_t digits;
    /* Number of digits, without zeros before them; those beyond 19 are not in `digits`. */
    int count;
    long exponent; /* of ten */
};

enum { DIGITS_MOST = 19, EXPONENT_MOST = 100000 };

static bool digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static const char *read_digits(const char *at, const char *end, struct decimal *d, bool fraction)
{
    for (; digit(at, end); at++) {
        d->any = true;
        d->exponent -= fraction;
        if (d->count == 0 && *at == '0')
            continue;
        if (d->count++ < DIGITS_MOST)
            d->digits = 10 * d->digits + (uint64_t)(*at - '0');
    }
    return at;
}

/* An exponent without a digit is not part of the number. */
static const char *read_exponent(const char *at, const char *end, struct decimal *d)
{
    const char *from = at;
    bool negative;
    long exponent = 0;

    if (at == end || !strchr("eEdD", *at))
        return at;
    at++;
    negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (!digit(at, end))
        return from;
    for (; digit(at, end); at++)
        if (exponent < EXPONENT_MOST)
            exponent = 10 * exponent + (*at - '0');
    d->exponent += negative ? -exponent : exponent;
    return at;
}

static const char *read_decimal(const char *at, const char *end, struct decimal *d)
{
    *d = (struct decimal){.negative = at < end && *at == '-'};
    at += at < end && (*at == '-' || *at == '+');
    at = read_digits(at, end, d, false);
    if (at < end && *at == '.')
        at = read_digits(at + 1, end, d, true);
    return d->any ? read_exponent(at, end, d) : NULL;
}

#if LDBL_MANT_DIG == 64 && defined(__x86_64__)
/* False: the nearest double is not certain. Powers of ten up to 27 are exact in 64 bits, so the
 * quotient or product is rounded once; rounding it again does no harm, unless it lies next to the
 * middle between two doubles. */
static bool quick(const struct decimal *d, double *value)
{
    static const long double power[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                        1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                        1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                        1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    const uint64_t below = (1u << (64 - DBL_MANT_DIG)) - 1, middle = (below + 1) / 2;
    long double result = (long double)d->digits;
    uint64_t bits;

    if (d->count > DIGITS_MOST || d->exponent < -27 || d->exponent > 27)
        return false;
    result = d->exponent < 0 ? result / power[-d->exponent] : result * power[d->exponent];
    memcpy(&bits, &result, sizeof bits);
    if ((bits & below) >= middle - 1 && (bits & below) <= middle + 1)
        return false;
    *value = (double)(d->negative ? -result : result);
    return true;
}
#else
static bool quick(const struct decimal *d, double *value)
{
    (void)d, (void)value;
    return false;
}
#endif

/* More digits than any double has, or the middle between two. */
enum { DIGITS_KEPT = 800 };

/* Parse the digits as a whole number, without a point, which depends on the locale; omitted digits
 * matter only if one is not 0. */
static double slow(const char *text, const char *end, const struct decimal *d)
{
    char digits[DIGITS_KEPT + 32];
    long exponent = d->exponent;
    int n = 0;
    bool rest = false;

    for (int seen = 0; text < end && !strchr("eEdD", *text); text++) {
        if (!digit(text, end) || (seen == 0 && *text == '0'))
            continue;
        if (seen++ < DIGITS_KEPT)
            digits[n++] = *text;
        else
            rest = rest || *text != '0';
    }
    exponent += d->count - n;
    if (rest) {
        digits[n++] = '1';
        exponent--;
    }
    snprintf(digits + n, sizeof digits - (size_t)n, "%se%ld", n ? "" : "0", exponent);
    return d->negative ? -strtod(digits, NULL) : strtod(digits, NULL);
}

const char *zoid_real_read(const char *text, const char *end, double *value)
{
    struct decimal d;
    const char *after = read_decimal(text, end, &d);

    if (after && !quick(&d, value))
        *value = slow(text, after, &d);
    return after;
}
