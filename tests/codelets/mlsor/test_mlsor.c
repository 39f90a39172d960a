/* SPDX-License-Identifier: BSD-3-Clause */
/* MLSOR by its sweep, over boxes of random heights, and in blocks by every method, byte for byte
 * against the sequential program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/mlsor/cuda.h"
#include "codelets/mlsor/mlsor.h"
#include "codelets/op/traits.h"
#include "codelets/sweep.h"
#include "graphs/method.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/sequential.h"
#include "tests/codelets/store.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum { GRAPHS = 20 };

/* A case and its values: of the domain at the start, of b, and of all points of the operator at two
 * times. */
struct sample {
    struct zoid_mlsor mlsor;
    double omega;
    size_t points; /* in the domain */
    void *start, *b;
    void *now, *next, *right, *spare;
};

static long draw(long lo, long hi)
{
    return lo + rand() % (hi - lo + 1);
}

static void put(enum zoid_type type, void *values, size_t i, double value)
{
    if (type == ZOID_F32)
        ((zoid_f32 *)values)[i] = (zoid_f32)value;
    else
        ((zoid_f64 *)values)[i] = value;
}

static void *values(enum zoid_type type, size_t n, bool numbers)
{
    void *v = malloc(n * zoid_type_size(type) + 1);

    ck_assert_ptr_nonnull(v);
    for (size_t i = 0; i < n; i++)
        put(type, v, i, numbers ? (double)rand() / RAND_MAX : NAN);
    return v;
}

/* Spreads domain values over the operator's points; points outside the domain are NaN. */
static void *spread(const struct sample *s, const void *domain)
{
    const struct zoid_mlsor *m = &s->mlsor;
    const size_t size = zoid_type_size(m->kind.type);
    char *all = values(m->kind.type, (size_t)(m->n[0] * m->n[1]), false);

    memcpy(all + (size_t)zoid_mlsor_at(m, 0) * size, domain, s->points * size);
    return all;
}

static struct zoid_mlsor_kind draw_kind(int dims)
{
    const long p = draw(2, draw(0, 3) ? 9 : 40), most = dims == 3 ? 24 : 60;
    struct zoid_mlsor_kind kind = {.dims = dims,
                                   .type = draw(0, 1) ? ZOID_F32 : ZOID_F64,
                                   .n = {1, 1, 1},
                                   .subdomain = p,
                                   .layers = draw(1, p / 2),
                                   .forward = draw(0, 1),
                                   .rhs = draw(0, 1)};

    for (int a = 0; a < dims; a++)
        kind.n[a] = draw(0, 3) ? draw(1, most) : p * draw(1, 3) + 2;
    /* Enough for all subdomains that alternate. */
    if (draw(0, 1))
        kind.n[0] = p * draw(10, 20) + draw(0, p);
    kind.sweeps = draw(1, 4 * kind.layers + 1);
    return kind;
}

static struct sample sample_of(const struct zoid_mlsor_kind *kind)
{
    struct sample s = {.omega = draw(1, 199) / 100.0};

    s.points = (size_t)(kind->n[0] * kind->n[1] * kind->n[2]);
    s.start = values(kind->type, s.points, true);
    s.b = values(kind->type, s.points, true);
    return s;
}

static void sample_free(struct sample *s)
{
    free(s->start);
    free(s->b);
    free(s->now);
    free(s->next);
    free(s->right);
    free(s->spare);
}

/* Computes planes [lo, hi) of a time; the planes are in a buffer of their own. */
static void sweep(const struct sample *s, long t, long lo, long hi)
{
    const struct zoid_mlsor *m = &s->mlsor;
    const struct zoid_params params = {.value = {s->omega}};
    const struct zoid_shape shape = zoid_op_shape(&m->op, m->n);
    struct zoid_layout layout = zoid_layout_make(&m->op, m->n, 0);
    const size_t plane = (size_t)m->n[0] * zoid_type_size(m->kind.type);
    const struct zoid_segment in = {.lo = 0, .hi = m->n[1], .base = s->now};
    const struct zoid_segment right = {.lo = 0, .hi = m->n[1], .base = s->right};
    struct zoid_sweep one = {.op = &m->op,
                             .params = &params,
                             .shape = &shape,
                             .layout = &layout,
                             .t = t,
                             .box = {.lo = {0, lo, 0}, .hi = {m->n[0], hi, 1}},
                             .fields = 1,
                             .in = {{1, &in}, {1, &right}},
                             .out = {.lo = lo, .hi = hi},
                             .spare = s->spare};

    layout.plane = m->n[0];
    one.out.base = (char *)s->next + (size_t)lo * plane;
    m->op.cpu[ZOID_PORTABLE](&one);
}

