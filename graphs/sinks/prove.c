/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a stream of blocks computes the correct result, by replaying it over a symbolic
 * store.
 *
 * The rules, in the order in which a block is checked:
 *  - it belongs to the graph: its times, its number of accesses, its lane, its rank, and the order
 *    of passes and cells, which each rank has of its own;
 *  - its points lie in its cell's window;
 *  - each access is legal (prove_state.h has the rules of data);
 *  - data that it prefetches hold planes, and the block does not access them itself;
 *  - every plane that an `in` view names is in the datum, of that time and in that slot;
 *  - every point that it reads, mirrored ones included, is in its own box or in an `in` view, and
 *    so are its coefficients;
 *  - every point that it computes is in the domain and, unless the graph is redundant, new;
 *  - every plane that an `out` view names is the block's to leave, and fits the datum;
 *  - no slot of a datum is written twice;
 *  - an access that keeps other planes of a datum writes planes of one time into one that holds
 *    some;
 *  - no unread planes are overwritten or declared dead;
 *  - coefficients are only read, for the whole duration of the block;
 *  - if points have memory, it updates that of all planes that it computes, each of which has had
 *    that of the time before. In several cells each has its own: a block that begins an epoch
 *    completes that of the planes that it takes, from halos, before any block updates it, and one
 *    that leaves planes for other cells has their memory of the same time.
 *
 * At the end: all of the domain was loaded once, computed at every time and stored once, its
 * coefficients were loaded once, the number of blocks is that of the census, and no planes are left
 * unread.
 *
 * A run may have several legs. Each is judged like a graph, except that only the first one loads,
 * into the store that all share, and that only the last one must store. If the sink decides whether
 * a leg ends, it is asked about every epoch in turn, before the last pass of the epoch opens; after
 * a yes the leg is one of fewer steps. The contents of slabs at its end must be read; halos are for
 * an epoch that may not come.
 *
 * Along a periodic chain axis blocks and views extend beyond the domain. Contents of a datum are
 * then compared with reads of it after a shift by whole domains, and computed points count for the
 * plane modulo n. The same holds along a periodic axis that is cut into cells.
 *
 * With several ranks the stream is that of all of them. A block accesses data of its own rank,
 * reads messages to its cell, and writes those of its cell. A message is a patch that fits it, and
 * its reader expects the same patch. For each exchange, that is for the epoch that reads it, a
 * message
 *  - is awaited, once the previous contents of a datum of its name were read, and before the answer
 *    to it is sent for the exchange before, which allows it to arrive; except where a leg begins;
 *  - is left, by blocks that end the epoch before, once the previous one was sent, whatever its
 *    name: its owner has one datum for all names that epochs alternate among;
 *  - is joined, if ranks exchange axis by axis, after it was left, from messages of the same
 *    exchange;
 *  - is sent once, when it is awaited and has its patch of all planes that its slab holds at the
 *    end of the epoch; or, if a sink has ended the graph, without having been left;
 *  - is read, by blocks that begin its epoch.
 *
 * The stream of one rank is proved by itself (prove_alone.c). A received message is taken as right;
 * the rank has to send the same in every exchange, and to load, compute and store the points that
 * it owns. If borders move before a first leg, slabs stay where they are, and hold together with
 * the planes that were copied all that the leg loads.
 *
 * At the end of a leg no message is still awaited, and those that arrived for this leg have been
 * read.
 *
 * Overwriting planes before their last reader needs no rule of its own: the stream is a legal order
 * for one worker, in which that reader comes later and does not find them. Tasks submitted in this
 * order depend on each other wherever they share a datum, so any execution agrees. */
#include <limits.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/leg.h"
#include "graphs/sinks/prove.h"
#include "graphs/sinks/prove_state.h"

/* ---- the sink ---------------------------------------------------------------------------- */

static int prove_full(struct zoid_prove *p, const struct zoid_cover *cover, long t,
                      const char *what)
{
    const struct zoid_box share = zoid_prove_share(p, t);

    if (cover->volume == zoid_box_volume(&share))
        return 0;
    p->left.count = 0;
    if (zoid_boxes_push(&p->left, &share))
        return zoid_prove_no_memory(p);
    for (size_t i = 0; i < cover->set.count; i++)
        if (zoid_boxes_cut(&p->left, &cover->set.box[i]))
            return zoid_prove_no_memory(p);
    if (cover == &p->coefficients || cover == &p->memory)
        return zoid_prove_fail(p, "never %s the %s of %s", what,
                               cover == &p->memory ? "memory" : "coefficients",
                               zoid_prove_where(p, &p->left).s);
    return zoid_prove_fail(p, "never %s %s of time %ld", what, zoid_prove_where(p, &p->left).s, t);
}

