/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator that is made at run time: x becomes A x, A a band matrix. Its points are rows, and
 * have several columns of x; it looks as far as the matrix is wide; its coefficients are rows of
 * the matrix, of which only its own runner knows how they lie. Rows have different numbers of
 * entries, some none. Knows nothing of how Zoid is made but what public headers say. */
#ifndef ZOID_TESTS_RUNTIME_BAND_H
#define ZOID_TESTS_RUNTIME_BAND_H

#include "runtime/zoid.h"

struct band {
    struct zoid_op op;
    struct band_matrix {
        long n, lower, upper; /* rows, and how far entries lie from the diagonal */
        long *first;          /* entries before row i; of n + 1 rows */
    } matrix;
    char name[64];
};

/* What is multiplied: `vectors` columns, as values of a point in one dimension, or as points along
 * the x axis in two. */
struct band_kind {
    long n, lower, upper;
    int dims;
    long vectors;
};

struct band *band_create(const struct band_kind *kind);
void band_destroy(struct band **band);
/* A zoid_piece_fn; user is a struct band. */
void band_piece(void *band, long lo, long hi, void *bytes);
/* The next vectors, by a plain loop; rows one after the other. */
void band_multiply(const struct band *band, long vectors, const double *x, double *next);

#endif
