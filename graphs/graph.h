/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of blocks: what builders emit and sinks receive. Pure C; nothing here knows a device.
 *
 * A builder (one per method) streams blocks in a legal sequential order into a sink. Graphs are
 * generated, never stored: memory does not grow with the number of blocks. Blocks and their
 * access lists belong to the builder and are valid only during the call that hands them over.
 */
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

/* Coefficients are constants of the points: a datum of them holds planes that never move. What else
 * is known of each kind is in graphs/kinds.def. */
enum zoid_kind {
#define ZOID_ROW(NAME, ...) ZOID_##NAME,
#include "graphs/kinds.def"
    ZOID_KINDS
};

/* row is the cell, lane, direction or parity a datum belongs to, col its position in it; both are
 * bounded by the graph's census. A rank's rows follow those of the rank before it. */
struct zoid_datum {
    enum zoid_kind kind;
    long row, col;
    int owner; /* rank; of a message, the one that sends it */
};

/* A name that is the same on every rank, and that no other datum of the graph has. */
static inline uint64_t zoid_datum_index(const struct zoid_datum *d)
{
    return (uint64_t)d->kind << 56 | (uint64_t)d->row << 32 | (uint64_t)d->col;
}

enum zoid_mode { ZOID_READ = 1, ZOID_WRITE = 2, ZOID_UPDATE = ZOID_READ | ZOID_WRITE };

/* Where a datum is wanted next. A datum of state: SAME: it may stay where it is; LANE: the block
 * that takes it next is of the next lane, and nothing else brings it there; RAM: no block wants it
 * for a while, and it should go home; DEAD: nobody reads what it holds. A datum of coefficients is
 * at home all the time, and `fetch` brings a copy to where it is wanted: SAME: the next block of
 * this pass reads it too; LANE and RAM: this lane has done with it for now and may drop the copy,
 * unwritten; after LANE the next lane is about to read it and can have the copy. Coefficients are
 * never DEAD. */
enum zoid_next { ZOID_NEXT_SAME, ZOID_NEXT_LANE, ZOID_NEXT_RAM, ZOID_NEXT_DEAD };

/* `in` is what the datum holds when the block starts (READ), `out` what it holds when the block has
 * ended (WRITE), and nothing else. An access that `keeps` is the exception: the datum holds
 * something before, and still does wherever `out` names no slot. Such an `out` is of one time, and
 * so is every `out` that left what the datum holds; these times may differ. Planes of a view that
 * lie outside the domain do not exist and their slots hold nothing. Coefficients have an `in` view
 * from the block's first time to its last, without drift or advance.
 *
 * A block computes its times in their order, the graph's at_once at a time at most, and leaves what
 * it leaves of them before it goes on. What it updates around a circle (zoid_view) it may write
 * over when it has read it for the last time; what it reads of any other datum it reads before it
 * leaves anything there.
 *
 * Where the domain is cut into cells, an `in` view may have only a patch of what it names, and
 * halos, ends and messages that the block reads have the rest. An access that `fills` is read, and
 * the block puts the rest beside what the datum holds; to tasks that is an update. Every update
 * fills, too. The view of a halo names the patch that is its cell's own, and the halo has the rim
 * of that patch: see zoid_cell_rim. The view of an end names its cell's own patch as well, and the
 * end has all of it; that of a message names the patch that the message has. A block accesses data
 * of its own rank, and reads messages to it, which ranks send one another (zoid_message).
 *
 * A domain that is periodic along the chain axis has no outside: plane z is plane z modulo n. Then
 * zoids and views go on beyond [0, n). A block that needs planes of a datum at several places lists
 * it once for each, to read. */
struct zoid_access {
    struct zoid_datum datum;
    enum zoid_mode mode;
    bool keeps, fills;
    struct zoid_view in, out;
    enum zoid_next next;
};

