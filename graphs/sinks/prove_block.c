/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules of one block, in the order in which prove.c lists them. */
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/rim.h"
#include "graphs/sinks/prove_state.h"

/* ---- the order of blocks ----------------------------------------------------------------- */

/* Position that a rank has reached in a lap. */
static long *latest_of(const struct zoid_prove *p, int rank, long lap)
{
    return &p->latest[lap * p->ranks + rank];
}

static int open_lap(struct zoid_prove *p, int rank)
{
    const long lap = p->rank[rank].laps;

    if (lap == p->laps_room) {
        long room = 2 * p->laps_room + 16;
        long *latest = realloc(p->latest, (size_t)(room * p->ranks) * sizeof *latest);

        if (!latest)
            return zoid_prove_no_memory(p);
        p->latest = latest;
        p->laps_room = room;
    }
    *latest_of(p, rank, lap) = -1;
    p->rank[rank].laps++;
    return 0;
}

long zoid_prove_epoch(const struct zoid_prove *p, long pass)
{
    const struct zoid_graph *g = &p->graph;
    const long idle = p->census.idle, before = g->leg.epochs;

    return pass < idle ? zoid_max(before - 1, 0) : before + (pass - idle) / (g->epoch / g->depth);
}

/* Number of a block's lap among those of its rank: epoch by epoch, cell by cell, pass by pass.
 * Passes that compute nothing are part of the first epoch. */
static long lap_of(const struct zoid_prove *p, const struct zoid_block *b)
{
    const struct zoid_graph *g = &p->graph;
    long idle = p->census.idle, most, epoch, first, passes;

    if (zoid_cells(g) == 1)
        return b->pass;
    most = g->epoch / g->depth;
    epoch = b->pass < idle ? 0 : (b->pass - idle) / most;
    first = epoch ? idle + epoch * most : 0;
    passes = idle + (epoch + 1) * most - first;
    /* The last epoch may have fewer. */
    if (first + passes > idle + (g->steps + g->depth - 1) / g->depth)
        passes = idle + (g->steps + g->depth - 1) / g->depth - first;
    return first * p->cells + b->cell % p->cells * passes + b->pass - first;
}

bool zoid_prove_opened(const struct zoid_prove *p, long pass)
{
    const long lap = lap_of(p, &(struct zoid_block){.pass = pass});
    bool opened = false;

    for (long r = 0; r < p->ranks; r++)
        opened |= lap < p->rank[r].laps;
    return opened;
}

static int prove_place(struct zoid_prove *p, const struct zoid_block *b)
{
    if (b->lane < 0 || b->lane >= p->lanes)
        return zoid_prove_fail(p, "runs on lane %d, of %d", b->lane, p->lanes);
    if (b->cell < 0 || b->cell >= zoid_cells(&p->graph))
        return zoid_prove_fail(p, "is of a cell that is none of %ld", zoid_cells(&p->graph));
    if (b->pass < 0)
        return zoid_prove_fail(p, "is of no pass");
    if (b->owner != zoid_cell_rank(&p->graph, b->cell))
        return zoid_prove_fail(p, "is rank %d's, and its cell rank %d's", b->owner,
                               zoid_cell_rank(&p->graph, b->cell));
    if (zoid_prove_alone(p) && b->owner != p->graph.rank)
        return zoid_prove_fail(p, "is rank %d's, and the stream rank %d's", b->owner,
                               p->graph.rank);
    return 0;
}

/* Check that the laps of a rank open in order, that each runs up its positions and stays behind the
 * one before it, and that a lane takes no block of an earlier lap than its current one. */
