/* SPDX-License-Identifier: BSD-3-Clause */
/* How planes lie in memory, and one sweep: one stage over a box of points. */
#ifndef ZOID_CODELETS_SWEEP_H
#define ZOID_CODELETS_SWEEP_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ZOID_LINE = 64 }; /* bytes of a cache line and of the widest vector */

/* A plane holds the points [lo, hi) of the axes below the chain axis (x and y in 3-D, x in 2-D,
 * none in 1-D). Rows are `pitch` elements apart, padded to whole cache lines. */
struct zoid_layout {
    enum zoid_type type;
    int dims;
    long lo[2], hi[2]; /* x and y that a plane holds; may go beyond the domain (ghosts) */
    long pitch;        /* elements from a row to the next */
    long plane;        /* elements from a plane to the next */
};

/* The layout for a domain of n points, with `ghost` more points on either side of x and y (0 on
 * one rank). */
struct zoid_layout zoid_layout_make(const struct zoid_op *op, const long n[ZOID_AXES], long ghost);
size_t zoid_layout_plane_bytes(const struct zoid_layout *layout);
/* Element offset of the point (x, y) in a plane. */
static inline long zoid_layout_at(const struct zoid_layout *layout, long x, long y)
{
    return (x - layout->lo[0]) + (y - layout->lo[1]) * layout->pitch;
}

/* Consecutive planes [lo, hi) of the chain axis: field f of plane z starts, counted in elements,
 * at base + f * field + (z - lo) * layout.plane. */
struct zoid_piece {
    long lo, hi;
    void *base;
    size_t field;
};

/* Computes the points of `box` at time t from the state of t - 1. The input pieces cover every
 * plane the stage reads that exists; where several hold a plane they hold the same. The output
 * piece covers the box's planes and shares no memory with the inputs. Fields the stage does not
 * write and points that its reach leaves out (the outermost layers) are carried over unchanged.
 * Points outside the box keep what they hold. */
struct zoid_sweep {
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    long t;
    struct zoid_box box;
    size_t npieces;
    const struct zoid_piece *in;
    struct zoid_piece out;
};

#ifdef __cplusplus
}
#endif
#endif
