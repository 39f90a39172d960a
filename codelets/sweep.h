/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory layout of planes, and sweeps: one stage over a box of points. */
#ifndef ZOID_CODELETS_SWEEP_H
#define ZOID_CODELETS_SWEEP_H

#include "codelets/boxes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZOID_LINE = 64 }; /* bytes of a cache line, and of the widest vector */

/* Kernels that run a block on a device. BEST: the fastest. TWO: the same, but at most two steps per
 * launch of a GPU. STEP: one sweep per time, or on a GPU whose kernels fuse the stages of a step,
 * one launch per step. NAIVE: baselines for comparison; on a GPU one thread per point with all
 * loads from memory, on a core point by point. */
enum zoid_traversal {
    ZOID_TRAVERSAL_BEST,
    ZOID_TRAVERSAL_TWO,
    ZOID_TRAVERSAL_STEP,
    ZOID_TRAVERSAL_NAIVE,
    ZOID_TRAVERSALS
};
/* True if several times may be computed together. */
static inline bool zoid_traversal_fuses(enum zoid_traversal traversal)
{
    return traversal == ZOID_TRAVERSAL_BEST || traversal == ZOID_TRAVERSAL_TWO;
}

/* Layout of a plane: the points [lo, hi) of the axes below the chain axis (x and y in 3-D, x in
 * 2-D, none in 1-D). Rows are `pitch` elements apart, padded to whole cache lines. In 1-D a plane
 * is the values of one point, without padding. */
struct zoid_layout {
    enum zoid_type type;
    int dims;
    long lo[2], hi[2]; /* x and y of a plane; beyond the domain: ghost points */
    long pitch;        /* stride of rows, in elements */
    long plane;        /* stride of planes, in elements */
    long width;        /* elements per point */
    bool window[2];    /* a cell's window in x, y: it continues beyond periodic faces */
};

/* Returns the width of the ghost layers of x and y: the reach of the stages beyond a mirrored,
 * periodic or bare face. */
long zoid_layout_ghost(const struct zoid_shape *shape);
/* Returns the layout for a domain of n points, with `ghost` ghost points on either side of x and y.
 */
struct zoid_layout zoid_layout_make(const struct zoid_op *op, const long n[ZOID_AXES], long ghost);
/* Stride of rows in elements; for a plane that is a point, the elements of the point. */
static inline long zoid_layout_row(const struct zoid_layout *layout)
{
    return layout->pitch * layout->width;
}
/* Elements of `rows` rows (in 2-D: of `rows` points). */
static inline long zoid_layout_rows(const struct zoid_layout *layout, long rows)
{
    return rows * (layout->dims == 3 ? layout->pitch : 1);
}
size_t zoid_layout_plane_bytes(const struct zoid_layout *layout);
static inline size_t zoid_layout_point_bytes(const struct zoid_layout *layout)
{
    return (size_t)layout->width * zoid_type_size(layout->type);
}
/* Offset of the point (x, y) in a plane, in elements. */
static inline long zoid_layout_at(const struct zoid_layout *layout, long x, long y)
{
    return (x - layout->lo[0]) + (y - layout->lo[1]) * layout->pitch;
}

/* A segment: consecutive planes [lo, hi) of the chain axis, contiguous in memory. Offsets in
 * elements of field f of plane z from base: (f - first[g]) * field + (z - lo) * layout.plane in an
 * input of group g; f * field + (z - lo) * layout.plane in an output, which has room for all state
 * fields. */
struct zoid_segment {
    long lo, hi;
    void *base;
    size_t field;
};

struct zoid_sample_points; /* codelets/block/sample_points.h */

struct zoid_segments {
    size_t n;
    const struct zoid_segment *segment;
};

/* Arguments of a sweep, which computes the points of `box` at time t from the state of t - 1.
 *
 * Inputs: each group of fields has its own segments, the coefficients the last ones. They cover
 * every plane of the group that the stage reads, including planes beyond a mirrored or periodic
 * face of the chain axis; segments that overlap hold equal values.
 *
 * Output: `out` covers the box's planes. It must not overlap the inputs, except as the device
 * allows: then the sweep may overwrite in place a field that the stage reads at the point only. If
 * the sweep `rises`, an output plane may overlap the input plane that the ZOID_ABREAST-th plane
 * below it was the last to read. The sweep stores the state fields in `fields`, which includes all
 * that the stage writes. It carries the others of them unchanged, as it does the outermost layers
 * that the boxes of fields leave out, except at open faces. Points outside the box keep their
 * values.
 *
 * Ascending stages: the sweep takes planes, rows and points upwards. `updated` has planes of time t
 * below the output segment, with the same layout. The stage reads the stored fields of these planes
 * there, and the others from the segments of the time before, or in `updated` too if those do not
 * reach as far down. */
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
    struct zoid_segments updated;
    struct zoid_segment out;
    struct zoid_segments memory; /* pieces of planes, as codelets/block/layer.h has them */
    void *spare;                 /* op->spare planes of all state fields, a buffer */
    const struct zoid_sample_points *sample_points; /* sources and receivers to apply, or NULL */
};

/* Returns the points of a sweep's box at which its stage computes a field that it writes. */
struct zoid_box zoid_sweep_box(const struct zoid_sweep *sweep, int field);
/* Returns those of all fields. */
struct zoid_boxes zoid_sweep_boxes(const struct zoid_sweep *sweep);
/* True if its stage ascends. */
static inline bool zoid_sweep_ascends(const struct zoid_sweep *sweep)
{
    return sweep->op->stage[(sweep->t - 1) % sweep->op->nstages].order == ZOID_ASCENDING;
}
/* Returns the stage that computes time t. */
static inline int zoid_stage_of(const struct zoid_op *op, long t)
{
    return (int)((t - 1) % op->nstages);
}

#ifdef __cplusplus
}
#endif
#endif