static int prove_order(struct zoid_prove *p, const struct zoid_block *b)
{
    const char *lap = zoid_cells(&p->graph) == 1 ? "pass" : "cell";
    struct zoid_prove_rank *rank = &p->rank[b->owner];
    long *lane = &p->lane_lap[b->owner * p->lanes + b->lane];
    const long l = lap_of(p, b);

    if (l > rank->laps)
        return zoid_prove_fail(p, "opens its %s before %ld others", lap, l - rank->laps);
    if (l == rank->laps && open_lap(p, b->owner))
        return -1;
    if (b->position <= *latest_of(p, b->owner, l))
        return zoid_prove_fail(p, "comes after position %ld of its %s", *latest_of(p, b->owner, l),
                               lap);
    if (l + 1 < rank->laps && b->position <= *latest_of(p, b->owner, l + 1))
        return zoid_prove_fail(p, "comes after position %ld of the next %s",
                               *latest_of(p, b->owner, l + 1), lap);
    if (l < *lane)
        return zoid_prove_fail(p, "comes to lane %d after lap %ld, itself of lap %ld", b->lane,
                               *lane, l);
    *latest_of(p, b->owner, l) = b->position;
    *lane = l;
    rank->blocks++;
    rank->cell = b->cell;
    rank->exchange = zoid_cells(&p->graph) > 1 ? zoid_prove_epoch(p, b->pass) + 1 : 0;
    return 0;
}

/* Check that the points of a block lie in its cell's window at any time. */
static int prove_window(struct zoid_prove *p, const struct zoid_block *b)
{
    const struct zoid_patch window = zoid_cell_window(&p->graph, b->cell);

    for (long t = b->zoid.t0; zoid_cells(&p->graph) > 1 && t <= b->zoid.t1; t++) {
        struct zoid_box around = zoid_box_at(&b->region, t);
        struct zoid_box box = zoid_box_intersect(&around, &p->space);

        for (int a = 0; a < ZOID_AXES && !zoid_box_empty(&box); a++)
            if (zoid_axis_cut(&p->graph, a) &&
                (box.lo[a] < window.axis[a].lo || box.hi[a] > window.axis[a].hi))
                return zoid_prove_fail(
                    p, "has %c [%ld, %ld) of time %ld, and its window [%ld, %ld)", "xyz"[a],
                    box.lo[a], box.hi[a], t, window.axis[a].lo, window.axis[a].hi);
    }
    return 0;
}

static int prove_frame(struct zoid_prove *p, const struct zoid_block *b)
{
    long most = p->census.box_planes;

    if (b->zoid.t0 < p->first || b->zoid.t0 > b->zoid.t1 || b->zoid.t1 > p->times)
        return zoid_prove_fail(p, "computes times %ld to %ld, of %ld", b->zoid.t0, b->zoid.t1,
                               p->times);
    if ((long)b->naccess > p->census.max_access)
        return zoid_prove_fail(p, "accesses %zu data, the census says %ld at most", b->naccess,
                               p->census.max_access);
    for (long t = b->zoid.t0 + 1; t < b->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);

        if (!zoid_box_empty(&box) && box.hi[p->chain] - zoid_prove_plane(p, &box) > most)
            return zoid_prove_fail(p,
                                   "has %ld planes from plane %ld of time %ld on, the census "
                                   "says %ld at most",
                                   box.hi[p->chain] - zoid_prove_plane(p, &box),
                                   zoid_prove_plane(p, &box), t, most);
    }
    return prove_place(p, b) || prove_order(p, b) || prove_window(p, b);
}

/* ---- reads, computed points and writes --------------------------------------------------- */

/* True if time t is computed in ascending order. */
static bool ascends(const struct zoid_prove *p, long t)
{
    const struct zoid_shape *shape = &p->graph.shape;

    return t > 0 && shape->order[(t - 1) % shape->stages] == ZOID_ASCENDING;
}

/* Region in which planes that a block reads of a datum exist: pieces that never move anywhere, and
 * relays below its cell. */
static const struct zoid *region_of(const struct zoid_prove *p, const struct zoid_block *b,
                                    const struct zoid_access *a)
{
    const bool any = zoid_kind_stands(a->datum.kind) || a->datum.kind == ZOID_RELAY;

    return any ? &p->everywhere : &b->region;
}

