/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients and memory along a chain: pieces of a fixed height from plane 0 on. A block lists
 * all pieces of coefficients that it reads from its first time to its last, and of memory those of
 * the planes that it computes; if it begins an epoch, also those of the planes that it takes, whose
 * memory it completes. The zoids of a pass lean or overlap, the pieces stand still:
 *
 *     t1         \   j   \                  block j reads pieces 1, 2 and 3
 *                 \       \
 *     t0           \       \
 *           |    0    |    1    |    2    |    3    |
 *
 * Pieces continue beyond the ends of a periodic chain: piece `count` is piece 0 again. */
#include "graphs/common/pieces.h"

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"

/* Maximum number of whole pieces of coefficients that a block reads; they are as high as slabs, or
 * higher for that. Pieces of memory are not higher: blocks that share one wait for one another. */
enum { WHOLE_PIECES = 8 };

struct pieces {
    enum zoid_kind kind;
    long n;             /* planes of the domain */
    long height, count; /* the last piece may be lower */
    bool periodic;
};

static long height_of_coefficients(const struct zoid_chain *chain)
{
    const struct zoid_graph *g = chain->graph;
    long height = g->block;

    for (int i = 0; i < ZOID_CHAIN_SPANS; i++)
        height = zoid_max(height, zoid_ceil_div(chain->span[i].width, WHOLE_PIECES));
    return g->leg.piece ? g->leg.piece : height;
}

/* On a circular line there are two pieces of memory at least, so that a block that meets both ends
 * of the line lists none twice. Blocks that overlap compute the planes of one slab, and would
 * complete those of others a second time. */
static bool in_halves(const struct zoid_chain *chain)
{
    return zoid_grid_round(chain->graph) && !(chain->overlaps && chain->cols > 1);
}

static struct pieces pieces_of(const struct zoid_chain *chain, enum zoid_kind kind)
{
    const struct zoid_graph *g = chain->graph;
    const bool memory = kind == ZOID_MEMORY;
    struct pieces p = {.kind = kind, .n = zoid_cell_line(g), .periodic = zoid_grid_round(g)};

    p.height = memory ? g->block : height_of_coefficients(chain);
    p.height = zoid_min(p.height, memory && in_halves(chain) ? zoid_max(p.n / 2, 1) : p.n);
    if (memory ? zoid_remembers(&g->shape) : g->coefficients != ZOID_COEFFICIENTS_NONE)
        p.count = zoid_ceil_div(p.n, p.height);
    return p;
}

/* Pieces first ... end - 1. */
struct range {
    long first, end;
};

static long piece_at(const struct pieces *p, long plane)
{
    long lap = zoid_floor_div(plane, p->n);

    return lap * p->count + (plane - lap * p->n) / p->height;
}

/* True if the planes that a block takes have memory of its cell's own points only. */
static bool completes(const struct zoid_chain *chain, long pass, const struct zoid *zoid)
{
    return zoid_chain_begins_epoch(chain, &(struct zoid_block){.pass = pass, .zoid = *zoid}) &&
           !chain->overlaps;
}

static struct range wanted(const struct zoid_chain *chain, const struct pieces *p, long pass,
                           long position)
{
    struct zoid zoid = chain->zoid(chain, pass, position);
    const struct zoid_shape *shape = &chain->graph->shape;
    const struct zoid_face *face = &zoid.dim[zoid_chain(shape)];
    long before_last = zoid.t1 - zoid.t0 - 1, reach_lo = 0, reach_hi = 0, lo, hi;

    if (p->kind == ZOID_COEFFICIENT)
        zoid_chain_near(chain->graph, &reach_lo, &reach_hi);
    lo = face->lo + face->dlo + zoid_min(face->dlo * before_last, 0) - reach_lo;
    hi = face->hi + face->dhi + zoid_max(face->dhi * before_last, 0) + reach_hi;
    if (p->kind == ZOID_MEMORY && completes(chain, pass, &zoid)) {
        lo = zoid_min(lo, face->lo);
        hi = zoid_max(hi, face->hi);
    }
    if (!p->periodic) {
        lo = zoid_max(lo, 0);
        hi = zoid_min(hi, p->n);
    }
    if (before_last < 0 || lo >= hi)
        return (struct range){.first = 0};
    return (struct range){piece_at(p, lo), piece_at(p, hi - 1) + 1};
}

static struct zoid_datum datum_of(const struct pieces *p, long cell, long piece)
{
    return (struct zoid_datum){.kind = p->kind, .row = cell, .col = zoid_modulo(piece, p->count)};
}

static struct zoid_view view_of(const struct pieces *p, long piece, long t0, long t1)
{
    long lap = zoid_floor_div(piece, p->count), lo = (piece - lap * p->count) * p->height;

    return (struct zoid_view){.t0 = t0,
                              .t1 = t1,
                              .lo = lo + lap * p->n,
                              .hi = zoid_min(lo + p->height, p->n) + lap * p->n};
}

/* True if a range includes the datum of a piece. */
static bool has(const struct range *r, const struct pieces *p, long piece)
{
    return r->first + zoid_modulo(piece - r->first, p->count) < r->end;
}

bool zoid_chain_piece(const struct zoid_chain *chain, enum zoid_kind kind, long i,
                      struct zoid_datum *datum, struct zoid_view *view)
{
    struct pieces p = pieces_of(chain, kind);

