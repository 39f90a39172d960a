/* SPDX-License-Identifier: BSD-3-Clause */
/* Band matrices for the tests of whole runs: of any shape, whose vectors a plain loop over plain
 * rows computes as well. */
#ifndef ZOID_TESTS_RUNTIME_MATRIX_H
#define ZOID_TESTS_RUNTIME_MATRIX_H

#include "runtime/zoid.h"

enum { MATRIX_STEPS = 8, MATRIX_TERMS = 5 };

struct kind {
    long n, lower, upper, vectors;
    long every; /* one of so many places in the band has an entry; rows with i % 7 == 6 none */
    enum zoid_type type;
};

bool matrix_has(const struct kind *kind, long i, long j);

/* All that a term can have; the last one is of all further steps. */
extern const struct zoid_term matrix_terms[MATRIX_TERMS];

/* The fields of an operator whose terms have all; `previous` and `sum` of others are of no use. */
struct state {
    double *x, *previous, *sum;
};

struct sample {
    const struct kind *kind;
    bool all; /* every field, and the terms above; else powers */
    struct zoid_matrix *matrix;
    struct zoid_band *band;
    struct zoid_problem problem;
    struct state state[MATRIX_STEPS + 1]; /* by the plain loop */
};

/* Of compressed rows where the format is DIA, else of rows that are made one by one. */
struct sample matrix_sample(const struct kind *kind, enum zoid_format format, bool all);
void matrix_sample_free(struct sample *sample);
/* A zoid_box_fn of states; the kind is the user. */
void matrix_fill(void *kind, int field, const struct zoid_box *box, const struct zoid_values *to);
/* A step of the plain loop; without `all` no sum is kept. */
void matrix_step(const struct kind *kind, const struct zoid_term *term, bool all,
                 const struct state *from, struct state *to);
/* A job's fields are those of the plain loop after as many steps, to the bit; `words` say of what.
 */
void matrix_compare(const struct zoid_job *job, const struct sample *sample, const char *words);
/* A plan's run, from its first state. */
void matrix_run(struct zoid_context *context, const struct zoid_plan *plan, struct sample *sample);

#endif
