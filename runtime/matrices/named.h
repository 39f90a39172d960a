/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices as a command line names them: files, and those that are made by a rule. */
#ifndef ZOID_RUNTIME_MATRICES_NAMED_H
#define ZOID_RUNTIME_MATRICES_NAMED_H

#include "runtime/zoid.h"

struct zoid_named_matrix_options {
    const char *text; /* a file, or band:W, laplace:NXxNY[xNZ], random:W,DENSITY */
    long rows;        /* of band and random; 0: not given */
    uint64_t seed;    /* of band and random */
    bool sum;         /* entries of the same place in a file are added up, not refused */
    bool reorder;     /* rows and columns, so that the band is narrow */
};

struct zoid_named_matrix;

/* ZOID_BAD_ARGUMENT: no such rule, or a file that is no matrix, with the line, or the byte, and
 * what is wrong there. ZOID_DOES_NOT_FIT: more rows than this machine has memory for.
 * ZOID_RESOURCE: a file that cannot be read, or no memory. */
enum zoid_status zoid_named_matrix_open(const struct zoid_named_matrix_options *options,
                                        struct zoid_named_matrix **named);
/* Accepts NULL in *named. */
void zoid_named_matrix_close(struct zoid_named_matrix **named);
const struct zoid_matrix *zoid_named_matrix_get(const struct zoid_named_matrix *named);
/* Row i of the matrix is row order[i] as it was named; NULL: they are the same. */
const long *zoid_named_matrix_order(const struct zoid_named_matrix *named);
/* Whether it was made by a rule. */
bool zoid_named_matrix_rule(const struct zoid_named_matrix *named);
/* A sum of all its entries, by which matrices are told apart. ZOID_RESOURCE: no memory. */
enum zoid_status zoid_named_matrix_sum(const struct zoid_named_matrix *named, uint64_t *sum);

#endif