static int prove_accesses(struct zoid_prove *p, const struct zoid_block *b)
{
    const struct zoid *z = &b->zoid;
    long last_read = z->t1 > z->t0 && !ascends(p, z->t1) ? z->t1 - 1 : z->t1;
    struct zoid_prove_times times = {z->t0, last_read, z->t1, true};

    for (size_t i = 0; i < b->naccess; i++)
        if (zoid_prove_access(p, &b->access[i], times))
            return -1;
    for (size_t i = 0; i < b->nfetch; i++)
        if (zoid_prove_fetch(p, &b->fetch[i]))
            return -1;
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (a->datum.kind == ZOID_MESSAGE && zoid_prove_exchange(p, a))
            return -1;
        if (a->datum.kind == ZOID_RELAY && zoid_prove_relay_access(p, a))
            return -1;
        if (a->mode & ZOID_READ && zoid_prove_read(p, a, region_of(p, b, a)))
            return -1;
    }
    return 0;
}

int zoid_prove_cut_view(struct zoid_prove *p, const struct zoid_access *a,
                        const struct zoid *region, long t)
{
    struct zoid_view view = a->in;
    struct zoid_patches patches = {1, {view.patch}};

    if (a->datum.kind == ZOID_HALO) {
        struct zoid_rim rim = zoid_cell_rim(&p->graph, &view.patch);

        patches = zoid_rim_patches(&rim);
    }
    for (int i = 0; i < patches.n; i++) {
        struct zoid_box there;

        view.patch = patches.patch[i];
        there = zoid_prove_planes(p, &view, region, t);
        if (zoid_boxes_cut(&p->left, &there))
            return zoid_prove_no_memory(p);
    }
    return 0;
}

int zoid_prove_cut_views(struct zoid_prove *p, const struct zoid_block *b, long t,
                         enum zoid_kind kind)
{
    for (size_t i = 0; p->left.count && i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];
        const bool stands = zoid_kind_stands(a->datum.kind);

        if (a->mode & ZOID_READ && (stands ? a->datum.kind == kind : kind == ZOID_SLAB) &&
            zoid_prove_cut_view(p, a, region_of(p, b, a), t))
            return -1;
    }
    return 0;
}

/* Cut from p->left the points that the block has at time t: its own box and its `in` views. */
static int cut_available(struct zoid_prove *p, const struct zoid_block *b, long t)
{
    if (t > b->zoid.t0) {
        struct zoid_box own = zoid_clipped_at(&b->zoid, &b->region, t);

        if (zoid_boxes_cut(&p->left, &own))
            return zoid_prove_no_memory(p);
    }
    return zoid_prove_cut_views(p, b, t, ZOID_SLAB);
}

/* Cut from p->left the points at which the block has the fields that time t did not write: from the
 * time before, or from t itself in a view that has all fields. */
static int cut_unwritten(struct zoid_prove *p, const struct zoid_block *b, long t)
{
    if (cut_available(p, b, zoid_max(t - 1, b->zoid.t0)))
        return -1;
    for (size_t i = 0; p->left.count && i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (a->mode & ZOID_READ && !zoid_kind_stands(a->datum.kind) && !a->in.by_turns &&
            zoid_prove_cut_view(p, a, region_of(p, b, a), t))
            return -1;
    }
    return 0;
}

/* Check that the block has, if fields alternate, those of a box that time t did not write. */
static int prove_unwritten(struct zoid_prove *p, const struct zoid_block *b, long t,
                           const struct zoid_box *box, const char *verb)
{
    if (!p->graph.shape.alternates)
        return 0;
    p->left.count = 0;
    if (zoid_boxes_push(&p->left, box))
        return zoid_prove_no_memory(p);
    if (cut_unwritten(p, b, t))
        return -1;
    if (p->left.count)
        return zoid_prove_fail(p, "%s %s as it is since time %ld, which none of its views has",
                               verb, zoid_prove_where(p, &p->left).s, t - 1);
    return 0;
}

/* Extend [*lo, *hi) by the mirror image of index i, beyond a face of a mirrored domain. */
static void reflect(const struct zoid_shape *shape, int axis, long i, long *lo, long *hi)
{
    long inside = zoid_fold(shape, axis, i);

    if (*lo > inside)
        *lo = inside;
    if (*hi < inside + 1)
        *hi = inside + 1;
}