static void run(struct sample *s)
{
    const struct zoid_mlsor *m = &s->mlsor;
    const long times = 2 * zoid_mlsor_visits(&m->kind, m->kind.sweeps);

    s->now = spread(s, s->start);
    s->right = spread(s, s->b);
    s->next = values(m->kind.type, (size_t)(m->n[0] * m->n[1]), false);
    s->spare = values(m->kind.type, (size_t)m->n[0], false);
    for (long t = 1; t <= times; t++) {
        void *swap = s->now;

        for (long lo = 0, hi; lo < m->n[1]; lo = hi) {
            hi = zoid_min(lo + draw(1, 4), m->n[1]);
            sweep(s, t, lo, hi);
        }
        s->now = s->next;
        s->next = swap;
    }
}

/* Compares `now`, all points of the operator, with the sequential result; `how` names the
 * computation in messages. */
static void compare(const struct sample *s, const void *now, const char *how)
{
    const struct zoid_mlsor_kind *kind = &s->mlsor.kind;
    const size_t size = zoid_type_size(kind->type);
    const char *is = (const char *)now + (size_t)zoid_mlsor_at(&s->mlsor, 0) * size;
    const struct sequential sequential = {.dims = kind->dims,
                                          .type = kind->type,
                                          .n = {kind->n[0], kind->n[1], kind->n[2]},
                                          .omega = s->omega,
                                          .b = kind->rhs ? s->b : NULL,
                                          .u = s->start};

    sequential_mlsor(&sequential,
                     &(struct sequential_mlsor){kind->subdomain, kind->layers, kind->forward},
                     kind->sweeps);
    for (size_t i = 0; i < s->points; i++)
        ck_assert_msg(!memcmp(is + i * size, (char *)s->start + i * size, size),
                      "%s on %ldx%ldx%ld, %ld sweeps%s, omega %g, %s: value %zu differs",
                      s->mlsor.name, kind->n[0], kind->n[1], kind->n[2], kind->sweeps,
                      kind->forward ? " forward" : "", s->omega, how, i);
}

/* Seeds are the tests' numbers. */
START_TEST(as_defined)
{
    for (int i = 0; i < 40; i++) {
        struct zoid_mlsor_kind kind;
        struct sample s;

        srand((unsigned)(_i * 40 + i));
        kind = draw_kind(i % 4 ? 2 : 3);
        s = sample_of(&kind);
        zoid_mlsor_make(&kind, &s.mlsor);
        run(&s);
        compare(&s, s.now, "sweeps");
        sample_free(&s);
    }
}
END_TEST

/* A point that is relaxed twice, never, or in the wrong order is detected, by sweeps of a domain in
 * which each of them matters. */
START_TEST(every_sweep_counts)
{
    const struct zoid_mlsor_kind kind = {
        .dims = 2, .type = ZOID_F64, .n = {21, 23, 1}, .subdomain = 6, .layers = 3, .sweeps = 7};
    struct sample s = sample_of(&kind);
    struct zoid_mlsor_kind other = kind;

    other.sweeps = 6;
    zoid_mlsor_make(&other, &s.mlsor);
    run(&s);
    s.mlsor.kind = kind;
    sequential_mlsor(
        &(struct sequential){
            .dims = 2, .type = ZOID_F64, .n = {21, 23, 1}, .omega = s.omega, .u = s.start},
        &(struct sequential_mlsor){6, 3, false}, 7);
    ck_assert(memcmp((char *)s.now + (size_t)zoid_mlsor_at(&s.mlsor, 0) * sizeof(double), s.start,
                     s.points * sizeof(double)) != 0);
    sample_free(&s);
}
END_TEST

