/* SPDX-License-Identifier: BSD-3-Clause */
/* Relaxations of Poisson's equation against the loops here, operation by operation as in
 * docs/operators.md: the plain loop nest and blocks by every method, also on ranks that take turns,
 * byte for byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cpu/lanes.h"
#include "codelets/op/reference.h"
#include "codelets/threads/team.h"
#include "graphs/cell.h"
#include "graphs/method.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { GRAPHS = 40 };

/* ---- by hand ----------------------------------------------------------------------------- */

enum solver { JACOBI, SOR, RBSOR, SOLVERS };

struct oracle {
    enum solver solver;
    const struct zoid_op *op;
    long n[ZOID_AXES], stride[ZOID_AXES];
    double omega;
};

/* The new value of point i; points before it are read from `before`, points after it from u. */
#define RELAX(T, FMA)                                                                            \
    static zoid_##T relax_##T(const struct oracle *o, const zoid_##T *before, const zoid_##T *u, \
                              const zoid_##T *b, long i)                                         \
    {                                                                                            \
        const zoid_##T q = (zoid_##T)(o->omega / (2 * o->op->dims));                             \
        const zoid_##T keep = (zoid_##T)(1 - o->omega);                                          \
        zoid_##T s = u[i + 1], t;                                                                \
                                                                                                 \
        if (o->op->dims > 1)                                                                     \
            s = s + u[i + o->stride[1]];                                                         \
        if (o->op->dims > 2)                                                                     \
            s = s + u[i + o->stride[2]];                                                         \
        t = b ? FMA(keep, u[i], q * b[i]) : keep * u[i];                                         \
        t = FMA(q, s, t);                                                                        \
        for (int a = o->op->dims - 1; a > 0; a--)                                                \
            t = FMA(q, before[i - o->stride[a]], t);                                             \
        return FMA(q, before[i - 1], t);                                                         \
    }                                                                                            \
                                                                                                 \
    /* All inner points; for red-black those of one colour. */                                   \
    static void pass_##T(const struct oracle *o, int colour, zoid_##T *u, const zoid_##T *old,   \
                         const zoid_##T *b)                                                      \
    {                                                                                            \
        for (long z = o->op->dims > 2; z < o->n[2] - (o->op->dims > 2); z++)                     \
            for (long y = o->op->dims > 1; y < o->n[1] - (o->op->dims > 1); y++)                 \
                for (long x = 1; x < o->n[0] - 1; x++) {                                         \
                    const long i = x + y * o->stride[1] + z * o->stride[2];                      \
                                                                                                 \
                    if (o->solver != RBSOR || (x + y + z) % 2 == colour)                         \
                        u[i] = relax_##T(o, old, o->solver == JACOBI ? old : u, b, i);           \
                }                                                                                \
    }                                                                                            \
                                                                                                 \
    static void by_hand_##T(const struct oracle *o, long sweeps, zoid_##T *u)                    \
    {                                                                                            \
        const size_t points = (size_t)(o->n[0] * o->n[1] * o->n[2]);                             \
        const zoid_##T *b = o->op->ncoef ? u + points : NULL;                                    \
        zoid_##T *old = sample_memory(points * sizeof *old);                                     \
                                                                                                 \
        for (long s = 0; s < sweeps; s++)                                                        \
            for (int colour = 0; colour < (o->solver == RBSOR ? 2 : 1); colour++) {              \
                memcpy(old, u, points * sizeof *old);                                            \
                pass_##T(o, colour, u, o->solver == JACOBI ? old : u, b);                        \
            }                                                                                    \
        free(old);                                                                               \
    }

RELAX(f32, fmaf)
RELAX(f64, fma)

static void by_hand(const struct oracle *o, long sweeps, void *fields)
{
    if (o->op->type == ZOID_F32)
        by_hand_f32(o, sweeps, fields);
    else
        by_hand_f64(o, sweeps, fields);
}

/* ---- variants ---------------------------------------------------------------------------- */