/* Check that all of the state was loaded, and all coefficients and memory if there are any. */
static int prove_loaded(struct zoid_prove *p)
{
    if (prove_full(p, &p->done[0], p->first, "brings"))
        return -1;
    if (p->graph.coefficients && prove_full(p, &p->coefficients, p->first, "brings"))
        return -1;
    return zoid_remembers(&p->graph.shape) ? prove_full(p, &p->memory, p->first, "brings") : 0;
}

static int enter(struct zoid_prove *p, enum zoid_prove_phase phase)
{
    if (p->failed)
        return -1;
    if (phase == ZOID_LOADING && p->phase == ZOID_RUNNING)
        return zoid_prove_fail(p, "loads again");
    if (phase < p->phase)
        return zoid_prove_fail(p, "is not the end: a %s follows",
                               phase == ZOID_LOADING ? "load" : "block");
    if (p->phase == ZOID_LOADING && phase > ZOID_LOADING && prove_loaded(p))
        return -1;
    p->phase = phase;
    p->turn++;
    return 0;
}

/* Windows overlap: cells load ghost points redundantly. */
static int prove_window(struct zoid_prove *p, const struct zoid_access *a)
{
    const struct zoid_patch window = zoid_cell_window(&p->graph, a->datum.row);

    for (int axis = 0; axis < p->chain; axis++) {
        const struct zoid_range *has = &a->out.patch.axis[axis], *most = &window.axis[axis];

        if (has->lo < most->lo || has->hi > most->hi)
            return zoid_prove_fail(p, "has %c [%ld, %ld) of cell %ld, whose window is [%ld, %ld)",
                                   "xy"[axis], has -> lo, has -> hi, a -> datum.row, most->lo,
                                   most->hi);
    }
    return 0;
}

/* Check a load or a store, which handles whole planes of one time. */
static int prove_end(struct zoid_prove *p, const struct zoid_access *a, enum zoid_mode mode,
                     struct zoid_cover *cover)
{
    const struct zoid_view *view = mode == ZOID_READ ? &a->in : &a->out;
    long t = mode == ZOID_READ ? p->times : p->first;
    struct zoid_box planes;

    if (a->mode != mode)
        return zoid_prove_fail(p, "has an access of mode %d", (int)a->mode);
    if (mode == ZOID_READ && zoid_kind_stands(a->datum.kind))
        return zoid_prove_fail(p, "takes %s, which %s no state", zoid_kinds[a->datum.kind].several,
                               a->datum.kind == ZOID_MEMORY ? "is" : "are");
    if (zoid_prove_access(p, a, (struct zoid_prove_times){t, t, t, false}))
        return -1;
    if (mode == ZOID_WRITE && p->moved)
        return prove_window(p, a) || zoid_prove_bring(p, a, cover);
    if (mode == ZOID_READ ? zoid_prove_read(p, a, &p->everywhere)
                          : prove_window(p, a) || zoid_prove_write(p, a, &p->everywhere))
        return -1;
    planes = zoid_prove_planes(p, view, &p->everywhere, t);
    if (zoid_box_empty(&planes))
        return 0;
    return zoid_prove_add(p, cover, &planes, t, mode == ZOID_READ ? "takes" : "brings",
                          mode == ZOID_WRITE && zoid_cells(&p->graph) > 1);
}

static int on_load(struct zoid_sink *self, const struct zoid_access *a)
{
    struct zoid_prove *p = (struct zoid_prove *)self;
    struct zoid_cover *cover = a->datum.kind == ZOID_COEFFICIENT ? &p->coefficients
                               : a->datum.kind == ZOID_MEMORY    ? &p->memory
                                                                 : &p->done[0];

    return enter(p, ZOID_LOADING) || prove_end(p, a, ZOID_WRITE, cover);
}

static int on_block(struct zoid_sink *self, const struct zoid_block *b)
{
    struct zoid_prove *p = (struct zoid_prove *)self;
    int rc;

    if (enter(p, ZOID_RUNNING))
        return 1;
    p->blocks++;
    p->block = b;
    rc = zoid_prove_block(p, b);
    p->block = NULL;
    return rc;
}

static int on_join(struct zoid_sink *self, const struct zoid_join *join)
{
    struct zoid_prove *p = (struct zoid_prove *)self;
    const struct zoid_block name = {
        .owner = join->owner, .pass = join->pass, .cell = join->cell, .position = join->position};
    int rc;

    if (enter(p, ZOID_RUNNING))
        return 1;
    p->block = &name;
    p->joins = true;
    rc = zoid_prove_join(p, join);
    p->joins = false;
    p->block = NULL;
    return rc;
}

