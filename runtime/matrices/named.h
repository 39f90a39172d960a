/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices as a command line names them: files and rules. */
#ifndef ZOID_RUNTIME_MATRICES_NAMED_H
#define ZOID_RUNTIME_MATRICES_NAMED_H

#include <stdbool.h>

#include "runtime/zoid_session.h"

struct zoid_named_matrix_options {
    const char *text; /* a file, or band:W, laplace:NXxNY[xNZ], random:W,DENSITY */
    long rows;        /* of band and random; 0: not given */
    uint64_t seed;    /* of band and random */
    bool sum;         /* add up entries of the same position in a file; otherwise refuse them */
    bool reorder;     /* permute rows and columns, so that the band is narrow */
    const struct zoid_matrix *given; /* the matrix itself, borrowed; or NULL */
};

struct zoid_named_matrix;

/* Read or generate a matrix. ZOID_BAD_ARGUMENT: no such rule, or a file that is no matrix, with the
 * line or the byte and the error there. ZOID_DOES_NOT_FIT: more rows than this machine has memory
 * for. ZOID_RESOURCE: a file that cannot be read, or out of memory. */
enum zoid_status zoid_named_matrix_open(const struct zoid_named_matrix_options *options,
                                        struct zoid_named_matrix **named);
/* Make a matrix that does not depend on a named one. Fails likewise. */
enum zoid_status zoid_named_matrix_make(const char *text, struct zoid_matrix **matrix);
/* Free it; accepts NULL in *named. */
void zoid_named_matrix_close(struct zoid_named_matrix **named);
const struct zoid_matrix *zoid_named_matrix_get(const struct zoid_named_matrix *named);
/* The permutation: row i of the matrix is row order[i] of the named one; NULL: identity. */
const long *zoid_named_matrix_order(const struct zoid_named_matrix *named);
/* True if a rule generated it. */
bool zoid_named_matrix_rule(const struct zoid_named_matrix *named);
/* Checksum of all its entries, which tells matrices apart. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_named_matrix_sum(const struct zoid_named_matrix *named, uint64_t *sum);

#endif
