/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks on the CPU against the reference, byte for byte: whole graphs of every method, and single
 * blocks of any geometry. */
#include <stdlib.h>
#include <string.h>

#include "codelets/block/sample_points.h"
#include "codelets/block/scratch.h"
#include "codelets/cpu/run.h"
#include "codelets/cuda/run.h"
#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "codelets/threads/team.h"
#include "graphs/cell.h"
#include "graphs/method.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/gpu.h"
#include "tests/codelets/places.h"
#include "tests/codelets/sample.h"
#include "tests/codelets/store.h"
#include "tests/effort.h"
#include "tests/suite.h"

enum {
    /* For all variants together. */
    GRAPHS = 400,
    BLOCKS = 1600,
    MOST_BLOCKS = 500,
    OUTPUTS = 4,
    PARTS = OUTPUTS + 6,
    CIRCLE = 60
};

static size_t points_of(const struct zoid_shape *s)
{
    return (size_t)(s->n[0] * s->n[1] * s->n[2]);
}

static struct zoid_shape random_shape(const struct zoid_op *op, uint64_t *random)
{
    static const long widest[] = {40, 9};
    struct zoid_shape shape;
    long n[ZOID_AXES];

    for (int a = 0; a < op->dims - 1; a++)
        n[a] = sample_between(random, 1, widest[a]);
    n[op->dims - 1] = sample_between(random, 1, 40);
    /* A quarter has no more planes or points than stencils reach. */
    for (int a = sample_between(random, 0, 3) ? op->dims : 0; a < op->dims; a++)
        n[a] = sample_between(random, 1, 3);
    /* Wide enough for tiles to drift through the scratch buffer. */
    if (op->dims > 1 && sample_between(random, 0, 3) == 0) {
        n[0] = sample_between(random, 1, 12);
        n[op->dims - 2] = sample_between(random, 40, op->dims == 3 ? 140 : 600);
    }
    shape = zoid_op_shape(op, n);
    if (sample_between(random, 0, 1))
        sample_faces(op, random, op->dims, &shape);
    return shape;
}

/* Any instruction set, tiles of any size or none, fused or pipelined steps or neither; sometimes a
 * baseline. */
static struct store_core random_core(uint64_t *random)
{
    static const enum zoid_traversal traversal[] = {ZOID_TRAVERSAL_BEST, ZOID_TRAVERSAL_TWO,
                                                    ZOID_TRAVERSAL_STEP, ZOID_TRAVERSAL_NAIVE};
    long tiles = sample_between(random, 0, 2);

    if (tiles == 2)
        return (struct store_core){
            .cpu = {.isa = (enum zoid_isa)sample_between(random, 0, (long)zoid_isa_best()),
                    .cache = (size_t)(1 << sample_between(random, 0, 15))},
            .most = -(int)sample_between(random, 2, 16)};
    return (struct store_core){
        .cpu = {.isa = (enum zoid_isa)sample_between(random, 0, (long)zoid_isa_best()),
                .cache = (size_t)(tiles << sample_between(random, 0, 15))},
        .most = (int)(tiles ? 0 : sample_between(random, 0, 4)),
        .traversal = traversal[sample_between(random, 0, 3)]};
}

/* Returns a team for a third of the cores that march, of more members than a machine may have. */
static struct zoid_team *random_team(const struct store_core *core, uint64_t seed)
{
    return core->most < 0 && seed % 3 == 0 ? zoid_team_create(2 + (int)(seed / 3 % 4), NULL, NULL)
                                           : NULL;
}

/* ---- whole graphs ------------------------------------------------------------------------ */

/* Compares the receivers' records. */
static void compare_seen(const struct zoid_sample_points *sample_points,
                         const struct zoid_graph *graph, const double *should)
{
    double seen[PLACES];

    for (long step = graph->start; step <= graph->start + graph->steps; step++) {
        /* The record of the first step is the initial state, which nothing here has filled. */
        zoid_record_see(sample_points, zoid_record_row(sample_points, step), seen);
        if (step > graph->start)
            ck_assert_msg(!memcmp(seen, should, sample_points->receivers * sizeof *seen),
                          "%s %s: receivers see other values of step %ld", sample_points->op->name,
                          graph->method->name, step);
        should += sample_points->receivers;
    }
}

