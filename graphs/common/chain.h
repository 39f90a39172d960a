/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods that cut only the chain axis share: passes over a chain of positions, emitted
 * diagonally so that several passes advance together.
 *
 *   position  0   1   2   3   4   5        number = turn in which the block is emitted
 *   pass 0    0   1   2   3   4   5        (two lanes, lead 1)
 *   pass 1            2   3   4   5 ...
 *
 * Where strips are cut, a pass goes up the positions for one strip after the other. Each time is a *lap*;
 * what is said of passes above then goes for laps.
 */
#ifndef ZOID_GRAPHS_COMMON_CHAIN_H
#define ZOID_GRAPHS_COMMON_CHAIN_H

#include "graphs/graph.h"

/* The planes around a block that its stages look at: at most `width` of them, the first of which is
 * `start` and multiples of `grid` above plane 0. */
struct zoid_chain_span {
    long width, start, grid;
};

struct zoid_chain {
    const struct zoid_graph *graph;
    long passes; /* of every strip */
    long idle;   /* of these, how many come first and compute nothing */
    long lead;   /* block (p, j) is emitted after (p - 1, j + lead), where that exists */
    /* First and last position of a pass; both grow with the pass or stay. */
    long (*first)(const struct zoid_chain *chain, long pass);
    long (*last)(const struct zoid_chain *chain, long pass);
    /* Of the block at a position. The region is the domain. */
    struct zoid (*zoid)(const struct zoid_chain *chain, long pass, long position);
    /* The block's state: up to max_access accesses, and up to max_fetch slabs to fetch. */
    void (*block)(const struct zoid_chain *chain, struct zoid_block *block,
                  struct zoid_access *access, struct zoid_datum *fetch);
    size_t max_access, max_fetch; /* without what coefficients and strips add */
    long max_slabs;               /* of how many slabs a block takes planes */
    long max_left;                /* and of how many it leaves some */
    struct zoid_chain_span span;
    /* The i-th slab, in the order of its planes, that holds state when the chain starts (end false)
     * or has ended, and what it holds; false when there is no such slab. */
    bool (*holds)(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view);
};

/* Lanes that passes are dealt to: as many as can be open at once. */
int zoid_chain_lanes(const struct zoid_graph *graph);
/* Loads, blocks, stores. */
int zoid_chain_emit(const struct zoid_chain *chain, struct zoid_sink *sink);

/* Passes of `depth` steps, the last one shorter, and the times they start at. */
long zoid_chain_passes(const struct zoid_graph *graph);
long zoid_chain_start(const struct zoid_graph *graph, long pass);
/* The times of a pass of a chain. */
long zoid_chain_begin(const struct zoid_chain *chain, long pass);
long zoid_chain_end(const struct zoid_chain *chain, long pass);
/* Planes that a graph computes, of all times, if it computes none twice. */
double zoid_chain_planes(const struct zoid_graph *graph);

/* A zoid that spans the whole domain except along the chain axis, where it is `face`. */
struct zoid zoid_chain_zoid(const struct zoid_shape *shape, long t0, long t1,
                            struct zoid_face face);

/* The block takes and leaves its slab in place: the access for planes that exist before (in) or
 * after (out); false when neither does. */
bool zoid_chain_slab(const struct zoid_shape *shape, struct zoid_datum datum, struct zoid_view in,
                     struct zoid_view out, struct zoid_access *access);
/* Where the slabs of a pass go when it is done. */
enum zoid_next zoid_chain_next(const struct zoid_chain *chain, long pass);
/* Whether a pass takes its slabs from RAM rather than from the lane before it. */
bool zoid_chain_from_ram(const struct zoid_chain *chain, long pass);

/* The i-th datum of coefficients and what it holds; false when there is no such datum. */
bool zoid_chain_piece(const struct zoid_chain *chain, long i, struct zoid_datum *datum,
                      struct zoid_view *view);
/* Adds to a block the coefficients that its stages look at, and those of the next one to fetch. */
void zoid_chain_coefficients(const struct zoid_chain *chain, struct zoid_block *block,
                             struct zoid_access *access, struct zoid_datum *fetch);
/* Adds to a census how many data of coefficients there are, how high, and how many a block lists. */
void zoid_chain_coefficient_census(const struct zoid_chain *chain, struct zoid_census *census);

/* Planes that a block takes of a slab or its edges, with the slab's column, in slots as it has them. */
struct zoid_strip_slab {
    long col;
    struct zoid_view view;
};

/* Clips a block to the rows of its strip, and what later times of the pass look at. */
void zoid_strip_clip(const struct zoid_chain *chain, struct zoid_block *block);
/* The rows that are a strip's own in a view of what a pass before has left; what was loaded, or left by
 * this pass, is whole. */
struct zoid_rows zoid_strip_kept(const struct zoid_chain *chain, const struct zoid_block *block);
/* Adds to a block the sides that go with what it takes of a slab, if it begins with its pass: of that,
 * its own strip's rows lie elsewhere. The first pass has what was loaded, which is whole windows. */
void zoid_strip_take(const struct zoid_chain *chain, struct zoid_block *block,
                     struct zoid_access *access, const struct zoid_strip_slab *slab);
/* Adds to what a block fetches the sides that go with a slab that the next block takes. */
void zoid_strip_fetch(const struct zoid_chain *chain, struct zoid_block *block,
                      struct zoid_datum *fetch, long col);
/* Adds to a block the sides of what it leaves of a slab, if it ends with its pass and that is not the
 * last. Where several blocks leave planes of one, the block that takes it begins its sides for them. */
void zoid_strip_leave(const struct zoid_chain *chain, struct zoid_block *block,
                      struct zoid_access *access, const struct zoid_access *slab);
/* Makes the census of one strip that of all; comes last. */
void zoid_strip_census(const struct zoid_chain *chain, struct zoid_census *census);

long zoid_gcd(long a, long b);
/* The sum over 0 <= i < n of floor((a i + high) / m) - floor((a i + low) / m), in O(log), for
 * a, low, high, n >= 0 and m > 0. */
long zoid_floor_sum_between(long n, long m, long a, long low, long high);

static inline long zoid_ceil_div(long a, long b)
{
    return (a + b - 1) / b;
}

static inline long zoid_min(long a, long b)
{
    return a < b ? a : b;
}

static inline long zoid_max(long a, long b)
{
    return a > b ? a : b;
}

#endif
