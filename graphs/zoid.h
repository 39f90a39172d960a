/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry of space-time blocks: graphs/, codelets/ and runtime/ share this header, and rim.h.
 *
 * Axes are numbered x = 0, y = 1, z = 2. The *chain axis* [streaming axis] is the slowest axis of
 * the domain (dims - 1); a *plane* is all points at one coordinate of that axis: an xy plane in
 * 3-D, a row in 2-D, a point in 1-D. Axes that a domain does not have span [0, 1).
 *
 * Times count *stages*: an operator with two stages a step advances by two times a step. No
 * function allocates or fails; empty boxes and zoids are legal and have volume 0. */
#ifndef ZOID_GRAPHS_ZOID_H
#define ZOID_GRAPHS_ZOID_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The plane axes, those below the chain axis, are x and y at most. */
enum { ZOID_AXES = 3, ZOID_PLANE_AXES = ZOID_AXES - 1, ZOID_MAX_STAGES = 4 };

/* Points p with lo[a] <= p[a] < hi[a] for every axis a. */
struct zoid_box {
    long lo[ZOID_AXES], hi[ZOID_AXES];
};

struct zoid_face {
    long lo, hi;  /* the box at t0 */
    int dlo, dhi; /* velocity of each face, in planes a time */
};

/* *Zoid* [space-time tile]: reads the state of t0 and computes t0 + 1 ... t1; at time t its box
 * along each axis is [lo + dlo (t - t0), hi + dhi (t - t0)). */
struct zoid {
    long t0, t1;
    struct zoid_face dim[ZOID_AXES];
};

/* Stencil reach of one stage: point p reads [p - lo, p + hi] along each axis. */
struct zoid_reach {
    long lo[ZOID_AXES], hi[ZOID_AXES];
};

/* Boundary condition at a face of the domain. DIRICHLET: no points beyond it; the outermost layers,
 * as deep as the reach, keep their initial value. NEUMANN: the domain mirrored in its outermost
 * layer. PERIODIC: the domain repeated; both faces of an axis or neither. SPONGE: no points beyond
 * it, and values near it fade (Cerjan's layer). ABSORB: likewise, by a damping that follows from
 * the speed of waves. PML: likewise, by a perfectly matched layer, whose points have memory
 * (graph.h, ZOID_MEMORY). ODD: mirrored, with the sign of the state turned (a free surface).
 * DRIVEN: as DIRICHLET, but that layer gets a value of a series at each step. BARE: for operators
 * whose updates handle the faces themselves: all points are computed, and loads from beyond a face
 * return the value of the nearest point, which the update must ignore. */
enum zoid_boundary {
    ZOID_DIRICHLET,
    ZOID_NEUMANN,
    ZOID_PERIODIC,
    ZOID_SPONGE,
    ZOID_ABSORB,
    ZOID_PML,
    ZOID_ODD,
    ZOID_DRIVEN,
    ZOID_BOUNDARIES, /* number of conditions that a user can request */
    ZOID_BARE = ZOID_BOUNDARIES
};

enum { ZOID_LOW, ZOID_HIGH, ZOID_SIDES };

/* Iteration order of a stage. ANY: it reads only the time before. ASCENDING: in place, by z, then
 * y, then x: of the fields that it writes, it reads points earlier in this order at the new time,
 * its own point and later ones at the time before. DESCENDING: the same in reverse. */
enum { ZOID_DESCENDING = -1, ZOID_ANY_ORDER, ZOID_ASCENDING };

/* Properties of an operator and its domain that graphs depend on. */
struct zoid_shape {
    int dims;
    long n[ZOID_AXES]; /* the domain is [0, n) on every axis; 1 beyond dims */
    unsigned char face[ZOID_AXES][ZOID_SIDES]; /* enum zoid_boundary */
    int stages; /* stage s computes the times t with (t - 1) % stages == s */
    struct zoid_reach reach[ZOID_MAX_STAGES]; /* of each stage */
    signed char order[ZOID_MAX_STAGES];       /* of each stage: ZOID_ANY_ORDER, ... */
    /* Along an axis, cuts lie at multiples of this; 0: anywhere; ZOID_UNCUT: nowhere. */
    long grain[ZOID_AXES];
    /* The fields form two groups, which alternate times write; each time reads the group that it
     * writes at its own point only. */
    bool alternates;
};
enum { ZOID_UNCUT = -1 };

/* Half-open range along an axis. */
struct zoid_range {
    long lo, hi;
};

/* *Patch*: the points inside a range along each axis; a range with both ends 0 is unbounded. Mostly
 * a part of every plane, unbounded along the chain axis. */
struct zoid_patch {
    struct zoid_range axis[ZOID_AXES];
};

/* Planes of a datum at the times t0 ... t1, [lo + drift (t - t0), hi + drift (t - t0)) at time t,
 * and their memory layout. The planes of a time lie in consecutive slots. The lowest plane of t0
 * lies in `slot`, that of each following time `advance` slots (a *row*) further. `by_turns`: the
 * view has all fields of t0, and of each later time only those that the time has written; as the
 * next time writes the others (zoid_shape.alternates), the two times share a row. `around`: the
 * slots form a ring buffer, in which the first slot follows the last.
 *
 *     slot        0 . . . . . . . 8         advance = 3, around = 9, slot = 6:
 *     time        t0+1  t0+2  t0            t0 + 3 would lie where t0 does
 *
 * `patch` is the part of each plane that the datum holds; along an axis with an unbounded range, it
 * holds the points of the block's region. */