    if (i >= p.count)
        return false;
    *datum = datum_of(&p, 0, i);
    *view = view_of(&p, i, zoid_chain_start(chain->graph, 0), zoid_chain_start(chain->graph, 0));
    return true;
}

/* Where a piece is needed next, unless the next block of the pass lists it. */
static enum zoid_next next_of(const struct zoid_chain *chain, const struct pieces *p,
                              const struct zoid_block *b, long piece)
{
    const struct zoid_view planes = view_of(p, zoid_modulo(piece, p->count), 0, 0);

    return p->kind == ZOID_MEMORY && chain->again && chain->again(chain, b, planes.lo, planes.hi)
               ? ZOID_NEXT_SAME
               : zoid_chain_next(chain, b);
}

static struct zoid_access access_of(const struct zoid_chain *chain, const struct pieces *p,
                                    const struct zoid_block *b, long piece)
{
    struct zoid_access a = {.datum = datum_of(p, b->cell, piece),
                            .mode = ZOID_READ,
                            .in = view_of(p, piece, b->zoid.t0, b->zoid.t1)};

    a.in.patch = zoid_cell_window(chain->graph, b->cell);
    a.in.patch.axis[zoid_chain(b->shape)] = (struct zoid_range){0, 0};
    if (p->kind == ZOID_MEMORY) {
        a.mode = ZOID_UPDATE;
        a.out = a.in;
    }
    return a;
}

/* Same for pieces of a kind. A piece of memory comes from the lane before, as slabs do. */
static void list(const struct zoid_chain *chain, const struct pieces *p, struct zoid_block *b,
                 struct zoid_access *access, struct zoid_datum *fetch)
{
    struct range own = wanted(chain, p, b->pass, b->position), next = {.first = 0};
    const bool fetches = p->kind == ZOID_COEFFICIENT || zoid_chain_from_ram(chain, b);
    long once;

    if (b->position < chain->last(chain, b->pass))
        next = wanted(chain, p, b->pass, b->position + 1);
    for (long i = own.first; i < own.end; i++) {
        struct zoid_access a = access_of(chain, p, b, i);

        a.next = has(&next, p, i) ? ZOID_NEXT_SAME : next_of(chain, p, b, i);
        access[b->naccess++] = a;
    }
    once = zoid_min(next.end, next.first + p->count);
    for (long i = next.first; fetches && i < once; i++)
        if (!has(&own, p, i))
            fetch[b->nfetch++] = datum_of(p, b->cell, i);
}

void zoid_chain_pieces(const struct zoid_chain *chain, struct zoid_block *b,
                       struct zoid_access *access, struct zoid_datum *fetch)
{
    const struct pieces coefficients = pieces_of(chain, ZOID_COEFFICIENT);
    const struct pieces memory = pieces_of(chain, ZOID_MEMORY);

    if (coefficients.count)
        list(chain, &coefficients, b, access, fetch);
    if (memory.count)
        list(chain, &memory, b, access, fetch);
}

/* Maximum number of pieces that a span of planes meets on an unbounded line: those of the span that
 * starts as near to the end of a piece as the grid allows. */
static long most_in_line(const struct pieces *p, const struct zoid_chain_span *span)
{
    long grid = zoid_gcd(span->grid, p->height);
    long start = p->height - grid + zoid_modulo(span->start, grid);

    return zoid_min((start + span->width - 1) / p->height + 1, p->count);
}

/* Same on a circular line: the pieces at both ends, and the maximum number of whole pieces between
 * them; every lap has one low piece. */
static long most_in_circle(const struct pieces *p, const struct zoid_chain_span *span)
{
    long between = span->width - 2, laps, rest, low = p->n - (p->count - 1) * p->height;

    if (between < 0)
        return span->width;
    laps = between / p->n;
    rest = between % p->n;
    return 2 + laps * p->count + (rest >= low ? 1 + (rest - low) / p->height : 0);
}

/* Same for all spans of a chain. Blocks that complete memory also list that of the planes above
 * those that they compute, up to those that they take, which a span has with a reach of
 * coefficients. */
static long most_of(const struct zoid_chain *chain, const struct pieces *p)
{
    long most = 0, lo, hi, near_lo, near_hi;

    zoid_chain_reach(&chain->graph->shape, &lo, &hi);
    zoid_chain_near(chain->graph, &near_lo, &near_hi);
    for (int i = 0; i < ZOID_CHAIN_SPANS && chain->passes; i++) {
        struct zoid_chain_span span = chain->span[i];

        if (!span.width)
            continue;
        span.width += p->kind == ZOID_MEMORY ? hi - near_hi : 0;
        most = zoid_max(most, p->periodic ? most_in_circle(p, &span) : most_in_line(p, &span));
    }
    return most;
}

void zoid_chain_pieces_census(const struct zoid_chain *chain, struct zoid_census *census)
{
    const struct pieces coefficients = pieces_of(chain, ZOID_COEFFICIENT);
    const struct pieces memory = pieces_of(chain, ZOID_MEMORY);

    if (coefficients.count) {
        census->kind[ZOID_COEFFICIENT] =
            (struct zoid_census_row){1, coefficients.count, coefficients.height};
        census->max_coefficients = most_of(chain, &coefficients);
    }
    if (memory.count) {
        census->kind[ZOID_MEMORY] = (struct zoid_census_row){1, memory.count, memory.height};
        census->max_memory = zoid_min(most_of(chain, &memory), memory.count);
    }
    census->max_access += census->max_coefficients + census->max_memory;
}
