/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes [time blocks] over a chain of positions: the description of one cell's line by a method,
 * with planes counted from 0 (zoid_cell_line), and the times of passes and epochs. */
#ifndef ZOID_GRAPHS_COMMON_PASSES_H
#define ZOID_GRAPHS_COMMON_PASSES_H

#include "graphs/graph.h"

/* Planes whose coefficients a block reads, or whose memory it updates: at most `width`, the first
 * one at `start` plus a multiple of `grid`. */
struct zoid_chain_span {
    long width, start, grid;
};
/* Maximum number of sorts of blocks in a pass, each with a span. */
enum { ZOID_CHAIN_SPANS = 2 };
enum { ZOID_RELAY_PARTS = 2 };

struct zoid_chain {
    const struct zoid_graph *graph;
    long passes;  /* of every cell; reduced when a sink ends the graph */
    long planned; /* passes before that reduction */
    long idle;    /* of these, leading passes that compute nothing */
    long lead;    /* block (p, j) is emitted after (p - 1, j + lead), if that exists */
    /* First and last position of a pass; neither decreases with the pass. */
    long (*first)(const struct zoid_chain *chain, long pass);
    long (*last)(const struct zoid_chain *chain, long pass);
    /* Zoid of the block at a position. */
    struct zoid (*zoid)(const struct zoid_chain *chain, long pass, long position);
    /* Append a block's accesses to state, up to max_access, and the slabs to prefetch, up to
     * max_fetch. */
    void (*block)(const struct zoid_chain *chain, struct zoid_block *block,
                  struct zoid_access *access, struct zoid_datum *fetch);
    /* Number of data that a pass of a cell relays to the cell above, up to ZOID_RELAY_PARTS. Called
     * only if zoid_grid_relays is true. */
    int (*relays)(const struct zoid_chain *chain, long cell, long pass);
    /* True if a later block of the pass computes some of planes [lo, hi) of the line; NULL: no two
     * blocks of a pass do, or they follow one another. */
    bool (*again)(const struct zoid_chain *chain, const struct zoid_block *block, long lo, long hi);
    long asked;    /* passes for which zoid_sink.last is decided, by a call or without */
    bool overlaps; /* blocks of a pass overlap: they compute planes redundantly */
    bool alone;    /* in every pass each slab belongs to one block */
    long *done;    /* buffer for the `done` list of a block; allocated by the emission */
    size_t max_access, max_fetch; /* without the additions of pieces and cells */
    long cols;                    /* number of slab columns */
    long max_slabs;               /* maximum number of slabs that a block reads planes of */
    long max_left;                /* and that it leaves planes in */
    struct zoid_chain_span span[ZOID_CHAIN_SPANS]; /* of each sort of block; width 0: unused */
    /* Planes of the line that the slab of a column holds when a pass begins, with their slots; when
     * the chain ends if pass == passes. Empty if hi <= lo. */
    struct zoid_view (*planes)(const struct zoid_chain *chain, long pass, long col);
    /* The i-th slab, in the order of its planes, that holds state when the chain starts (end false)
     * or has ended, and its planes; returns false if there is no such slab. */
    bool (*holds)(const struct zoid_chain *chain, bool end, long i, struct zoid_datum *datum,
                  struct zoid_view *view);
};

/* Number of lanes that passes are dealt to: the maximum number of open passes. */
int zoid_chain_lanes(const struct zoid_graph *graph);
/* Reach of the coefficients that a plane is computed from, along the chain axis. */
void zoid_chain_near(const struct zoid_graph *graph, long *lo, long *hi);
/* Number of passes, of `depth` steps each, the last one maybe shorter. */
long zoid_chain_passes(const struct zoid_graph *graph);
/* Time at which a pass starts, counted from time 0. */
long zoid_chain_start(const struct zoid_graph *graph, long pass);
/* First and last time of a chain's pass; idle passes have no steps. */
long zoid_chain_begin(const struct zoid_chain *chain, long pass);
long zoid_chain_end(const struct zoid_chain *chain, long pass);
/* Epoch of a pass, counted over all legs; one epoch in all with one cell. Idle passes compute
 * nothing: they belong to the first epoch, which starts from loaded data, or in a later leg to the
 * last epoch of the leg before. */
long zoid_chain_epoch(const struct zoid_chain *chain, long pass);
/* Time at which an epoch ends. */
long zoid_chain_epoch_end(const struct zoid_chain *chain, long epoch);
/* Number of times of an epoch; the maximum for an epoch beyond this leg. */
long zoid_chain_epoch_times(const struct zoid_chain *chain, long epoch);
/* Epoch in which the chain ends; without passes, the epoch of its initial state. */
long zoid_chain_last_epoch(const struct zoid_chain *chain);
/* True if a pass exists and begins an epoch other than the first. */
bool zoid_chain_first_of_epoch(const struct zoid_chain *chain, long pass);
/* True if a pass ends an epoch and its cells leave halos for the next one, maybe of a later leg. */
bool zoid_chain_leaves(const struct zoid_chain *chain, long pass);
/* First pass of an epoch of this leg, or the number of passes if there is no such epoch. */
long zoid_chain_epoch_pass(const struct zoid_chain *chain, long epoch);
/* True if other ranks send messages for the start of an epoch of this leg or the first after it. */
bool zoid_chain_awaits(const struct zoid_chain *chain, long epoch);
/* True if zoid_sink.last is called before a lap: the first lap of a pass that ends an epoch, or
 * with one cell of any pass, except the graph's last pass and idle ones. */
bool zoid_chain_may_end(const struct zoid_chain *chain, long lap);
/* True if a block reads data that cells have left in the epoch before. */
bool zoid_chain_begins_epoch(const struct zoid_chain *chain, const struct zoid_block *block);

/* *Lap* [time block of one subdomain]: a pass of one cell, numbered from its rank's first. The laps
 * of a rank come epoch by epoch, cell by cell, pass by pass. */
struct zoid_lap {
    long pass, cell;
};
struct zoid_lap zoid_chain_lap(const struct zoid_chain *chain, long lap);

/* True if two laps belong to the same epoch. */
bool zoid_chain_same_epoch(const struct zoid_chain *chain, long lap, long other);

/* Move a zoid, or a view and its patch, up along the chain axis. */
void zoid_chain_shift(struct zoid *zoid, const struct zoid_graph *graph, long planes);
void zoid_chain_shift_view(struct zoid_view *view, const struct zoid_graph *graph, long planes);

/* Planes that a graph computes over all times, without redundant ones. */
double zoid_chain_planes(const struct zoid_graph *graph);

/* Zoid over the whole domain, with `face` along the chain axis. */
struct zoid zoid_chain_zoid(const struct zoid_shape *shape, long t0, long t1,
                            struct zoid_face face);

/* Access of a block that updates a slab in place: READ if planes of `in` exist, WRITE if planes of
 * `out` do; returns false if neither do. */
bool zoid_chain_slab(const struct zoid_chain *chain, struct zoid_datum datum, struct zoid_view in,
                     struct zoid_view out, struct zoid_access *access);
/* Where the slabs of a block go after its lap: ZOID_NEXT_LANE or ZOID_NEXT_RAM. */
enum zoid_next zoid_chain_next(const struct zoid_chain *chain, const struct zoid_block *block);
/* True if a block's lap gets its slabs from RAM, false if from the lane before. */
bool zoid_chain_from_ram(const struct zoid_chain *chain, const struct zoid_block *block);

#endif