static void run_graph(const struct zoid_op *op, const struct zoid_graph *graph,
                      const struct store_core *given, uint64_t seed)
{
    size_t field = points_of(&graph->shape) * zoid_type_size(op->type);
    size_t state = (size_t)op->nstate * field, all = state + (size_t)op->ncoef * field;
    void *fields = sample_memory(all), *plain = sample_memory(all);
    void *spare = sample_memory(state), *expected;
    struct store_core with_sample_points = *given, *core = &with_sample_points;
    struct store *store;
    struct zoid_sample_points *sample_points;
    struct places places;
    double *seen;

    places_draw(op, &graph->shape, &seed, &places);
    sample_points = zoid_sample_points_create(op, &graph->shape, &places.points);
    ck_assert_ptr_nonnull(sample_points);
    sample_points->start = graph->start;
    ck_assert(zoid_record_fit(sample_points, graph->start + graph->steps));
    /* Half of the runs have no sources or receivers. */
    core->sample_points = seed & 1 ? sample_points : NULL;
    core->team = random_team(core, seed);
    seen = sample_memory((size_t)(graph->steps + 1) * PLACES * sizeof *seen);
    sample_fields(op, seed, points_of(&graph->shape), fields);
    memcpy(plain, fields, all);
    expected = zoid_reference_run(
        &(struct zoid_reference){.op = op,
                                 .params = (const struct zoid_params[]){sample_params(op)},
                                 .shape = &graph->shape,
                                 .start = graph->start,
                                 .steps = graph->steps,
                                 .threads = 1,
                                 .points = core->sample_points ? &places.points : NULL,
                                 .seen = core->sample_points ? seen : NULL},
        plain, spare);
    store = store_create(op, graph, 1, core, fields);
    ck_assert_int_eq(store_emit(store, graph), 0);
    store_destroy(&store);
    ck_assert_msg(
        memcmp(fields, expected, state) == 0,
        "%s %s %s %ldx%ldx%ld steps %ld block %ld depth %ld cells %ldx%ldx%ld epoch %ld lanes %d",
        op->name, zoid_isa_name(core->cpu.isa), graph->method->name, graph->shape.n[0],
        graph->shape.n[1], graph->shape.n[2], graph->steps, graph->block, graph->depth,
        graph->cut[0].cells, graph->cut[1].cells, graph->cut[2].cells, graph->epoch, graph->lanes);
    if (core->sample_points)
        compare_seen(sample_points, graph, seen);
    zoid_sample_points_destroy(&sample_points);
    zoid_team_destroy(&core->team);
    free(seen);
    free(fields);
    free(plain);
    free(spare);
}

/* Cells along one or two axes, sometimes one per point; epochs of several passes; and uneven
 * borders that move, in a table valid until the next call. */
static void random_cells(struct zoid_graph *graph, uint64_t *random)
{
    enum { CELLS = 3, EPOCHS = 2 };
    static long border[ZOID_PLANE_AXES][EPOCHS * (CELLS + 1)];

    for (int a = 0; a < zoid_chain(&graph->shape); a++) {
        struct zoid_axis_cells *cut = &graph->cut[a];
        long n = graph->shape.n[a];

        cut->cells = sample_between(random, 1, sample_between(random, 1, n));
        if (n < 2 * CELLS || sample_between(random, 0, 2))
            continue;
        *cut = (struct zoid_axis_cells){CELLS, EPOCHS, border[a]};
        for (int e = 0; e < EPOCHS; e++) {
            long *at = border[a] + e * (CELLS + 1);

            at[0] = 0;
            at[1] = sample_between(random, 1, n - 2);
            at[2] = sample_between(random, at[1] + 1, n - 1);
            at[3] = n;
        }
    }
    graph->epoch = sample_between(random, 0, 8);
}

