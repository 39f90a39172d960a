/* SPDX-License-Identifier: BSD-3-Clause */
/* The geometry of space-time blocks: the only header that graphs/, codelets/ and runtime/ share.
 *
 * Axes are numbered x = 0, y = 1, z = 2. The *chain axis* is the slowest one the domain has
 * (dims - 1); a *plane* is everything at one coordinate of that axis: an xy plane in 3-D, a row
 * in 2-D, a point in 1-D. Axes that a domain does not have hold [0, 1) everywhere.
 *
 * A time is counted in *stages*: an operator with two stages a step passes two times a step.
 * Nothing here allocates or fails; empty boxes and zoids are legal and have volume 0.
 */
#ifndef ZOID_GRAPHS_ZOID_H
#define ZOID_GRAPHS_ZOID_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The axes below the chain axis are x and y at most. */
enum { ZOID_AXES = 3, ZOID_PLANE_AXES = ZOID_AXES - 1, ZOID_MAX_STAGES = 4 };

/* Points p with lo[a] <= p[a] < hi[a] for every axis a. */
struct zoid_box {
    long lo[ZOID_AXES], hi[ZOID_AXES];
};

struct zoid_face {
    long lo, hi;  /* the box at t0 */
    int dlo, dhi; /* planes a time by which each face moves */
};

/* Reads the state of t0 and computes t0 + 1 ... t1; at time t the box is
 * [lo + dlo (t - t0), hi + dhi (t - t0)) along each axis. */
struct zoid {
    long t0, t1;
    struct zoid_face dim[ZOID_AXES];
};

/* How far one stage looks along each axis to compute a point: [p - lo, p + hi]. */
struct zoid_reach {
    long lo[ZOID_AXES], hi[ZOID_AXES];
};

/* What lies beyond a face of the domain. DIRICHLET: nothing; the layers that the reach leaves out
 * keep their initial value. NEUMANN: the domain mirrored in its outermost layer. PERIODIC: the
 * domain again; both faces of an axis or neither. SPONGE: nothing, and values near it fade. BARE,
 * which operators have whose updates know the faces themselves: all points are computed, and what
 * they load from beyond is some number, of the nearest point, that they do not use. */
enum zoid_boundary {
    ZOID_DIRICHLET,
    ZOID_NEUMANN,
    ZOID_PERIODIC,
    ZOID_SPONGE,
    ZOID_BOUNDARIES, /* that one can ask for */
    ZOID_BARE = ZOID_BOUNDARIES
};

enum { ZOID_LOW, ZOID_HIGH, ZOID_SIDES };

/* In what order a stage takes the points. 0: in any, since all that it reads is of the time before.
 * 1: ascending, by z, then y, then x, in place: of the fields that it writes it reads the points
 * that come before its own in this order as they are now, its own and those after it as they were
 * the time before. -1: the same, descending. */
enum { ZOID_DESCENDING = -1, ZOID_ANY_ORDER, ZOID_ASCENDING };

/* What a graph needs to know of an operator and its domain. */
struct zoid_shape {
    int dims;
    long n[ZOID_AXES]; /* the domain is [0, n) on every axis; 1 beyond dims */
    unsigned char face[ZOID_AXES][ZOID_SIDES]; /* enum zoid_boundary */
    int stages; /* stage s computes the times t with (t - 1) % stages == s, */
    struct zoid_reach reach[ZOID_MAX_STAGES]; /* looks so far, */
    signed char order[ZOID_MAX_STAGES];       /* and takes points in such an order */
    /* Where it may be cut along an axis: at multiples of this; 0: anywhere; or ZOID_UNCUT. */
    long grain[ZOID_AXES];
    /* The fields are two groups, which times write by turns; each reads the one that it writes at
     * the point only. */
    bool alternates;
};
enum { ZOID_UNCUT = -1 };

/* [lo, hi) along an axis. */
struct zoid_range {
    long lo, hi;
};

/* A *patch*: the points whose coordinates lie in a range along each axis; a range with both ends 0
 * leaves nothing out. Mostly it is a part of every plane, and its range along the chain axis leaves
 * nothing out. */
struct zoid_patch {
    struct zoid_range axis[ZOID_AXES];
};

/* The planes that a datum holds at the times t0 ... t1: [lo + drift (t - t0), hi + drift (t - t0)).
 * The lowest plane of t0 lies in the datum's slot `slot`, that of the next time `advance` slots
 * on, and so forth; the planes of a time lie one after the other. Where a view goes by turns, it
 * has all fields of t0, and of each later time those that the time has written: as the next time
 * writes the others (zoid_shape.alternates), the two of them share slots. Where slots lie around a
 * circle of so many, the first follows the last.
 *
 *     slot        0 . . . . . . . 8         advance = 3, around = 9, slot = 6:
 *     time        t0+1  t0+2  t0            t0 + 3 would lie where t0 does
 *
 * The datum has a patch of each plane; along an axis that the patch does not name, it has what the
 * block's region has. */
