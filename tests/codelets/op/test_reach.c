/* SPDX-License-Identifier: BSD-3-Clause */
/* A row's description of its stages matches the point update: it reads nothing outside the reach,
 * and something at both ends of it; it writes exactly the listed fields. Near a face exactly the
 * points of their boxes are computed: graphs of asymmetric rows (tests/outside/lopsided.def)
 * with several fused steps in a launch, on a GPU if one is wanted. */
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "graphs/method.h"
#include "tests/codelets/definition.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"
#include "tests/effort.h"
#include "tests/suite.h"

/* Bytes that no update produces; poisoned input may be copied unchanged. */
enum { UNTOUCHED = 0x5a };
enum { TRIALS = 60, GRAPHS = 100 };

/* One point in the middle of a domain, surrounded by points that it may not read. */
struct trial {
    const struct zoid_op *op;
    int stage;
    long middle[ZOID_AXES];
    struct zoid_shape shape;
    long points;
    size_t size;
    uint64_t random;
    char *from, *to;
};

static void *value_at(const struct trial *w, char *fields, int field, const long p[ZOID_AXES])
{
    const long *n = w->shape.n;

    return fields + (size_t)(((field * n[2] + p[2]) * n[1] + p[1]) * n[0] + p[0]) * w->size;
}

static void centre(const struct trial *w, long p[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++)
        p[a] = w->middle[a];
}

static bool within(const struct trial *w, int field, const long p[ZOID_AXES])
{
    const struct zoid_stage *stage = &w->op->stage[w->stage];

    for (int r = 0; r < stage->nreads; r++) {
        const struct zoid_reach *reach = &stage->read[r].reach;
        bool inside = stage->read[r].field == field;

        for (int a = 0; a < w->op->dims; a++)
            inside = inside && p[a] >= w->middle[a] - reach->lo[a] &&
                     p[a] <= w->middle[a] + reach->hi[a];
        if (inside)
            return true;
    }
    return false;
}

/* Random values at points that the stage may read, `elsewhere` in every byte of the others. */
static void fill(struct trial *w, int elsewhere)
{
    for (int f = 0; f < w->op->nstate + w->op->ncoef; f++)
        for (long i = 0; i < w->points; i++) {
            const double value = definition_initial(
                w->op, f, sample_value(w->random, (uint64_t)(f * w->points + i)));
            long p[ZOID_AXES];

            definition_place(&w->shape, i, p);
            if (within(w, f, p))
                definition_set(w->op, w->from, f * w->points + i, value);
            else
                memset(value_at(w, w->from, f, p), elsewhere, w->size);
        }
}

/* Computes the point into `value`, field after field, and checks that nothing else was written. */
static void compute(struct trial *w, char *value)
{
    struct zoid_loop loop = {.params = (const struct zoid_params[]){sample_params(w->op)},
                             .shape = &w->shape,
                             .t = 1 + w->stage,
                             .count = 1,
                             .inside = true};
    const size_t field = (size_t)w->points * w->size;

    centre(w, loop.p);
    memset(w->to, UNTOUCHED, (size_t)w->op->nstate * field);
    for (int f = 0; f < w->op->nstate + w->op->ncoef; f++) {
        loop.from[f] = w->from + (size_t)f * field;
        loop.to[f] = f < w->op->nstate ? w->to + (size_t)f * field : NULL;
    }
    w->op->reference(&loop);
    for (int f = 0; f < w->op->nstate; f++) {
        char *at = value_at(w, w->to, f, loop.p);
        char untouched[sizeof(double)];

        memset(untouched, UNTOUCHED, sizeof untouched);
        memcpy(value + (size_t)f * w->size, at, w->size);
        ck_assert_msg((memcmp(at, untouched, w->size) != 0) ==
                          (w->op->stage[w->stage].writes >> f & 1),
                      "%s stage %d, %s: written or not, against its row", w->op->name, w->stage,
                      w->op->field[f]);
        memcpy(at, untouched, w->size);
    }
    for (size_t i = 0; i < (size_t)w->op->nstate * field; i++)
        if (w->to[i] != UNTOUCHED)
            ck_abort_msg("%s stage %d writes other points", w->op->name, w->stage);
}

