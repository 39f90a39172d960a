/* SPDX-License-Identifier: BSD-3-Clause */
/* Square sparse matrices whose entries lie near the diagonal, as programs give them, and what is
 * computed with them: polynomials of a matrix, times vectors. The functions are in
 * runtime/zoid.h. */
#ifndef ZOID_CODELETS_MATRIX_H
#define ZOID_CODELETS_MATRIX_H

#include <stdint.h>

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the next entry of a row. */
typedef void zoid_entry_fn(void *into, long column, double value);
/* Gives all entries of row i, by ascending column, each column once. Several threads may ask at
 * once, and for the same row as often as they like. */
typedef void zoid_entries_fn(const void *user, long i, zoid_entry_fn *put, void *into);

/* A matrix whose rows are made when they are asked for. */
struct zoid_matrix_rows {
    long n;
    zoid_entries_fn *entries;
    const void *user; /* has to stay until the matrix is destroyed */
};

/* Compressed rows: row i has the entries start[i] ... start[i + 1] - 1, in any order, each column
 * once; columns count from 0. */
struct zoid_csr {
    long n;
    const int64_t *start;
    const void *column; /* int32_t, or int64_t where they are wide */
    bool wide;
    const void *value;
    enum zoid_type type; /* of the values: ZOID_F32 or ZOID_F64 */
};

/* What is known of a matrix: an entry of row i has a column in [i - lower, i + upper], and no row
 * has more than `longest`. */
struct zoid_matrix_about {
    long n, lower, upper, longest;
    int64_t entries;
};

/* How rows lie in memory: DIA, every diagonal of the band with all its zeros, in groups of rows;
 * SELL, entries alone, in groups of rows, with columns that count from the group's first. AUTO: the
 * one of fewer bytes, DIA where there is little between them. The results have the same bits within
 * a format. */
enum zoid_format { ZOID_FORMAT_AUTO, ZOID_FORMAT_DIA, ZOID_FORMAT_SELL, ZOID_FORMATS };

/* A step: next = a A cur + b cur + c prev + d rhs, and then sum = sum + s next. Every row of A cur
 * is one sum, of its products by ascending column, each added by fma, from +0. Then next =
 * fma(a, A cur, fma(b, cur, fma(c, prev, d rhs))), where what has a coefficient of 0 is left out
 * and the innermost that is there is a product; and sum = fma(s, next, sum), left out where s is 0.
 * Coefficients are rounded to the type once. */
struct zoid_term {
    double a, b, c, d, s;
};

/* Writes rows [lo, hi) of the right-hand side, all values of a row one after the other. */
typedef void zoid_rhs_fn(const void *user, long lo, long hi, void *values);

/* A matrix as an operator. Its state has the fields x, which is cur; where `previous`, then
 * previous, which is prev; and where `sum`, sum. */
struct zoid_band_options {
    const struct zoid_matrix *matrix; /* stays the caller's, and has to outlive the band */
    enum zoid_type type;              /* ZOID_F32 or ZOID_F64 */
    enum zoid_format format;
    long vectors; /* columns of x, the values of a row; 0: one */
    bool previous, sum;
    zoid_rhs_fn *rhs; /* NULL: there is none */
    const void *rhs_user;
};

#ifdef __cplusplus
}
#endif
#endif
