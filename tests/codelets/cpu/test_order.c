/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages with ordered points: graphs and the plain loop nest, byte for byte against the loops here.
 * The operators are those of tests/outside/relax.def. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "graphs/method.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { VARIANTS = 42, GRAPHS = 150, SKIPPED = 77 };

const struct zoid_op *relax_op(size_t i);

/* ---- by hand ----------------------------------------------------------------------------- */

/* Strides to the neighbour along each axis. */
struct domain {
    long n[ZOID_AXES], stride[ZOID_AXES];
    int dims;
};

static struct domain domain_of(const struct zoid_shape *shape)
{
    struct domain d = {.dims = shape->dims, .stride = {1, shape->n[0], shape->n[0] * shape->n[1]}};

    memcpy(d.n, shape->n, sizeof d.n);
    return d;
}

static size_t points_of(const struct domain *d)
{
    return (size_t)(d->n[0] * d->n[1] * d->n[2]);
}

/* Loop bounds along an axis for a loop that skips `lo` or `hi` layers at its ends. */
static long start(const struct domain *d, int axis, long lo)
{
    return axis < d->dims ? lo : 0;
}

static long end(const struct domain *d, int axis, long hi)
{
    return axis < d->dims ? d->n[axis] - hi : 1;
}

#define EACH_POINT(d, lo, hi)                                  \
    for (long z = start(d, 2, lo); z < end(d, 2, hi); z++)     \
        for (long y = start(d, 1, lo); y < end(d, 1, hi); y++) \
            for (long x = start(d, 0, lo); x < end(d, 0, hi); x++)

