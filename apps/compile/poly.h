/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials with integer coefficients in sizes and loop variables: extents, bounds, subscripts.
 */
#ifndef ZOID_APPS_COMPILE_POLY_H
#define ZOID_APPS_COMPILE_POLY_H

#include <stdbool.h>
#include <stdint.h>

/* Symbols: sizes from 0 on, then the time, then a loop a depth. */
enum {
    ZOID_POLY_SIZES = 12,
    ZOID_POLY_TIME = ZOID_POLY_SIZES,
    ZOID_POLY_LOOP,
    ZOID_POLY_LOOPS = 3,
    ZOID_POLY_SYMBOLS = ZOID_POLY_LOOP + ZOID_POLY_LOOPS,
    ZOID_POLY_TERMS = 32,
    ZOID_POLY_DEGREE = 8
};

struct zoid_poly_term {
    int64_t factor; /* not 0 */
    unsigned char power[ZOID_POLY_SYMBOLS];
};

/* Terms in descending order of their powers; their factors are not 0. */
struct zoid_poly {
    int n;
    struct zoid_poly_term term[ZOID_POLY_TERMS];
};

struct zoid_poly zoid_poly_integer(int64_t value);
struct zoid_poly zoid_poly_symbol(int symbol);
/* Sum, a + factor b, and product. False, and *to undefined: a number overflows, or there are too
 * many terms or powers. *to may be an argument. */
bool zoid_poly_add(const struct zoid_poly *a, const struct zoid_poly *b, int64_t factor,
                   struct zoid_poly *to);
bool zoid_poly_multiply(const struct zoid_poly *a, const struct zoid_poly *b, struct zoid_poly *to);
bool zoid_poly_equal(const struct zoid_poly *a, const struct zoid_poly *b);
/* Returns true if it is an integer, which goes to *value. */
bool zoid_poly_constant(const struct zoid_poly *a, int64_t *value);
/* Returns true if a - b is an integer, which goes to *value. */
bool zoid_poly_difference(const struct zoid_poly *a, const struct zoid_poly *b, int64_t *value);
/* Returns true if it holds a symbol in [from, to). */
bool zoid_poly_has(const struct zoid_poly *a, int from, int to);
/* The part of `a` that is a multiple of a loop variable or the time, without it; false if the
 * symbol's power is above 1, or it is multiplied by another variable of loops or the time. */
bool zoid_poly_factor(const struct zoid_poly *a, int symbol, struct zoid_poly *factor);
/* Divide: a = quotient b + rest, by leading terms; among integers the rest is nearest to 0. */
void zoid_poly_divide(const struct zoid_poly *a, const struct zoid_poly *b,
                      struct zoid_poly *quotient, struct zoid_poly *rest);
/* Print it as C, such as 2*n*m - 1, with names of symbols. */
void zoid_poly_print(const struct zoid_poly *a, const char *const *names, char *to, int size);

#endif
