/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks run on the CPU against the reference, byte for byte: whole graphs of every method, and
 * single blocks of any geometry. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/codelets/fused.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"

enum { GRAPHS = 120, BLOCKS = 600, OUTPUTS = 4, PARTS = OUTPUTS + 4 };

static size_t state_bytes(const struct zoid_op *op, const struct zoid_shape *s)
{
    return (size_t)(op->nstate * s->n[0] * s->n[1] * s->n[2]) * zoid_type_size(op->type);
}

static struct zoid_shape random_shape(const struct zoid_op *op, uint64_t *random)
{
    static const long widest[] = {40, 9};
    long n[ZOID_AXES];

    for (int a = 0; a < op->dims - 1; a++)
        n[a] = sample_between(random, 1, widest[a]);
    n[op->dims - 1] = sample_between(random, 1, 40);
    return zoid_op_shape(op, n);
}

/* ---- whole graphs ------------------------------------------------------------------------ */

static void run_graph(const struct zoid_op *op, const struct zoid_graph *graph, enum zoid_isa isa,
                      uint64_t seed)
{
    size_t bytes = state_bytes(op, &graph->shape);
    void *state = sample_memory(bytes), *plain = sample_memory(bytes);
    void *spare = sample_memory(bytes), *expected;
    struct store *store;

    sample_fill(op->type, seed, 0, bytes / zoid_type_size(op->type), state);
    memcpy(plain, state, bytes);
    expected = zoid_reference_run(op, &op->defaults, &graph->shape, graph->steps, plain, spare);
    store = store_create(op, graph, isa, state);
    ck_assert_int_eq(zoid_graph_emit(graph, store_sink(store)), 0);
    store_destroy(&store);
    ck_assert_msg(memcmp(state, expected, bytes) == 0,
                  "%s %s %s %ldx%ldx%ld steps %ld block %ld depth %ld lanes %d", op->name,
                  zoid_isa_name(isa), graph->method->name, graph->shape.n[0], graph->shape.n[1],
                  graph->shape.n[2], graph->steps, graph->block, graph->depth, graph->lanes);
    free(state);
    free(plain);
    free(spare);
}

static void random_graph(const struct zoid_op *op, const struct zoid_method *method, uint64_t seed)
{
    uint64_t random = sample_mix(seed);
    struct zoid_graph graph = {.method = method,
                               .shape = random_shape(op, &random),
                               .steps = sample_between(&random, 0, 12),
                               .depth = sample_between(&random, 1, 8),
                               .lanes = (int)sample_between(&random, 1, 3),
                               .elastic = sample_between(&random, 0, 1)};
    long lowest = method->min_block(&graph.shape);
    bool clamped;

    graph.block = sample_between(&random, lowest, lowest + 12);
    ck_assert_int_eq(zoid_graph_init(&graph, &clamped), 0);
    run_graph(op, &graph, (enum zoid_isa)sample_between(&random, 0, (long)zoid_isa_best()), random);
}

START_TEST(graphs)
{
    const struct zoid_op *op = zoid_op_at((size_t)_i);

    for (int m = 0; zoid_methods[m]; m++)
        for (int i = 0; i < GRAPHS; i++)
            random_graph(op, zoid_methods[m], (uint64_t)((_i * 100 + m) * GRAPHS + i));
}
END_TEST

/* ---- single blocks ----------------------------------------------------------------------- */

/* A block of random geometry, the true states of all its times, and its data. */
struct trial {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    struct zoid zoid, region;
    size_t bytes; /* of a state */
    char **state; /* of time t, at t - t0 */
    long n;       /* planes of the domain */
    size_t nparts;
    struct zoid_part part[PARTS];
    uint64_t random;
};

static long least(long a, long b)
{
    return a < b ? a : b;
}

static long most(long a, long b)
{
    return a > b ? a : b;
}

/* Operators of one stage only: then any time is a whole step. */
static void make_states(struct trial *b)
{
    long times = b->zoid.t1 - b->zoid.t0;
    void *plain = sample_memory(b->bytes), *spare = sample_memory(b->bytes);

    b->state = sample_memory((size_t)(times + 1) * sizeof *b->state);
    for (long t = 0; t <= times; t++) {
        sample_fill(b->op->type, b->random, 0, b->bytes / zoid_type_size(b->op->type), plain);
        b->state[t] = sample_memory(b->bytes);
        memcpy(b->state[t], zoid_reference_run(b->op, &b->op->defaults, &b->shape, t, plain, spare),
               b->bytes);
    }
    free(plain);
    free(spare);
}

