/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive cuts of space-time along the chain axis [cache-oblivious trapezoidal decomposition],
 * and sums over their results without visiting every leaf.
 *
 * A *subzoid* is a zoid: planes [lo, hi) of time t0 and faces that stand still at the ends of the
 * domain, move in, or move out. It is cut in space if it is wide for its height, else in time,
 * until it is a leaf:
 *
 *     t1   ____________________          t1  ________________
 *         /  U0  \ I1 /  U1  \              /     upper     \
 *        /        \  /        \            /-----------------\
 *     t0/__________\/__________\        t0/_____  lower  _____\
 *
 * The cuts depend only on the height, the width, the faces and the offset within a slab, so equal
 * subzoids are evaluated once. */
#ifndef ZOID_GRAPHS_METHODS_RECURSION_H
#define ZOID_GRAPHS_METHODS_RECURSION_H

#include "graphs/graph.h"

/* Motion of a subzoid's face over time. A face that moves in leaves a *slope* [skew buffer] to the
 * neighbouring subzoid, whose face moves out with it. */
enum zoid_recursion_face { ZOID_FACE_STILL, ZOID_FACE_IN, ZOID_FACE_OUT };

struct zoid_subzoid {
    long t0, height; /* steps, from the start of the pass */
    long lo, hi;     /* planes of t0 */
    enum zoid_recursion_face face[ZOID_SIDES];
    long slope[ZOID_SIDES]; /* number of the slope along each face that starts at t0 */
    long frame;             /* number of the first slope that is free for its parts */
};

/* Sums over the leaves of a subzoid. */
struct zoid_recursion_sum {
    long leaves;
    long steps;   /* of all leaves together */
    long frame;   /* slopes in use at the same time, excluding those along its faces */
    long between; /* maximum number of planes of a leaf between its first and its last time */
    long looked;  /* maximum number of planes whose coefficients a leaf reads */
    long slabs;   /* maximum number that a leaf accesses */
    double chain; /* critical path: planes, over all times, of dependent leaves; an estimate */
};

/* Maximum height of a leaf with neighbours, in units, which is its number of slopes per face. */
enum { ZOID_RECURSION_UNITS = 4 };

/* Entries of the cache of sums; a new sum replaces an old one of the same hash. */
enum { ZOID_RECURSION_SUMS = 512 };

struct zoid_recursion {
    long n;                /* planes of the domain */
    long block;            /* of a slab */
    long stages, lo, hi;   /* of the operator: its reach along the chain axis, a time */
    long near[ZOID_SIDES]; /* reach of coefficients beyond the planes that a leaf computes */
    long leaf;             /* width in planes; wider subzoids are cut */
    long unit;             /* steps of a slope; times are cut at multiples of it */
    long abreast;          /* number of neighbouring subzoids that may run concurrently */
    long laps;             /* cells of a pass that use the same slopes, one after the other */
    struct zoid_recursion_known {
        long height, width, offset; /* height 0: unused entry */
        enum zoid_recursion_face face[ZOID_SIDES];
        struct zoid_recursion_sum sum;
    } known[ZOID_RECURSION_SUMS];
};

/* Leaf of a graph in planes, as zoid_method.leaf. */
long zoid_recursion_leaf_planes(const struct zoid_graph *graph);
/* Initialise for a graph. */
void zoid_recursion_init(struct zoid_recursion *r, const struct zoid_graph *graph);
/* Same without the cache of sums, cheap enough for the tens of thousands that a planner makes. The
 * functions that need sums must not be called. */
void zoid_recursion_measure(struct zoid_recursion *r, const struct zoid_graph *graph);
/* Maximum useful depth: passes of more steps would be cut into the same blocks. */
long zoid_recursion_max_depth(const struct zoid_recursion *r);
/* Number of cells with slopes of their own in passes of `steps` steps: sufficient for `abreast`
 * subzoids to run concurrently if one cell has fewer. */
long zoid_recursion_rings(const struct zoid_recursion *r, long steps, long cells);
/* Pass of `steps` steps over the whole domain. */
struct zoid_subzoid zoid_recursion_pass(const struct zoid_recursion *r, long steps);
/* Sum over the leaves of a subzoid, cached in r. */
struct zoid_recursion_sum zoid_recursion_sum(struct zoid_recursion *r,
                                             const struct zoid_subzoid *subzoid);
/* Add `times` equal subzoids to a sum: counts add up, maxima are updated; `chain` stays. */
void zoid_recursion_add(struct zoid_recursion_sum *sum, const struct zoid_recursion_sum *one,
                        long times);
/* Leaf at a position inside the subzoid, counted from 0. */
struct zoid_subzoid zoid_recursion_leaf(struct zoid_recursion *r, struct zoid_subzoid subzoid,
                                        long position);
/* Position of the last leaf inside the subzoid that has one of planes [lo, hi) at its first or last
 * time. The subzoid must have such planes. */
long zoid_recursion_last(struct zoid_recursion *r, struct zoid_subzoid subzoid, long lo, long hi);
/* Maximum number of open slabs in a pass: those between their first leaf and their last one. */
long zoid_recursion_open(const struct zoid_recursion *r, long steps);

/* Number of planes by which a face has moved up at the end of the subzoid. */
static inline long zoid_recursion_move(const struct zoid_recursion *r, const struct zoid_subzoid *p,
                                       int side)
{
    long times = p->height * r->stages;
    enum zoid_recursion_face face = p->face[side];

    if (face == ZOID_FACE_STILL)
        return 0;
    return (face == ZOID_FACE_IN) == (side == ZOID_LOW) ? times * r->lo : -times * r->hi;
}

#endif