/* A block computes, for t = t0 + 1 ... t1, its zoid's box at t clipped by its region. Each plane of
 * time t - 1 that it reads is in its own box of t - 1 (for t - 1 > t0) or in an `in` view that has
 * that time. Where a stage ascends, that holds for the planes at or above the one it computes; it
 * reads each plane below that one as it is at time t, from its own box of t or from an `in` view
 * that has t; such views may go up to t1. Each `out` plane of time t comes from its own box of t
 * where t > t0, and at t0 from an `in` view; for each plane of time t it has the coefficients of
 * all planes that it reads, or of those near it (zoid_coefficients). Where the domain is mirrored
 * in a face, planes beyond it are planes inside, and read there. No slot of a datum is written
 * twice. A block with t0 == t1 computes nothing and only moves planes. */
struct zoid_block {
    const struct zoid_shape *shape;
    struct zoid zoid, region;
    int owner;
    long pass, cell, position;
    int lane;
    size_t naccess;
    const struct zoid_access *access;
    /* Data to bring in when the block starts: those that the next block of the pass reads, or slabs
     * that one soon after it reads; not those that this block reads itself, nor those that the lane
     * before hands on. A slab comes first, its halos and coefficients follow. */
    size_t nfetch;
    const struct zoid_datum *fetch;
    /* Where the lap leaves something for other cells: columns of slabs that it has done with. */
    size_t ndone;
    const long *done;
};

/* What ranks do with a message beside the blocks: `sends`: from now on the datum holds what its
 * owner's blocks have left in it for this exchange, all of them, and it is sent to `peer`; or else
 * the next one from `peer` may arrive in the datum as soon as blocks that came before have done
 * with it. Between two ranks messages of the same row and column arrive in the order in which they
 * are sent; epochs take turns with three rows. */
struct zoid_message {
    struct zoid_datum datum;
    int rank, peer; /* who does it, and with whom */
    bool sends;
};

/* What a rank adds to a message before it sends it, where ranks exchange axis by axis: points that
 * have come from ranks beside it along the axes before, so that who gets the message gets them,
 * too, and need not get them from those that lie across an edge or a corner. It moves planes of one
 * time, that with which the epoch of its pass has ended. The first access updates the message, and
 * where that is of several slabs keeps what other planes it has; each of the others reads a message
 * for the same exchange. */
struct zoid_join {
    int owner;
    long pass, cell, position; /* of the block after which it comes */
    size_t naccess;
    const struct zoid_access *access;
};
enum { ZOID_JOIN_MOST = 1 + 2 * ZOID_PLANE_AXES }; /* accesses */

/* How many data of one kind a graph uses: rows x cols of them, each `planes` planes (of every
 * state field, or for coefficients of every coefficient field). */
struct zoid_census_row {
    long rows, cols, planes;
};

struct zoid_census {
    struct zoid_census_row kind[ZOID_KINDS];
    /* Exact: */
    long blocks;   /* that a full emission hands over */
    double planes; /* that all blocks compute, of all times */
    long idle;     /* passes that come before all others and compute nothing, but want all slabs */
    long open_slabs; /* the most slabs of a pass that its blocks have not done with */
    /* Bounds: */
    long box_planes;       /* planes of a block's clipped box at any time t0 < t < t1 */
    long max_access;       /* that a block lists; */
    long max_halos;        /* of these, how many are halos, */
    long max_messages;     /* messages, */
    long max_coefficients; /* and how many are coefficients */
    long block_slabs;      /* that a block accesses */
    /* Guesses, to tell what a run costs: */
    struct {
        long abreast;       /* blocks of a pass that run at the same time, where workers allow */
        double serial;      /* the part of all work on the longest chain of blocks that wait for one
                             * another, where there are lanes enough */
        double mean_planes; /* of a time that a block computes, */
        double mean_times;  /* and how many times */
    } about;
};

