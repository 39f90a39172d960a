/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs a leaning block in lanes, in parts: where its planes lie and what lanes take and leave
 * (lane_data.c), planes that are rows and planes of rows (lane_planes.c), points (lane_line.c). */
#ifndef ZOID_CODELETS_CPU_LANE_BLOCK_H
#define ZOID_CODELETS_CPU_LANE_BLOCK_H

#include "codelets/cpu/lanes.h"
#include "codelets/lanes.h"

/* A block, and of its times those that are computed at once: t + 1 ... t + lanes. */
struct zoid_lanes {
    const struct zoid_run *run;
    const struct zoid_lane_rows *rows;
    zoid_lane_row_fn *row;
    int dims;
    bool rhs;
    long n[ZOID_AXES];
    size_t size, vector; /* bytes of an element, and of a vector */
    long t;
    int used;
    long lo[ZOID_LANES], hi[ZOID_LANES]; /* planes of each lane's box */
    long from, to;                       /* steps along the chain axis */
    /* Planes of time t, and where those of t + used go; NULL: elsewhere. */
    char *before, *after;
    long before_lo, before_hi;
    size_t cache;
    char *memory; /* what follows is in it: */
    char *trash, *zero;
};

static inline size_t zoid_lanes_row_bytes(const struct zoid_lanes *k)
{
    return (size_t)k->n[0] * k->size;
}

static inline size_t zoid_lanes_plane_bytes(const struct zoid_lanes *k)
{
    return (size_t)k->run->layout->plane * k->size;
}

/* A plane as it was given at a time, or as the times before have left it; NULL: there is none.
 * Those up to *end follow. */
const char *zoid_lanes_given(const struct zoid_lanes *k, long t, long plane, long *end);
/* The same of the right-hand side. */
const char *zoid_lanes_rhs(const struct zoid_lanes *k, long plane, long *end);
/* Where a part has a plane of one of its views. */
char *zoid_lanes_in_part(const struct zoid_lanes *k, const struct zoid_part *part,
                         const struct zoid_view *view, long t, long plane, long *end);
/* Where a plane of a time is wanted: by part *i or one after it, which *i then is. */
char *zoid_lanes_wanted(const struct zoid_lanes *k, long t, long plane, size_t *i, long *end);
/* Where the last lane's plane goes first: the scratch, or the first part that wants it. */
char *zoid_lanes_destination(const struct zoid_lanes *k, long plane, long *end);

/* What lanes have in the plane below their first one, of which these are row y and the vectors from
 * its first point on; lane l is l rows lower and `lag` columns later. */
void zoid_lanes_begin(const struct zoid_lanes *k, long y, long lag, char *vectors);
void zoid_lanes_begin_rhs(const struct zoid_lanes *k, long y, long lag, char *vectors);
/* After a row of steps: what others want of it. `kept`: the last lane's went to its destination. */
void zoid_lanes_leave(const struct zoid_lanes *k, long z, long y, long lag, const char *vectors,
                      bool kept);
/* Lanes whose points of a row of steps are computed, but for its first and last. */
unsigned zoid_lanes_computed(const struct zoid_lanes *k, long z, long y);
/* Where the last lane's row goes at once; the trash where it is none of the block's. */
char *zoid_lanes_straight(const struct zoid_lanes *k, long z, long y);

/* Times t + 1 ... t + used, in 1-D, 2-D and 3-D. */
void zoid_lanes_line(struct zoid_lanes *k, char *memory);
void zoid_lanes_flat(struct zoid_lanes *k, char *memory);
void zoid_lanes_deep(struct zoid_lanes *k, char *memory);
/* Rows of a tile in 3-D. */
long zoid_lanes_tile_rows(const struct zoid_lanes *k);

#endif