/* Cells along the chain axis, if there are enough planes for the halo of blocks. */
static void random_lines(struct zoid_graph *graph, uint64_t *random)
{
    struct zoid_axis_cells *cut = &graph->cut[zoid_chain(&graph->shape)];
    long most;

    cut->cells = sample_between(random, 2, 4);
    most = zoid_epoch_most(graph);
    if (most < 1) {
        *cut = (struct zoid_axis_cells){.cells = 0};
        return;
    }
    graph->epoch = sample_between(random, 1, zoid_min(most, 8));
}

static void random_graph(const struct zoid_op *op, const struct zoid_method *method, uint64_t seed)
{
    uint64_t random = sample_mix(seed);
    struct zoid_graph graph = {.method = method,
                               .shape = random_shape(op, &random),
                               .start = sample_between(&random, 0, 3),
                               .steps = sample_between(&random, 0, 9),
                               .depth = sample_between(&random, 1, 6),
                               .lanes = (int)sample_between(&random, 1, 3),
                               .elastic = sample_between(&random, 0, 1),
                               .coefficients = op->ncoef > 0};
    struct store_core core = random_core(&random);
    long lowest = method->min_block(&graph.shape);
    bool clamped;

    /* With the same number of fused steps, blocks may write their outputs to slots that they have
     * read. */
    if (gpu_wanted() && op->kernels)
        graph.at_once = op->kernels->most;
    else if (sample_between(&random, 0, 2))
        graph.at_once = zoid_max(core.most, 0);
    if (zoid_method_refuses(method, &graph.shape))
        return;
    if (!gpu_wanted() && sample_between(&random, 0, 1))
        store_in_lanes(op, &graph.shape, &random, &core);
    if (method->cells && !zoid_in_order(&graph.shape) && sample_between(&random, 0, 1))
        random_cells(&graph, &random);
    if (method->cells && !zoid_in_order(&graph.shape) && sample_between(&random, 0, 1))
        random_lines(&graph, &random);
    graph.block = sample_between(&random, lowest, lowest + 12);
    ck_assert_int_eq(zoid_graph_init(&graph, &clamped), 0);
    run_graph(op, &graph, &core, random);
}

/* GPUs run those of lopsided.def in builds with kernels for tests alone. */
static int variants(void)
{
    return gpu_wanted() ? sample_variants() : sample_ops();
}

START_TEST(graphs)
{
    const struct zoid_op *op = sample_op(_i);
    /* With cells some graphs have thousands of blocks, and a launch on a GPU takes longer than a
     * small block on a core. */
    const int each = effort_each(GRAPHS, variants()), count = gpu_wanted() ? each / 5 + 1 : each;

    /* In a quick run a third of the methods each, and all of them in turn. */
    const int every = effort_is_quick() ? 3 : 1;

    for (int m = _i % every; zoid_methods[m]; m += every)
        for (int i = 0; i < count; i++)
            random_graph(op, zoid_methods[m], (uint64_t)((_i * 100 + m) * GRAPHS + i));
}
END_TEST

/* ---- single blocks ----------------------------------------------------------------------- */

/* A block of random geometry, the true states at all of its times, and its data. */
struct trial {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    struct zoid zoid, region;
    size_t field;  /* bytes of a plain field */
    char *initial; /* all fields; the coefficients are used */
    char **state;  /* of time t, at t - t0 */
    long n;        /* planes of the domain; */
    long lo, hi;   /* planes that exist: more, if it is periodic */
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

/* The true state at time t. */
static char *state_of(const struct trial *b, long t)
{
    size_t state = (size_t)b->op->nstate * b->field;
    size_t all = state + (size_t)b->op->ncoef * b->field;
    char *plain = sample_memory(all), *spare = sample_memory(state), *result;
    struct zoid_op one = *b->op;

    /* One stage per step. */
    one.step = 1;
    memcpy(plain, b->initial, all);
    result = zoid_reference_run(
        &(struct zoid_reference){.op = &one,
                                 .params = (const struct zoid_params[]){sample_params(b->op)},
                                 .shape = &b->shape,
                                 .steps = t,
                                 .threads = 1},
        plain, spare);
    free(result == plain ? spare : plain);
    return result;
}

static void make_states(struct trial *b)
{
    long times = b->zoid.t1 - b->zoid.t0;

    b->field = points_of(&b->shape) * zoid_type_size(b->op->type);
    b->initial = sample_memory((size_t)(b->op->nstate + b->op->ncoef) * b->field);
    sample_fields(b->op, b->random, points_of(&b->shape), b->initial);
    b->state = sample_memory((size_t)(times + 1) * sizeof *b->state);
    for (long t = 0; t <= times; t++)
        b->state[t] = state_of(b, b->zoid.t0 + t);
}

static bool computed(const struct trial *b, long t, long plane)
{
    struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);
    int chain = zoid_chain(&b->shape);

