/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/store.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/block/finish.h"
#include "codelets/block/layout.h"
#include "codelets/block/scratch.h"
#include "codelets/cpu/run.h"
#include "codelets/cpu/skew.h"
#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/leg.h"
#include "graphs/message.h"
#include "graphs/rim.h"
#include "tests/codelets/fused.h"
#include "tests/codelets/sample.h"

struct store {
    struct zoid_sink sink;
    const struct zoid_op *op;
    const struct zoid_graph *graph; /* the current leg */
    long end;                       /* the step at which it ends */
    struct store_core core;
    struct zoid_layout layout; /* of any cell, shifted to the current one */
    struct zoid_layout whole;
    struct zoid_census census;
    size_t plane; /* bytes */
    /* Elements of a plane of each kind of datum; 0: planes are whole. */
    size_t halo[ZOID_KINDS];
    void *plain;
    void **data[ZOID_KINDS]; /* rows x cols of each kind */
    void *scratch;
    size_t scratch_bytes;
};

/* Number of plane slots of a datum. */
static long planes_in(const struct store *s, const struct zoid_datum *d)
{
    return d->kind == ZOID_MESSAGE ? zoid_message_planes(s->graph, &s->census, d)
                                   : s->census.kind[d->kind].planes;
}

static int fields_of(const struct store *s, enum zoid_kind kind)
{
    return zoid_kinds[kind].constant ? s->op->ncoef : s->op->nstate;
}

/* Elements of a plane of a halo or a boundary slab (end), the same in all legs. Iterates over every
 * cell, so call it once. */
static size_t halo_of(const struct store *s, enum zoid_kind kind)
{
    struct zoid_rim rim = zoid_cell_rim_most(s->graph);

    if (zoid_kinds[kind].planes == ZOID_PLANES_WHOLE)
        return 0;
    if (zoid_kinds[kind].planes == ZOID_PLANES_OWN)
        rim = zoid_patch_rim(&rim.of);
    return zoid_layout_rim(&s->layout, &rim);
}

/* The same for a datum, which may be a message; 0: planes are whole. */
static size_t rim_of(const struct store *s, const struct zoid_datum *d)
{
    struct zoid_patch patch;
    struct zoid_rim rim;

    if (zoid_kinds[d->kind].planes != ZOID_PLANES_PATCH)
        return s->halo[d->kind];
    patch = zoid_message_patch(s->graph, d);
    rim = zoid_patch_rim(&patch);
    return zoid_layout_rim(&s->layout, &rim);
}

static size_t datum_bytes(const struct store *s, const struct zoid_datum *d)
{
    const size_t halo = rim_of(s, d) * zoid_type_size(s->op->type);
    size_t plane = halo ? halo : s->plane;

    return (size_t)(planes_in(s, d) * fields_of(s, d->kind)) * plane;
}

/* Memory of a datum, allocated at first use, because most names of messages are unused. Ranks run
 * one after the other and find sent messages in it. */
static void *memory_of(const struct store *s, const struct zoid_datum *d)
{
    void **memory = &s->data[d->kind][d->row * s->census.kind[d->kind].cols + d->col];

    if (!*memory) {
        *memory = sample_memory(datum_bytes(s, d));
        sample_poison(*memory, datum_bytes(s, d));
    }
    return *memory;
}

static void move_to(struct store *s, long cell)
{
    struct zoid_patch window = zoid_cell_window(s->graph, cell);

    s->layout = zoid_layout_window(&s->whole, &window);
}

/* Iterates over the rows of a patch; along axes that the patch does not name, over all points below
 * the chain axis. */
static void each_row(const struct store_planes *p, bool in)
{
    const long *n = p->shape->n;
    int chain = zoid_chain(p->shape);
    long from[] = {0, 0}, to[] = {chain > 0 ? n[0] : 1, chain > 1 ? n[1] : 1};
    size_t size = zoid_type_size(p->op->type);

    for (int a = 0; a < chain; a++)
        if (!zoid_range_all(&p->patch.axis[a])) {
            from[a] = p->patch.axis[a].lo;
            to[a] = p->patch.axis[a].hi;
        }
    for (int f = 0; f < p->fields; f++)
        for (long z = p->lo; z < p->hi; z++)
            for (long y = from[1]; y < to[1]; y++)
                for (long x = from[0]; x < to[0]; x++) {
                    long plane = zoid_fold(p->shape, chain, z);
                    long row = chain > 1 ? zoid_fold(p->shape, 1, y) : 0;
                    long point = chain > 0 ? zoid_fold(p->shape, 0, x) : 0;
                    long rows = chain > 1 ? n[1] : 1, points = chain > 0 ? n[0] : 1;
                    char *plain =
                        (char *)p->plain +
                        (size_t)((((p->first + f) * n[chain] + plane) * rows + row) * points +
                                 point) *
                            size;
                    char *slot = (char *)p->slots + ((size_t)f * p->field +
                                                     (size_t)((z - p->lo) * p->layout->plane +
                                                              zoid_layout_at(p->layout, x, y))) *
                                                        size;

                    memcpy(in ? slot : plain, in ? plain : slot, size);
                }
}

