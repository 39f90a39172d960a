/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix polynomials, as named on the command line, and their terms per step. */
#ifndef ZOID_RUNTIME_MATRICES_POLYNOMIAL_H
#define ZOID_RUNTIME_MATRICES_POLYNOMIAL_H

#include "runtime/zoid_advanced.h"

enum zoid_basis { ZOID_POWER, ZOID_CHEBYSHEV, ZOID_NEWTON, ZOID_RICHARDSON };

/* A shift of the Newton basis. If `imaginary` is not 0, it stands for a conjugate pair, which takes
 * two steps. */
struct zoid_shift {
    double real, imaginary;
};

struct zoid_polynomial {
    enum zoid_basis basis;
    double lo, hi, omega;
    long shifts;
    struct zoid_shift *shift; /* owned */
    /* Coefficients of the sum: number[0] for the initial vector, then one per step; owned. NULL: no
     * sum. */
    long numbers;
    double *number;
};

/* Parse power, chebyshev:LO,HI, newton:SHIFTS or richardson:OMEGA. Free the result with
 * zoid_polynomial_free, also after a failure. ZOID_BAD_ARGUMENT: anything else. */
enum zoid_status zoid_polynomial_read(const char *text, struct zoid_polynomial *polynomial);
/* Read the coefficients of the sum from a text file. ZOID_BAD_ARGUMENT: no numbers, or one that is
 * not finite. */
enum zoid_status zoid_polynomial_read_coefficients(const char *path,
                                                   struct zoid_polynomial *polynomial);
void zoid_polynomial_free(struct zoid_polynomial *polynomial);
/* Return the maximum number of steps, limited by shifts and coefficients; LONG_MAX: unlimited. */
long zoid_polynomial_most(const struct zoid_polynomial *polynomial);
/* Return whether terms use the vector of the step before last (three-term recurrence). */
bool zoid_polynomial_looks_back(const struct zoid_polynomial *polynomial);
/* Make the terms of `steps` steps, at least one; with a right-hand side if `rhs`. The caller frees
 * *term. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_polynomial_terms(const struct zoid_polynomial *polynomial, long steps,
                                       bool rhs, struct zoid_term **term);

#endif