    return plane >= box.lo[chain] && plane < box.hi[chain];
}

/* The planes of time t in a part's view, with the true fields that it holds at that time. */
static struct store_planes shown(const struct trial *b, const struct zoid_part *part,
                                 const struct zoid_view *view, long t)
{
    long shift = view->drift * (t - view->t0);
    struct store_planes p = {.op = b->op,
                             .shape = &b->shape,
                             .layout = &b->layout,
                             .first = part->coefficient ? b->op->nstate : 0,
                             .fields = part->coefficient ? b->op->ncoef : b->op->nstate,
                             .lo = most(view->lo + shift, b->lo),
                             .hi = least(view->hi + shift, b->hi),
                             .plain = part->coefficient ? b->initial : b->state[t - b->zoid.t0],
                             .field = (size_t)(part->capacity * b->layout.plane)};

    if (view->by_turns && t > view->t0) {
        const struct zoid_groups groups = zoid_op_groups(b->op);
        const int g = zoid_op_written(b->op, zoid_stage_of(b->op, t));

        p.first = groups.first[g];
        p.fields = groups.first[g + 1] - p.first;
    }

    p.slots = (char *)part->base +
              zoid_view_slot(view, t, p.lo) * (long)zoid_layout_plane_bytes(&b->layout);
    if (!part->coefficient)
        p.slots = (char *)p.slots + (size_t)p.first * p.field * zoid_type_size(b->op->type);
    return p;
}

/* Writes the contents of a part before the block. */
static void put(struct trial *b, const struct zoid_part *part)
{
    for (long t = part->in.t0; t <= part->in.t1; t++) {
        struct store_planes p = shown(b, part, &part->in, t);

        if (p.lo < p.hi)
            store_put(&p);
    }
}

/* Compares its contents after the block, ghost points included. */
static void compare(struct trial *b, const struct zoid_part *part)
{
    for (long t = part->out.t0; t <= part->out.t1; t++) {
        struct store_planes p = shown(b, part, &part->out, t), truth = p;
        size_t bytes =
            (size_t)part->capacity * zoid_layout_plane_bytes(&b->layout) * (size_t)b->op->nstate;
        size_t offset = (size_t)((char *)p.slots - (char *)part->base);
        char *expected = sample_memory(bytes);

        memcpy(expected, part->base, bytes);
        truth.slots = expected + offset;
        if (p.lo < p.hi)
            store_put(&truth);
        ck_assert_msg(memcmp(expected, part->base, bytes) == 0,
                      "%s: planes %ld to %ld of time %ld in %ld to %ld", b->op->name, p.lo, p.hi, t,
                      b->zoid.t0, b->zoid.t1);
        free(expected);
    }
}

static void add_part(struct trial *b, struct zoid_part part)
{
    int fields = part.coefficient ? b->op->ncoef : b->op->nstate;
    size_t bytes = (size_t)(part.capacity * fields) * zoid_layout_plane_bytes(&b->layout);

    part.base = sample_memory(bytes);
    sample_poison(part.base, bytes);
    if (part.reads)
        put(b, &part);
    b->part[b->nparts++] = part;
}