static const char *const families[SOLVERS][2] = {[JACOBI] = {"jacobi", "jacobi_rhs"},
                                                 [SOR] = {"sor", "sor_rhs"},
                                                 [RBSOR] = {"rbsor", "rbsor_rhs"}};
enum { VARIANTS = SOLVERS * 2 * ZOID_AXES * 2 };

static struct oracle oracle_of(int i)
{
    struct oracle o = {.solver = (enum solver)(i % SOLVERS)};

    o.op = zoid_op_find(families[o.solver][i / SOLVERS % 2], 1 + i / (2 * SOLVERS) % ZOID_AXES, 1,
                        i / (2 * SOLVERS * ZOID_AXES) ? ZOID_F64 : ZOID_F32);
    ck_assert_ptr_nonnull(o.op);
    o.omega = zoid_op_defaults(o.op).value[0];
    return o;
}

static size_t points_of(const struct oracle *o)
{
    return (size_t)(o->n[0] * o->n[1] * o->n[2]);
}

/* Odd sizes, single points, some wider than a vector's lanes require. */
static void random_domain(struct oracle *o, uint64_t *random)
{
    for (int a = 0; a < ZOID_AXES; a++)
        o->n[a] =
            a < o->op->dims ? sample_between(random, 1, sample_between(random, 0, 3) ? 20 : 3) : 1;
    o->n[o->op->dims - 1] = sample_between(random, 1, 60);
    if (!sample_between(random, 0, 2))
        o->n[0] = sample_between(random, 60, o->op->dims == 3 ? 150 : gpu_wanted() ? 900 : 400);
    o->stride[0] = 1;
    o->stride[1] = o->n[0];
    o->stride[2] = o->n[0] * o->n[1];
}

/* ---- tests ------------------------------------------------------------------------------- */

static struct store_core random_core(bool in_lanes, uint64_t *random)
{
    long tiles = sample_between(random, 0, 1);

    return (struct store_core){
        .cpu = {.isa = (enum zoid_isa)sample_between(random, 0, (long)zoid_isa_best()),
                .cache = (size_t)(tiles << sample_between(random, 0, 15))},
        .runner = in_lanes ? zoid_lane_runners[0] : NULL,
        .team = in_lanes ? zoid_team_create((int)sample_between(random, 1, 6), NULL, NULL) : NULL,
        .traversal = (enum zoid_traversal)sample_between(random, 0, ZOID_TRAVERSALS - 1)};
}

/* Several ranks, each with a cell high enough for an epoch. */
static void deal_in_order(const struct oracle *o, struct zoid_graph *g, uint64_t *random)
{
    const int chain = zoid_chain(&g->shape);
    const long most = o->n[chain] / 2, ranks = sample_between(random, 2, 5);

    if (ranks > most)
        return;
    g->rank = ZOID_EVERY_RANK;
    g->cut[chain].cells = ranks;
    g->ranks[chain] = ranks;
    g->turned = sample_between(random, 0, 1);
    g->epoch = sample_between(random, 1, zoid_epoch_most(g));
}

