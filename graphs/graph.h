/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of blocks (tasks): produced by builders, consumed by sinks. Pure C, independent of
 * devices.
 *
 * A builder (one per method) streams blocks into a sink in a legal sequential order. Graphs are
 * generated, never stored: memory does not grow with the number of blocks. The builder owns blocks
 * and their access lists; they are valid only during the callback that receives them. */
#ifndef ZOID_GRAPHS_GRAPH_H
#define ZOID_GRAPHS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "graphs/zoid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of data, described in graphs/kinds.def. Coefficients are constant per point: a datum of
 * them holds planes that never move. So does one of memory, if points have it (zoid_remembers):
 * values of each point that the block which computes it updates, once a time. */
enum zoid_kind {
#define ZOID_ROW(NAME, ...) ZOID_##NAME,
#include "graphs/kinds.def"
    ZOID_KINDS
};

/* Identifier of a datum. row: its cell, lane, direction or parity; col: its position in the row;
 * both are bounded by the graph's census. The rows of a rank follow those of the rank before. */
struct zoid_datum {
    enum zoid_kind kind;
    long row, col;
    int owner; /* owning rank; the sender of a message */
};

/* Key of a datum: the same on every rank, and unique in the graph. */
static inline uint64_t zoid_datum_index(const struct zoid_datum *d)
{
    return (uint64_t)d->kind << 56 | (uint64_t)d->row << 32 | (uint64_t)d->col;
}

enum zoid_mode { ZOID_READ = 1, ZOID_WRITE = 2, ZOID_UPDATE = ZOID_READ | ZOID_WRITE };

/* Where a datum is needed next. A datum of state: SAME: it may stay; LANE: the next block to access
 * it is of the next lane, and is not preceded by a prefetch; RAM: it is not needed for a while and
 * should be written back to its home; DEAD: its contents are never read again. Coefficients are at
 * home all the time, and `fetch` brings copies: SAME: the next block of this pass reads it too;
 * LANE and RAM: this lane may drop its copy, without write-back; after LANE the next lane reads it
 * soon and may take the copy. Coefficients are never DEAD. */
enum zoid_next { ZOID_NEXT_SAME, ZOID_NEXT_LANE, ZOID_NEXT_RAM, ZOID_NEXT_DEAD };

/* Access of a block to a datum. `in`: contents of the datum when the block starts (READ). `out`:
 * its contents when the block has ended (WRITE); slots that `out` does not name are lost, unless
 * the access `keeps` them. Then `out` is of one time, and so is every `out` that wrote the kept
 * contents; these times may differ. Planes of a view outside the domain do not exist, and their
 * slots hold nothing. Coefficients have an `in` view from the block's first time to its last,
 * without drift or advance; memory is updated, and has the same view `in` and `out`.
 *
 * A block computes its times in order, at most zoid_graph.at_once at a time, and writes the `out`
 * planes of these times before it continues. It may overwrite a ring buffer (zoid_view.around) that
 * it updates once it has read the slot for the last time; any other datum it reads before it writes
 * to it.
 *
 * If the domain is cut into cells, an `in` view may have only a patch of its planes, and halos,
 * ends and messages that the block reads supply the other points. An access that `fills` has mode
 * READ, but the block adds those points to the datum: tasks treat it as an update. Every update
 * fills, too. The view of a halo names its cell's own patch, and the halo holds the rim of that
 * patch (zoid_cell_rim). The view of an end names its cell's own patch, and the end holds all of
 * it; that of a message names the patch that the message holds. A block accesses data of its own
 * rank, and reads messages sent to it (zoid_message).
 *
 * A domain that is periodic along the chain axis has no outside: plane z is plane z modulo n, and
 * zoids and views extend beyond [0, n). A block that needs planes of a datum at several positions
 * lists it once for each, READ. */
struct zoid_access {
    struct zoid_datum datum;
    enum zoid_mode mode;
    bool keeps, fills;
    struct zoid_view in, out;
    enum zoid_next next;
};

