/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials of a matrix, as a command line names them, and the terms of their steps. */
#ifndef ZOID_APPS_SPMV_POLYNOMIAL_H
#define ZOID_APPS_SPMV_POLYNOMIAL_H

#include "runtime/zoid.h"

enum zoid_basis { ZOID_POWER, ZOID_CHEBYSHEV, ZOID_NEWTON, ZOID_RICHARDSON };

/* A shift of Newton's basis; with an imaginary part that and its conjugate, which take two steps.
 */
struct zoid_shift {
    double real, imaginary;
};

struct zoid_polynomial {
    enum zoid_basis basis;
    double lo, hi, omega;
    long shifts;
    struct zoid_shift *shift; /* owned */
    /* One more than steps: what each of them adds to the sum, and the first what the vector itself
     * does; owned. NULL: there is no sum. */
    long numbers;
    double *number;
};

/* Reads power, chebyshev:LO,HI, newton:SHIFTS or richardson:OMEGA. */
enum zoid_status zoid_polynomial_read(const char *text, struct zoid_polynomial *polynomial);
/* Reads the numbers of the sum from a file of text. */
enum zoid_status zoid_polynomial_sum(const char *path, struct zoid_polynomial *polynomial);
void zoid_polynomial_free(struct zoid_polynomial *polynomial);
/* The most steps that it has; LONG_MAX: as many as one likes. */
long zoid_polynomial_most(const struct zoid_polynomial *polynomial);
/* Whether terms take the vector before. */
bool zoid_polynomial_looks_back(const struct zoid_polynomial *polynomial);
/* The terms of so many steps, at least one; with a right-hand side where `rhs`. The caller's to
 * free. */
enum zoid_status zoid_polynomial_terms(const struct zoid_polynomial *polynomial, long steps,
                                       bool rhs, struct zoid_term **term);

#endif
