/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients along a chain: pieces of a fixed height from plane 0 on. A block lists all pieces
 * that it reads from its first time to its last. The zoids of a pass lean or overlap, the pieces
 * stand still:
 *
 *     t1         \   j   \                  block j reads pieces 1, 2 and 3
 *                 \       \
 *     t0           \       \
 *           |    0    |    1    |    2    |    3    |
 *
 * Pieces continue beyond the ends of a periodic chain: piece `count` is piece 0 again. */
#include "graphs/common/coefficients.h"

#include "graphs/cell.h"
#include "graphs/common/arith.h"
#include "graphs/common/grid.h"

/* Maximum number of whole pieces that a block reads; pieces are as high as slabs, or higher for
 * that. */
enum { WHOLE_PIECES = 8 };

struct pieces {
    long n;             /* planes of the domain */
    long height, count; /* the last piece may be lower */
    bool periodic;
};

static struct pieces pieces_of(const struct zoid_chain *chain)
{
    const struct zoid_graph *g = chain->graph;
    long n = zoid_cell_line(g);
    long height = g->block;

    for (int i = 0; i < ZOID_CHAIN_SPANS; i++)
        height = zoid_max(height, zoid_ceil_div(chain->span[i].width, WHOLE_PIECES));
    height = zoid_min(g->leg.piece ? g->leg.piece : height, n);
    return (struct pieces){.n = n,
                           .height = height,
                           .count = g->coefficients ? zoid_ceil_div(n, height) : 0,
                           .periodic = zoid_grid_round(g)};
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

static struct range wanted(const struct zoid_chain *chain, const struct pieces *p, long pass,
                           long position)
{
    struct zoid zoid = chain->zoid(chain, pass, position);
    const struct zoid_shape *shape = &chain->graph->shape;
    const struct zoid_face *face = &zoid.dim[zoid_chain(shape)];
    long before_last = zoid.t1 - zoid.t0 - 1, reach_lo, reach_hi, lo, hi;

    zoid_chain_near(chain->graph, &reach_lo, &reach_hi);
    lo = face->lo + face->dlo + zoid_min(face->dlo * before_last, 0) - reach_lo;
    hi = face->hi + face->dhi + zoid_max(face->dhi * before_last, 0) + reach_hi;
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
    return (struct zoid_datum){
        .kind = ZOID_COEFFICIENT, .row = cell, .col = zoid_modulo(piece, p->count)};
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

bool zoid_chain_piece(const struct zoid_chain *chain, long i, struct zoid_datum *datum,
                      struct zoid_view *view)
{
    struct pieces p = pieces_of(chain);

    if (i >= p.count)
        return false;
    *datum = datum_of(&p, 0, i);
    *view = view_of(&p, i, zoid_chain_start(chain->graph, 0), zoid_chain_start(chain->graph, 0));
    return true;
}

void zoid_chain_coefficients(const struct zoid_chain *chain, struct zoid_block *b,
                             struct zoid_access *access, struct zoid_datum *fetch)
{
    struct pieces p = pieces_of(chain);
    struct range own, next = {.first = 0};
    long once;

    if (!p.count)
        return;
    own = wanted(chain, &p, b->pass, b->position);
    if (b->position < chain->last(chain, b->pass))
        next = wanted(chain, &p, b->pass, b->position + 1);
    for (long i = own.first; i < own.end; i++) {
        struct zoid_access a = {.datum = datum_of(&p, b->cell, i),
                                .mode = ZOID_READ,
                                .in = view_of(&p, i, b->zoid.t0, b->zoid.t1),
                                .next =
                                    has(&next, &p, i) ? ZOID_NEXT_SAME : zoid_chain_next(chain, b)};

        a.in.patch = zoid_cell_window(chain->graph, b->cell);
        a.in.patch.axis[zoid_chain(b->shape)] = (struct zoid_range){0, 0};
        access[b->naccess++] = a;
    }
    once = zoid_min(next.end, next.first + p.count);
    for (long i = next.first; i < once; i++)
        if (!has(&own, &p, i))
            fetch[b->nfetch++] = datum_of(&p, b->cell, i);
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

void zoid_chain_coefficient_census(const struct zoid_chain *chain, struct zoid_census *census)
{
    struct pieces p = pieces_of(chain);
    long most = 0;

    if (!p.count)
        return;
    census->kind[ZOID_COEFFICIENT] = (struct zoid_census_row){1, p.count, p.height};
    if (!chain->passes)
        return;
    for (int i = 0; i < ZOID_CHAIN_SPANS; i++)
        if (chain->span[i].width)
            most = zoid_max(most, p.periodic ? most_in_circle(&p, &chain->span[i])
                                             : most_in_line(&p, &chain->span[i]));
    census->max_coefficients = most;
    census->max_access += census->max_coefficients;
}
