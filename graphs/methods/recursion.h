/* SPDX-License-Identifier: BSD-3-Clause */
/* How a recursion cuts space-time along the chain axis, and what becomes of it, without visiting
 * it.
 *
 * A *subzoid* is a zoid: planes [lo, hi) of time t0 and faces that stand still at the ends of the
 * domain, move in, or move out. Where it is wide for its height it is cut in space, where it is
 * high in time, until it is a leaf:
 *
 *     t1   ____________________          t1  ________________
 *         /  U0  \ I1 /  U1  \              /     upper     \
 *        /        \  /        \            /-----------------\
 *     t0/__________\/__________\        t0/_____  lower  _____\
 *
 * All that is in a subzoid follows from its height, its width, its faces and where it starts within
 * a slab, so equal subzoids are looked at once. */
#ifndef ZOID_GRAPHS_METHODS_RECURSION_H
#define ZOID_GRAPHS_METHODS_RECURSION_H

#include "graphs/graph.h"

/* What a face of a subzoid does as time goes by. One that moves in leaves a slope to the subzoid
 * beside it, whose face moves out along with it. */
enum zoid_recursion_face { ZOID_FACE_STILL, ZOID_FACE_IN, ZOID_FACE_OUT };

struct zoid_subzoid {
    long t0, height; /* steps, from the start of the pass */
    long lo, hi;     /* planes of t0 */
    enum zoid_recursion_face face[ZOID_SIDES];
    long slope[ZOID_SIDES]; /* number of the slope along the face that starts at t0 */
    long frame;             /* number of the first slope that is free for what is inside */
};

/* Sums over all that is inside a subzoid. */
struct zoid_recursion_sum {
    long leaves;
    long steps;   /* of all leaves together */
    long frame;   /* slopes that are in use at the same time, those along its faces aside */
    long between; /* the most planes that a leaf has between its first time and its last */
    long looked;  /* the most planes whose coefficients a leaf wants */
    long slabs;   /* the most that a leaf accesses */
    double chain; /* planes, of all times, of leaves that wait for one another: the most, about */
};

/* A leaf with neighbours is at most so many units high: it lists as many slopes a face. */
enum { ZOID_RECURSION_UNITS = 4 };

/* Sums that were made already; a newer one takes the place of an older. */
enum { ZOID_RECURSION_SUMS = 512 };

struct zoid_recursion {
    long n;                /* planes of the domain */
    long block;            /* of a slab */
    long stages, lo, hi;   /* of the operator: its reach along the chain axis, a time */
    long near[ZOID_SIDES]; /* how far a leaf wants coefficients beyond what it computes */
    long leaf;             /* planes: what is wider is cut */
    long unit;             /* steps of a slope; times are cut at multiples of it */
    long abreast;          /* subzoids beside one another that may run at the same time */
    long laps;             /* cells of a pass, one after the other, in the same slopes */
    struct zoid_recursion_known {
        long height, width, offset; /* no height: nothing is known */
        enum zoid_recursion_face face[ZOID_SIDES];
        struct zoid_recursion_sum sum;
    } known[ZOID_RECURSION_SUMS];
};

/* The leaf of a graph, as of a method. */
long zoid_recursion_leaf_planes(const struct zoid_graph *graph);
void zoid_recursion_init(struct zoid_recursion *r, const struct zoid_graph *graph);
/* The same without room for sums, of which the planner makes tens of thousands. */
void zoid_recursion_measure(struct zoid_recursion *r, const struct zoid_graph *graph);
/* Passes of more steps would not be cut into other blocks. */
long zoid_recursion_max_depth(const struct zoid_recursion *r);
/* How many cells have slopes of their own in passes of so many steps: enough for `abreast` subzoids
 * to run at the same time, where one cell has fewer. */
long zoid_recursion_rings(const struct zoid_recursion *r, long steps, long cells);
/* A pass of so many steps over the whole domain. */
struct zoid_subzoid zoid_recursion_pass(const struct zoid_recursion *r, long steps);
struct zoid_recursion_sum zoid_recursion_sum(struct zoid_recursion *r,
                                             const struct zoid_subzoid *subzoid);
/* Adds to a sum what is in a subzoid that is there so many times. */
void zoid_recursion_add(struct zoid_recursion_sum *sum, const struct zoid_recursion_sum *one,
                        long times);
/* The leaf that comes at a position inside the subzoid, counted from 0. */
struct zoid_subzoid zoid_recursion_leaf(struct zoid_recursion *r, struct zoid_subzoid subzoid,
                                        long position);
/* The position of the last leaf inside the subzoid that has one of planes [lo, hi) at its first or
 * last time; -1 where there is none. */
long zoid_recursion_last(struct zoid_recursion *r, struct zoid_subzoid subzoid, long lo, long hi);
/* How many slabs of a pass are at most between their first leaf and their last one. */
long zoid_recursion_open(const struct zoid_recursion *r, long steps);

/* By how many planes a face has moved up at the end of the subzoid. */
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
