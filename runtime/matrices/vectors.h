/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors that a matrix is multiplied with: initial values, right-hand side, output. Files have
 * rows in the original order of the matrix, even if it was reordered. */
#ifndef ZOID_RUNTIME_MATRICES_VECTORS_H
#define ZOID_RUNTIME_MATRICES_VECTORS_H

#include "runtime/io/input.h"
#include "runtime/zoid_advanced.h"

struct zoid_vectors {
    const struct zoid_problem *problem;
    const struct zoid_array_views *arrays; /* that may be named in place of files; or NULL */
    const long *order;        /* row i is row order[i] of files; NULL: the same; borrowed */
    struct zoid_input *input; /* initial x; NULL: from `initial` */
    const struct zoid_initial *initial;
    double first;             /* factor of the initial x in the sum */
    struct zoid_input *right; /* right-hand side; NULL: the constant `rhs` */
    double rhs;
    /* Layout of a field in files: rows and vectors, vectors fastest. */
    struct zoid_op shown_op, line_op;
    struct zoid_problem shown, line; /* line: 1-D files, allowed for one vector */
};

/* Set `shown` and `line`, for a field called `name`, which must outlive them. */
void zoid_vectors_show(struct zoid_vectors *vectors, const char *name);
/* Open a file with one value per row and vector, and check all of them. The caller closes *input.
 * ZOID_BAD_ARGUMENT: another shape, or a value that is not finite in the problem's type.
 * ZOID_RESOURCE: the file cannot be read. */
enum zoid_status zoid_vectors_open(const struct zoid_vectors *vectors, const char *path,
                                   struct zoid_input **input);
/* zoid_box_fn of state fields: x, its multiple in the sum, zero in others; user: a struct
 * zoid_vectors. */
void zoid_vectors_box(void *vectors, int field, const struct zoid_box *box,
                      const struct zoid_values *to);
/* zoid_rhs_fn; user: a struct zoid_vectors. */
void zoid_vectors_rhs(const void *vectors, long lo, long hi, void *values);
/* Compute a checksum that identifies the file of the right-hand side. */
enum zoid_status zoid_vectors_sum(const struct zoid_vectors *vectors, uint64_t *sum);
/* Return the status of all reads of these files so far. */
enum zoid_status zoid_vectors_status(const struct zoid_vectors *vectors);
/* Pass a field to `part`, row by row in the order of files. Collective. ZOID_RESOURCE: no memory to
 * reorder it. Otherwise as zoid_job_each. */
enum zoid_status zoid_vectors_each(const struct zoid_vectors *vectors, const struct zoid_job *job,
                                   int field, zoid_part_fn *part, void *user);
/* ZOID_CHECK_FAILED: a value of a state field is not finite. Collective. */
enum zoid_status zoid_vectors_finite(const struct zoid_vectors *vectors, const struct zoid_job *job,
                                     int field);

#endif