static bool computed(const struct trial *b, long t, long plane)
{
    struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);
    int chain = zoid_chain(&b->shape);

    return plane >= box.lo[chain] && plane < box.hi[chain];
}

/* Between the datum of a part and the true states: puts what `in` shows, compares what `out`
 * shows. */
static void visit(struct trial *b, const struct zoid_part *part, const struct zoid_view *view,
                  enum store_way way)
{
    char *shown = sample_memory(b->bytes);
    size_t plane = zoid_layout_plane_bytes(&b->layout);

    for (long t = view->t0; t <= view->t1; t++) {
        long shift = view->drift * (t - view->t0);
        long lo = most(view->lo + shift, 0), hi = least(view->hi + shift, b->n);
        char *truth = b->state[t - b->zoid.t0];

        if (lo >= hi)
            continue;
        memcpy(shown, truth, b->bytes);
        store_planes(b->op, &b->shape, &b->layout, way, shown,
                     (char *)part->base + (size_t)zoid_view_slot(view, t, lo) * plane,
                     (size_t)(part->capacity * b->layout.plane), lo, hi);
        ck_assert_msg(memcmp(shown, truth, b->bytes) == 0,
                      "%s: planes %ld to %ld of time %ld in %ld to %ld", b->op->name, lo, hi, t,
                      b->zoid.t0, b->zoid.t1);
    }
    free(shown);
}

static void add_part(struct trial *b, struct zoid_part part)
{
    size_t bytes = (size_t)(part.capacity * b->op->nstate) * zoid_layout_plane_bytes(&b->layout);

    part.base = sample_memory(bytes);
    sample_poison(part.base, bytes);
    if (part.reads)
        visit(b, &part, &part.in, STORE_IN);
    b->part[b->nparts++] = part;
}

static void add_input(struct trial *b, long t0, long t1, long lo, long hi)
{
    long gap = sample_between(&b->random, 0, 2);
    struct zoid_view in = {.t0 = t0, .t1 = t1, .lo = lo, .hi = hi, .advance = hi - lo + gap};

    if (t0 <= t1 && lo < hi)
        add_part(b, (struct zoid_part){
                        .reads = true, .in = in, .capacity = hi - lo + (t1 - t0) * in.advance});
}

/* The planes of t0, some of them perhaps in a datum that is updated; and those of later times. */
static void add_inputs(struct trial *b)
{
    long t0 = b->zoid.t0, t1 = b->zoid.t1, times = t1 - t0, lo, hi, drift, capacity;
    struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t1);
    struct zoid_view in = {.t0 = t0, .t1 = t0}, out = {.t0 = t1, .t1 = t1};

    in.lo = in.hi = sample_between(&b->random, 0, b->n);
    zoid_chain_reach(&b->shape, &lo, &hi);
    if (times > 0 && !zoid_box_empty(&box) && sample_between(&b->random, 0, 3) > 0) {
        int chain = zoid_chain(&b->shape);

        drift = sample_between(&b->random, -most(lo, hi), most(lo, hi)) * times;
        out.lo = sample_between(&b->random, box.lo[chain], box.hi[chain] - 1);
        out.hi = sample_between(&b->random, out.lo + 1, box.hi[chain]);
        in.lo = out.lo - drift;
        in.hi = in.lo + sample_between(&b->random, 1, b->n);
        capacity = most(in.hi - in.lo, out.hi - out.lo);
        add_part(b, (struct zoid_part){
                        .reads = true, .writes = true, .in = in, .out = out, .capacity = capacity});
    }
    add_input(b, t0, t0, -1, least(in.lo, b->n));
    add_input(b, t0, t0, most(in.hi, 0), b->n + 1);
    add_input(b, t0 + 1, t1 - 1, 0, b->n);
}

/* A datum that wants planes of some of the times, any that the block has. */
static void add_output(struct trial *b)
{
    struct zoid_view out = {.t0 = sample_between(&b->random, b->zoid.t0, b->zoid.t1),
                            .lo = sample_between(&b->random, -2, b->n - 1),
                            .drift = (int)sample_between(&b->random, -2, 2)};
    long planes = sample_between(&b->random, 1, 8);

    out.t1 = sample_between(&b->random, out.t0, b->zoid.t1);
    out.hi = out.lo + planes;
    out.advance = planes - out.drift + sample_between(&b->random, 0, 1);
    for (long t = most(out.t0, b->zoid.t0 + 1); t <= out.t1; t++)
        for (long z = 0; z < b->n; z++)
            if (zoid_view_has(&out, t, z) && !computed(b, t, z))
                return;
    add_part(
        b, (struct zoid_part){.writes = true,
                              .out = out,
                              .capacity = planes + (out.t1 - out.t0) * (out.advance + out.drift)});
}

