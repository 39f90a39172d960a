/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator made at run time: x becomes A x, A a band matrix. Its points are rows, with several
 * columns of x; its reach is the bandwidth of the matrix; its coefficients are rows of the matrix,
 * in a format that only its own runner knows. Rows have different numbers of entries, some none.
 * Uses only Zoid's public headers. */
#ifndef ZOID_TESTS_RUNTIME_BAND_H
#define ZOID_TESTS_RUNTIME_BAND_H

#include "runtime/zoid_advanced.h"

struct band {
    struct zoid_op op;
    struct band_matrix {
        long n, lower, upper; /* rows; lower and upper bandwidth */
        long *first;          /* index of the first entry of each row; n + 1 values */
    } matrix;
    char name[64];
};

/* The multiplied vectors: `vectors` columns, as values of a point in one dimension, or as points
 * along the x axis in two. */
struct band_kind {
    long n, lower, upper;
    int dims;
    long vectors;
};

struct band *band_create(const struct band_kind *kind);
void band_destroy(struct band **band);
/* A zoid_piece_fn; user is a struct band. */
void band_piece(void *band, long lo, long hi, void *bytes);
/* Multiplies by a plain loop, row by row. */
void band_multiply(const struct band *band, long vectors, const double *x, double *next);

#endif
