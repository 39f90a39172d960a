/* SPDX-License-Identifier: BSD-3-Clause */
/* Wavefront of sweeps in order over the lanes of warps: the addresses of planes, and the
 * synchronization of warps.
 *
 *     group 0    tile 0 -> tile 1 -> tile 2 -> ...     a group is 32 consecutive times, a tile some
 *                            |         |               columns and rows: one warp, which streams
 *     group 1    tile 0 -> tile 1 -> tile 2 -> ...     all planes as fast as its dependencies allow
 *
 * Lanes lag, so a tile depends on no later tile of its group. On the group before it, whose last
 * lane stores its planes to memory, it depends up to the tile that covers the lag. All warps of a
 * launch are resident, and each waits for its own dependencies only. */
#ifndef ZOID_CODELETS_CUDA_INORDER_WARPS_CUH
#define ZOID_CODELETS_CUDA_INORDER_WARPS_CUH

#include "codelets/cuda/inorder/lanes_mail.cuh"
#include "codelets/cuda/params.cuh"

namespace
{

enum { LAST = LANES - 1 };
enum { STATES = ZOID_WARP_STATES, PIECES = ZOID_WARP_PIECES };
constexpr long NEVER = 1l << 60;

/* ---- addresses of planes --------------------------------------------------------------------- */

/* A view of a part, with a distance of `plane` bytes between planes, and `field` between fields. */
struct shown {
    long t0, t1, lo, hi, drift, slot, advance, plane, field;
    char *base;
};

/* Bounds of a zoid along the chain axis. */
struct faces {
    long t0, lo, hi, dlo, dhi;
};

struct range {
    long lo, hi;
};

struct lanes_order {
    launch_params params;
    double table[ZOID_WARP_TABLE]; /* values of the tables of all times of the launch */
    long domain[ZOID_AXES];
    int apart;         /* planes between a lane and the next one */
    long n[ZOID_AXES]; /* the chain axis last: n[2] */
    /* Points that the stage computes of each field, along x and along the chain axis. */
    range x[ZOID_MAX_FIELDS], planes[ZOID_MAX_FIELDS];
    long pitch, plane; /* bytes; plane: of those between groups */
    long t0, t1;
    faces zoid, region;
    int reads, writes, pieces; /* in read, halos precede the slabs, which name the same planes */
    shown read[STATES], write[STATES], piece[PIECES];
    char *between; /* planes of the times between groups */
    /* Planes kept of these, of each field: plane z of time t in (z + (t - t0) apart) % slots. */
    long slots;
    /* Of a launch: the first group, and tiles [first, first + count) of `all` in x and y. */
    int group;
    long first[2], count[2], all[2];
    /* Of tiles that lean with the planes (skewed.cu): the columns of a circle that they go round,
     * 0: they do not; and the plane at which the first tile's first column is the domain's. */
    long circle, upright;
    zoid_warp_tiles tiles;
    unsigned *done; /* steps of each warp, a cache line apart */
    char *ring, *west, *south;
};

__device__ __forceinline__ range planes_at(const lanes_order &o, long t)
{
    const faces &z = o.zoid, &r = o.region;
    const long s = t - z.t0, q = t - r.t0;

    return {max(z.lo + z.dlo * s, r.lo + r.dlo * q), min(z.hi + z.dhi * s, r.hi + r.dhi * q)};
}

/* A plane, and those after it at the same distances: `left` planes, itself included, `by` bytes
 * apart, and `field` bytes between fields. `at` is NULL if `left` planes are missing. */
struct stretch {
    char *at;
    long by, field, left;
};

constexpr stretch missing = {nullptr, 0, 0, NEVER};

__device__ __forceinline__ stretch stretch_in(const lanes_order &o, const shown &v, long t,
                                              long plane)
{
    const long shift = v.drift * (t - v.t0);
    const long lo = max(v.lo + shift, 0l), hi = min(v.hi + shift, o.n[2]);

    if (t < v.t0 || t > v.t1 || plane >= hi)
        return missing;
    if (plane < lo)
        return {nullptr, 0, 0, lo - plane};
    return {v.base + (v.slot + plane - v.lo + (t - v.t0) * v.advance) * v.plane, v.plane, v.field,
            hi - plane};
}

/* Takes planes of a further view where none of the views before it has them. */
__device__ __forceinline__ void add_view(stretch *found, const lanes_order &o, const shown &v,
                                         long t, long plane)
{
    const stretch more = stretch_in(o, v, t, plane);
    const long left = min(found->left, more.left);

    if (found->at)
        return;
    *found = more;
    found->left = left;
}

__device__ __forceinline__ char *in_view(const lanes_order &o, const shown &v, long t, long plane,
                                         int field = 0)
{
    const stretch found = stretch_in(o, v, t, plane);

    return found.at ? found.at + field * found.field : nullptr;
}

/* The GPU divides 64-bit integers in a loop. */
__device__ __forceinline__ long modulo(long a, long b)
{
    return a >> 32 || b >> 32 ? a % b : (long)((unsigned)a % (unsigned)b);
}

__device__ __forceinline__ stretch stretch_between(const lanes_order &o, long t, long plane)
{
    const range box = planes_at(o, t);
    const long slot = modulo(plane + (t - o.t0) * o.apart, o.slots);

    if (plane >= box.hi)
        return missing;
    if (plane < box.lo)
        return {nullptr, 0, 0, box.lo - plane};
    return {o.between + slot * o.plane, o.plane, o.slots * o.plane,
            min(box.hi - plane, o.slots - slot)};
}

__device__ __forceinline__ char *between(const lanes_order &o, long t, long plane)
{
    return stretch_between(o, t, plane).at;
}

/* Returns planes as they were given at time t, or as the group before stored them. */
__device__ __forceinline__ stretch stretch_given(const lanes_order &o, long t, long plane)
{
    stretch found = t > o.t0 && (t - o.t0) % LANES == 0 ? stretch_between(o, t, plane) : missing;

    for (int i = 0; i < o.reads && !found.at; i++)
        add_view(&found, o, o.read[i], t, plane);
    return found;
}

__device__ __forceinline__ stretch stretch_rhs(const lanes_order &o, long plane)
{
    stretch found = missing;

    for (int i = 0; i < o.pieces && !found.at; i++)
        add_view(&found, o, o.piece[i], o.piece[i].t0, plane);
    return found;
}

/* Returns where the last lane stores its planes directly. */
__device__ __forceinline__ stretch stretch_to(const lanes_order &o, long t, long plane)
{
    stretch found = t < o.t1 ? stretch_between(o, t, plane) : missing;

    for (int i = 0; i < o.writes && t == o.t1 && !found.at; i++)
        add_view(&found, o, o.write[i], t, plane);
    return found;
}

/* Returns a plane as it was given at time t, or as the group before stored it; NULL: it is missing.
 */
__device__ __forceinline__ const char *given(const lanes_order &o, long t, long plane)
{
    return stretch_given(o, t, plane).at;
}

__device__ __forceinline__ const char *given_rhs(const lanes_order &o, long plane)
{
    return stretch_rhs(o, plane).at;
}

/* Returns where the last lane stores its plane directly; NULL: nowhere. */
__device__ __forceinline__ char *destination(const lanes_order &o, long t, long plane)
{
    return stretch_to(o, t, plane).at;
}

/* ---- groups of times ------------------------------------------------------------------------- */

/* Times t + 1 ... t + used, one per lane; `own` are the planes of this lane's box; steps [from,
 * to). */
struct group {
    long t;
    int used;
    range own;
    long from, to;
};

/* Collective over the lanes of a warp. */
__device__ __forceinline__ group group_of(const lanes_order &o, int number, int lane)
{
    const long t = o.t0 + (long)number * LANES;
    const int used = (int)min((long)LANES, o.t1 - t);
    const range own = planes_at(o, t + 1 + lane);
    const bool some = lane < used && own.lo < own.hi;
    const long behind = (long)lane * o.apart;
    long from = some ? own.lo + behind : NEVER, to = some ? own.hi + behind : -NEVER;

    for (int by = LANES / 2; by > 0; by /= 2) {
        from = min(from, __shfl_xor_sync(ALL, from, by));
        to = max(to, __shfl_xor_sync(ALL, to, by));
    }
    return {t, used, own, from, max(from, to)};
}

/* has: the plane is in the lane's box; computes: it is computed, not carried. */
__device__ __forceinline__ bool has(const group &k, int lane, long plane)
{
    return lane < k.used && plane >= k.own.lo && plane < k.own.hi;
}

__device__ __forceinline__ bool computes(const lanes_order &o, const group &k, int lane, long plane)
{
    return has(k, lane, plane) && plane > 0 && plane < o.n[2] - 1;
}

/* Returns the plane below the lane's box if it was given and the lane starts at the group's first
 * step, and lanes are a plane apart; else NULL. */
__device__ __forceinline__ const char *below(const lanes_order &o, const group &k, int lane)
{
    if (lane >= k.used || k.own.lo == 0 || k.own.lo + lane != k.from)
        return nullptr;
    return given(o, k.t + 1 + lane, k.own.lo - 1);
}

/* Returns the steps [lo, hi) at which output views need planes of any lane, other than those that
 * the last lane stores directly. */
__device__ __forceinline__ range wanted_of(const lanes_order &o, const group &k, int lane)
{
    const long t = k.t + 1 + lane;
    bool at_once = t == o.t1 && lane == k.used - 1;
    long from = NEVER, to = -NEVER;

    for (int i = 0; i < o.writes && lane < k.used; i++) {
        const shown &v = o.write[i];
        const long shift = v.drift * (t - v.t0);
        const long lo = max(v.lo + shift, k.own.lo), hi = min(v.hi + shift, k.own.hi);

        if (t < v.t0 || t > v.t1 || lo >= hi)
            continue;
        if (!at_once) {
            from = min(from, lo + (long)lane * o.apart);
            to = max(to, hi + (long)lane * o.apart);
        }
        at_once = false;
    }
    for (int by = LANES / 2; by > 0; by /= 2) {
        from = min(from, __shfl_xor_sync(ALL, from, by));
        to = max(to, __shfl_xor_sync(ALL, to, by));
    }
    return {from, to};
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* Group and tile of a warp, and the warps that it waits for. */
struct post {
    int group;
    long tile[2]; /* in x and y, of all tiles */
    long number;  /* among the launch's warps */
    unsigned *done;
    bool read; /* another group of the launch reads its planes */

    __device__ __forceinline__ post(const lanes_order &o)
    {
        const long each = o.count[0] * o.count[1], in_group = blockIdx.x % each;

        number = blockIdx.x;
        group = o.group + (int)(blockIdx.x / each);
        tile[0] = o.first[0] + in_group % o.count[0];
        tile[1] = o.first[1] + in_group / o.count[0];
        done = word(o, number);
        read = number + each < gridDim.x;
    }
    static __device__ __forceinline__ unsigned *word(const lanes_order &o, long number)
    {
        return o.done + number * (ZOID_LINE / (long)sizeof(unsigned));
    }
    /* Returns true if the next tile along an axis (by = 1) or the previous one (-1) is of this
     * launch. */
    __device__ __forceinline__ bool beside(const lanes_order &o, int axis, int by) const
    {
        const long at = tile[axis] + by;

        return at >= o.first[axis] && at < o.first[axis] + o.count[axis];
    }
    __device__ __forceinline__ long neighbour(const lanes_order &o, int axis, int by) const
    {
        return number + (axis ? o.count[0] : 1) * by;
    }
    /* Returns the warp of the previous group that owns points up to x and y, if it is of this
     * launch. */
    __device__ __forceinline__ watched before(const lanes_order &o, long x, long y) const
    {
        const long across = min(x / o.tiles.columns, o.all[0] - 1);
        const long along = min(y / o.tiles.rows, o.all[1] - 1);
        const long all = o.count[0] * o.count[1];

        if (group == o.group)
            return {nullptr, ALL};
        return {word(o, (group - 1 - o.group) * all + along * o.count[0] + across), 0};
    }
};

/* Returns the number of steps after which the previous group's last lane has stored a plane. */
__device__ __forceinline__ long steps_for(const lanes_order &o, const group &before, long plane)
{
    return min(plane + (long)LAST * o.apart - before.from + 1, before.to - before.from);
}

} // namespace
#endif