void store_put(const struct store_planes *p)
{
    struct zoid_finish finish = zoid_finish_of(p->op, p->shape, p->layout);
    size_t size = zoid_type_size(p->op->type);

    each_row(p, true);
    for (int f = 0; f < p->fields; f++)
        for (long i = 0; i < p->hi - p->lo; i++)
            zoid_finish_plane(&finish, p->shape, p->layout, p->first + f < p->op->nstate,
                              (char *)p->slots +
                                  ((size_t)f * p->field + (size_t)(i * p->layout->plane)) * size);
}

void store_take(const struct store_planes *p)
{
    each_row(p, false);
}

static struct store_planes planes_of(const struct store *s, const struct zoid_access *access,
                                     const struct zoid_view *view)
{
    const struct zoid_shape *shape = &s->graph->shape;
    enum zoid_kind kind = access->datum.kind;
    int chain = zoid_chain(shape);
    bool circle = shape->face[chain][ZOID_LOW] == ZOID_PERIODIC;
    struct store_planes p = {.op = s->op,
                             .shape = shape,
                             .layout = &s->layout,
                             .first = zoid_kinds[kind].constant ? s->op->nstate : 0,
                             .fields = fields_of(s, kind),
                             .lo = circle || view->lo > 0 ? view->lo : 0,
                             .hi =
                                 circle || view->hi < shape->n[chain] ? view->hi : shape->n[chain],
                             .patch = view->patch,
                             .plain = s->plain,
                             .field = (size_t)(s->census.kind[kind].planes * s->layout.plane)};

    if (!zoid_range_all(&view->patch.axis[chain])) {
        p.lo = zoid_max(p.lo, view->patch.axis[chain].lo);
        p.hi = zoid_max(zoid_min(p.hi, view->patch.axis[chain].hi), p.lo);
    }
    p.slots = (char *)memory_of(s, &access->datum) +
              zoid_view_slot(view, view->t0, p.lo) * (long)s->plane;
    return p;
}

static int load(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct store_planes planes;

    move_to((struct store *)sink, access->datum.row);
    planes = planes_of((struct store *)sink, access, &access->out);
    store_put(&planes);
    return 0;
}

static int put_back(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct store_planes planes;

    move_to((struct store *)sink, access->datum.row);
    planes = planes_of((struct store *)sink, access, &access->in);
    store_take(&planes);
    return 0;
}

/* Poisons the slots of a datum that hold no plane of the domain. */
static void poison_unused(const struct store *s, const struct zoid_access *access)
{
    const struct zoid_view *view = &access->out;
    const struct zoid_shape *shape = &s->graph->shape;
    int chain = zoid_chain(shape);
    long slots = s->census.kind[access->datum.kind].planes;
    bool used[slots];

    memset(used, 0, sizeof used);
    for (long t = view->t0; t <= view->t1; t++)
        for (long z = view->lo + view->drift * (t - view->t0);
             z < view->hi + view->drift * (t - view->t0); z++)
            if ((z >= 0 && z < shape->n[chain]) || shape->face[chain][0] == ZOID_PERIODIC)
                used[zoid_view_slot(view, t, z)] = true;
    for (long slot = 0; slot < slots; slot++)
        for (int f = 0; f < s->op->nstate && !used[slot]; f++)
            sample_poison((char *)memory_of(s, &access->datum) +
                              (size_t)(f * slots + slot) * s->plane,
                          s->plane);
}

