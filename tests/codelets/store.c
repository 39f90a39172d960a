/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/store.h"

#include <stdlib.h>
#include <string.h>

#include "tests/codelets/sample.h"

struct store {
    struct zoid_sink sink;
    const struct zoid_op *op;
    const struct zoid_graph *graph;
    enum zoid_isa isa;
    struct zoid_layout layout;
    struct zoid_census census;
    size_t plane; /* bytes */
    void *state;
    void **data[ZOID_KINDS]; /* of each kind, rows x cols of them */
    void *scratch;
    size_t scratch_bytes;
};

static void **datum(const struct store *s, const struct zoid_datum *d)
{
    return &s->data[d->kind][d->row * s->census.kind[d->kind].cols + d->col];
}

static size_t datum_bytes(const struct store *s, enum zoid_kind kind)
{
    return (size_t)(s->census.kind[kind].planes * s->op->nstate) * s->plane;
}

void store_planes(const struct zoid_op *op, const struct zoid_shape *shape,
                  const struct zoid_layout *layout, enum store_way way, void *plain, void *slots,
                  size_t field, long lo, long hi)
{
    const long *n = shape->n;
    int chain = zoid_chain(shape);
    size_t size = zoid_type_size(op->type), row = (chain > 0 ? (size_t)n[0] : 1) * size;
    long rows = chain > 1 ? n[1] : 1;

    for (int f = 0; f < op->nstate; f++)
        for (long z = lo; z < hi; z++)
            for (long y = 0; y < rows; y++) {
                char *a = (char *)plain + (size_t)((f * n[chain] + z) * rows + y) * row;
                char *b = (char *)slots +
                          ((size_t)f * field +
                           (size_t)((z - lo) * layout->plane + zoid_layout_at(layout, 0, y))) *
                              size;

                memcpy(way == STORE_IN ? b : a, way == STORE_IN ? a : b, row);
            }
}

static void move(const struct store *s, enum store_way way, const struct zoid_access *access,
                 const struct zoid_view *view)
{
    long n = s->graph->shape.n[zoid_chain(&s->graph->shape)];
    long lo = view->lo > 0 ? view->lo : 0, hi = view->hi < n ? view->hi : n;
    char *base = *datum(s, &access->datum);

    if (lo < hi)
        store_planes(s->op, &s->graph->shape, &s->layout, way, s->state,
                     base + (size_t)zoid_view_slot(view, view->t0, lo) * s->plane,
                     (size_t)(s->census.kind[access->datum.kind].planes * s->layout.plane), lo, hi);
}

static int load(struct zoid_sink *sink, const struct zoid_access *access)
{
    move((struct store *)sink, STORE_IN, access, &access->out);
    return 0;
}

static int put_back(struct zoid_sink *sink, const struct zoid_access *access)
{
    move((struct store *)sink, STORE_OUT, access, &access->in);
    return 0;
}

/* Slots in which a datum holds no plane of the domain. */
static void poison_unused(const struct store *s, const struct zoid_access *access)
{
    const struct zoid_view *view = &access->out;
    long n = s->graph->shape.n[zoid_chain(&s->graph->shape)];
    long slots = s->census.kind[access->datum.kind].planes;
    bool used[slots];

    memset(used, 0, sizeof used);
    for (long t = view->t0; t <= view->t1; t++)
        for (long z = 0; z < n; z++)
            if (zoid_view_has(view, t, z))
                used[zoid_view_slot(view, t, z)] = true;
    for (long slot = 0; slot < slots; slot++)
        for (int f = 0; f < s->op->nstate && !used[slot]; f++)
            sample_poison((char *)*datum(s, &access->datum) + (size_t)(f * slots + slot) * s->plane,
                          s->plane);
}

static int run_block(struct zoid_sink *sink, const struct zoid_block *block)
{
    struct store *s = (struct store *)sink;
    struct zoid_part part[block->naccess + 1];

    sample_poison(s->scratch, s->scratch_bytes);
    for (size_t i = 0; i < block->naccess; i++) {
        const struct zoid_access *access = &block->access[i];

        part[i] = (struct zoid_part){.reads = access->mode & ZOID_READ,
                                     .writes = access->mode & ZOID_WRITE,
                                     .in = access->in,
                                     .out = access->out,
                                     .base = *datum(s, &access->datum),
                                     .capacity = s->census.kind[access->datum.kind].planes};
        if (!part[i].reads)
            sample_poison(part[i].base, datum_bytes(s, access->datum.kind));
    }
    zoid_cpu_run(&(struct zoid_run){.op = s->op,
                                    .params = &s->op->defaults,
                                    .shape = block->shape,
                                    .layout = &s->layout,
                                    .zoid = block->zoid,
                                    .region = block->region,
                                    .nparts = block->naccess,
                                    .part = part,
                                    .scratch = s->scratch},
                 &(struct zoid_cpu){s->isa, 0});
    for (size_t i = 0; i < block->naccess; i++)
        if (part[i].writes)
            poison_unused(s, &block->access[i]);
        else if (block->access[i].next == ZOID_NEXT_DEAD)
            sample_poison(part[i].base, datum_bytes(s, block->access[i].datum.kind));
    return 0;
}

struct store *store_create(const struct zoid_op *op, const struct zoid_graph *graph,
                           enum zoid_isa isa, void *state)
{
    struct store *s = sample_memory(sizeof *s);

    *s = (struct store){.sink = {.load = load, .block = run_block, .store = put_back},
                        .op = op,
                        .graph = graph,
                        .isa = isa,
                        .layout = zoid_layout_make(op, graph->shape.n, 0),
                        .state = state};
    s->plane = zoid_layout_plane_bytes(&s->layout);
    zoid_graph_census(graph, &s->census);
    for (int kind = 0; kind < ZOID_KINDS; kind++) {
        long count = s->census.kind[kind].rows * s->census.kind[kind].cols;

        s->data[kind] = sample_memory((size_t)count * sizeof *s->data[kind]);
        for (long i = 0; i < count; i++) {
            s->data[kind][i] = sample_memory(datum_bytes(s, (enum zoid_kind)kind));
            sample_poison(s->data[kind][i], datum_bytes(s, (enum zoid_kind)kind));
        }
    }
    s->scratch_bytes =
        (size_t)(zoid_scratch_planes(&graph->shape, s->census.box_planes, zoid_cpu.batch) *
                 op->nstate) *
        s->plane;
    s->scratch = sample_memory(s->scratch_bytes);
    return s;
}

struct zoid_sink *store_sink(struct store *store)
{
    return &store->sink;
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
