/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/common/chain.h"

#include <limits.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/cells.h"
#include "graphs/common/exchanges.h"
#include "graphs/common/grid.h"
#include "graphs/common/pieces.h"
#include "graphs/kinds.h"

/* Open laps of some ranks, from `head` on, each with the next position to emit. */
struct cursors {
    struct zoid_range ranks;
    long head, opened;
    long *next; /* of lap l at l % lanes */
    int lanes;
};

static long laps_of(const struct zoid_chain *chain)
{
    return chain->passes * zoid_rank_cells(chain->graph);
}

static long first_of(const struct zoid_chain *chain, long lap)
{
    return chain->first(chain, zoid_chain_lap(chain, lap).pass);
}

static long last_of(const struct zoid_chain *chain, long lap)
{
    return chain->last(chain, zoid_chain_lap(chain, lap).pass);
}

static long open_limit(const struct zoid_chain *chain, const struct cursors *c)
{
    long left = laps_of(chain) - c->head;

    /* Open all of the last laps at once: dealt out evenly, no lane ends alone. */
    return left <= c->lanes ? left : zoid_min(chain->graph->lanes, c->lanes);
}

/* The first pass of a cell may start lower than the last pass of the previous cell, which still
 * goes first. If lines are cut, the lowest block of an epoch reads data that the highest block of a
 * cell below has left in the epoch before. */
static bool may_emit(const struct zoid_chain *chain, const struct cursors *c, long lap)
{
    long ahead;

    if (lap == c->head)
        return true;
    if (zoid_grid_line_cut(chain->graph) && !zoid_chain_same_epoch(chain, c->head, lap))
        return false;
    ahead = c->next[(lap - 1) % c->lanes];
    return ahead > last_of(chain, lap - 1) ||
           (ahead > c->next[lap % c->lanes] + chain->lead && ahead > first_of(chain, lap - 1));
}

/* Buffers for the lists of a block. */
struct lists {
    struct zoid_access *access;
    struct zoid_datum *fetch;
};

/* Ranks whose blocks are emitted. */
static struct zoid_range ranks_of(const struct zoid_graph *g)
{
    return g->rank == ZOID_EVERY_RANK ? (struct zoid_range){0, zoid_ranks(g)}
                                      : (struct zoid_range){g->rank, g->rank + 1};
}

/* On a circular line nothing clips a block: its region is all that it reads. */
static struct zoid_face all_seen(const struct zoid_shape *shape, const struct zoid *zoid)
{
    struct zoid_face own = zoid->dim[zoid_chain(shape)];
    long times = zoid->t1 - zoid->t0, lo, hi;

    zoid_chain_reach(shape, &lo, &hi);
    return (struct zoid_face){.lo = own.lo + zoid_min(own.dlo * times, 0) - lo,
                              .hi = own.hi + zoid_max(own.dhi * times, 0) + hi};
}

/* Make a block's rank the owner of its data, except of those that travel between ranks. */
static void give_owner(struct zoid_block *b, struct zoid_access *access, struct zoid_datum *fetch)
{
    for (size_t i = 0; i < b->naccess; i++)
        if (!zoid_kind_travels(access[i].datum.kind))
            access[i].datum.owner = b->owner;
    for (size_t i = 0; i < b->nfetch; i++)
        if (!zoid_kind_travels(fetch[i].kind))
            fetch[i].owner = b->owner;
}

/* Remove slabs that hold nothing from a prefetch list: on a cut line, slabs beyond the owned planes
 * of a cell are empty for some of the time. */
static void trim(const struct zoid_chain *chain, struct zoid_block *b, struct zoid_datum *fetch)
{
    const size_t n = b->nfetch;

    if (!zoid_grid_line_cut(chain->graph))
        return;
    b->nfetch = 0;
    for (size_t i = 0; i < n; i++)
        if (fetch[i].kind != ZOID_SLAB || zoid_cell_holds(chain, b, fetch[i].col))
            fetch[b->nfetch++] = fetch[i];
}

/* Translate planes from the cell's line, which methods count in, to the domain. */
static void place(const struct zoid_graph *g, struct zoid_block *b, struct zoid_access *access)
{
    const long base = zoid_cell_base(g, b->cell);

    zoid_chain_shift(&b->zoid, g, base);
    for (size_t i = 0; base && i < b->naccess; i++) {
        zoid_chain_shift_view(&access[i].in, g, base);
        zoid_chain_shift_view(&access[i].out, g, base);
    }
}

/* Next block of a rank's lap, with nothing set but its place in the order. */
static struct zoid_block block_of_rank(const struct zoid_chain *chain, const struct cursors *c,
                                       long lap, int rank, const struct lists *lists)
{
    const struct zoid_lap of = zoid_chain_lap(chain, lap);

    return (struct zoid_block){
        .shape = &chain->graph->shape,
        .owner = rank,
        .pass = of.pass,
        .cell = rank * zoid_rank_cells(chain->graph) + of.cell,
        .position = c->next[lap % c->lanes],
        .lane = (int)(lap % c->lanes),
        .access = lists->access,
        .fetch = lists->fetch,
        .done = chain->done,
    };
}