struct zoid_view {
    long t0, t1;
    long lo, hi;
    int drift;
    bool by_turns;
    long advance;
    long slot;   /* of plane lo at t0 */
    long around; /* slots of the circle; 0: there is none */
    struct zoid_patch patch;
};

/* The points of a part of every plane that lie near its faces: within lo[a] of the low one or hi[a]
 * of the high one, of any axis that the patch names. */
struct zoid_rim {
    struct zoid_patch of;
    long lo[ZOID_PLANE_AXES], hi[ZOID_PLANE_AXES];
    bool all; /* or all points of it, however far from a face */
};

/* The rim that is all of a patch. */
struct zoid_rim zoid_patch_rim(const struct zoid_patch *patch);

/* A rim as patches that share no point, none of them empty: the rows below and above, and between
 * them the columns on either side.
 *
 *     1 1 1 1 1 1
 *     2 . . . 3 3         lo = {1, 1}, hi = {2, 1}
 *     2 . . . 3 3
 *     0 0 0 0 0 0
 */
enum { ZOID_RIM_PATCHES = 2 * ZOID_PLANE_AXES };
struct zoid_patches {
    int n;
    struct zoid_patch patch[ZOID_RIM_PATCHES];
};
struct zoid_patches zoid_rim_patches(const struct zoid_rim *rim);

static inline long zoid_min(long a, long b)
{
    return a < b ? a : b;
}

static inline long zoid_max(long a, long b)
{
    return a > b ? a : b;
}

/* For b > 0: rounded down, and what remains, which is never negative. */
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

/* Whether the points of the outermost layers at a face are computed like all others. */
static inline bool zoid_face_open(const struct zoid_shape *s, int axis, int side)
{
    return s->face[axis][side] == ZOID_NEUMANN || s->face[axis][side] == ZOID_PERIODIC ||
           s->face[axis][side] == ZOID_BARE;
}

static inline bool zoid_axis_periodic(const struct zoid_shape *s, int axis)
{
    return s->face[axis][ZOID_LOW] == ZOID_PERIODIC;
}

/* Whether a stage takes the points in an order. */
static inline bool zoid_in_order(const struct zoid_shape *s)
{
    for (int i = 0; i < s->stages; i++)
        if (s->order[i] != ZOID_ANY_ORDER)
            return true;
    return false;
}

/* Whether planes go on beyond the ends of the chain axis. */
static inline bool zoid_chain_periodic(const struct zoid_shape *s)
{
    return zoid_axis_periodic(s, zoid_chain(s));
}

/* A domain may be cut along an axis at multiples of this, 1 or more. ZOID_UNCUT: it may not; where
 * stages take points in order, those beside a border would wait for another cell's. */
static inline long zoid_axis_grain(const struct zoid_shape *s, int axis)
{
    if (zoid_in_order(s))
        return ZOID_UNCUT;
    return s->grain[axis] ? s->grain[axis] : 1;
}

/* The index in [0, n) that index i of an axis stands for. Beyond a face that is not open it is i
 * itself. */
long zoid_fold(const struct zoid_shape *s, int axis, long i);

bool zoid_box_empty(const struct zoid_box *b);
long zoid_box_volume(const struct zoid_box *b);
struct zoid_box zoid_box_intersect(const struct zoid_box *a, const struct zoid_box *b);

struct zoid_box zoid_box_at(const struct zoid *z, long t);
/* The box of a clipped zoid: its own and its region's, intersected. */
struct zoid_box zoid_clipped_at(const struct zoid *z, const struct zoid *region, long t);
/* Points computed, that is at t0 + 1 ... t1, inside the region. */
long zoid_volume(const struct zoid *z, const struct zoid *region);
/* Points that both zoids compute, over the times they share. */
long zoid_common_volume(const struct zoid *a, const struct zoid *b);

/* An upright zoid over the whole domain: the region of a block that nothing else clips. */
struct zoid zoid_domain(const struct zoid_shape *s, long t0, long t1);
/* The largest reach of any stage along an axis: a plane p is computed from planes within
 * [p - lo, p + hi], those that mirrored ones stand for included. */
void zoid_axis_reach(const struct zoid_shape *s, int axis, long *lo, long *hi);
/* The same for the chain axis. */
void zoid_chain_reach(const struct zoid_shape *s, long *lo, long *hi);

/* Whether a range leaves nothing out. */
static inline bool zoid_range_all(const struct zoid_range *r)
{
    return r->lo == 0 && r->hi == 0;
}

/* Whether a patch leaves nothing out. */
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

/* How many times `advance` a time lies behind the first one. */
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