#define BY_HAND(T, FMA)                                                                          \
    static void relax_##T(const struct domain *d, int r, zoid_##T *u, const zoid_##T *b)         \
    {                                                                                            \
        const zoid_##T part = (zoid_##T)(0.5 / (r * d->dims));                                   \
                                                                                                 \
        EACH_POINT(d, r, r)                                                                      \
        {                                                                                        \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
            zoid_##T sum = b[i];                                                                 \
                                                                                                 \
            for (int a = 0; a < d->dims; a++)                                                    \
                for (int k = 1; k <= r; k++)                                                     \
                    sum = FMA(part, u[i + k * d->stride[a]] + u[i - k * d->stride[a]], sum);     \
            u[i] = FMA((zoid_##T)0.25, u[i], (zoid_##T)0.75 * sum);                              \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    static zoid_##T add_all_##T(const struct domain *d, const zoid_##T *u, long i, zoid_##T sum) \
    {                                                                                            \
        for (int c = 0; c < 27; c++) {                                                           \
            const int by[] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};                              \
            const long j = i + by[0] + by[1] * d->stride[1] + by[2] * d->stride[2];              \
                                                                                                 \
            if ((d->dims > 1 || !by[1]) && (d->dims > 2 || !by[2]))                              \
                sum = FMA((zoid_##T)((1 + 0.0625 * c) / 64), u[j], sum);                         \
        }                                                                                        \
        return sum;                                                                              \
    }                                                                                            \
                                                                                                 \
    /* The first stage skips two layers below, which are its reach in w, and a layer above. */   \
    static void swirl_##T(const struct domain *d, zoid_##T *u, zoid_##T *v, zoid_##T *w)         \
    {                                                                                            \
        EACH_POINT(d, 2, 1)                                                                      \
        {                                                                                        \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
            zoid_##T nu = add_all_##T(d, u, i, v[i] * (zoid_##T)0.125);                          \
            zoid_##T nv = v[i] * (zoid_##T)0.5;                                                  \
                                                                                                 \
            for (int a = 0; a < d->dims; a++) {                                                  \
                nu = FMA((zoid_##T)0.0625, w[i - 2 * d->stride[a]], nu);                         \
                nv = FMA((zoid_##T)0.125, v[i - d->stride[a]], nv);                              \
            }                                                                                    \
            u[i] = nu;                                                                           \
            v[i] = nv;                                                                           \
        }                                                                                        \
        for (long z = 0; z < d->n[2]; z++)                                                       \
            for (long y = 0; y < d->n[1]; y++)                                                   \
                for (long x = 1; x < d->n[0] - 1; x++) {                                         \
                    const long i = x + y * d->stride[1] + z * d->stride[2];                      \
                                                                                                 \
                    w[i] = FMA((zoid_##T)0.25, u[i + 1] - v[i - 1], (zoid_##T)0.5 * w[i]);       \
                }                                                                                \
    }                                                                                            \
                                                                                                 \
    static void eddy_##T(const struct domain *d, zoid_##T *u)                                    \
    {                                                                                            \
        EACH_POINT(d, 2, 1)                                                                      \
        {                                                                                        \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
            zoid_##T sum = add_all_##T(d, u, i, u[i] * (zoid_##T)0.125);                         \
                                                                                                 \
            for (int a = 0; a < d->dims; a++)                                                    \
                sum = FMA((zoid_##T)0.0625, u[i - 2 * d->stride[a]], sum);                       \
            u[i] = sum;                                                                          \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    /* A point and all its neighbours, over their number. */                                     \
    static void mean_##T(const struct domain *d, zoid_##T *u)                                    \
    {                                                                                            \
        const zoid_##T all = d->dims == 1 ? 3 : d->dims == 2 ? 9 : 27;                           \
                                                                                                 \
        EACH_POINT(d, 1, 1)                                                                      \
        {                                                                                        \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
            zoid_##T sum = 0;                                                                    \
                                                                                                 \
            for (int c = 0; c < 27; c++) {                                                       \
                const int by[] = {c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};                          \
                                                                                                 \
                if ((d->dims > 1 || !by[1]) && (d->dims > 2 || !by[2]))                          \
                    sum += u[i + by[0] + by[1] * d->stride[1] + by[2] * d->stride[2]];           \
            }                                                                                    \
            u[i] = sum / all;                                                                    \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    static void lee_##T(const struct domain *d, zoid_##T *u)                                     \
    {                                                                                            \
        const int last = d->dims - 1;                                                            \
                                                                                                 \
        EACH_POINT(d, 0, 0)                                                                      \
        {                                                                                        \
            const long p[] = {x, y, z};                                                          \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
                                                                                                 \
            if (x >= 3 && x < d->n[0] - 2 && p[last] < d->n[last] - 1) {                         \
                const zoid_##T on = u[i + d->stride[last]] - u[i + 2];                           \
                const zoid_##T sum = u[i] + (zoid_##T)0.5 * on;                                  \
                                                                                                 \
                u[i] = FMA((zoid_##T)0.25, u[i - 1] + u[i - 3], sum / (zoid_##T)2.8);            \
            }                                                                                    \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    static void trail_##T(const struct domain *d, zoid_##T *u)                                   \
    {                                                                                            \
        const int last = d->dims - 1;                                                            \
                                                                                                 \
        EACH_POINT(d, 0, 0)                                                                      \
        {                                                                                        \
            const long p[] = {x, y, z};                                                          \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
                                                                                                 \
            if (x >= 4 && p[last] >= 1)                                                          \
                u[i] = FMA((zoid_##T)0.25, u[i - 1] + u[i - 4] + u[i - d->stride[last]],         \
                           (zoid_##T)0.125 * u[i]);                                              \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    /* Each field in its own box. */                                                             \
    static void weft_##T(const struct domain *d, zoid_##T *u, zoid_##T *v)                       \
    {                                                                                            \
        const int last = d->dims - 1;                                                            \
                                                                                                 \
        EACH_POINT(d, 0, 0)                                                                      \
        {                                                                                        \
            const long p[] = {x, y, z};                                                          \
            const long i = x * d->stride[0] + y * d->stride[1] + z * d->stride[2];               \
            const zoid_##T old = u[i];                                                           \
                                                                                                 \
            if (x >= 1 && (d->dims < 2 || y < d->n[1] - 1))                                      \
                u[i] = FMA((zoid_##T)0.25, u[i - 1] + v[i], (zoid_##T)0.5 * old);                \
            if (p[last] >= 1 && x < d->n[0] - 2)                                                 \
                v[i] = FMA((zoid_##T)0.5, v[i - d->stride[last]] - old, v[i]);                   \
        }                                                                                        \
    }                                                                                            \
                                                                                                 \
    static void by_hand_##T(const struct zoid_op *op, const struct domain *d, long steps,        \
                            zoid_##T *field)                                                     \
    {                                                                                            \
        const size_t n = points_of(d);                                                           \
                                                                                                 \
        for (long s = 0; s < steps; s++)                                                         \
            if (!strcmp(op->family, "relax"))                                                    \
                relax_##T(d, op->radius, field, field + n);                                      \
            else if (!strcmp(op->family, "eddy"))                                                \
                eddy_##T(d, field);                                                              \
            else if (!strcmp(op->family, "mean"))                                                \
                mean_##T(d, field);                                                              \
            else if (!strcmp(op->family, "lee"))                                                 \
                lee_##T(d, field);                                                               \
            else if (!strcmp(op->family, "trail"))                                               \
                trail_##T(d, field);                                                             \
            else if (!strcmp(op->family, "weft"))                                                \
                weft_##T(d, field, field + n);                                                   \
            else                                                                                 \
                swirl_##T(d, field, field + n, field + 2 * n);                                   \
    }

BY_HAND(f32, fmaf)
BY_HAND(f64, fma)

static void by_hand(const struct zoid_op *op, const struct zoid_shape *shape, long steps,
                    void *fields)
{
    const struct domain d = domain_of(shape);

    if (op->type == ZOID_F32)
        by_hand_f32(op, &d, steps, fields);
    else
        by_hand_f64(op, &d, steps, fields);
}

/* ---- both -------------------------------------------------------------------------------- */

/* The initial fields, in a range that the steps keep finite, and the result by hand. */
struct truth {
    size_t bytes, state; /* of all fields, and of the state */
    char *start, *end;
};

static struct truth truth_of(const struct zoid_op *op, const struct zoid_shape *shape, long steps,
                             uint64_t seed)
{
    const struct domain d = domain_of(shape);
    const size_t field = points_of(&d) * zoid_type_size(op->type);
    struct truth t = {.bytes = (size_t)(op->nstate + op->ncoef) * field,
                      .state = (size_t)op->nstate * field};

    t.start = sample_memory(t.bytes);
    t.end = sample_memory(t.bytes);
    sample_fields(op, seed, points_of(&d), t.start);
    memcpy(t.end, t.start, t.bytes);
    by_hand(op, shape, steps, t.end);
    return t;
}

static void free_truth(struct truth *t)
{
    free(t->start);
    free(t->end);
}

/* Odd sizes, single points, and domains smaller than the stencil. */
static struct zoid_shape random_shape(const struct zoid_op *op, uint64_t *random)
{
    long n[ZOID_AXES] = {1, 1, 1};

    for (int a = 0; a < op->dims; a++)
        n[a] = sample_between(random, 1, sample_between(random, 0, 3) ? 15 : 3);
    n[op->dims - 1] = sample_between(random, 1, 40);
    if (op->dims == 1 && !sample_between(random, 0, 3))
        n[0] = sample_between(random, 4000, 20000);
    return zoid_op_shape(op, n);
}

/* Any instruction set, caches that force tiles or not, or fused steps. */
static struct store_core random_core(uint64_t *random)
{
    long tiles = sample_between(random, 0, 1);

    return (struct store_core){
        .cpu = {.isa = (enum zoid_isa)sample_between(random, 0, (long)zoid_isa_best()),
                .cache = (size_t)(tiles << sample_between(random, 0, 15))},
        .most = (int)(tiles ? 0 : sample_between(random, 0, 4)),
        .traversal = (enum zoid_traversal)sample_between(random, 0, ZOID_TRAVERSALS - 1)};
}

/* Steps at most: in sweeps, and in lanes, which compute up to 16 at once, or 32 on a GPU; and
 * those of a pass whose planes nearly lie over the ones that it is given. */
enum { MOST_STEPS = 12, MOST_IN_LANES = 40, MOST_IN_WARPS = 110, SHORT_PASS = 3 };

/* Of several tiles of a warp, or of more than are resident at a time. */
static struct zoid_shape wide_shape(const struct zoid_op *op, uint64_t *random)
{
    long n[ZOID_AXES] = {sample_between(random, 1, 300), sample_between(random, 1, 90), 1};

    if (sample_between(random, 0, 19) == 0) {
        n[0] = sample_between(random, 60000, 90000);
        n[1] = sample_between(random, 1, 7);
    }
    return zoid_op_shape(op, n);
}

/* The first value that differs, and how many do. */
static long first_wrong(const struct truth *t, size_t size, long *wrong)
{
    long first = -1;

    *wrong = 0;
    for (size_t i = t->state; i >= size; i -= size)
        if (memcmp(t->start + i - size, t->end + i - size, size) != 0) {
            first = (long)(i / size) - 1;
            ++*wrong;
        }
    return first;
}

/* `deepest`: the most steps of a pass. */
static void compare_graph(const struct zoid_op *op, long most, long deepest, uint64_t seed)
{
    uint64_t random = sample_mix(seed);
    struct zoid_graph g = {.method = &zoid_leaning,
                           .shape = most == MOST_IN_WARPS ? wide_shape(op, &random)
                                                          : random_shape(op, &random),
                           .steps = sample_between(&random, 0, most),
                           .depth = sample_between(&random, 1, deepest),
                           .lanes = (int)sample_between(&random, 1, 3),
                           .elastic = sample_between(&random, 0, 1),
                           .coefficients = op->ncoef > 0};
    const long lowest = g.method->min_block(&g.shape);
    struct store_core core = random_core(&random);
    struct truth truth = truth_of(op, &g.shape, g.steps, random);
    struct store *store;
    long first, wrong;
    bool clamped;

    if (most == MOST_IN_LANES && !store_in_lanes(op, &g.shape, &random, &core)) {
        free_truth(&truth);
        return;
    }
    g.block = sample_between(&random, lowest, lowest + sample_between(&random, 0, 12));
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    store = store_create(op, &g, 1, &core, truth.start);
    ck_assert_int_eq(store_emit(store, &g), 0);
    store_destroy(&store);
    first = first_wrong(&truth, zoid_type_size(op->type), &wrong);
    ck_assert_msg(first < 0,
                  "%s %s %ldx%ldx%ld steps %ld block %ld depth %ld lanes %d: %ld values from %ld",
                  op->name, zoid_isa_name(core.cpu.isa), g.shape.n[0], g.shape.n[1], g.shape.n[2],
                  g.steps, g.block, g.depth, g.lanes, wrong, first);
    free_truth(&truth);
}

START_TEST(graphs)
{
    const struct zoid_op *op = relax_op((size_t)_i);

    for (int i = 0; i < effort(GRAPHS); i++)
        compare_graph(op, MOST_STEPS, MOST_STEPS, (uint64_t)(_i * GRAPHS + i));
}
END_TEST

START_TEST(lanes)
{
    const struct zoid_op *op = relax_op((size_t)_i);
    const struct zoid_shape shape = zoid_op_shape(op, (const long[]){9, 9, 9});
    struct store_core core;
    uint64_t random = 0;

    if (zoid_isa_best() > ZOID_PORTABLE)
        ck_assert_int_eq(store_in_lanes(op, &shape, &random, &core),
                         op->nstages == 1 && op->dims > 1);
    for (int i = 0; i < effort(GRAPHS); i++)
        compare_graph(op, MOST_IN_LANES, MOST_IN_LANES, (uint64_t)(_i * GRAPHS + i));
}
END_TEST

START_TEST(in_warps)
{
    const struct zoid_op *op = relax_op((size_t)_i);

    for (int i = 0; i < effort(GRAPHS) && zoid_op_on_gpus(op); i++)
        compare_graph(op, MOST_IN_WARPS, i % 3 ? MOST_IN_WARPS : SHORT_PASS,
                      (uint64_t)(_i * GRAPHS + i));
}
END_TEST

START_TEST(plain_loops)
{
    const struct zoid_op *op = relax_op((size_t)_i);
    const struct zoid_params params = zoid_op_defaults(op);
    uint64_t random = (uint64_t)_i;

    for (int i = 0; i < effort(GRAPHS); i++) {
        const struct zoid_shape shape = random_shape(op, &random);
        const long steps = sample_between(&random, 0, 5);
        struct truth truth = truth_of(op, &shape, steps, random);
        char *spare = sample_memory(truth.state);
        const struct zoid_reference run = {.op = op,
                                           .params = &params,
                                           .shape = &shape,
                                           .steps = steps,
                                           .threads = (int)sample_between(&random, 1, 3)};
        const char *result = zoid_reference_run(&run, truth.start, spare);

        ck_assert_msg(memcmp(result, truth.end, truth.state) == 0, "%s %ldx%ldx%ld steps %ld",
                      op->name, shape.n[0], shape.n[1], shape.n[2], steps);
        free(spare);
        free_truth(&truth);
    }
}
END_TEST

/* The result differs from that without an order: a case in which the order changes nothing would
 * test nothing. */
START_TEST(order_matters)
{
    const struct zoid_op *op = relax_op((size_t)_i);
    struct zoid_op any = *op;
    const struct zoid_params params = zoid_op_defaults(op);
    const struct zoid_shape shape =
        zoid_op_shape(op, (const long[]){9, op->dims > 1 ? 9 : 1, op->dims > 2 ? 9 : 1});
    const struct zoid_reference run = {
        .op = &any, .params = &params, .shape = &shape, .steps = 1, .threads = 1};
    struct truth truth = truth_of(op, &shape, 1, 7);
    char *spare = sample_memory(truth.state);

    any.stage[0].order = ZOID_ANY_ORDER;
    ck_assert(memcmp(zoid_reference_run(&run, truth.start, spare), truth.end, truth.state) != 0);
    free(spare);
    free_truth(&truth);
}
END_TEST

/* The order as the graph's shape shows it. */
START_TEST(shapes)
{
    const struct zoid_op *op = relax_op((size_t)_i);
    const struct zoid_shape shape = zoid_op_shape(op, (const long[]){9, 9, 9});

    ck_assert_ptr_nonnull(op);
    ck_assert_ptr_null(relax_op(VARIANTS));
    ck_assert(zoid_op_in_order(op) && zoid_in_order(&shape));
    ck_assert_int_eq(shape.order[0], ZOID_ASCENDING);
    ck_assert_int_eq(shape.order[1], ZOID_ANY_ORDER);
    ck_assert_int_eq(zoid_op_on_gpus(op), op->cuda && op->dims == 2 && op->nstages == 1);
    ck_assert_str_eq(zoid_method_refuses(&zoid_trapezoid, &shape), "sweeps in order");
    ck_assert_ptr_null(zoid_method_refuses(&zoid_leaning, &shape));
}
END_TEST

static void add(TCase *tests)
{
    if (gpu_wanted()) {
        tcase_add_loop_test(tests, in_warps, 0, VARIANTS);
        return;
    }
    tcase_add_loop_test(tests, shapes, 0, VARIANTS);
    tcase_add_loop_test(tests, order_matters, 0, VARIANTS);
    tcase_add_loop_test(tests, plain_loops, 0, VARIANTS);
    tcase_add_loop_test(tests, graphs, 0, VARIANTS);
    tcase_add_loop_test(tests, lanes, 0, VARIANTS);
}

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("order", 300, add);
}