static int emit_block(const struct zoid_chain *chain, struct zoid_block *b,
                      const struct lists *lists, struct zoid_sink *sink)
{
    const struct zoid_shape *shape = b->shape;

    b->zoid = chain->zoid(chain, b->pass, b->position);
    b->region = zoid_domain(shape, b->zoid.t0, b->zoid.t1);
    if (zoid_grid_round(chain->graph))
        b->region.dim[zoid_chain(shape)] = all_seen(shape, &b->zoid);
    zoid_cell_clip(chain, b);
    chain->block(chain, b, lists->access, lists->fetch);
    zoid_chain_pieces(chain, b, lists->access, lists->fetch);
    give_owner(b, lists->access, lists->fetch);
    trim(chain, b, lists->fetch);
    place(chain->graph, b, lists->access);
    return sink->block(sink, b);
}

/* Exchange after a block of the last cell of an epoch, for all cells of its rank: their laps have
 * finished with the same slabs. */
static int exchange_cells(const struct zoid_chain *chain, const struct zoid_block *last, int round,
                          struct zoid_sink *sink)
{
    const long cells = zoid_rank_cells(chain->graph);
    struct zoid_block b = *last;
    int rc = 0;

    for (b.cell = last->cell + 1 - cells; b.cell <= last->cell && !rc; b.cell++)
        rc = zoid_chain_exchange(chain, &b, round, sink);
    return rc;
}

/* Exchange in the rounds after the first one, which wait for messages from any cells of other
 * ranks. */
static int exchange_rounds(const struct zoid_chain *chain, const struct zoid_block *last,
                           struct zoid_sink *sink)
{
    const struct zoid_range ranks = ranks_of(chain->graph);
    const long cells = zoid_rank_cells(chain->graph);
    struct zoid_block b = *last;
    int rc = 0;

    for (int round = 1; round < zoid_chain_rounds(chain) && (b.cell + 1) % cells == 0; round++)
        for (long r = ranks.lo; r < ranks.hi && !rc; r++) {
            b.owner = (int)r;
            b.cell = (r + 1) * cells - 1;
            rc = exchange_cells(chain, &b, round, sink);
        }
    return rc;
}

/* Emit the next position of a lap, for all of the ranks. */
static int emit_one(const struct zoid_chain *chain, struct cursors *c, long lap,
                    const struct lists *lists, struct zoid_sink *sink)
{
    struct zoid_block b;
    int rc = 0;

    for (long r = c->ranks.lo; r < c->ranks.hi && !rc; r++) {
        b = block_of_rank(chain, c, lap, (int)r, lists);
        rc = emit_block(chain, &b, lists, sink);
        if (!rc)
            rc = zoid_chain_exchange(chain, &b, 0, sink);
    }
    c->next[lap % c->lanes]++;
    return rc ? rc : exchange_rounds(chain, &b, sink);
}

/* Open a lap, and ask the sink whether the graph ends with it: then no other pass of any cell
 * follows. If ranks are at different passes, the most advanced one asks. */
static void open_lap(struct zoid_chain *chain, struct cursors *c, struct zoid_sink *sink)
{
    long lap = c->opened++, pass = zoid_chain_lap(chain, lap).pass;

    c->next[lap % c->lanes] = first_of(chain, lap);
    if (!sink->last || pass < chain->asked || !zoid_chain_may_end(chain, lap))
        return;
    chain->asked = pass + 1;
    if (sink->last(sink, zoid_chain_end(chain, pass) / chain->graph->shape.stages))
        chain->passes = pass + 1;
}

/* Emit all laps before `end`, for the ranks of the cursors. */
static int emit_until(struct zoid_chain *chain, struct cursors *c, long end,
                      const struct lists *lists, struct zoid_sink *sink)
{
    while (c->head < zoid_min(end, laps_of(chain))) {
        while (c->opened < c->head + open_limit(chain, c))
            open_lap(chain, c, sink);
        for (long l = c->head; l < c->opened; l++) {
            int rc = 0;

            if (c->next[l % c->lanes] <= last_of(chain, l) && may_emit(chain, c, l))
                rc = emit_one(chain, c, l, lists, sink);
            if (rc)
                return rc;
        }
        while (c->head < c->opened && c->next[c->head % c->lanes] > last_of(chain, c->head))
            c->head++;
    }
    return 0;
}

/* Emit ranks in order as a wavefront. An epoch of a rank comes after the same epoch of the rank
 * below, and after the previous epoch of the rank above: in each wave a rank is one epoch behind
 * the rank below. */
static int emit_waves(struct zoid_chain *chain, struct cursors *c, const struct lists *lists,
                      struct zoid_sink *sink)
{
    const long ranks = zoid_ranks(chain->graph), first = chain->graph->leg.epochs;
    int rc = 0;

    for (long wave = 0; !rc && c[ranks - 1].head < laps_of(chain); wave++)
        for (long r = ranks - 1; r >= 0 && !rc; r--)
            if (wave >= r)
                rc = emit_until(chain, &c[r], zoid_chain_epoch_pass(chain, first + wave - r + 1),
                                lists, sink);
    return rc;
}

