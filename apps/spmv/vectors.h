/* SPDX-License-Identifier: BSD-3-Clause */
/* The vectors that a matrix is multiplied with: what they are at first, a right-hand side, and what
 * is written of them. Files have rows in the order in which the matrix was named, whatever order
 * it has become. */
#ifndef ZOID_APPS_SPMV_VECTORS_H
#define ZOID_APPS_SPMV_VECTORS_H

#include "runtime/io/input.h"
#include "runtime/zoid.h"

struct zoid_vectors {
    const struct zoid_problem *problem;
    const long *order;        /* row i is row order[i] of files; NULL: they are the same */
    struct zoid_input *input; /* what x is at first; NULL: as `initial` has it */
    const struct zoid_initial *initial;
    double first;             /* the sum is so many times x at first */
    struct zoid_input *right; /* a right-hand side; NULL: `rhs`, everywhere */
    double rhs;
    /* A field as files have it: rows and vectors, vectors fastest. */
    struct zoid_op shown_op, line_op;
    struct zoid_problem shown, line; /* line: rows alone, which files of one vector may have */
};

/* Makes `shown` and `line`, of a problem that is called `name`. */
void zoid_vectors_show(struct zoid_vectors *vectors, const char *name);
/* Opens a file with a value for each row and vector; ZOID_BAD_ARGUMENT also where one of them is no
 * finite number of the problem's type. */
enum zoid_status zoid_vectors_open(const struct zoid_vectors *vectors, const char *path,
                                   struct zoid_input **input);
/* A zoid_box_fn, of state fields: x, sums, and else zeros; user is a struct zoid_vectors. */
void zoid_vectors_box(void *vectors, int field, const struct zoid_box *box,
                      const struct zoid_values *to);
/* A zoid_rhs_fn; user is a struct zoid_vectors. */
void zoid_vectors_rhs(const void *vectors, long lo, long hi, void *values);
/* A sum of the file of the right-hand side, by which it is told apart from others. */
enum zoid_status zoid_vectors_sum(const struct zoid_vectors *vectors, uint64_t *sum);
/* What reading these files has met. */
enum zoid_status zoid_vectors_status(const struct zoid_vectors *vectors);
/* Hands a field on, row after row, in the order of files. */
enum zoid_status zoid_vectors_each(const struct zoid_vectors *vectors, const struct zoid_job *job,
                                   int field, zoid_part_fn *part, void *user);
/* ZOID_CHECK_FAILED where a value of a field is no finite number. */
enum zoid_status zoid_vectors_finite(const struct zoid_vectors *vectors, const struct zoid_job *job,
                                     int field);

#endif