/* Points of time t that a box of time t + 1 reads: all between the lowest and the highest, since
 * mirror images lie next to ordinary points. */
static struct zoid_box needs(const struct zoid_prove *p, const struct zoid_box *box, long t)
{
    const struct zoid_shape *shape = &p->graph.shape;
    const struct zoid_reach *reach = &shape->reach[t % shape->stages];
    struct zoid_box need = *box;

    for (int a = 0; a < shape->dims; a++) {
        long lo = box->lo[a] - reach->lo[a], hi = box->hi[a] + reach->hi[a];

        need.lo[a] = lo;
        need.hi[a] = hi;
        for (long i = lo; zoid_face_mirrored(shape, a, ZOID_LOW) && i < 0; i++)
            reflect(shape, a, i, &need.lo[a], &need.hi[a]);
        for (long i = shape->n[a]; zoid_face_mirrored(shape, a, ZOID_HIGH) && i < hi; i++)
            reflect(shape, a, i, &need.lo[a], &need.hi[a]);
    }
    return zoid_box_intersect(&need, &p->space);
}

/* Planes whose coefficients it reads: the same, or those near its own. */
static struct zoid_box needs_of_constants(const struct zoid_prove *p, const struct zoid_box *box,
                                          long t)
{
    struct zoid_box need = needs(p, box, t), near = need;

    if (p->graph.coefficients == ZOID_COEFFICIENTS_NEAR) {
        near.lo[p->chain] = box->lo[p->chain] - p->graph.coefficient_reach.lo;
        near.hi[p->chain] = box->hi[p->chain] + p->graph.coefficient_reach.hi;
    }
    return zoid_box_intersect(&need, &near);
}

/* Check that a block has all points of a box that it reads at time t. */
static int prove_there(struct zoid_prove *p, const struct zoid_block *b, long t,
                       const struct zoid_box *need)
{
    p->left.count = 0;
    if (zoid_boxes_push(&p->left, need))
        return zoid_prove_no_memory(p);
    if (cut_available(p, b, t))
        return -1;
    if (p->left.count)
        return zoid_prove_fail(p, "reads %s of time %ld, which none of its views has",
                               zoid_prove_where(p, &p->left).s, t);
    return 0;
}

/* Check that a block has the points that a box of time t + 1 reads: all of them at time t, or in
 * ascending order those in its own planes or above at t, and those in its own planes or below at t
 * + 1. */
static int prove_reads(struct zoid_prove *p, const struct zoid_block *b, long t,
                       const struct zoid_box *box)
{
    const struct zoid_box need = needs(p, box, t), constant = needs_of_constants(p, box, t);
    struct zoid_box old = need, fresh = need;

    if (ascends(p, t + 1)) {
        old.lo[p->chain] = box->lo[p->chain];
        fresh.hi[p->chain] = box->hi[p->chain];
        if (prove_there(p, b, t + 1, &fresh))
            return -1;
    }
    if (prove_there(p, b, t, &old) || prove_unwritten(p, b, t, box, "reads"))
        return -1;
    if (!p->graph.coefficients)
        return 0;
    if (zoid_boxes_push(&p->left, &constant))
        return zoid_prove_no_memory(p);
    if (zoid_prove_cut_views(p, b, t, ZOID_COEFFICIENT))
        return -1;
    if (p->left.count)
        return zoid_prove_fail(p, "lacks the coefficients of %s at time %ld",
                               zoid_prove_where(p, &p->left).s, t + 1);
    return 0;
}

static int prove_times(struct zoid_prove *p, const struct zoid_block *b)
{
    for (long t = b->zoid.t0 + 1; t <= b->zoid.t1; t++) {
        struct zoid_box box = zoid_clipped_at(&b->zoid, &b->region, t);

        if (zoid_box_empty(&box))
            continue;
        if (!zoid_box_within(&box, &p->space))
            return zoid_prove_fail(p, "computes plane %ld of time %ld outside the domain",
                                   zoid_prove_outside(p, &box, &p->space), t);
        if (prove_reads(p, b, t - 1, &box) || zoid_prove_memory(p, b, t, &box) ||
            zoid_prove_add(p, &p->done[t - p->first], &box, t, "computes", p->redundant))
            return -1;
    }
    return 0;
}

