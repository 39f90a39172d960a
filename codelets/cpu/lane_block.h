/* SPDX-License-Identifier: BSD-3-Clause */
/* Execution of a leaning block in SIMD lanes: locations of planes, input and output of lanes
 * (lane_data.c), planes in 2-D and 3-D (lane_planes.c), points in 1-D (lane_line.c). */
#ifndef ZOID_CODELETS_CPU_LANE_BLOCK_H
#define ZOID_CODELETS_CPU_LANE_BLOCK_H

#include "codelets/block/lanes.h"
#include "codelets/cpu/lanes.h"
#include "codelets/threads/team.h"

/* A block, with the times that are computed together: t + 1 ... t + used. */
struct zoid_lanes {
    const struct zoid_block_args *run;
    const struct zoid_lane_rows *rows;
    zoid_lane_row_fn *row;
    int dims;
    bool rhs;
    long n[ZOID_AXES];
    size_t size, vector; /* bytes of an element, bytes of a vector */
    long t;
    int used;
    long lo[ZOID_LANES], hi[ZOID_LANES]; /* planes of each lane's box */
    long from, to;                       /* steps along the chain axis, [from, to) */
    /* Planes of time t, and destination of those of t + used, in the scratch; NULL: in the parts.
     */
    char *before, *after;
    long before_lo, before_hi;
    size_t cache;
    char *memory;             /* of all members */
    char *trash, *zero;       /* a row that is never read; a row of zeros */
    struct zoid_front *front; /* of each part that a member computes */
};

/* Runs a block with these functions for rows, or by sweeps if they are NULL or memory is short. */
void zoid_lanes_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu,
                    const struct zoid_lane_rows *rows);

/* Vectors of a row of steps: lane l is `lag` columns later than the lane before it. Only steps
 * [begin, end) are meant. */
struct zoid_lane_vectors {
    const char *first;
    long lag, begin, end;
};

static inline size_t zoid_lanes_row_bytes(const struct zoid_lanes *k)
{
    return (size_t)k->n[0] * k->size;
}

static inline size_t zoid_lanes_plane_bytes(const struct zoid_lanes *k)
{
    return (size_t)k->run->layout->plane * k->size;
}

/* Returns the address of a plane of time t, from a part or from the previous times' output, or
 * NULL. Planes up to *end follow contiguously. */
const char *zoid_lanes_given(const struct zoid_lanes *k, long t, long plane, long *end);
/* The same for the right-hand side. */
const char *zoid_lanes_rhs(const struct zoid_lanes *k, long plane, long *end);
/* Returns the address of a plane of time t in a part, by one of its views. */
char *zoid_lanes_in_part(const struct zoid_lanes *k, const struct zoid_part *part,
                         const struct zoid_view *view, long t, long plane, long *end);
/* Returns the destination of a plane of time t in the first part from *i on that wants it, and sets
 * *i to that part and *end as above; NULL if no part does. */
char *zoid_lanes_wanted(const struct zoid_lanes *k, long t, long plane, size_t *i, long *end);
/* Returns the first destination of the last lane's plane: the scratch, or the first part that wants
 * it. */
char *zoid_lanes_destination(const struct zoid_lanes *k, long plane, long *end);

/* Loads lanes with the plane below their first one, before a wavefront starts: row y, of which lane
 * l is l rows lower (3-D). */
void zoid_lanes_begin(const struct zoid_lanes *k, long y, const struct zoid_lane_vectors *vectors);
void zoid_lanes_begin_rhs(const struct zoid_lanes *k, long y,
                          const struct zoid_lane_vectors *vectors);
/* Stores the points of a row of steps that parts want. `kept`: the last lane's row is already at
 * its destination. */
void zoid_lanes_leave(const struct zoid_lanes *k, long z, long y,
                      const struct zoid_lane_vectors *vectors, bool kept);
/* True if zoid_lanes_leave stores anything. */
bool zoid_lanes_wants(const struct zoid_lanes *k, long z, long y, bool kept);
/* Mask of the lanes whose points of a row of steps are computed, except its first and last point.
 */
unsigned zoid_lanes_computed(const struct zoid_lanes *k, long z, long y);
/* Returns the address to which the last lane's row is stored directly; k->trash if the row is not
 * in the block. */
char *zoid_lanes_straight(const struct zoid_lanes *k, long z, long y);

/* Compute times t + 1 ... t + used, in 1-D, 2-D and 3-D: the latter two by the run's team, whose
 * members follow one another. */
void zoid_lanes_line(struct zoid_lanes *k);
void zoid_lanes_flat(struct zoid_lanes *k);
void zoid_lanes_deep(struct zoid_lanes *k);
/* Return the bytes of memory that they need, for boxes of at most `planes` planes, and the number
 * of fronts: 0 in 1-D. */
size_t zoid_lanes_flat_bytes(const struct zoid_lanes *k, long planes);
size_t zoid_lanes_deep_bytes(const struct zoid_lanes *k, long planes);
long zoid_lanes_parts(const struct zoid_lanes *k);
/* Return the first of `all` steps of a row in a member's part in 2-D, where a step at an end, which
 * some lanes are beyond, counts twice; and the rows of a tile in 3-D, out of `all`. */
long zoid_lanes_begin_of(long all, int members, int number);
long zoid_lanes_rows(long all, long fit, int members);

#endif