static void compare_graph(struct oracle *o, const struct zoid_method *method, bool in_lanes,
                          uint64_t seed)
{
    uint64_t random = sample_mix(seed);
    struct zoid_graph g = {.method = method, .coefficients = o->op->ncoef > 0};
    struct store_core core = random_core(in_lanes, &random);
    const bool several = o->solver == SOR && sample_between(&random, 0, 1);
    char *fields, *truth;
    struct store *store;
    size_t field;
    bool clamped;

    random_domain(o, &random);
    /* Ranks high enough for several groups of times. */
    if (several && gpu_wanted())
        o->n[o->op->dims - 1] *= sample_between(&random, 1, 3);
    g.shape = zoid_op_shape(o->op, o->n);
    /* Several groups of times on a GPU. */
    g.steps = sample_between(&random, 0, gpu_wanted() ? 150 : 40);
    g.depth = sample_between(&random, 1, gpu_wanted() ? 130 : 40);
    g.lanes = (int)sample_between(&random, 1, 3);
    g.elastic = sample_between(&random, 0, 1);
    g.block = method->min_block(&g.shape) + sample_between(&random, 0, 30);
    if (several)
        deal_in_order(o, &g, &random);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    field = points_of(o) * zoid_type_size(o->op->type);
    fields = sample_memory(2 * field);
    truth = sample_memory(2 * field);
    sample_fields(o->op, random, points_of(o), fields);
    memcpy(truth, fields, (size_t)(1 + o->op->ncoef) * field);
    by_hand(o, g.steps, truth);
    store = store_create(o->op, &g, 1, &core, fields);
    ck_assert_int_eq(store_emit(store, &g), 0);
    store_destroy(&store);
    ck_assert_msg(memcmp(fields, truth, field) == 0,
                  "%s %s %s %ldx%ldx%ld steps %ld block %ld depth %ld lanes %d, %ld ranks%s, "
                  "epoch %ld, team %d",
                  o->op->name, zoid_isa_name(core.cpu.isa), method->name, o->n[0], o->n[1], o->n[2],
                  g.steps, g.block, g.depth, g.lanes, zoid_ranks(&g), g.turned ? " turned" : "",
                  g.epoch, zoid_team_size(core.team));
    zoid_team_destroy(&core.team);
    free(fields);
    free(truth);
}

START_TEST(graphs)
{
    struct oracle o = oracle_of(_i);
    const struct zoid_shape shape = zoid_op_shape(o.op, (const long[]){9, 9, 9});
    int methods = 0;

    for (int m = 0; zoid_methods[m]; m++)
        methods += !zoid_method_refuses(zoid_methods[m], &shape);
    ck_assert_int_ge(methods, 1);
    for (int m = 0; zoid_methods[m]; m++)
        for (int i = 0; i < effort_each(GRAPHS, methods); i++)
            if (!zoid_method_refuses(zoid_methods[m], &shape))
                compare_graph(&o, zoid_methods[m], o.solver == SOR && i % 4,
                              (uint64_t)((_i * 10 + m) * GRAPHS + i));
}
END_TEST

START_TEST(plain_loops)
{
    struct oracle o = oracle_of(_i);
    const struct zoid_params params = zoid_op_defaults(o.op);
    uint64_t random = (uint64_t)_i;

    for (int i = 0; i < effort(GRAPHS); i++) {
        const long steps = sample_between(&random, 0, 5);
        struct zoid_shape shape;
        char *fields, *truth, *spare;
        const char *result;
        size_t field;

        random_domain(&o, &random);
        shape = zoid_op_shape(o.op, o.n);
        field = points_of(&o) * zoid_type_size(o.op->type);
        fields = sample_memory(2 * field);
        truth = sample_memory(2 * field);
        spare = sample_memory(field);
        sample_fields(o.op, random, points_of(&o), fields);
        memcpy(truth, fields, (size_t)(1 + o.op->ncoef) * field);
        by_hand(&o, steps, truth);
        result = zoid_reference_run(&(struct zoid_reference){.op = o.op,
                                                             .params = &params,
                                                             .shape = &shape,
                                                             .steps = steps,
                                                             .threads = 1 + i % 3},
                                    fields, spare);
        ck_assert_msg(memcmp(result, truth, field) == 0, "%s %ldx%ldx%ld steps %ld", o.op->name,
                      o.n[0], o.n[1], o.n[2], steps);
        free(fields);
        free(truth);
        free(spare);
    }
}
END_TEST

static void add(TCase *tests)
{
    if (!gpu_wanted())
        tcase_add_loop_test(tests, plain_loops, 0, VARIANTS);
    tcase_add_loop_test(tests, graphs, 0, VARIANTS);
}

/* For test_relax_gpu.sh: skipped without a GPU. */
enum { SKIPPED = 77 };

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("relax", 300, add);
}