/* Receives a graph. load: before any block, once for each datum that holds initial state (`out`, at
 * the graph's first time), by ascending planes, then once for each datum of coefficients (the
 * same); not of a leg that follows another. store: after the last block, once for each datum that
 * holds final state (`in`, at the last time). Any of these may return non-zero to break the
 * emission off, which then returns that value; what data hold is of no use then.
 *
 * last: whether the graph ends here. It is asked when the last pass of an epoch opens, and with
 * one cell when any pass does that computes something, before a block of it: `steps` is the step,
 * counted from time 0, at whose end this epoch or pass ends. Where the graph ends by itself it is
 * not asked. After a true answer what is open ends as a graph of so many steps does, store
 * included. All ranks must give the same answer.
 *
 * message: where there are ranks. What the first exchange brings is awaited before the first block.
 * After a block that was the last of its lap to touch a slab, what the exchange after the next one
 * brings is awaited, then what was left beside the slab is sent; the same after the last block of a
 * lap, for what goes between cells along the chain axis. So nothing arrives that was not
 * awaited, whoever is ahead, but where a leg begins. All that is awaited is sent, also where the
 * graph ends early, and then is of no use.
 *
 * join: where ranks exchange axis by axis, before a message is sent that has points of others.
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

/* The cut of the domain along an axis: into `cells` cells, 0 or 1 if it is not cut. `border` has
 * cells + 1 ascending numbers, from 0 to the axis's extent, for each epoch up to `epochs`, counted
 * over all legs; the last ones hold from then on; those along the chain axis stay. NULL: cells as
 * even as can be, at all times. All but the extent are multiples of the shape's grain. */
struct zoid_axis_cells {
    long cells;
    long epochs;
    const long *border;
};

/* A run is one graph, or a list of them, its *legs*: the first one loads, and each other one begins
 * from what the one before it left, as zoid_graph_follow has it. Data that outlive a leg (slabs,
 * halos and coefficients) have the same names and sizes in all legs; what others hold is dead
 * between two. */
enum zoid_legs { ZOID_LEG_ONLY, ZOID_LEG_FIRST, ZOID_LEG_NEXT };
struct zoid_leg {
    enum zoid_legs is;
    long epochs; /* that the legs before it had */
    long piece;  /* planes of a datum of coefficients; 0: as suits the blocks */
};

/* Which coefficients a plane is computed from, if there are any: those of all planes that its stage
 * looks at; or of these, only those NEAR it: within the graph's coefficient_reach. */
enum zoid_coefficients { ZOID_COEFFICIENTS_NONE, ZOID_COEFFICIENTS_ALL, ZOID_COEFFICIENTS_NEAR };

/* A graph is its parameters. Fill shape, steps, block, depth, lanes and, where planes are cut, the
 * cuts and the epoch; then zoid_graph_init. What `border` points to belongs to the caller. Time is
 * absolute: the graph computes times start * stages + 1 to (start + steps) * stages, and which
 * stage does, and where slabs that drift are, follows from that. A pass counts from the graph's own
 * first one. */
struct zoid_graph {
    const struct zoid_method *method;
    struct zoid_shape shape;
    long start; /* whole steps that were done before */
    long steps; /* whole steps, >= 0 */
    long block; /* planes a slab */
    long depth; /* steps a block advances */
    struct zoid_axis_cells cut[ZOID_AXES];
    long ranks[ZOID_AXES]; /* along each axis, as many cells to each; 0 or 1: one */
    int rank;              /* whose blocks and data these are; ZOID_EVERY_RANK: all ranks' */
    bool turned; /* cells along the chain axis are the mirror images of those that they were */
    bool joined; /* ranks exchange axis by axis, and none with one across an edge or a corner */
    long epoch; /* steps from one exchange of cells to the next, whole passes; 0: those of a pass */
    long line;  /* where the chain axis is cut, planes of a cell's line; zoid_graph_init sets it */
    long leaf;  /* planes that a recursion does not cut; 0: the method chooses */
    int lanes;  /* passes that advance together, or where they do not, subzoids */
    long at_once; /* times that blocks compute at once, at most; 0: any */
    bool elastic; /* let the last passes share the lanes evenly: up to 2 lanes - 1 open at once */
    int workers;  /* that share the lanes of an elastic graph, so that blocks of a pass may run at
                   * the same time; 0: as many as there are lanes */
    enum zoid_coefficients coefficients;
    struct {
        long lo, hi;
    } coefficient_reach; /* along the chain axis, of those that are NEAR */
    struct zoid_leg leg;
};

/* A graph of every rank is one stream, and legal as that. A rank's own stream is what remains of it
 * without the blocks of others. */
enum { ZOID_EVERY_RANK = -1 };

