/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of the groups `matrix` and `power`, resolved: which matrix, which polynomial, which
 * vectors. */
#ifndef ZOID_APPS_SPMV_OPTIONS_H
#define ZOID_APPS_SPMV_OPTIONS_H

#include "apps/driver/options.h"
#include "apps/spmv/polynomial.h"
#include "runtime/matrices/named.h"

struct zoid_spmv_said {
    struct zoid_named_matrix_options matrix;
    enum zoid_format format;
    long vectors, steps; /* steps: -1: not given */
    const char *vector, *terms, *rhs;
    const char *right; /* the file that rhs is; NULL: it is a number, or there is none */
    double rhs_value;  /* that number */
    double tolerance;  /* of power iteration; 0: there is none */
    struct zoid_polynomial polynomial;
    const char *polynomial_text;
};

#endif