/* *Block* [task]: computes, for t = t0 + 1 ... t1, the box of its zoid at t, clipped by its region.
 *
 * Dependencies: each plane of time t - 1 that it reads is in its own box of t - 1 (if t - 1 > t0)
 * or in an `in` view that has that time. If a stage ascends, that holds for planes at or above the
 * computed one; planes below are read at time t, from its own box of t or from an `in` view that
 * has t; such views may extend to t1. Each `out` plane of time t comes from its own box of t if t >
 * t0, and from an `in` view at t0. For each plane of time t the block lists the coefficients of all
 * planes that it reads, or of those near it (zoid_coefficients). Planes beyond a mirrored face are
 * read at their mirror image inside. If points have memory, the
 * block lists that of all planes that it computes, and no block has computed a plane at a later
 * time. In several cells, a block that begins an epoch also lists that of the planes that it takes,
 * and completes it from the halos, ends and messages, which hold the memory of their points; one
 * that leaves these lists that of their planes. No slot of a datum is written twice. A block with
 * t0 == t1 computes nothing and only moves planes. */
struct zoid_block {
    const struct zoid_shape *shape;
    struct zoid zoid, region;
    int owner;
    long pass, cell, position;
    int lane;
    size_t naccess;
    const struct zoid_access *access;
    /* Prefetch list, for the start of the block: data that the next block of the pass reads, or
     * slabs that a block soon after it reads; not those that this block reads itself, nor those
     * that the previous lane hands on. A slab precedes its halos and coefficients. */
    size_t nfetch;
    const struct zoid_datum *fetch;
    /* Columns of slabs that the lap has finished with, if it leaves data for other cells. */
    size_t ndone;
    const long *done;
};

/* Communication between blocks. `sends`: send the datum to `peer`; its owner's blocks have left in
 * it all that belongs to this exchange. Otherwise, await it: the next message from `peer` may
 * arrive in the datum as soon as earlier blocks have finished with it. Between two ranks, messages
 * of the same row and column arrive in the order in which they are sent; epochs alternate among
 * three rows. */
struct zoid_message {
    struct zoid_datum datum;
    int rank, peer; /* the rank that acts, and its partner */
    bool sends;
};

/* Aggregation of a message before it is sent, if ranks exchange axis by axis. Adds points received
 * from neighbouring ranks along earlier axes, so that the receiver need not exchange with ranks
 * across an edge or a corner. Moves planes of one time, the end of the epoch of its pass. access[0]
 * updates the message, and keeps its other planes if it covers several slabs; the other accesses
 * read messages of the same exchange. */
struct zoid_join {
    int owner;
    long pass, cell, position; /* of the block that the join follows */
    size_t naccess;
    const struct zoid_access *access;
};
enum { ZOID_JOIN_MOST = 1 + 2 * ZOID_PLANE_AXES }; /* maximum of naccess */

/* Data of one kind that a graph uses: rows x cols data of `planes` planes each (of every state
 * field, or for coefficients of every coefficient field). */
struct zoid_census_row {
    long rows, cols, planes;
};

struct zoid_census {
    struct zoid_census_row kind[ZOID_KINDS];
    /* Exact: */
    long blocks;     /* of a full emission */
    double planes;   /* computed by all blocks, over all times */
    long idle;       /* leading passes that compute nothing but access all slabs */
    long open_slabs; /* maximum number of slabs of a pass in use at a time */
    /* Upper bounds: */
    long box_planes;       /* of a block's clipped box at any time t0 < t < t1 */
    long max_access;       /* accesses of a block */
    long max_halos;        /* halos among them */
    long max_messages;     /* messages among them */
    long max_coefficients; /* coefficients among them */
    long max_memory;       /* memory among them */
    long block_slabs;      /* slabs that a block accesses */
    /* Estimates, for cost models: */
    struct {
        long abreast;  /* concurrent blocks of a pass, if there are enough workers */
        double serial; /* fraction of all work on the critical path, if there are enough lanes */
        double mean_planes; /* planes of a time that a block computes, */
        double mean_times;  /* and its number of times */
    } about;
};

