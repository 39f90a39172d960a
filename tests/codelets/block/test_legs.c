/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of several legs on the CPU, from any start, byte for byte against the plain loop nest from
 * the same start, whatever the legs are. */
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "graphs/cell.h"
#include "graphs/leg.h"
#include "graphs/method.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { RUNS = 1500, LEGS = 4 }; /* lists of all variants together, by each method */

/* Consecutive legs, each with the step at which it is to end. */
struct list {
    const struct zoid_op *op;
    long legs;
    struct zoid_graph leg[LEGS];
    long end[LEGS];
};

static size_t points_of(const struct zoid_shape *s)
{
    return (size_t)(s->n[0] * s->n[1] * s->n[2]);
}

/* Runs the plain loop nest from `start`, on a copy of the fields. */
static void run_plainly(const struct list *list, long start, long steps, void *fields)
{
    const struct zoid_op *op = list->op;
    const struct zoid_shape *shape = &list->leg[0].shape;
    const struct zoid_params params = sample_params(op);
    const size_t state = (size_t)op->nstate * points_of(shape) * zoid_type_size(op->type);
    const size_t all =
        (size_t)(op->nstate + op->ncoef) * points_of(shape) * zoid_type_size(op->type);
    void *plain = sample_memory(all), *spare = sample_memory(state), *result;

    memcpy(plain, fields, all);
    result = zoid_reference_run(&(struct zoid_reference){.op = op,
                                                         .params = &params,
                                                         .shape = shape,
                                                         .start = start,
                                                         .steps = steps,
                                                         .threads = 1},
                                plain, spare);
    memcpy(fields, result, state);
    free(plain);
    free(spare);
}

static void run_legs(const struct list *list, void *fields)
{
    struct store_core core = {.cpu = {.isa = zoid_isa_best()}};
    struct store *store = store_create(list->op, list->leg, list->legs, &core, fields);

    for (long i = 0; i < list->legs; i++) {
        store_end(store, list->end[i]);
        ck_assert_int_eq(store_emit(store, &list->leg[i]), 0);
    }
    store_destroy(&store);
}

static void compare(const struct list *list, uint64_t seed)
{
    const struct zoid_op *op = list->op;
    const struct zoid_graph *g = list->leg;
    const size_t field = points_of(&g->shape) * zoid_type_size(op->type);
    const size_t all = (size_t)(op->nstate + op->ncoef) * field;
    char *fields = sample_memory(all), *expected = sample_memory(all);

    sample_fields(op, seed, points_of(&g->shape), fields);
    memcpy(expected, fields, all);
    run_plainly(list, g->start, list->end[list->legs - 1] - g->start, expected);
    run_legs(list, fields);
    ck_assert_msg(
        memcmp(fields, expected, all) == 0,
        "%s %s %ldx%ldx%ld, %ld legs from step %ld to %ld, block %ld depth %ld cells %ldx%ld "
        "epoch %ld",
        op->name, g->method->name, g->shape.n[0], g->shape.n[1], g->shape.n[2], list->legs,
        g->start, list->end[list->legs - 1], g->block, g->depth, g->cut[0].cells, g->cut[1].cells,
        g->epoch);
    free(fields);
    free(expected);
}

/* ---- random lists ------------------------------------------------------------------------ */

static struct zoid_graph random_leg(const struct zoid_op *op, const struct zoid_method *method,
                                    uint64_t *random)
{
    long n[ZOID_AXES] = {1, 1, 1};
    struct zoid_graph g = {.method = method,
                           .start = sample_between(random, 0, 5),
                           .steps = sample_between(random, 0, 9),
                           .depth = sample_between(random, 1, 6),
                           .lanes = (int)sample_between(random, 1, 3),
                           .elastic = sample_between(random, 0, 1),
                           .coefficients = op->ncoef > 0,
                           .leg = {.is = ZOID_LEG_FIRST}};

    for (int a = 0; a < op->dims; a++)
        n[a] = sample_between(random, 1, a == op->dims - 1 ? 30 : 12);
    g.shape = zoid_op_shape(op, n);
    if (sample_between(random, 0, 1))
        sample_faces(op, random, op->dims - 1, &g.shape);
    for (int a = 0; a < op->dims - 1 && !zoid_op_in_order(op) && sample_between(random, 0, 1); a++)
        g.cut[a].cells = sample_between(random, 1, 3);
    g.epoch = sample_between(random, 0, 8);
    g.block = method->min_block(&g.shape) + sample_between(random, 0, 8);
    return g;
}

/* The end of the leg's steps, or earlier at the end of a pass; with cells, of an epoch. */
static long random_end(const struct zoid_graph *g, uint64_t *random)
{
    long between = zoid_cells(g) > 1 ? g->epoch : g->depth;

    if (g->steps <= between || sample_between(random, 0, 1))
        return g->start + g->steps;
    return g->start + between * sample_between(random, 1, (g->steps - 1) / between);
}

START_TEST(legs_are_one_run)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);
    uint64_t random = sample_mix((uint64_t)_i);
    const int runs = effort_each(RUNS, sample_variants());
    bool clamped;

    for (int m = 0; zoid_methods[m]; m++)
        for (int i = 0; i < runs; i++) {
            struct list list = {.op = op, .legs = sample_between(&random, 1, LEGS)};
            struct zoid_graph *g = list.leg;

            *g = random_leg(op, zoid_methods[m], &random);
            if (zoid_method_refuses(zoid_methods[m], &g->shape))
                continue;
            ck_assert_int_eq(zoid_graph_init(g, &clamped), 0);
            list.end[0] = random_end(g, &random);
            for (long l = 1; l < list.legs; l++) {
                g[l] = g[l - 1];
                g[l].steps = sample_between(&random, 0, 9);
                g[l].depth = sample_between(&random, 1, 6);
                ck_assert_int_eq(
                    zoid_graph_follow(&g[l], &g[l - 1], list.end[l - 1] - g[l - 1].start, &clamped),
                    0);
                list.end[l] = random_end(&g[l], &random);
            }
            compare(&list, (uint64_t)i);
        }
}
END_TEST

/* The plain loop nest itself: a split run equals the whole one; and if fields change roles,
 * starting with swapped roles gives a different result. */
START_TEST(plain_runs_go_on)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);
    const long n[ZOID_AXES] = {17, op->dims > 1 ? 15 : 1, op->dims > 2 ? 14 : 1};
    struct list list = {.op = op, .leg = {{.shape = zoid_op_shape(op, n)}}};
    const size_t all =
        (size_t)(op->nstate + op->ncoef) * points_of(&list.leg[0].shape) * zoid_type_size(op->type);
    char *once = sample_memory(all), *twice = sample_memory(all), *swapped = sample_memory(all);

    sample_fields(op, 3, points_of(&list.leg[0].shape), once);
    memcpy(twice, once, all);
    run_plainly(&list, 0, 8, once);
    run_plainly(&list, 0, 3, twice);
    memcpy(swapped, twice, all);
    run_plainly(&list, 3, 5, twice);
    ck_assert_msg(memcmp(once, twice, all) == 0, "%s", op->name);
    run_plainly(&list, 4, 5, swapped);
    ck_assert_msg(!op->rotates || memcmp(once, swapped, all) != 0, "%s", op->name);
    free(once);
    free(twice);
    free(swapped);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, legs_are_one_run, 0, sample_variants());
    tcase_add_loop_test(tests, plain_runs_go_on, 0, sample_variants());
}

int main(void)
{
    return run_suite("legs", 300, add);
}