static void add_input(struct trial *b, long t0, long t1, long lo, long hi)
{
    long gap = sample_between(&b->random, 0, 2);
    struct zoid_view in = {.t0 = t0, .t1 = t1, .lo = lo, .hi = hi, .advance = hi - lo + gap};

    in.by_turns = b->shape.alternates && sample_between(&b->random, 0, 1);
    if (t0 <= t1 && lo < hi)
        add_part(b, (struct zoid_part){.reads = true,
                                       .in = in,
                                       .capacity = hi - lo + zoid_view_row(&in, t1) * in.advance});
}

static void add_coefficients(struct trial *b, long lo, long hi)
{
    if (b->op->ncoef && lo < hi)
        add_part(b,
                 (struct zoid_part){.reads = true,
                                    .coefficient = true,
                                    .in = {.t0 = b->zoid.t0, .t1 = b->zoid.t1, .lo = lo, .hi = hi},
                                    .capacity = hi - lo});
}

/* The planes of t0, some perhaps in a datum that is updated in place; and planes of later times. */
static void add_inputs(struct trial *b)
{
    long t0 = b->zoid.t0, t1 = b->zoid.t1, times = t1 - t0, lo, hi, drift, capacity, cut;
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
    cut = sample_between(&b->random, b->lo, b->hi);
    add_input(b, t0, t0, b->lo - 1, least(in.lo, b->hi));
    add_input(b, t0, t0, most(in.hi, b->lo), b->hi + 1);
    add_input(b, t0 + 1, t1 - 1, b->lo, b->hi);
    add_coefficients(b, b->lo - 1, cut);
    add_coefficients(b, cut, b->hi);
}

/* A datum that takes planes of some times, any that the block has. */
static void add_output(struct trial *b)
{
    struct zoid_view out = {.t0 = sample_between(&b->random, b->zoid.t0, b->zoid.t1),
                            .lo = sample_between(&b->random, -2, b->n - 1),
                            .drift = (int)sample_between(&b->random, -2, 2)};
    long planes = sample_between(&b->random, 1, 8);

    out.t1 = sample_between(&b->random, out.t0, b->zoid.t1);
    out.hi = out.lo + planes;
    out.advance = planes + sample_between(&b->random, 0, 1);
    out.by_turns = b->shape.alternates && sample_between(&b->random, 0, 1);
    for (long t = most(out.t0, b->zoid.t0 + 1); t <= out.t1; t++)
        for (long z = b->lo; z < b->hi; z++)
            if (zoid_view_has(&out, t, z) && !computed(b, t, z))
                return;
    add_part(b, (struct zoid_part){.writes = true,
                                   .out = out,
                                   .capacity = planes + zoid_view_row(&out, out.t1) * out.advance});
}

