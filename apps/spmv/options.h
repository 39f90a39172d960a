/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolved settings of the groups `matrix` and `power`: matrix, polynomial, vectors. */
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
    const char *right; /* file of the right-hand side; NULL: rhs_value, if there is an rhs */
    double rhs_value;  /* the number */
    double tolerance;  /* of power iteration; 0: no power iteration */
    struct zoid_polynomial polynomial;
    const char *polynomial_text;
};

#endif