/* The times that a graph begins and ends with. */
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
    /* The lowest slab the method can honour for this shape. */
    long (*min_block)(const struct zoid_shape *shape);
    bool single_step; /* the method's depth is always 1 */
    /* Passes advance together, each in a lane, and hand slabs on. Without, a pass begins when the
     * one before it has ended, and all blocks are of lane 0. */
    bool pipelined;
    bool spans; /* a block takes and leaves several slabs at once */
    bool wide;  /* where more workers share the lanes, more blocks of a pass run at the same time */
    bool revisits; /* a pass comes back to the slabs that it has open, block after block */
    bool cells;    /* the domain can be cut into cells */
    bool in_order; /* stages may take the points in ascending order; there are no cells then */
    /* What this graph's leaf becomes: as many planes as are asked for, where subzoids can be cut
     * until they have no more. NULL: the method does not recurse. */
    long (*leaf)(const struct zoid_graph *graph);
    /* The deepest that this graph's blocks can be; NULL: any depth. */
    long (*max_depth)(const struct zoid_graph *graph);
    /* What of this shape the method cannot do, as in "leaning cannot do ..."; NULL: nothing. The
     * member is NULL where that is so of every shape. */
    const char *(*refuses)(const struct zoid_shape *shape);
    void (*census)(const struct zoid_graph *graph, struct zoid_census *census);
    int (*emit)(const struct zoid_graph *graph, struct zoid_sink *sink);
};

extern const struct zoid_method zoid_naive, zoid_trapezoid, zoid_overlapped, zoid_leaning,
    zoid_recursive;

/* All methods, NULL at the end. */
extern const struct zoid_method *const zoid_methods[];
const struct zoid_method *zoid_method_find(const char *name);
/* What of this shape the method cannot do; NULL: nothing. No method does stages that descend, steps
 * with both orders, or an order where a face is open. */
const char *zoid_method_refuses(const struct zoid_method *method, const struct zoid_shape *shape);

/* Returned by builders; sinks use positive values of their own. */
enum {
    ZOID_GRAPH_NO_MEMORY = -1,
    ZOID_GRAPH_BAD_BLOCK = -2,
    ZOID_GRAPH_BAD_SHAPE = -3,
    ZOID_GRAPH_BAD_CELLS = -4,
    ZOID_GRAPH_BAD_LEG = -5,
    ZOID_GRAPH_BAD_RANKS = -6
};

/* Clamps block and depth to what the domain, the steps and the method allow: a block higher than
 * max(planes of a cell, lowest slab), a depth beyond the steps or the method's deepest. Where legs
 * are cut into cells, depth and epoch may be beyond the steps, since the next leg may have more.
 * True in *clamped if anything changed. Sets the leaf. Fails with ZOID_GRAPH_BAD_SHAPE when the
 * method refuses the shape (see zoid_method_refuses), with ZOID_GRAPH_BAD_BLOCK when block <
 * min_block, with ZOID_GRAPH_BAD_CELLS when the method has no cells, the domain no such axis, the
 * shape leaves it uncut, or borders do not ascend from 0 to its extent by whole grains; with
 * ZOID_GRAPH_BAD_RANKS when the cells of an axis cannot be dealt out evenly, when borders move, or
 * when in an epoch blocks look farther than the cell next to theirs (zoid_epoch_most). */
int zoid_graph_init(struct zoid_graph *graph, bool *clamped);
void zoid_graph_census(const struct zoid_graph *graph, struct zoid_census *census);
int zoid_graph_emit(const struct zoid_graph *graph, struct zoid_sink *sink);

/* ---- legs ---------------------------------------------------------------------------------- */

/* What the legs of a run must have alike and these two have not, as in "legs of different ...":
 * method, shape, slabs, cells, ranks, directions, exchanges, epochs, or coefficients. NULL:
 * nothing. Steps, depth, leaf and lanes are free. */
const char *zoid_graph_unlike(const struct zoid_graph *a, const struct zoid_graph *b);
/* Makes `next` the leg that follows `before`, which was emitted as a first leg or a next one:
 * `done`, its steps or, where a sink said that it was the last, as many as were computed. Sets
 * start, epoch and leg, then zoid_graph_init, which may fail; ZOID_GRAPH_BAD_LEG when the two are
 * unlike, or `before` is a whole run. Emit it into the same sink, without waiting for anything. */