/* Consumer of a graph. A callback other than `last` may return non-zero to abort the emission,
 * which returns that value; the contents of all data are then undefined.
 *
 * load: before any block, once for each datum that holds initial state (`out`, at the graph's first
 * time), by ascending planes, then once for each datum of coefficients and of memory (the
 * same); not for a leg that follows another. store: after the last block, once for each datum that
 * holds final state
 * (`in`, at the last time).
 *
 * last: return true to end the graph early. Called when the last pass of an epoch opens (with one
 * cell, when any pass opens that computes something), before any of its blocks; `steps` is the
 * step, counted from time 0, at whose end this epoch or pass ends. Not called if the graph ends
 * there anyway. After true, open passes are completed as in a graph of that number of steps, store
 * included. Collective: all ranks must return the same value.
 *
 * message: only with several ranks. Messages of the first exchange are awaited before the first
 * block. After a block that was the last of its lap to access a slab, the slab's messages of the
 * exchange after the next are awaited, then those left with the slab are sent. If the chain axis is
 * cut, all messages of a lap are awaited after its first block instead, and those between cells
 * along that axis are sent after its last. So no message arrives before it is awaited, whichever
 * rank is ahead, except where a leg begins. Every message that is awaited is sent, also if the
 * graph ends early; its contents are then undefined.
 *
 * join: if ranks exchange axis by axis, before a message is sent that has points of other ranks.
 *
 * message, join, load, store and last may be NULL. */
struct zoid_sink {
    int (*message)(struct zoid_sink *self, const struct zoid_message *message);
    int (*join)(struct zoid_sink *self, const struct zoid_join *join);
    int (*load)(struct zoid_sink *self, const struct zoid_access *access);
    int (*block)(struct zoid_sink *self, const struct zoid_block *block);
    int (*store)(struct zoid_sink *self, const struct zoid_access *access);
    bool (*last)(struct zoid_sink *self, long steps);
};

struct zoid_method;

/* Cut of the domain along an axis, into `cells` cells [subdomains]; 0 or 1: uncut. `border` has
 * cells + 1 ascending coordinates, from 0 to the axis's extent, for each epoch up to `epochs`,
 * counted over all legs; later epochs use the last ones. All but the extent are multiples of the
 * shape's grain. Borders along the chain axis must not move. The caller owns `border`. NULL: fixed
 * cells, as even as possible. */
struct zoid_axis_cells {
    long cells;
    long epochs;
    const long *border;
};

/* A run is one graph or a list of graphs, its *legs*: the first one loads, each other one starts
 * from the data that the previous one left (zoid_graph_follow). Data that outlive a leg (slabs,
 * halos, ends, messages, coefficients and memory) have the same names and sizes in all legs; other
 * data are dead between two. */
enum zoid_legs { ZOID_LEG_ONLY, ZOID_LEG_FIRST, ZOID_LEG_NEXT };
struct zoid_leg {
    enum zoid_legs is;
    long epochs; /* of the legs before */
    long piece;  /* planes of a datum of coefficients; 0: chosen to suit the blocks */
};

/* Coefficients that a plane is computed from: none, those of all planes that its stage reads, or
 * only those of them within the graph's coefficient_reach (NEAR). */
enum zoid_coefficients { ZOID_COEFFICIENTS_NONE, ZOID_COEFFICIENTS_ALL, ZOID_COEFFICIENTS_NEAR };

/* Parameters of a graph. Set shape, steps, block, depth, lanes and, if the domain is cut, cuts and
 * epoch; then call zoid_graph_init. Time is absolute: the graph computes times start * stages + 1
 * to (start + steps) * stages, which also determine the stage of each time and the positions of
 * drifting slabs. Passes count from the graph's own first one. */
