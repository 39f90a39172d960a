/* SPDX-License-Identifier: BSD-3-Clause */
/* Square sparse band matrices from the caller, and their use: polynomials of a matrix, applied to
 * vectors. The functions are in runtime/zoid_advanced.h. */
#ifndef ZOID_CODELETS_MATRIX_H
#define ZOID_CODELETS_MATRIX_H

#include <stdint.h>

#include "codelets/matrix_rows.h"
#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compressed sparse rows: row i has entries start[i] ... start[i + 1] - 1, in any order, each
 * column once; columns count from 0. */
struct zoid_csr {
    long n;
    const int64_t *start;
    const void *column; /* int32_t, or int64_t if wide */
    bool wide;
    const void *value;
    enum zoid_type type; /* of `value`: ZOID_F32 or ZOID_F64 */
};

/* Bounds of a matrix: entries of row i have columns in [i - lower, i + upper], and a row has at
 * most `longest` entries. */
struct zoid_matrix_about {
    long n, lower, upper, longest;
    int64_t entries;
};

/* Storage format of rows. DIA: every diagonal of the band, zeros included, in groups of rows. SELL:
 * entries only, in groups of rows, with column indices relative to the group's first. AUTO: the one
 * with fewer bytes, DIA if they differ little. Results are bitwise equal within a format. */
enum zoid_format { ZOID_FORMAT_AUTO, ZOID_FORMAT_DIA, ZOID_FORMAT_SELL, ZOID_FORMATS };

/* A step: next = a A cur + b cur + c prev + d rhs, then sum = sum + s next. Every row of A cur is
 * one sum of its products by ascending column, accumulated by fma from +0. Then next = fma(a, A
 * cur, fma(b, cur, fma(c, prev, d rhs))), without the terms whose coefficient is 0; the innermost
 * remaining term is a plain product. sum = fma(s, next, sum), omitted if s is 0. Coefficients are
 * rounded to the type once. */
struct zoid_term {
    double a, b, c, d, s;
};

/* Writes rows [lo, hi) of the right-hand side, all values of a row contiguous. */
typedef void zoid_rhs_fn(const void *user, long lo, long hi, void *values);

/* A matrix as an operator. Its state fields are x, which is cur; if `previous`, then previous,
 * which is prev; and if `sum`, then sum. */
struct zoid_band_options {
    const struct zoid_matrix *matrix; /* the caller's; must outlive the band */
    enum zoid_type type;              /* ZOID_F32 or ZOID_F64 */
    enum zoid_format format;
    long vectors; /* number of columns of x, that is values per row; 0: one */
    bool previous, sum;
    zoid_rhs_fn *rhs; /* may be NULL */
    const void *rhs_user;
};

#ifdef __cplusplus
}
#endif
#endif