/* Check that a block has all planes that `out` names: at t0 from its `in` views, later from its
 * box. */
static int prove_leaves(struct zoid_prove *p, const struct zoid_block *b,
                        const struct zoid_access *a)
{
    for (long t = a->out.t0; t <= a->out.t1; t++) {
        struct zoid_box planes = zoid_prove_planes(p, &a->out, &b->region, t);
        struct zoid_box own = zoid_clipped_at(&b->zoid, &b->region, t);
        long missing = zoid_prove_plane(p, &planes);

        p->left.count = 0;
        if (t > b->zoid.t0) {
            if (zoid_box_within(&planes, &own)) {
                if (!a->out.by_turns && prove_unwritten(p, b, t, &planes, "leaves"))
                    return -1;
                continue;
            }
            missing = zoid_prove_outside(p, &planes, &own);
        } else {
            if (zoid_boxes_push(&p->left, &planes))
                return zoid_prove_no_memory(p);
            if (cut_available(p, b, t))
                return -1;
            if (!p->left.count)
                continue;
            missing = zoid_prove_lowest(p, &p->left);
        }
        return zoid_prove_fail(p, "leaves plane %ld of time %ld in %s %ld:%ld without having it",
                               missing, t, zoid_kind_name(a->datum.kind), a->datum.row,
                               a->datum.col);
    }
    return 0;
}

static int prove_writes(struct zoid_prove *p, const struct zoid_block *b)
{
    for (size_t i = 0; i < b->naccess; i++) {
        const struct zoid_access *a = &b->access[i];

        if (a->mode & ZOID_WRITE && !zoid_kind_stands(a->datum.kind) &&
            (prove_leaves(p, b, a) || zoid_prove_write(p, a, &b->region)))
            return -1;
        if (a->next == ZOID_NEXT_DEAD && zoid_prove_kill(p, a))
            return -1;
    }
    return 0;
}

/* A join computes nothing. Its region is the patch of its message. */
int zoid_prove_join(struct zoid_prove *p, const struct zoid_join *join)
{
    const struct zoid_view *out = &join->access[0].out;
    const struct zoid_patch *patch = &out->patch;
    const struct zoid_access *access = join->access;
    struct zoid_block b = *p->block;

    b.zoid = p->everywhere;
    b.zoid.t0 = b.zoid.t1 = out->t0;
    for (int a = 0; a < p->chain; a++)
        if (!zoid_range_all(&patch->axis[a]))
            b.zoid.dim[a] = (struct zoid_face){.lo = patch->axis[a].lo, .hi = patch->axis[a].hi};
    b.region = b.zoid;
    b.naccess = join->naccess;
    b.access = access;
    if (join->naccess < 2 || join->naccess > ZOID_JOIN_MOST)
        return zoid_prove_fail(p, "joins %zu messages", join->naccess - 1);
    for (size_t i = 0; i < b.naccess; i++)
        if (access[i].datum.kind != ZOID_MESSAGE)
            return zoid_prove_fail(p, "joins %s, which is no message",
                                   zoid_prove_name(&access[i].datum).s);
    if (prove_place(p, &b))
        return -1;
    for (size_t i = 0; i < b.naccess; i++)
        if (zoid_prove_access(p, &access[i],
                              (struct zoid_prove_times){b.zoid.t0, b.zoid.t0, b.zoid.t0, true}) ||
            zoid_prove_joined(p, &access[i]) || zoid_prove_read(p, &access[i], &b.region))
            return -1;
    return prove_writes(p, &b);
}

int zoid_prove_block(struct zoid_prove *p, const struct zoid_block *b)
{
    return prove_frame(p, b) || prove_accesses(p, b) || zoid_prove_memory_taken(p, b) ||
           prove_times(p, b) || zoid_prove_memory_left(p, b) || prove_writes(p, b);
}