struct zoid_graph {
    const struct zoid_method *method;
    struct zoid_shape shape;
    long start; /* whole steps done before */
    long steps; /* whole steps, >= 0 */
    long block; /* planes of a slab */
    long depth; /* temporal blocking factor: steps that a block advances */
    struct zoid_axis_cells cut[ZOID_AXES];
    long ranks[ZOID_AXES]; /* along each axis, with equal numbers of cells; 0 or 1: one */
    int rank;    /* owner of the blocks and data that are emitted; ZOID_EVERY_RANK: all ranks */
    bool turned; /* the cells along the chain axis are mirrored */
    bool joined; /* ranks exchange axis by axis, never across an edge or a corner */
    /* Ranks along the chain axis differ in all but shape, cuts, ranks, steps and epoch; with stages
     * in order, also not in block, depth and line. A rank's line is as long as the owned and ghost
     * planes of its cells, or as `line` asks for, if that is more. */
    bool apart;
    long epoch;   /* steps between two halo exchanges, in whole passes; 0: one pass */
    long line;    /* planes of a cell's line if the chain axis is cut, set by zoid_graph_init */
    long leaf;    /* width up to which a recursion does not cut, in planes; 0: the method chooses */
    int lanes;    /* passes that advance together [pipeline stages]; if not pipelined, subzoids */
    long at_once; /* maximum number of times that a block computes at once; 0: unlimited */
    bool elastic; /* let the last passes share the lanes evenly: up to 2 lanes - 1 open at once */
    /* Workers that share the lanes of an elastic graph, so that blocks of a pass may run
     * concurrently; 0: one a lane. */
    int workers;
    enum zoid_coefficients coefficients;
    struct {
        long lo, hi;
    } coefficient_reach; /* along the chain axis, of NEAR coefficients */
    struct zoid_leg leg;
};

/* Value of zoid_graph.rank: one stream with the blocks of every rank, legal as such. The stream of
 * a single rank is the same without the other ranks' blocks. */
enum { ZOID_EVERY_RANK = -1 };

/* First and last time of a graph. */
static inline long zoid_graph_first_time(const struct zoid_graph *g)
{
    return g->start * g->shape.stages;
}

static inline long zoid_graph_last_time(const struct zoid_graph *g)
{
    return (g->start + g->steps) * g->shape.stages;
}

struct zoid_method {
    const char *name;
    const char *summary; /* one line for --help */
    /* Minimum height of a slab, in planes, for this shape. */
    long (*min_block)(const struct zoid_shape *shape);
    bool single_step; /* depth is always 1 */
    /* Passes advance together, one in each lane, and hand slabs on. If false, a pass starts when
     * the previous one has ended, and all blocks are in lane 0. */
    bool pipelined;
    bool spans;    /* a block reads and writes several slabs */
    bool wide;     /* with more workers sharing the lanes, more blocks of a pass run concurrently */
    bool chained;  /* blocks of a pass wait for one another, each for those before it */
    bool revisits; /* blocks of a pass return to its open slabs again and again */
    bool cells;    /* the domain can be cut into cells */
    bool in_order; /* supports ascending stages, with one cell per rank along the chain axis */
    /* Leaf of this graph in planes: the requested one, raised to the width that cuts of subzoids
     * can reach. NULL: the method does not recurse. */
    long (*leaf)(const struct zoid_graph *graph);
    /* Maximum depth of this graph's blocks; NULL: unlimited. */
    long (*max_depth)(const struct zoid_graph *graph);
    /* Feature of the shape that the method does not support, as in "leaning cannot do ..."; NULL:
     * there is none. The member is NULL if the method supports every shape. */
    const char *(*refuses)(const struct zoid_shape *shape);
    void (*census)(const struct zoid_graph *graph, struct zoid_census *census);
    int (*emit)(const struct zoid_graph *graph, struct zoid_sink *sink);
};

/* All methods, NULL-terminated. */
extern const struct zoid_method *const zoid_methods[];
/* Look up a method by name; returns NULL if there is none. */
const struct zoid_method *zoid_method_find(const char *name);
/* Error codes of builders; sinks use positive values. */
enum {
    ZOID_GRAPH_NO_MEMORY = -1,
    ZOID_GRAPH_BAD_BLOCK = -2,
    ZOID_GRAPH_BAD_SHAPE = -3,
    ZOID_GRAPH_BAD_CELLS = -4,
    ZOID_GRAPH_BAD_LEG = -5,
    ZOID_GRAPH_BAD_RANKS = -6
};

