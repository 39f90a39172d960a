/* SPDX-License-Identifier: BSD-3-Clause */
/* Random band matrices for tests of whole runs, and a plain loop over plain rows that computes the
 * same vectors. */
#ifndef ZOID_TESTS_RUNTIME_MATRIX_H
#define ZOID_TESTS_RUNTIME_MATRIX_H

#include "runtime/zoid_advanced.h"

enum { MATRIX_STEPS = 8, MATRIX_TERMS = 5 };

struct kind {
    long n, lower, upper, vectors;
    long every; /* an entry at one of `every` places of the band; rows i % 7 == 6: empty */
    enum zoid_type type;
};

bool matrix_has(const struct kind *kind, long i, long j);

/* All members of terms; the last term applies to all further steps. */
extern const struct zoid_term matrix_terms[MATRIX_TERMS];

/* Fields of an operator with all kinds of terms; other operators do not use `previous` and
 * `sum`. */
struct state {
    double *x, *previous, *sum;
};

struct sample {
    const struct kind *kind;
    bool all; /* every field, and the terms above; else only powers of the matrix */
    struct zoid_matrix *matrix;
    struct zoid_band *band;
    struct zoid_problem problem;
    struct state state[MATRIX_STEPS + 1]; /* by the plain loop */
};

/* Built from compressed rows if the format is DIA, else from rows made by a callback. The caller
 * owns it and frees it with matrix_sample_free. */
struct sample matrix_sample(const struct kind *kind, enum zoid_format format, bool all);
void matrix_sample_free(struct sample *sample);
/* A zoid_box_fn of states; `kind` is its user pointer. */
void matrix_fill(void *kind, int field, const struct zoid_box *box, const struct zoid_values *to);
/* One step of the plain loop; without `all`, no sum is kept. */
void matrix_step(const struct kind *kind, const struct zoid_term *term, bool all,
                 const struct state *from, struct state *to);
/* Compares a job's fields with the plain loop's after the same number of steps, to the bit; `words`
 * describes the case in messages. */
void matrix_compare(const struct zoid_job *job, const struct sample *sample, const char *words);
/* Runs a plan from the first state, and compares. */
void matrix_run(struct zoid_context *context, const struct zoid_plan *plan, struct sample *sample);

#endif