static struct zoid_graph draw_graph(const struct sample *s, const struct zoid_method *method)
{
    const struct zoid_mlsor *m = &s->mlsor;
    struct zoid_graph g = {.method = method,
                           .shape = zoid_op_shape(&m->op, m->n),
                           .coefficients = m->kind.rhs,
                           .steps = zoid_mlsor_visits(&m->kind, m->kind.sweeps),
                           .depth = draw(1, 4),
                           .lanes = (int)draw(1, 3),
                           .elastic = draw(0, 1)};
    bool clamped;

    g.block = method->min_block(&g.shape) + draw(0, 9);
    ck_assert_int_eq(zoid_graph_init(&g, &clamped), 0);
    return g;
}

/* Runs the blocks of a graph, with omega as the operator's default. */
static void run_graph(struct sample *s, const struct zoid_method *method)
{
    struct zoid_mlsor *m = &s->mlsor;
    const size_t field = (size_t)(m->n[0] * m->n[1]) * zoid_type_size(m->kind.type);
    const struct zoid_graph g = draw_graph(s, method);
    struct store *store;
    char *fields = sample_memory(2 * field), how[96];

    m->op.param[0].value = s->omega;
    s->now = spread(s, s->start);
    s->right = spread(s, s->b);
    memcpy(fields, s->now, field);
    memcpy(fields + field, s->right, field);
    store =
        store_create(&m->op, &g, 1, &(struct store_core){.cpu = {.isa = ZOID_PORTABLE}}, fields);
    ck_assert_int_eq(store_emit(store, &g), 0);
    store_destroy(&store);
    snprintf(how, sizeof how, "%s block %ld depth %ld lanes %d", method->name, g.block, g.depth,
             g.lanes);
    compare(s, fields, how);
    free(fields);
}

START_TEST(graphs)
{
    for (int m = 0; zoid_methods[m]; m++)
        for (int i = 0; i < effort(GRAPHS); i++) {
            struct zoid_mlsor_kind kind;
            struct zoid_shape shape;
            struct sample s;

            srand((unsigned)((_i * 10 + m) * GRAPHS + i));
            kind = draw_kind(i % 3 ? 2 : 3);
            s = sample_of(&kind);
            zoid_mlsor_make(&kind, &s.mlsor);
            shape = zoid_op_shape(&s.mlsor.op, s.mlsor.n);
            /* Large subdomains do not fit into a GPU's shared memory. */
            if (!zoid_method_refuses(zoid_methods[m], &shape) &&
                (!gpu_wanted() || zoid_op_on_gpus(&s.mlsor.op)))
                run_graph(&s, zoid_methods[m]);
            sample_free(&s);
        }
}
END_TEST

/* On a GPU: the data of a warp fit in shared memory; and if all of its lanes have a tile, staggered
 * by two points along lines, they are in different banks. */
START_TEST(tiles_lie_apart)
{
    for (int i = 0; i < 8; i++)
        for (long p = 2; p < 1100; p++) {
            const struct zoid_mlsor_kind kind = {.dims = i & 1 ? 3 : 2,
                                                 .type = i & 2 ? ZOID_F64 : ZOID_F32,
                                                 .subdomain = p,
                                                 .layers = p / 2,
                                                 .rhs = i & 4};
            const struct zoid_mlsor_tile t = zoid_mlsor_tile_of(&kind);
            unsigned banks = 0;

            ck_assert(p > 25 || kind.dims == 3 || t.shared <= ZOID_MLSOR_SHARED);
            if (t.shared > ZOID_MLSOR_SHARED)
                break;
            ck_assert_int_ge(t.size, (p + 1) * t.line);
            ck_assert_int_le(t.tiles * t.group, 32);
            for (int lane = 0; lane < t.tiles * t.group; lane++)
                banks |= 1u << (lane / t.group * t.size + lane % t.group * (t.line - 2)) % 32;
            if (t.tiles * t.group == 32)
                ck_assert_uint_eq(banks, ~0u);
        }
}
END_TEST

static void add(TCase *tests)
{
    if (!gpu_wanted()) {
        tcase_add_test(tests, tiles_lie_apart);
        tcase_add_loop_test(tests, as_defined, 0, 5);
        tcase_add_test(tests, every_sweep_counts);
    }
    tcase_add_loop_test(tests, graphs, 0, 5);
}

/* For test_mlsor_gpu.sh: skipped without a GPU. */
enum { SKIPPED = 77 };

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("mlsor", 120, add);
}