static int run_block(struct zoid_sink *sink, const struct zoid_block *block)
{
    struct store *s = (struct store *)sink;
    struct zoid_part part[block->naccess + 1];

    move_to(s, block->cell);
    sample_poison(s->scratch, s->scratch_bytes);
    for (size_t i = 0; i < block->naccess; i++) {
        const struct zoid_access *access = &block->access[i];

        const struct zoid_kind_type *kind = &zoid_kinds[access->datum.kind];
        const struct zoid_patch *of =
            access->mode & ZOID_READ ? &access->in.patch : &access->out.patch;

        part[i] =
            (struct zoid_part){.reads = access->mode & ZOID_READ,
                               .writes = access->mode & ZOID_WRITE,
                               .coefficient = kind->constant,
                               .in = access->in,
                               .out = access->out,
                               .base = memory_of(s, &access->datum),
                               .halo = rim_of(s, &access->datum),
                               .rim = kind->planes == ZOID_PLANES_RIM ? zoid_cell_rim(s->graph, of)
                                                                      : zoid_patch_rim(of),
                               .capacity = planes_in(s, &access->datum)};
        if (!part[i].reads && !access->keeps)
            sample_poison(part[i].base, datum_bytes(s, &access->datum));
    }
    fused_run(
        &(struct zoid_block_args){.traversal = s->core.traversal,
                                  .op = s->op,
                                  .params = (const struct zoid_params[]){sample_params(s->op)},
                                  .shape = block->shape,
                                  .layout = &s->layout,
                                  .zoid = block->zoid,
                                  .region = block->region,
                                  .nparts = block->naccess,
                                  .part = part,
                                  .scratch = s->scratch,
                                  .runner = s->core.runner,
                                  .sample_points = s->core.sample_points,
                                  .team = s->core.team},
        &s->core.cpu, s->core.most);
    for (size_t i = 0; i < block->naccess; i++)
        if (part[i].writes && !block->access[i].keeps && !part[i].halo)
            poison_unused(s, &block->access[i]);
        else if (block->access[i].next == ZOID_NEXT_DEAD)
            sample_poison(part[i].base, datum_bytes(s, &block->access[i].datum));
    return 0;
}

static bool ends(struct zoid_sink *sink, long steps)
{
    return ((struct store *)sink)->end == steps;
}

bool store_in_lanes(const struct zoid_op *op, const struct zoid_shape *shape, uint64_t *random,
                    struct store_core *core)
{
    const struct zoid_blocks blocks = {.op = op, .shape = shape, .traversal = ZOID_TRAVERSAL_BEST};

    if (!zoid_cpu_skewed.fits(&blocks))
        return false;
    *core = (struct store_core){
        .cpu = {.isa = (enum zoid_isa)sample_between(random, ZOID_V3, (long)zoid_isa_best())},
        .runner = &zoid_cpu_skewed};
    return true;
}

struct store *store_create(const struct zoid_op *op, const struct zoid_graph *graph, long legs,
                           const struct store_core *core, void *fields)
{
    struct store *s = sample_memory(sizeof *s);

    *s = (struct store){.sink = {.load = load, .block = run_block, .store = put_back, .last = ends},
                        .op = op,
                        .graph = graph,
                        .end = -1,
                        .core = *core,
                        .layout =
                            zoid_layout_make(op, graph->shape.n, zoid_layout_ghost(&graph->shape)),
                        .plain = fields};
    s->whole = s->layout;
    move_to(s, 0);
    s->plane = zoid_layout_plane_bytes(&s->layout);
    for (long i = 0; i < legs; i++) {
        struct zoid_census census;

        zoid_graph_census(&graph[i], &census);
        zoid_census_join(&s->census, &census);
    }
    for (int kind = 0; kind < ZOID_KINDS; kind++) {
        long count = s->census.kind[kind].rows * s->census.kind[kind].cols;

        s->halo[kind] = halo_of(s, (enum zoid_kind)kind);
        s->data[kind] = sample_memory((size_t)count * sizeof *s->data[kind]);
        memset(s->data[kind], 0, (size_t)count * sizeof *s->data[kind]);
    }
    s->scratch_bytes = (size_t)((zoid_scratch_planes(&graph->shape, s->census.box_planes,
                                                     zoid_cpu_batch(&graph->shape)) +
                                 zoid_scratch_spare(op, &graph->shape)) *
                                op->nstate) *
                       s->plane;
    s->scratch = sample_memory(s->scratch_bytes);
    return s;
}

int store_emit(struct store *store, const struct zoid_graph *leg)
{
    store->graph = leg;
    return zoid_graph_emit(leg, &store->sink);
}

void store_end(struct store *store, long step)
{
    store->end = step;
}

void store_destroy(struct store **store)
{
    struct store *s = *store;

    for (int kind = 0; kind < ZOID_KINDS; kind++) {
        for (long i = 0; i < s->census.kind[kind].rows * s->census.kind[kind].cols; i++)
            free(s->data[kind][i]);
        free(s->data[kind]);
    }
    free(s->scratch);
    free(s);
    *store = NULL;
}
