/* SPDX-License-Identifier: BSD-3-Clause */
/* How planes lie in memory, and one sweep: one stage over a box of points. */
#ifndef ZOID_CODELETS_SWEEP_H
#define ZOID_CODELETS_SWEEP_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZOID_LINE = 64 }; /* bytes of a cache line and of the widest vector */

/* Which of a device's kernels run a block. BEST: those that pay. TWO: the same, but at most two
 * steps in a launch of a GPU. STEP: a sweep for every time; a launch for every step where a GPU
 * takes the stages of a step in one. NAIVE: baselines for comparisons, on a GPU a thread a point
 * that takes all it needs from memory, on a core one point after the other. */
enum zoid_traversal {
    ZOID_TRAVERSAL_BEST,
    ZOID_TRAVERSAL_TWO,
    ZOID_TRAVERSAL_STEP,
    ZOID_TRAVERSAL_NAIVE,
    ZOID_TRAVERSALS
};
/* Whether several times may be computed at once. */
static inline bool zoid_traversal_fuses(enum zoid_traversal traversal)
{
    return traversal == ZOID_TRAVERSAL_BEST || traversal == ZOID_TRAVERSAL_TWO;
}

/* A plane holds the points [lo, hi) of the axes below the chain axis (x and y in 3-D, x in 2-D,
 * none in 1-D). Rows are `pitch` elements apart, padded to whole cache lines. In 1-D a plane is the
 * values of a point, without padding. */
struct zoid_layout {
    enum zoid_type type;
    int dims;
    long lo[2], hi[2]; /* x and y that a plane holds; may go beyond the domain (ghosts) */
    long pitch;        /* elements from a row to the next */
    long plane;        /* elements from a plane to the next */
    long width;        /* elements of a point */
    bool window[2];    /* a cell's, whose points go on beyond a periodic face of x or y */
};

/* The ghosts that planes need on either side of x and y: as many as the stages read beyond a face
 * that is mirrored or periodic. */
long zoid_layout_ghost(const struct zoid_shape *shape);
/* The layout for a domain of n points, with `ghost` more points on either side of x and y. */
struct zoid_layout zoid_layout_make(const struct zoid_op *op, const long n[ZOID_AXES], long ghost);
/* The layout of a cell's planes, which have that patch of planes that lie as `whole` has them. */
struct zoid_layout zoid_layout_window(const struct zoid_layout *whole,
                                      const struct zoid_patch *patch);
/* How many lines of a set a first-level cache of that size holds, and how many addresses alike. */
int zoid_layout_ways(size_t cache);
/* Puts rows further apart for cores with so many ways, where points that an update reads in one
 * column would want more lines of a set than there are. Of planes that are nowhere yet. 0: any. */
void zoid_layout_loosen(struct zoid_layout *layout, const struct zoid_op *op, int ways);
/* Elements of a plane of a halo that has that rim of planes of the layout. */
size_t zoid_layout_rim(const struct zoid_layout *layout, const struct zoid_rim *rim);
/* Elements from a row to the next; of a plane that is a point, those of the point. */
static inline long zoid_layout_row(const struct zoid_layout *layout)
{
    return layout->pitch * layout->width;
}
/* Elements that so many rows take (in 2-D: points of a row). */
static inline long zoid_layout_rows(const struct zoid_layout *layout, long rows)
{
    return rows * (layout->dims == 3 ? layout->pitch : 1);
}
size_t zoid_layout_plane_bytes(const struct zoid_layout *layout);
static inline size_t zoid_layout_point_bytes(const struct zoid_layout *layout)
{
    return (size_t)layout->width * zoid_type_size(layout->type);
}
/* Element offset of the point (x, y) in a plane. */
static inline long zoid_layout_at(const struct zoid_layout *layout, long x, long y)
{
    return (x - layout->lo[0]) + (y - layout->lo[1]) * layout->pitch;
}

/* Consecutive planes [lo, hi) of the chain axis, which lie one after the other. Field f of plane z
 * starts, counted in elements, at base + (f - first[g]) * field + (z - lo) * layout.plane in an
 * input of group g; in an output, which has room for all state fields, at base + f * field + (z -
 * lo) * layout.plane. */
struct zoid_segment {
    long lo, hi;
    void *base;
    size_t field;
};

struct zoid_taps; /* codelets/taps.h */

struct zoid_segments {
    size_t n;
    const struct zoid_segment *segment;
};

/* Computes the points of `box` at time t from the state of t - 1. Each group of fields has input
 * segments of its own, the coefficients the last ones. They cover every plane of the group that the
 * stage reads, also beyond a mirrored or periodic face of the chain axis; segments that hold the
 * same plane hold the same values. The output segment covers the box's planes. It shares no memory
 * with the inputs, unless the device says that it may: then the sweep may write a field that the
 * stage reads at the point only where that lies. If the sweep `rises`, an output plane may lie
 * where an input plane does that the ZOID_ABREAST-th plane below it was the last to read. The sweep
 * stores the state fields in `fields`, which has all that the stage writes. It carries those that
 * the stage does not write over unchanged, and so the outermost layers, which the reach leaves out,
 * except at open faces. Points outside the box keep what they hold. A stage that ascends takes the
 * box's planes, rows and points upwards, one after the other, and `fresh` has planes of time t
 * below the output segment, laid out as that is. The stage reads the stored fields of these planes
 * there, and the others in the segments of the time before, or where these do not go as far down,
 * in `fresh` too. */
struct zoid_sweep {
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    long t;
    struct zoid_box box;
    unsigned fields;
    bool rises;
    struct zoid_segments in[ZOID_MAX_GROUPS + 1];
    struct zoid_segments fresh;
    struct zoid_segment out;
    void *spare; /* planes of all state fields, as many as the operator takes for itself */
    const struct zoid_taps *taps; /* that it may meet; NULL: none */
};

/* The points of a sweep's box that its stage computes; empty where the domain is smaller than the
 * reach. */
struct zoid_box zoid_sweep_inner(const struct zoid_sweep *sweep);
/* Whether its stage ascends. */
static inline bool zoid_sweep_ascends(const struct zoid_sweep *sweep)
{
    return sweep->op->stage[(sweep->t - 1) % sweep->op->nstages].order == ZOID_ASCENDING;
}
/* The stage that computes time t. */
static inline int zoid_stage_of(const struct zoid_op *op, long t)
{
    return (int)((t - 1) % op->nstages);
}

#ifdef __cplusplus
}
#endif
#endif