static void free_cursors(struct cursors *c, long n)
{
    for (long i = 0; c && i < n; i++)
        free(c[i].next);
    free(c);
}

static int emit_all(struct zoid_chain *chain, const struct lists *lists, struct zoid_sink *sink)
{
    const struct zoid_range ranks = ranks_of(chain->graph);
    const bool waves = zoid_grid_relays(chain->graph) && ranks.hi - ranks.lo > 1;
    const long n = waves ? ranks.hi - ranks.lo : 1;
    struct cursors *c = calloc((size_t)n, sizeof *c);
    int rc = c ? 0 : ZOID_GRAPH_NO_MEMORY;

    for (long i = 0; i < n && !rc; i++) {
        c[i] = (struct cursors){.ranks = waves ? (struct zoid_range){i, i + 1} : ranks,
                                .lanes = zoid_chain_lanes(chain->graph)};
        c[i].next = calloc((size_t)c[i].lanes, sizeof *c[i].next);
        if (!c[i].next)
            rc = ZOID_GRAPH_NO_MEMORY;
    }
    if (!rc)
        rc =
            waves ? emit_waves(chain, c, lists, sink) : emit_until(chain, c, LONG_MAX, lists, sink);
    free_cursors(c, n);
    return rc;
}

static struct zoid_access end_access(const struct zoid_chain *chain, struct zoid_datum datum,
                                     struct zoid_view view, enum zoid_mode mode)
{
    const struct zoid_graph *g = chain->graph;

    zoid_chain_shift_view(&view, g, zoid_cell_base(g, datum.row));
    view.patch = mode == ZOID_WRITE ? zoid_cell_window(g, datum.row)
                                    : zoid_cell_own(g, datum.row, zoid_chain_last_epoch(chain));
    return (struct zoid_access){
        .datum = datum, .mode = mode, .in = view, .out = view, .next = ZOID_NEXT_RAM};
}

/* Access that loads the i-th slab of a cell, or its i-th piece of a kind; false if there are
 * fewer. */
static bool load_of(const struct zoid_chain *chain, long cell, enum zoid_kind kind, long i,
                    struct zoid_access *access)
{
    struct zoid_datum datum;
    struct zoid_view view;
    bool there = kind == ZOID_SLAB ? chain->holds(chain, false, i, &datum, &view)
                                   : zoid_chain_piece(chain, kind, i, &datum, &view);

    datum.row = cell;
    datum.owner = zoid_cell_rank(chain->graph, cell);
    *access = end_access(chain, datum, view, ZOID_WRITE);
    return there;
}

static int load_all(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    static const enum zoid_kind kind[] = {ZOID_SLAB, ZOID_COEFFICIENT, ZOID_MEMORY};
    const struct zoid_range cells = zoid_graph_cells(chain->graph);
    const long n = cells.hi - cells.lo, kinds = (long)(sizeof kind / sizeof *kind);
    struct zoid_access access;
    int rc = 0;

    if (chain->graph->leg.is == ZOID_LEG_NEXT)
        return 0;
    for (long k = 0; sink->load && k < kinds * n; k++)
        for (long i = 0; !rc && load_of(chain, cells.lo + k % n, kind[k / n], i, &access); i++)
            rc = sink->load(sink, &access);
    return rc;
}

static int store_all(const struct zoid_chain *chain, struct zoid_sink *sink)
{
    const struct zoid_range cells = zoid_graph_cells(chain->graph);
    struct zoid_datum datum;
    struct zoid_view view;
    int rc = 0;

    for (long c = cells.lo; sink->store && c < cells.hi; c++)
        for (long i = 0; !rc && chain->holds(chain, true, i, &datum, &view); i++) {
            struct zoid_access access;

            datum.row = c;
            datum.owner = zoid_cell_rank(chain->graph, c);
            access = end_access(chain, datum, view, ZOID_READ);
            rc = sink->store(sink, &access);
        }
    return rc;
}

int zoid_chain_emit(struct zoid_chain *chain, struct zoid_sink *sink)
{
    struct zoid_census census = {.max_access = (long)chain->max_access};
    struct lists lists;
    int rc = ZOID_GRAPH_NO_MEMORY;

    chain->planned = chain->passes;
    zoid_chain_pieces_census(chain, &census);
    zoid_cell_census(chain, &census);
    lists.access = calloc((size_t)census.max_access, sizeof *lists.access);
    lists.fetch = calloc((size_t)(census.max_coefficients + census.max_memory + census.max_access) +
                             chain->max_fetch + 1,
                         sizeof *lists.fetch);
    chain->done = calloc((size_t)chain->max_left + 1, sizeof *chain->done);
    if (lists.access && lists.fetch && chain->done)
        rc = load_all(chain, sink);
    if (!rc)
        rc = zoid_chain_await_first(chain, sink);
    if (!rc)
        rc = emit_all(chain, &lists, sink);
    if (!rc)
        rc = zoid_chain_send_rest(chain, sink);
    if (!rc)
        rc = store_all(chain, sink);
    free(chain->done);
    free(lists.fetch);
    free(lists.access);
    return rc;
}