int zoid_graph_follow(struct zoid_graph *next, const struct zoid_graph *before, long done,
                      bool *clamped);
/* Makes *all the census of data that do for both: as many of each kind, and as large, as either
 * has. The other members become the larger ones. */
void zoid_census_join(struct zoid_census *all, const struct zoid_census *one);

/* ---- cells --------------------------------------------------------------------------------- */

/* How many cells there are, 1 or more; with one, nothing is cut. They count along x first. */
long zoid_cells(const struct zoid_graph *graph);
/* How many of them lie next to one another along an axis; 1 where it is not cut. */
long zoid_cells_along(const struct zoid_graph *graph, int axis);
bool zoid_axis_cut(const struct zoid_graph *graph, int axis);
/* Epochs have `epoch` steps each, the last one maybe fewer; with one cell there is one. They count
 * on from leg to leg: the first one is leg.epochs. */
long zoid_epochs(const struct zoid_graph *graph);
/* What a cell computes for good in an epoch; axes that are not cut leave nothing out. */
struct zoid_patch zoid_cell_own(const struct zoid_graph *graph, long cell, long epoch);
/* What a cell's data hold: all that its blocks look at in any epoch. Every cell's window has as
 * many points. Along a periodic axis it may go on beyond the domain, along others it does not. */
struct zoid_patch zoid_cell_window(const struct zoid_graph *graph, long cell);
/* A cell's *line*: the planes of its window, which methods count from 0, as if there were no
 * others: how many they are, in every cell as many, and which of the domain's the first one is.
 * Where the chain axis is not cut they are those of the domain. */
long zoid_cell_line(const struct zoid_graph *graph);
long zoid_cell_base(const struct zoid_graph *graph, long cell);
/* A cell's data hold the mirror image of its planes when each of its line has changed places with
 * the one that makes this sum with it, as far as there is one. They are then what the cell as far
 * from the other end of the turned graph has: its own, in their places; what it sees beside them is
 * other cells'. */
long zoid_cell_image(const struct zoid_graph *graph, long cell);
/* The rim of a patch that is a cell's own: the points that other cells look at, and that its halo
 * has. */
struct zoid_rim zoid_cell_rim(const struct zoid_graph *graph, const struct zoid_patch *own);
/* The same for a patch that is as large as the largest along every axis, from 0 on. */
struct zoid_rim zoid_cell_rim_most(const struct zoid_graph *graph);

/* ---- ranks ---------------------------------------------------------------------------------- */

/* How many there are, 1 or more, and how many next to one another along an axis. Each has a box of
 * cells; they count along x first, and so do the cells of one, after those of the ranks before. */
long zoid_ranks(const struct zoid_graph *graph);
long zoid_ranks_along(const struct zoid_graph *graph, int axis);
/* How many cells each rank has, and how many next to one another along an axis; those of the ranks
 * whose graph this is, one rank's or all; and whose a cell is. */
long zoid_rank_cells(const struct zoid_graph *graph);
long zoid_rank_cells_along(const struct zoid_graph *graph, int axis);
struct zoid_range zoid_graph_cells(const struct zoid_graph *graph);
int zoid_cell_rank(const struct zoid_graph *graph, long cell);
/* The longest epoch, in steps, in which no block looks beyond the cells next to its own where it
 * may not: along the chain axis, and where there are several ranks. LONG_MAX: any. */
long zoid_epoch_most(const struct zoid_graph *graph);
/* The cell that has left a message, the cell that it is for, its patch as the former counts points,
 * and the most planes that there are of such; no planes where there is no message of that name:
 * between cells that are not beside one another along the chain axis each slab has one, between
 * others there is one of all slabs, in column 0. */
long zoid_message_from(const struct zoid_datum *message);
long zoid_message_to(const struct zoid_graph *graph, const struct zoid_datum *message);
struct zoid_patch zoid_message_patch(const struct zoid_graph *graph,
                                     const struct zoid_datum *message);
long zoid_message_planes(const struct zoid_graph *graph, const struct zoid_census *census,
                         const struct zoid_datum *message);
/* What the rows of messages in a rank's census are: for each a name, as many as there are rows.
 * What the rank sends comes first, and each of its rows has the names of several epochs: that one
 * and those that follow. */