/* The poison is NaN, for bytes a value that no cell holds. */
static void reads_within(struct trial *w)
{
    char value[2][ZOID_MAX_FIELDS * sizeof(double)];

    for (int i = 0; i < 2; i++) {
        fill(w, i ? 0xff : 0x01);
        compute(w, value[i]);
    }
    ck_assert_msg(memcmp(value[0], value[1], (size_t)w->op->nstate * w->size) == 0,
                  "%s stage %d reads more than its row says", w->op->name, w->stage);
}

/* True if the result depends on a field's value at a distance along an axis. */
static bool depends(struct trial *w, int field, int axis, long distance)
{
    char value[2][ZOID_MAX_FIELDS * sizeof(double)];
    long p[ZOID_AXES];

    fill(w, 0);
    compute(w, value[0]);
    for (int i = 0; i < w->op->dims; i++)
        for (long d = -ZOID_MAX_REACH; d <= ZOID_MAX_REACH; d++) {
            centre(w, p);
            p[axis] += distance;
            p[i] += i == axis ? 0 : d;
            if (within(w, field, p)) {
                char *at = value_at(w, w->from, field, p);

                if (w->op->type == ZOID_U8)
                    *at = !*at;
                else
                    sample_poison(at, w->size);
            }
        }
    compute(w, value[1]);
    return memcmp(value[0], value[1], (size_t)w->op->nstate * w->size) != 0;
}

static void reads_to_the_ends(struct trial *w)
{
    const struct zoid_stage *stage = &w->op->stage[w->stage];

    for (int r = 0; r < stage->nreads; r++)
        for (int a = 0; a < w->op->dims; a++)
            for (int side = 0; side < ZOID_SIDES; side++) {
                const struct zoid_reach *reach = &stage->read[r].reach;
                long distance = side == ZOID_LOW ? -reach->lo[a] : reach->hi[a];
                bool used = false;

                for (int trial = 0; trial < TRIALS && !used; trial++) {
                    w->random = sample_mix(w->random);
                    used = depends(w, stage->read[r].field, a, distance);
                }
                ck_assert_msg(used, "%s stage %d does not read %s at %ld along axis %d",
                              w->op->name, w->stage, w->op->field[stage->read[r].field], distance,
                              a);
            }
}

static long largest_reach(const struct zoid_op *op)
{
    long most = 0;

    for (int s = 0; s < op->nstages; s++)
        for (int a = 0; a < op->dims; a++) {
            const struct zoid_reach reach = zoid_op_reach(op, s);

            most = reach.lo[a] > most ? reach.lo[a] : most;
            most = reach.hi[a] > most ? reach.hi[a] : most;
        }
    return most;
}

/* The point in the middle, or its neighbour if the stage skips every other point. */
static void choose_middle(struct trial *w)
{
    const long middle = largest_reach(w->op) + 1;

    for (int a = 0; a < ZOID_AXES; a++)
        w->middle[a] = a < w->op->dims ? middle : 0;
    if (w->op->colours && (w->op->dims * middle + w->stage) % 2)
        w->middle[0]++;
}

START_TEST(reach)
{
    struct trial w = {.op = sample_op(_i), .random = (uint64_t)_i};
    const long n = 2 * largest_reach(w.op) + 4;

    w.shape = zoid_op_shape(w.op, (long[]){n, n, n});
    w.points = definition_points(&w.shape);
    w.size = zoid_type_size(w.op->type);
    w.from = sample_memory((size_t)((w.op->nstate + w.op->ncoef) * w.points) * w.size);
    w.to = sample_memory((size_t)(w.op->nstate * w.points) * w.size);
    for (w.stage = 0; w.stage < w.op->nstages; w.stage++) {
        choose_middle(&w);
        reads_within(&w);
        reads_to_the_ends(&w);
    }
    free(w.from);
    free(w.to);
}
END_TEST

/* ---- near faces -------------------------------------------------------------------------- */