struct zoid_view {
    long t0, t1;
    long lo, hi;
    int drift;
    bool by_turns;
    long advance;
    long slot;   /* of plane lo at t0 */
    long around; /* number of slots of the ring; 0: no ring */
    struct zoid_patch patch;
};

/* *Rim* [boundary layer]: the points of a patch of every plane within lo[a] of its low face or
 * hi[a] of its high face, for any plane axis a that the patch bounds. */
struct zoid_rim {
    struct zoid_patch of;
    long lo[ZOID_PLANE_AXES], hi[ZOID_PLANE_AXES];
    bool all; /* or all points of the patch */
};

static inline long zoid_min(long a, long b)
{
    return a < b ? a : b;
}

static inline long zoid_max(long a, long b)
{
    return a > b ? a : b;
}

/* Floor division and its non-negative remainder, for b > 0. */
static inline long zoid_floor_div(long a, long b)
{
    return a / b - (a % b < 0);
}

static inline long zoid_modulo(long a, long b)
{
    return a - zoid_floor_div(a, b) * b;
}

static inline int zoid_chain(const struct zoid_shape *s)
{
    return s->dims - 1;
}

/* True if points beyond a face are mirror images of points inside. */
static inline bool zoid_face_mirrored(const struct zoid_shape *s, int axis, int side)
{
    return s->face[axis][side] == ZOID_NEUMANN || s->face[axis][side] == ZOID_ODD;
}

/* True if the outermost layers at a face are computed like all other points. */
static inline bool zoid_face_open(const struct zoid_shape *s, int axis, int side)
{
    return zoid_face_mirrored(s, axis, side) || s->face[axis][side] == ZOID_PERIODIC ||
           s->face[axis][side] == ZOID_BARE;
}

static inline bool zoid_axis_periodic(const struct zoid_shape *s, int axis)
{
    return s->face[axis][ZOID_LOW] == ZOID_PERIODIC;
}

/* True if any stage has an iteration order. */
static inline bool zoid_in_order(const struct zoid_shape *s)
{
    for (int i = 0; i < s->stages; i++)
        if (s->order[i] != ZOID_ANY_ORDER)
            return true;
    return false;
}

/* True if points have memory: a face has a perfectly matched layer. */
static inline bool zoid_remembers(const struct zoid_shape *s)
{
    for (int a = 0; a < s->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (s->face[a][side] == ZOID_PML)
                return true;
    return false;
}

/* True if planes continue beyond the ends of the chain axis. */
static inline bool zoid_chain_periodic(const struct zoid_shape *s)
{
    return zoid_axis_periodic(s, zoid_chain(s));
}

/* Grain of an axis, 1 or more: cells are cut at its multiples. ZOID_UNCUT: no cuts; with an
 * in-order stage, points next to a cut would depend on another cell's at the same time.
 * (zoid_graph_init still accepts one cell per rank along the chain axis.) */
static inline long zoid_axis_grain(const struct zoid_shape *s, int axis)
{
    if (zoid_in_order(s))
        return ZOID_UNCUT;
    return s->grain[axis] ? s->grain[axis] : 1;
}

/* Map index i of an axis to the index in [0, n) that boundary conditions replace it by; i itself
 * beyond a face that is not open. */
long zoid_fold(const struct zoid_shape *s, int axis, long i);
/* True if index i of an axis stands for a state value with its sign turned: it is mirrored at free
 * faces an odd number of times. In a domain of one point it is mirrored once. */
bool zoid_fold_turns(const struct zoid_shape *s, int axis, long i);

bool zoid_box_empty(const struct zoid_box *b);
long zoid_box_volume(const struct zoid_box *b);
struct zoid_box zoid_box_intersect(const struct zoid_box *a, const struct zoid_box *b);

struct zoid_box zoid_box_at(const struct zoid *z, long t);
/* Box of a zoid at time t, clipped by the box of its region. */
struct zoid_box zoid_clipped_at(const struct zoid *z, const struct zoid *region, long t);

/* Upright zoid over the whole domain: the region of a block that nothing else clips. */
struct zoid zoid_domain(const struct zoid_shape *s, long t0, long t1);
/* Largest reach of any stage along the chain axis: plane p depends on planes [p - lo, p + hi], the
 * sources of mirrored planes included. */
void zoid_chain_reach(const struct zoid_shape *s, long *lo, long *hi);

/* True if a range is unbounded. */
static inline bool zoid_range_all(const struct zoid_range *r)
{
    return r->lo == 0 && r->hi == 0;
}

/* True if a patch is unbounded along all axes. */
static inline bool zoid_patch_all(const struct zoid_patch *p)
{
    return zoid_range_all(&p->axis[0]) && zoid_range_all(&p->axis[1]) &&
           zoid_range_all(&p->axis[2]);
}

static inline bool zoid_view_has(const struct zoid_view *v, long t, long plane)
{
    long shift = v->drift * (t - v->t0);

    return t >= v->t0 && t <= v->t1 && plane >= v->lo + shift && plane < v->hi + shift;
}

/* Index of the row of slots in which time t lies. */
static inline long zoid_view_row(const struct zoid_view *v, long t)
{
    return v->by_turns ? (t - v->t0 + 1) / 2 : t - v->t0;
}

static inline long zoid_view_slot(const struct zoid_view *v, long t, long plane)
{
    const long lowest = v->lo + v->drift * (t - v->t0);
    const long slot = v->slot + plane - lowest + zoid_view_row(v, t) * v->advance;

    return v->around ? zoid_modulo(slot, v->around) : slot;
}

#ifdef __cplusplus
}
#endif
#endif