static int on_message(struct zoid_sink *self, const struct zoid_message *m)
{
    struct zoid_prove *p = (struct zoid_prove *)self;
    int rc;

    if (enter(p, ZOID_RUNNING))
        return 1;
    p->message = m;
    rc = zoid_prove_message(p, m);
    p->message = NULL;
    return rc ? 1 : 0;
}

static int on_store(struct zoid_sink *self, const struct zoid_access *a)
{
    struct zoid_prove *p = (struct zoid_prove *)self;

    p->stores = true;
    return enter(p, ZOID_STORING) || prove_end(p, a, ZOID_READ, &p->stored);
}

/* Steps from one time at which the leg may end to the next. */
static long steps_between(const struct zoid_prove *p)
{
    return zoid_cells(&p->graph) > 1 ? p->graph.epoch : p->graph.depth;
}

static bool on_last(struct zoid_sink *self, long steps)
{
    struct zoid_prove *p = (struct zoid_prove *)self;
    struct zoid_graph *g = &p->graph;
    const long done = ++p->asked * steps_between(p);
    struct zoid_census census;

    if (enter(p, ZOID_RUNNING))
        return false;
    if (steps != g->start + done || done >= g->steps) {
        zoid_prove_fail(p, "asks whether it ends at step %ld", steps);
        return false;
    }
    if (zoid_prove_opened(p, p->census.idle + done / g->depth - 1)) {
        zoid_prove_fail(p, "asks too late whether it ends at step %ld", steps);
        return false;
    }
    if (!p->last || !p->last(p->self, steps))
        return false;
    g->steps = done;
    p->times = zoid_graph_last_time(g);
    zoid_graph_census(g, &census);
    p->census.blocks = census.blocks;
    return true;
}

/* ---- the verdict ------------------------------------------------------------------------- */

/* Check that the sink was asked about every epoch but the last one, and if it ended the leg, about
 * that one, too. */
static int prove_asked(struct zoid_prove *p)
{
    const struct zoid_graph *g = &p->graph;
    long ends = g->steps ? (g->steps - 1) / steps_between(p) : 0;

    return p->asked >= ends ? 0
                            : zoid_prove_fail(p, "does not ask whether it ends at step %ld",
                                              g->start + (p->asked + 1) * steps_between(p));
}

/* Verdict on a leg; `end`: on the last one. */
static int judge(struct zoid_prove *p, bool end)
{
    if (enter(p, ZOID_JUDGING))
        return -1;
    for (long t = p->first + 1; t <= p->times; t++)
        if (prove_full(p, &p->done[t - p->first], t, "computes"))
            return -1;
    if ((end || p->stores) && prove_full(p, &p->stored, p->times, "stores"))
        return -1;
    if (zoid_prove_all_sent(p) || zoid_prove_all_read(p, end))
        return -1;
    if (p->blocks != p->census.blocks)
        return zoid_prove_fail(p, "has %ld blocks, the census says %ld", p->blocks,
                               p->census.blocks);
    return p->last ? prove_asked(p) : 0;
}

int zoid_prove_verdict(struct zoid_prove *p, const char **why)
{
    int rc = judge(p, true);

    *why = p->why;
    return rc;
}

struct zoid_sink *zoid_prove_sink(struct zoid_prove *p)
{
    return &p->sink;
}

/* ---- construction and destruction -------------------------------------------------------- */

static void free_leg(struct zoid_prove *p)
{
    for (long t = p->first; p->done && t <= p->planned; t++)
        zoid_cover_free(&p->done[t - p->first]);
    zoid_cover_free(&p->stored);
    free(p->done);
    free(p->lane_lap);
    free(p->rank);
}

/* The points of the stream: all of the domain, or those that its rank owns. */
static struct zoid_box share_of(const struct zoid_prove *p)
{
    const struct zoid_range cells = zoid_graph_cells(&p->graph);
    struct zoid_box share = p->whole;
    struct zoid_patch first, last;

    if (!zoid_prove_alone(p))
        return share;
    first = zoid_cell_own(&p->graph, cells.lo, 0);
    last = zoid_cell_own(&p->graph, cells.hi - 1, 0);
    for (int a = 0; a < ZOID_AXES; a++)
        if (zoid_axis_cut(&p->graph, a)) {
            share.lo[a] = first.axis[a].lo;
            share.hi[a] = last.axis[a].hi;
        }
    return share;
}

/* Give the census of one rank the rows of all, since data are named alike in either. Other ranks
 * may have other numbers of rows, but the stream does not name these. */
static void spread(struct zoid_prove *p)
{
    struct zoid_graph all = p->graph;
    struct zoid_census census;

    all.rank = ZOID_EVERY_RANK;
    zoid_graph_census(&all, &census);
    for (int k = 0; k < ZOID_KINDS; k++)
        p->census.kind[k].rows = zoid_kind_travels((enum zoid_kind)k)
                                     ? census.kind[k].rows
                                     : p->census.kind[k].rows * p->ranks;
}