/* Odd sizes, single points, domains smaller than the stencil, and several tiles of a GPU. */
static struct zoid_shape random_shape(const struct zoid_op *op, uint64_t *random)
{
    static const long widest[] = {1, 3, 9, 40};
    struct zoid_shape shape;
    long n[ZOID_AXES] = {1, 1, 1};

    for (int a = 0; a < op->dims; a++)
        n[a] = sample_between(random, 1, widest[sample_between(random, 0, 3)]);
    if (op->dims > 1 && sample_between(random, 0, 2) == 0)
        n[0] = sample_between(random, 100, op->dims == 2 ? 600 : 280);
    if (op->dims == 1 && sample_between(random, 0, 4) == 0)
        n[0] = sample_between(random, 1000, 9000);
    shape = zoid_op_shape(op, n);
    if (sample_between(random, 0, 2) == 0)
        sample_faces(op, random, op->dims, &shape);
    return shape;
}

static void run_graph(const struct zoid_op *op, const struct zoid_graph *g,
                      const struct store_core *core, uint64_t seed)
{
    const size_t points = (size_t)definition_points(&g->shape);
    const size_t bytes = (size_t)op->nstate * points * zoid_op_point_bytes(op);
    char *fields = sample_memory(bytes), *plain = sample_memory(bytes);
    char *spare = sample_memory(bytes), *expected;
    struct store *store;

    sample_fields(op, seed, points, fields);
    memcpy(plain, fields, bytes);
    expected = zoid_reference_run(
        &(struct zoid_reference){.op = op,
                                 .params = (const struct zoid_params[]){sample_params(op)},
                                 .shape = &g->shape,
                                 .steps = g->steps,
                                 .threads = 1},
        plain, spare);
    store = store_create(op, g, 1, core, fields);
    ck_assert_int_eq(store_emit(store, g), 0);
    store_destroy(&store);
    ck_assert_msg(memcmp(fields, expected, bytes) == 0,
                  "%s %s %ldx%ldx%ld steps %ld block %ld depth %ld most %d", op->name,
                  g->method->name, g->shape.n[0], g->shape.n[1], g->shape.n[2], g->steps, g->block,
                  g->depth, core->most);
    free(fields);
    free(plain);
    free(spare);
}

static void random_graph(const struct zoid_op *op, const struct zoid_method *method, uint64_t seed)
{
    uint64_t random = sample_mix(seed);
    struct zoid_graph g = {.method = method,
                           .shape = random_shape(op, &random),
                           .steps = sample_between(&random, 0, 12),
                           .depth = sample_between(&random, 1, 12),
                           .lanes = (int)sample_between(&random, 1, 3)};
    const struct store_core core = {
        .cpu = {.isa = zoid_isa_best()},
        .most = (int)sample_between(&random, 2, 8),
        .traversal = (enum zoid_traversal)sample_between(&random, 0, ZOID_TRAVERSALS - 1)};
    const long lowest = method->min_block(&g.shape);
    bool clamped;

    if (zoid_method_refuses(method, &g.shape))
        return;
    g.block = sample_between(&random, lowest, lowest + sample_between(&random, 0, 30));
    if (op->dims == 1 && g.shape.n[0] >= 1000)
        g.block = sample_between(&random, zoid_max(lowest, 300), g.shape.n[0]);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    run_graph(op, &g, &core, random);
}

START_TEST(near_faces)
{
    const struct zoid_op *op = sample_op(_i);
    /* A launch on a GPU takes longer than a small block on a core. */
    const int count = effort(gpu_wanted() ? GRAPHS / 3 : GRAPHS);
    int methods = 0;

    while (zoid_methods[methods])
        methods++;
    for (int i = 0; i < count; i++)
        random_graph(op, zoid_methods[i % methods], (uint64_t)(_i * GRAPHS + i));
}
END_TEST

/* For test_reach_gpu.sh: skipped without a GPU; with one, only the tests that run there. */
enum { SKIPPED = 77 };

static void add(TCase *tests)
{
    if (!gpu_wanted())
        tcase_add_loop_test(tests, reach, 0, sample_ops());
    tcase_add_loop_test(tests, near_faces, sample_variants(), sample_ops());
}

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("reach", 120, add);
}
