/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference loop of every variant against its definition (definition.c), over small random
 * domains with random boundaries, some smaller than the stencil. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "tests/codelets/definition.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

enum { TRIALS = 12, STEPS = 3 };

/* The first trial has the default boundary and inner points. */
static struct zoid_shape random_shape(const struct zoid_op *op, int trial, uint64_t *random)
{
    long n[ZOID_AXES];
    struct zoid_shape shape;

    for (int a = 0; a < ZOID_AXES; a++)
        n[a] = sample_between(random, trial ? 1 : 2 * op->radius + 1, 2 * op->radius + 5);
    shape = zoid_op_shape(op, n);
    if (trial)
        sample_faces(op, random, op->dims, &shape);
    return shape;
}

/* Fills both sides with the same random values. */
static void fill(struct definition *d, void *state, uint64_t *random)
{
    const long n = definition_points(d->shape);

    for (int f = 0; f < d->op->nstate + d->op->ncoef; f++)
        for (long i = 0; i < n; i++) {
            double value = sample_value(++*random, 0);

            definition_set(d->op, state, f * n + i, definition_initial(d->op, f, value));
            d->field[f][i] = definition_get(d->op, state, f * n + i);
        }
}

static double largest(const struct definition *d)
{
    double most = 1;

    for (int f = 0; f < d->op->nstate; f++)
        for (long i = 0; i < definition_points(d->shape); i++)
            most = fmax(most, fabs((double)d->field[f][i]));
    return most;
}

/* A step rounds a few times per term, and values are sums of other values. */
static void compare(const struct definition *d, const void *result)
{
    const long n = definition_points(d->shape);
    const double tolerance =
        8 * STEPS * (3 + d->op->dims * d->op->radius) * definition_epsilon(d->op) * largest(d);

    for (int f = 0; f < d->op->nstate; f++)
        for (long i = 0; i < n; i++) {
            double is = definition_get(d->op, result, zoid_op_stored(d->op, f, STEPS) * n + i);
            double should = (double)d->field[f][i];
            long p[ZOID_AXES];

            definition_place(d->shape, i, p);
            ck_assert_msg(fabs(is - should) <= tolerance,
                          "%s, %s at (%ld, %ld, %ld) of %ld x %ld x %ld: %.17g is not %.17g",
                          d->op->name, d->op->field[f], p[0], p[1], p[2], d->shape->n[0],
                          d->shape->n[1], d->shape->n[2], is, should);
        }
}

START_TEST(definitions)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);
    uint64_t random = (uint64_t)_i << 32;

    for (int trial = 0; trial < TRIALS; trial++) {
        struct zoid_shape shape = random_shape(op, trial, &random);
        struct zoid_params params = trial % 2 ? sample_params(op) : zoid_op_defaults(op);
        struct definition *d;
        size_t field = (size_t)definition_points(&shape) * zoid_type_size(op->type);
        void *state = sample_memory((size_t)(op->nstate + op->ncoef) * field);
        void *spare = sample_memory((size_t)op->nstate * field);

        params.speed = 0.3;
        d = definition_create(op, &shape, &params);
        fill(d, state, &random);
        for (int t = 0; t < STEPS; t++)
            definition_step(d);
        compare(d, zoid_reference_run(&(struct zoid_reference){.op = op,
                                                               .params = &params,
                                                               .shape = &shape,
                                                               .steps = STEPS,
                                                               .threads = 1 + trial % 4},
                                      state, spare));
        definition_destroy(&d);
        free(state);
        free(spare);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, definitions, 0, sample_variants());
}

int main(void)
{
    return run_suite("definitions", 120, add);
}