enum { ZOID_MESSAGE_EPOCHS = 3 };
void zoid_rank_messages(const struct zoid_graph *graph, struct zoid_datum *message);
/* Which of the rows that the graph's census has of its kind a datum has. */
long zoid_rank_row(const struct zoid_graph *graph, const struct zoid_census_row *rows,
                   const struct zoid_datum *datum);

/* ---- sinks ------------------------------------------------------------------------------- */

/* Proves the stream legal; see graphs/sinks/prove.c. Reports the first violation in `why`. */
struct zoid_prove;
struct zoid_prove_options {
    const struct zoid_graph *graph; /* the whole run, or its first leg */
    bool redundant;                 /* points may be computed more than once */
    /* Whether a leg is to end, as a sink is asked; NULL: by itself. */
    bool (*last)(void *self, long steps);
    void *self;
};
struct zoid_prove *zoid_prove_create(const struct zoid_prove_options *options);
struct zoid_sink *zoid_prove_sink(struct zoid_prove *prove);
/* After the emission of a leg: expects that of the next one. Non-zero where the legs so far are not
 * proved, with what follows: the verdict says why. */
int zoid_prove_next(struct zoid_prove *prove, const struct zoid_graph *leg);
/* After the emission, or the last leg's: 0 when proved, otherwise non-zero. *why points into the
 * prover. */
int zoid_prove_verdict(struct zoid_prove *prove, const char **why);
void zoid_prove_destroy(struct zoid_prove **prove);

/* What a plan costs; see graphs/sinks/count.c. */
struct zoid_count {
    long blocks;
    long points, useful, redundant; /* useful: every point of the domain once a time */
    long plane_reads[ZOID_KINDS];   /* planes handed to blocks, per kind of datum */
    long plane_writes[ZOID_KINDS];
    long critical_points; /* points on the longest chain of dependent blocks */
    long critical_blocks;
};
int zoid_count_graph(const struct zoid_graph *graph, struct zoid_count *count);
/* The same for a run of legs, each of which has been made to follow the one before it. */
int zoid_count_legs(const struct zoid_graph *leg, long legs, struct zoid_count *count);

/* Bytes that move where every datum comes once a visit; see graphs/sinks/moves.c. */
struct zoid_moves {
    double up, down;         /* from main memory to the near ones, and back */
    double peer;             /* from one near memory to another */
    double far_up, far_down; /* from what is beyond main memory to there, and back */
};
/* Where blocks find their data, and where these are at home. */
struct zoid_moves_options {
    int memories; /* near ones, which share the lanes evenly; 0: blocks run in main memory */
    bool kept[ZOID_KINDS]; /* where blocks run there is room for all data of the kind */
    bool far[ZOID_KINDS];  /* these are at home beyond main memory */
    bool settled; /* constants that are kept are there already, for a leg before has read them */
    long end; /* the step, counted from time 0, at whose end a sink said that it was the last; 0: no
               * sink did */
    double (*bytes)(const void *of, const struct zoid_datum *datum);
    const void *of;
};
enum { ZOID_MOVES_MEMORIES = 64 };
/* Of one rank's own stream where there are several. Non-zero also where a block reads what no
 * memory has any more, which the rule in graphs/residence.h must not let happen. */
int zoid_moves_graph(const struct zoid_graph *graph, const struct zoid_moves_options *options,
                     struct zoid_moves *moves);

/* How long blocks take on several workers; see graphs/sinks/schedule.c. */
struct zoid_schedule {
    double seconds; /* from the first block's start to the last one's end */
    double work;    /* of all blocks, one after the other */
};
struct zoid_schedule_options {
    int workers;
    long most; /* blocks that are submitted and have not ended, at most */
    double (*seconds)(const void *of, const struct zoid_block *block);
    const void *of;
};
/* Of one rank's own stream where there are several, whose messages are there when they are wanted.
 */
int zoid_schedule_graph(const struct zoid_graph *graph, const struct zoid_schedule_options *options,
                        struct zoid_schedule *schedule);

/* Writes the graph as Graphviz; returns non-zero with errno set when the stream fails. */
int zoid_dot_graph(const struct zoid_graph *graph, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