/* Initialise the members that belong to one leg. */
static int init_leg(struct zoid_prove *p, const struct zoid_graph *g)
{
    p->graph = *g;
    p->first = zoid_graph_first_time(g);
    p->times = p->planned = zoid_graph_last_time(g);
    p->stored = (struct zoid_cover){.volume = 0};
    p->stores = false;
    p->asked = p->blocks = 0;
    p->lanes = g->elastic ? 2 * g->lanes - 1 : g->lanes;
    p->done = calloc((size_t)(p->times - p->first) + 1, sizeof *p->done);
    p->lane_lap = calloc((size_t)(p->lanes * p->ranks) + 1, sizeof *p->lane_lap);
    p->rank = calloc((size_t)p->ranks, sizeof *p->rank);
    if (!p->done || !p->lane_lap || !p->rank)
        return zoid_prove_no_memory(p);
    p->share = share_of(p);
    zoid_graph_census(g, &p->census);
    p->messages = p->census.kind[ZOID_MESSAGE].rows;
    if (zoid_prove_alone(p))
        spread(p);
    return zoid_prove_data(p, &p->census);
}

int zoid_prove_next(struct zoid_prove *p, const struct zoid_graph *leg)
{
    const char *unlike = zoid_graph_unlike(&p->graph, leg);

    if (judge(p, false))
        return -1;
    if (unlike)
        return zoid_prove_fail(p, "has legs of different %s", unlike);
    free_leg(p);
    p->moved = false;
    if (init_leg(p, leg))
        return -1;
    p->phase = ZOID_RUNNING;
    return 0;
}

int zoid_prove_moved(struct zoid_prove *p, const struct zoid_graph *leg,
                     const struct zoid_gain *gain)
{
    struct zoid_graph before = p->graph;
    const char *unlike;

    before.cut[p->chain].border = leg->cut[p->chain].border;
    unlike = zoid_graph_unlike(&before, leg);
    if (judge(p, false))
        return -1;
    if (unlike)
        return zoid_prove_fail(p, "has legs of different %s", unlike);
    if (leg->leg.is != ZOID_LEG_FIRST || zoid_graph_first_time(leg) != p->times)
        return zoid_prove_fail(p, "moves borders before a leg that is no first one from there on");
    free_leg(p);
    zoid_cover_free(&p->coefficients);
    zoid_cover_free(&p->memory);
    p->coefficients.volume = p->memory.volume = 0;
    p->moved = true;
    p->gain = *gain;
    if (init_leg(p, leg) || zoid_prove_memory_load(p))
        return -1;
    p->phase = ZOID_LOADING;
    return 0;
}

static const long FAR = LONG_MAX / 4;

/* Initialise the members that all legs share. */
static void init_run(struct zoid_prove *p, const struct zoid_graph *g)
{
    const struct zoid_shape *shape = &g->shape;

    p->chain = zoid_chain(shape);
    p->domain = zoid_domain(shape, 0, 0);
    p->whole = zoid_box_at(&p->domain, 0);
    p->everywhere = p->domain;
    p->cells = zoid_rank_cells(g);
    p->ranks = zoid_ranks(g);
    for (int a = 0; a <= p->chain; a++)
        if ((a == p->chain || zoid_axis_cut(g, a)) && zoid_axis_periodic(shape, a))
            p->everywhere.dim[a] = (struct zoid_face){.lo = -FAR, .hi = FAR};
    p->space = zoid_box_at(&p->everywhere, 0);
    p->loaded = zoid_graph_first_time(g);
}

struct zoid_prove *zoid_prove_create(const struct zoid_prove_options *options)
{
    struct zoid_prove *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->redundant = options->redundant;
    p->last = options->last;
    p->self = options->self;
    p->sink = (struct zoid_sink){.message = on_message,
                                 .join = on_join,
                                 .load = on_load,
                                 .block = on_block,
                                 .store = on_store,
                                 .last = on_last};
    init_run(p, options->graph);
    p->phase = ZOID_JUDGING;
    if (!init_leg(p, options->graph))
        zoid_prove_memory_load(p);
    p->phase = ZOID_LOADING;
    return p;
}

void zoid_prove_destroy(struct zoid_prove **prove)
{
    struct zoid_prove *p = *prove;

    *prove = NULL;
    if (!p)
        return;
    free_leg(p);
    zoid_cover_free(&p->coefficients);
    zoid_cover_free(&p->memory);
    free(p->remembered);
    zoid_boxes_free(&p->scratch);
    zoid_boxes_free(&p->left);
    zoid_prove_free_data(p);
    free(p->latest);
    free(p);
}