static void choose_geometry(struct trial *b)
{
    int chain = zoid_chain(&b->shape);
    long t0 = sample_between(&b->random, 0, 3), t1 = t0 + sample_between(&b->random, 0, 4);
    struct zoid_face *face = &b->zoid.dim[chain];

    b->region = zoid_domain(&b->shape, t0, t1);
    b->zoid = b->region;
    if (b->shape.face[chain][ZOID_LOW] == ZOID_PERIODIC) {
        b->region.dim[chain].lo = b->lo = -CIRCLE;
        b->region.dim[chain].hi = b->hi = b->n + CIRCLE;
    }
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

static struct fused_seen run_trial(struct trial *b, const struct store_core *core)
{
    long planes = zoid_scratch_planes(&b->shape, box_planes(b), zoid_cpu_batch(&b->shape)) +
                  zoid_scratch_spare(b->op, &b->shape);
    size_t bytes = (size_t)(planes * b->op->nstate) * zoid_layout_plane_bytes(&b->layout);
    void *scratch = sample_memory(bytes);
    struct zoid_team *team = random_team(core, b->random);
    struct fused_seen seen;

    sample_poison(scratch, bytes);
    seen = fused_run(
        &(struct zoid_block_args){.traversal = core->traversal,
                                  .op = b->op,
                                  .params = (const struct zoid_params[]){sample_params(b->op)},
                                  .shape = &b->shape,
                                  .layout = &b->layout,
                                  .zoid = b->zoid,
                                  .region = b->region,
                                  .nparts = b->nparts,
                                  .part = b->part,
                                  .scratch = scratch,
                                  .team = team},
        &core->cpu, core->most);
    for (size_t i = 0; i < b->nparts; i++)
        if (b->part[i].writes)
            compare(b, &b->part[i]);
    free(scratch);
    zoid_team_destroy(&team);
    return seen;
}

/* Adds the counters of the run to *all. */
static void random_block(const struct zoid_op *op, uint64_t seed, struct fused_seen *all)
{
    struct trial b = {.op = op, .random = sample_mix(seed)};
    struct store_core core = random_core(&b.random);
    struct fused_seen seen;

    b.shape = random_shape(op, &b.random);
    b.layout = zoid_layout_make(op, b.shape.n, zoid_layout_ghost(&b.shape));
    b.n = b.hi = b.shape.n[zoid_chain(&b.shape)];
    choose_geometry(&b);
    make_states(&b);
    for (int outputs = 0; outputs < OUTPUTS / 2; outputs++)
        add_output(&b);
    add_inputs(&b);
    for (int outputs = 0; outputs < OUTPUTS / 2; outputs++)
        add_output(&b);
    seen = run_trial(&b, &core);
    all->launches += seen.launches;
    all->back += seen.back;
    all->in_slab += seen.in_slab;
    for (size_t p = 0; p < b.nparts; p++)
        free(b.part[p].base);
    for (long t = b.zoid.t0; t <= b.zoid.t1; t++)
        free(b.state[t - b.zoid.t0]);
    free(b.state);
    free(b.initial);
}

/* True if every stage reads the fields that it writes only at the same point. */
static bool updates_in_place(const struct zoid_op *op)
{
    const struct zoid_groups groups = zoid_op_groups(op);

    for (int s = 0; s < op->nstages; s++)
        for (int i = 0; i < op->stage[s].nreads; i++) {
            const struct zoid_read *read = &op->stage[s].read[i];
            const int g = zoid_op_written(op, s);

            for (int a = 0; a < op->dims; a++)
                if (read->field >= groups.first[g] && read->field < groups.first[g + 1] &&
                    (read->reach.lo[a] || read->reach.hi[a]))
                    return false;
        }
    return true;
}

START_TEST(blocks)
{
    const struct zoid_op *op = sample_op(_i);
    const bool fusible = !gpu_wanted();
    /* A quick run looks for what is rare in every third operator. */
    const bool looks = fusible && (!effort_is_quick() || _i % 3 == 0);
    const bool tiled = fusible && op->dims > 1 && !op->own_edges;
    const int least = effort_each(BLOCKS, variants());
    const bool in_slab = tiled && updates_in_place(op);
    struct fused_seen seen = {0};

    /* Blocks of any shape lack planes that ordered points read: see test_order. */
    if (zoid_op_in_order(op))
        return;
    /* Continue until some blocks were fused, and some were pipelined, in the slab too if
     * possible. */
    for (int i = 0; i < least || (looks && i < MOST_BLOCKS &&
                                  (!seen.launches || seen.back < tiled || seen.in_slab < in_slab));
         i++)
        random_block(op, (uint64_t)(_i * MOST_BLOCKS + i), &seen);
    if (fusible && !looks)
        return;
    ck_assert_int_eq(seen.launches > 0, fusible);
    ck_assert_int_eq(seen.back > 0, tiled);
    ck_assert_int_eq(seen.in_slab > 0, in_slab);
}
END_TEST

/* For test_run_gpu.sh: skipped without a GPU. */
enum { SKIPPED = 77 };

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, graphs, 0, variants());
    tcase_add_loop_test(tests, blocks, 0, variants());
}

int main(void)
{
    return gpu_wanted() && !gpu_present() ? SKIPPED : run_suite("run", 240, add);
}