/* Check a graph's parameters, clamp those that are too large, and set leaf and line. Clamps block
 * to max(planes of a cell, min_block), depth to the steps and the method's max_depth, the epoch to
 * whole passes, and cells to one per grain. In legs that are cut into cells, depth and epoch may
 * exceed the steps, since the next leg may be longer. *clamped: whether a parameter was clamped.
 * Returns 0, or
 *  - ZOID_GRAPH_BAD_SHAPE: the method refuses the shape (zoid_method_refuses);
 *  - ZOID_GRAPH_BAD_BLOCK: block < min_block;
 *  - ZOID_GRAPH_BAD_CELLS: the method has no cells, the domain has no such axis, the shape leaves
 *    it uncut, borders do not ascend from 0 to its extent by whole grains, those along the chain
 *    axis move, or the epoch is negative;
 *  - ZOID_GRAPH_BAD_RANKS: the cells of an axis cannot be distributed evenly, there is no such
 *    rank, borders move between several ranks, or blocks of an epoch read beyond the neighbouring
 *    cells (zoid_epoch_most). */
int zoid_graph_init(struct zoid_graph *graph, bool *clamped);
/* Fill the census of an initialised graph. */
void zoid_graph_census(const struct zoid_graph *graph, struct zoid_census *census);
/* Stream an initialised graph into a sink, in a legal sequential order. Returns 0,
 * ZOID_GRAPH_NO_MEMORY, or the non-zero value of a callback that aborted it. */
int zoid_graph_emit(const struct zoid_graph *graph, struct zoid_sink *sink);

/* ---- cells --------------------------------------------------------------------------------- */

/* Owned points of a cell in an epoch; unbounded along axes that are not cut. */
struct zoid_patch zoid_cell_own(const struct zoid_graph *graph, long cell, long epoch);
/* Number of planes of a cell's *line*: the planes of its window, which methods count from 0. The
 * same for all cells, of the rank if ranks are apart; if the chain axis is not cut, that of the
 * domain. */
long zoid_cell_line(const struct zoid_graph *graph);

/* ---- sinks ------------------------------------------------------------------------------- */

/* Prover: checks that a stream is legal; see graphs/sinks/prove.c. Reports the first violation. */
struct zoid_prove;
struct zoid_prove_options {
    const struct zoid_graph *graph; /* the whole run, or its first leg; of all ranks or one */
    bool redundant;                 /* points may be computed more than once */
    /* Decides whether a leg ends early (zoid_sink.last); NULL: it does not. */
    bool (*last)(void *self, long steps);
    void *self;
};
/* Create a prover, to be released with zoid_prove_destroy; returns NULL if out of memory. */
struct zoid_prove *zoid_prove_create(const struct zoid_prove_options *options);
/* Sink to emit the graph, or each leg, into. Owned by the prover. */
struct zoid_sink *zoid_prove_sink(struct zoid_prove *prove);
/* Verdict after the emission of the graph or of the last leg: 0 if it is proved. *why is the first
 * violation, owned by the prover. */
int zoid_prove_verdict(struct zoid_prove *prove, const char **why);
/* Release a prover and set *prove to NULL; no-op if it is NULL. */
void zoid_prove_destroy(struct zoid_prove **prove);

/* Cost of a graph; see graphs/sinks/count.c. */
struct zoid_count {
    long blocks;
    long points, useful, redundant; /* useful: every point of the domain once a time */
    long plane_reads[ZOID_KINDS];   /* planes passed to blocks, per kind of datum */
    long plane_writes[ZOID_KINDS];
    long critical_points; /* points on the longest chain of dependent blocks */
    long critical_blocks;
};
/* Count a graph. Returns 0, ZOID_GRAPH_NO_MEMORY, or positive if the census does not fit. */
int zoid_count_graph(const struct zoid_graph *graph, struct zoid_count *count);

/* Write the graph, of every rank if there are several, in Graphviz format. Returns non-zero, with
 * errno set, if out of memory or if the stream fails. */
int zoid_dot_graph(const struct zoid_graph *graph, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