static void choose_geometry(struct trial *b)
{
    int chain = zoid_chain(&b->shape);
    long t0 = sample_between(&b->random, 0, 3), t1 = t0 + sample_between(&b->random, 0, 4);
    struct zoid_face *face = &b->zoid.dim[chain];

    b->region = zoid_domain(&b->shape, t0, t1);
    b->zoid = b->region;
    face->lo = sample_between(&b->random, -6, b->n - 1);
    face->hi = face->lo + sample_between(&b->random, 1, b->n + 6);
    face->dlo = (int)sample_between(&b->random, -2, 2);
    face->dhi = (int)sample_between(&b->random, -2, 2);
}

static long box_planes(const struct trial *b)
{
    int chain = zoid_chain(&b->shape);
    long planes = 0;

    for (long t = b->zoid.t0 + 1; t < b->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);

        planes = most(planes, box.hi[chain] - box.lo[chain]);
    }
    return planes;
}

/* Every other block on a device that takes several times at once. */
static void run_on(struct trial *b, const struct zoid_run *run, enum zoid_isa isa)
{
    int most = (int)sample_between(&b->random, 0, 4);

    size_t cache = (size_t)sample_between(&b->random, 0, 1) << sample_between(&b->random, 0, 14);

    if (most == 0) {
        zoid_cpu_run(run, &(struct zoid_cpu){isa, cache});
        return;
    }
    fused_run(run, isa, most);
}

static void run_trial(struct trial *b, enum zoid_isa isa)
{
    long planes = zoid_scratch_planes(&b->shape, box_planes(b), zoid_cpu.batch);
    size_t bytes = (size_t)(planes * b->op->nstate) * zoid_layout_plane_bytes(&b->layout);
    void *scratch = sample_memory(bytes);

    sample_poison(scratch, bytes);
    run_on(b,
           &(struct zoid_run){.op = b->op,
                              .params = &b->op->defaults,
                              .shape = &b->shape,
                              .layout = &b->layout,
                              .zoid = b->zoid,
                              .region = b->region,
                              .nparts = b->nparts,
                              .part = b->part,
                              .scratch = scratch},
           isa);
    for (size_t i = 0; i < b->nparts; i++)
        if (b->part[i].writes)
            visit(b, &b->part[i], &b->part[i].out, STORE_OUT);
    free(scratch);
}

START_TEST(blocks)
{
    for (int i = 0; i < BLOCKS; i++) {
        struct trial b = {.op = zoid_op_at((size_t)_i),
                          .random = sample_mix((uint64_t)(_i * BLOCKS + i))};
        int isa = i % ((int)zoid_isa_best() + 1);

        b.shape = random_shape(b.op, &b.random);
        b.layout = zoid_layout_make(b.op, b.shape.n, 0);
        b.bytes = state_bytes(b.op, &b.shape);
        b.n = b.shape.n[zoid_chain(&b.shape)];
        choose_geometry(&b);
        if (b.op->nstages > 1)
            continue;
        make_states(&b);
        for (int outputs = 0; outputs < OUTPUTS / 2; outputs++)
            add_output(&b);
        add_inputs(&b);
        for (int outputs = 0; outputs < OUTPUTS / 2; outputs++)
            add_output(&b);
        run_trial(&b, (enum zoid_isa)isa);
        for (size_t p = 0; p < b.nparts; p++)
            free(b.part[p].base);
        for (long t = b.zoid.t0; t <= b.zoid.t1; t++)
            free(b.state[t - b.zoid.t0]);
        free(b.state);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = tcase_create("run");
    SRunner *runner = srunner_create(suite);
    int variants = 0, failed;

    while (zoid_op_at((size_t)variants))
        variants++;
    tcase_set_timeout(tcase, 240);
    tcase_add_loop_test(tcase, graphs, 0, variants);
    tcase_add_loop_test(tcase, blocks, 0, variants);
    suite_add_tcase(suite, tcase);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
