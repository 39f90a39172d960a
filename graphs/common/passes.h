/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over a chain of positions: what methods say of the planes of one cell's line, which they
 * count from 0 (zoid_cell_line), and when passes begin and end. */
#ifndef ZOID_GRAPHS_COMMON_PASSES_H
#define ZOID_GRAPHS_COMMON_PASSES_H

#include "graphs/graph.h"

/* The planes around a block whose coefficients it wants: at most `width` of them, the first of
 * which is `start` and multiples of `grid` above plane 0. */
struct zoid_chain_span {
    long width, start, grid;
};
/* Blocks of a pass are of so many sorts at most. */
enum { ZOID_CHAIN_SPANS = 2 };
enum { ZOID_RELAY_PARTS = 2 };

struct zoid_chain {
    const struct zoid_graph *graph;
    long passes;  /* of every cell; fewer from where a sink says that one is the last */
    long planned; /* as many as there would be otherwise */
    long idle;    /* of these, how many come first and compute nothing */
    long lead;    /* block (p, j) is emitted after (p - 1, j + lead), where that exists */
    /* First and last position of a pass; both grow with the pass or stay. */
    long (*first)(const struct zoid_chain *chain, long pass);
    long (*last)(const struct zoid_chain *chain, long pass);
    /* The zoid of the block at a position. */
    struct zoid (*zoid)(const struct zoid_chain *chain, long pass, long position);
    /* The block's state: up to max_access accesses, and up to max_fetch slabs to fetch. */
    void (*block)(const struct zoid_chain *chain, struct zoid_block *block,
                  struct zoid_access *access, struct zoid_datum *fetch);
    /* How many data a pass of a cell relays to the cell above it, up to ZOID_RELAY_PARTS; only
     * where zoid_grid_relays is true. */
    int (*relays)(const struct zoid_chain *chain, long cell, long pass);
    long asked;                   /* passes that a sink was asked about, or need not be */
    bool overlaps;                /* blocks of a pass compute planes of others, too */
    bool alone;                   /* a slab is one block's in every pass */
    long *done;                   /* room for the list of a block; set with the emission */
    size_t max_access, max_fetch; /* without what coefficients and halos add */
    long cols;                    /* of slabs */
    long max_slabs;               /* of how many slabs a block takes planes */
    long max_left;                /* and of how many it leaves some */
    struct zoid_chain_span span[ZOID_CHAIN_SPANS]; /* of each sort; no width: there is no such */
    /* The planes of the line that the slab of a column holds when a pass begins, and so how many
     * passes there are when the last one ends, with their slots; none where hi <= lo. */
    struct zoid_view (*planes)(const struct zoid_chain *chain, long pass, long col);
    /* The i-th slab, in the order of its planes, that holds state when the chain starts (end false)
     * or has ended, and what it holds; false when there is no such slab. */
    bool (*holds)(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view);
};

/* Lanes that passes are dealt to: as many as can be open at once. */
int zoid_chain_lanes(const struct zoid_graph *graph);
/* How far from a plane along the chain the coefficients lie that it is computed from. */
void zoid_chain_near(const struct zoid_graph *graph, long *lo, long *hi);
/* Passes of `depth` steps, the last one shorter, and the times they start at, counted from time
 * 0. */
long zoid_chain_passes(const struct zoid_graph *graph);
long zoid_chain_start(const struct zoid_graph *graph, long pass);
/* The times of a pass of a chain. */
long zoid_chain_begin(const struct zoid_chain *chain, long pass);
long zoid_chain_end(const struct zoid_chain *chain, long pass);
/* The epoch of a pass, counted over all legs. With one cell nothing is exchanged, and there is one.
 * Idle passes compute nothing yet: they are of the first epoch, which has what was loaded, or in a
 * leg that follows others still of the last one of these. */
long zoid_chain_epoch(const struct zoid_chain *chain, long pass);
/* When an epoch ends, and how many times it has; one of a leg that comes later has as many as can
 * be. */
long zoid_chain_epoch_end(const struct zoid_chain *chain, long epoch);
long zoid_chain_epoch_times(const struct zoid_chain *chain, long epoch);
/* The epoch that the chain ends in; where it has no passes, that of the state it begins with. */
long zoid_chain_last_epoch(const struct zoid_chain *chain);
/* Whether there is such a pass, and it begins an epoch that is not the first. */
bool zoid_chain_first_of_epoch(const struct zoid_chain *chain, long pass);
/* Whether a pass ends an epoch, and cells leave halos for the next one, which may be one of a leg
 * that is still to come. */
bool zoid_chain_leaves(const struct zoid_chain *chain, long pass);
/* The pass with which an epoch of this leg begins, or as many as there are. */
long zoid_chain_epoch_pass(const struct zoid_chain *chain, long epoch);
/* Whether other ranks send what an epoch of this leg, or the one after its last, begins with. */
bool zoid_chain_awaits(const struct zoid_chain *chain, long epoch);
/* Whether a graph may end with a lap, which is then asked about: the first one that ends an epoch,
 * or with one cell any pass. */
bool zoid_chain_may_end(const struct zoid_chain *chain, long lap);
/* Whether a block takes what cells have left in the epoch before. */
bool zoid_chain_begins_epoch(const struct zoid_chain *chain, const struct zoid_block *block);

/* A lap is a pass of one cell, counted from its rank's first. Each rank's come epoch by epoch, cell
 * by cell, pass by pass. */
struct zoid_lap {
    long pass, cell;
};
struct zoid_lap zoid_chain_lap(const struct zoid_chain *chain, long lap);

/* Whether two laps are of the same epoch. */
bool zoid_chain_same_epoch(const struct zoid_chain *chain, long lap, long other);

/* Moves up along the chain axis: a zoid, and a view with the range of its patch. */
void zoid_chain_shift(struct zoid *zoid, const struct zoid_graph *graph, long planes);
void zoid_chain_shift_view(struct zoid_view *view, const struct zoid_graph *graph, long planes);

/* Planes that a graph computes, of all times, if it computes none twice. */
double zoid_chain_planes(const struct zoid_graph *graph);

/* A zoid that spans the whole domain except along the chain axis, where it is `face`. */
struct zoid zoid_chain_zoid(const struct zoid_shape *shape, long t0, long t1,
                            struct zoid_face face);

/* The block takes and leaves its slab in place: the access for planes that exist before (in) or
 * after (out); false when neither does. */
bool zoid_chain_slab(const struct zoid_chain *chain, struct zoid_datum datum, struct zoid_view in,
                     struct zoid_view out, struct zoid_access *access);
/* Where the slabs of a block's lap go when it is done. */
enum zoid_next zoid_chain_next(const struct zoid_chain *chain, const struct zoid_block *block);
/* Whether a block's lap takes its slabs from RAM rather than from the lane before it. */
bool zoid_chain_from_ram(const struct zoid_chain *chain, const struct zoid_block *block);

#endif
