/* SPDX-License-Identifier: BSD-3-Clause */
/* Pipelined sweeps in the lanes of warps, for any 2-D row in order of type ZOID_TYPE: see warps.cuh
 * for groups, tiles and planes, and cpu/skewed.h for steps.
 *
 *     Y + 1   s o o o . .     Lane l of the step at (Y, C) is at plane Y - l and column
 *     Y       n n n s o o     C - l LAG - Y LEAN. A step holds the points that its lanes are to
 *     Y - 1   n n n n n n     compute, and then those that they have computed; it is handed on, a
 *                             lane further, to the step one row up and BY columns on.
 *
 * Rows lean so far that no step reads one of a later column, whatever the stencil's diagonals are:
 * tiles wait for the tile before them only. Where all tiles are resident they go round a circle of
 * columns, so that none is beyond the domain for long. */
#include "codelets/cuda/inorder/warps.cuh"
#include "codelets/cuda/stencil/vectors.cuh"

typedef ZOID_JOIN(zoid_, ZOID_TYPE) here;
typedef vec<here, 0> value_here;

/* State of a point update; see ops/point.h. */
struct zoid_at {
    const launch_params *params;
    long t, p[ZOID_AXES];
    const long *n;
    value_here *result;
    double now[ZOID_MAX_TABLES]; /* the tables' values of the lane's time */
};

template <class At>
ZOID_INLINE value_here here_load(const At *at, int, int field, int dx, int dy, int)
{
    return at->step(field, dx, dy);
}

#include "codelets/cuda/stencil/variants.cuh"

namespace
{

/* Steps of a warp in shared memory. */
template <class K> struct skewed_memory {
    typedef touched<K, 0> what;
    static constexpr zoid_warp_skew skew = zoid_warp_skew_of(&K::row.stage[0]);
    static constexpr int W = ZOID_WARP_STEPS, ROWS = skew.below + 1 + skew.apart;
    static constexpr int PAD = LANES + 1, WIDTH = skew.edge + W + skew.by;
    here step[what::fields][ROWS][WIDTH][PAD];
};

/* A step, which reads those around it in its own lane. */
template <class K> struct at_step : zoid_at {
    typedef skewed_memory<K> memory;
    static constexpr int BELOW = memory::skew.below;
    const here *row[memory::ROWS]; /* this column's step of field 0, BELOW rows down and on */
    here before[memory::what::state];

    __device__ __forceinline__ value_here step(int field, int dx, int dy) const
    {
        constexpr int FIELD = memory::ROWS * memory::WIDTH * memory::PAD;
        const int column = dx + dy * memory::skew.lean;

        if (field < memory::what::state && dy == 0 && dx == -1)
            return {{before[field]}};
        return {{row[BELOW + dy][field * FIELD + column * memory::PAD]}};
    }
};

template <class K> struct skewed_warp {
    typedef skewed_memory<K> memory;
    typedef touched<K, 0> what;
    static constexpr int W = memory::W, ROWS = memory::ROWS, BELOW = memory::skew.below,
                         UP = memory::skew.apart;
    static constexpr int F = what::fields, STATE = what::state, TABLES = K::row.ntables;
    static constexpr int EDGE = memory::skew.edge, BY = memory::skew.by, LEAN = memory::skew.lean,
                         LAG = memory::skew.lag;
    static constexpr int PAD = memory::PAD, SENT = F * EDGE, QUEUE = (W + EDGE + LANES - 1) / LANES;
    typedef mailbox<here, SENT, ZOID_WARP_AHEAD> box;

    const lanes_order &o;
    memory &m;
    const int lane;
    const post at;
    const group k, source; /* and the group before */
    const bool circles;
    const long tile, tiles; /* of those of the launch */
    const box out_box, in_box;
    const bool gets, gives;   /* receives from the previous tile, sends to the next one */
    const range wanted, last; /* steps: see wanted_of; planes of the last time */
    const int stores; /* lane that stores these: the last one, or one that they are carried to */
    const long to;
    mail<here> in[SENT];
    here ahead[F][QUEUE]; /* lane 0's points of the next row but one, in flight */
    watched upstream, right;

    __device__ __forceinline__ skewed_warp(const lanes_order &o, memory &m)
        : o(o), m(m), lane(threadIdx.x), at(o), k(group_of(o, at.group, lane)),
          source(at.group > o.group ? group_of(o, at.group - 1, lane) : k), circles(o.circle > 0),
          tile(at.tile[0] - o.first[0]), tiles(o.count[0]), out_box(o.ring, at.number),
          in_box(o.ring, circles && tile == 0 ? at.number + tiles - 1 : at.number - 1),
          gets(circles || at.beside(o, 0, -1)), gives(circles || at.beside(o, 0, 1)),
          wanted(wanted_of(o, k, lane)), last{__shfl_sync(ALL, k.own.lo, k.used - 1),
                                              __shfl_sync(ALL, k.own.hi, k.used - 1)},
          stores(max(k.used - 1, memory::skew.storing)),
          to(last.lo < last.hi ? max(k.to, last.hi + (long)stores * UP) : k.to), in{},
          upstream{nullptr, 0}, right{post::word(o, circles && tile + 1 == tiles
                                                        ? at.number + 1 - tiles
                                                        : at.number + 1),
                                      0}
    {
    }

    /* ---- steps and columns --------------------------------------------------------------- */

    __device__ __forceinline__ long around(long at) const
    {
        if (!circles)
            return at;
        at = at < 0 ? o.circle - 1 - modulo(-1 - at, o.circle) : modulo(at, o.circle);
        return at;
    }

    /* Column of lane 0 at the tile's first step in a row. */
    __device__ __forceinline__ long first_of(long row) const
    {
        return around(at.tile[0] * W - (row - o.upright) * LEAN);
    }

    /* Column of lane 0 at a step, EDGE before the tile's first one or later. */
    __device__ __forceinline__ long column(long first, int step) const
    {
        const long x = first + step;

        return circles && x >= o.circle ? x - o.circle : x;
    }

    /* First lane's step at the tile's first column, in a row. */
    __device__ __forceinline__ here *row_at(int field, long row) const
    {
        const int slot = (int)((unsigned)(row - k.from + BELOW) % ROWS);

        return &m.step[field][slot][EDGE][0];
    }

    __device__ __forceinline__ here value(const char *row, long x) const
    {
        return row && x >= 0 && x < o.n[0] ? reinterpret_cast<const here *>(row)[x] : here(0);
    }

    /* A plane of a field at time t, as given. */
    __device__ __forceinline__ const char *plane(long t, long z, int field) const
    {
        return field < STATE ? given(o, t, z, field) : given_rhs(o, z, field - STATE);
    }

    /* ---- lane 0's points ----------------------------------------------------------------- */

    /* Waits until the group before has stored the columns of a plane that a row of steps takes,
     * from `from` on. A lane asks for every tile that has some of them. */
    __device__ __forceinline__ void await(long z, long from)
    {
        const long end = from + W + EDGE - 1;
        long lo = max(from, 0l), hi = min(end, o.n[0] - 1);

        if (at.group == o.group)
            return;
        if (circles && end >= o.circle) {
            lo = 0;
            hi = end - o.circle;
        }
        if (lo <= hi && lane * W < W + EDGE + W - 1) {
            const long x = min(lo + lane * W, hi) + LAST * LAG;
            const long tile = around(x + (z + LAST * UP - o.upright) * LEAN) / W;
            const unsigned *const word =
                post::word(o, (at.group - 1 - o.group) * tiles + min(tile, o.all[0] - 1));

            if (word != upstream.word)
                upstream = {word, 0};
            upstream.wait(steps_for(o, source, z));
        }
        __syncwarp();
    }

    /* Starts to load lane 0's points of a row, those that no step of the tile is handed on to
     * besides. */
    __device__ __forceinline__ void fetch(long row)
    {
        const long from = around(first_of(row) - EDGE + BY);

        await(row, from);
        UNROLL
        for (int f = 0; f < F; f++) {
            const char *const given = plane(k.t, row, f);

            UNROLL
            for (int i = 0; i < QUEUE; i++) {
                const long x = column(from, i * LANES + lane);

                ahead[f][i] = given && x >= 0 && x < o.n[0]
                                  ? __ldcg(reinterpret_cast<const here *>(given) + x)
                                  : here(0);
            }
        }
    }

    __device__ __forceinline__ void put(long row)
    {
        UNROLL
        for (int f = 0; f < F; f++)
            UNROLL
        for (int i = 0; i < QUEUE; i++) {
            const int step = i * LANES + lane;

            if (step < W + EDGE)
                row_at(f, row)[(step - EDGE + BY) * PAD] = ahead[f][i];
        }
    }

    /* ---- rows of steps ------------------------------------------------------------------- */

    /* Stores a lane's value, and hands it on. */
    __device__ __forceinline__ void hand_up(int field, long row, int step, here v)
    {
        row_at(field, row)[step * PAD + lane] = v;
        row_at(field, row + UP)[(step + BY) * PAD + lane + 1] = v;
    }

    /* Sets the points of the rows below the first one as given, whether or not a lane has a plane
     * of its time to compute, and starts lane 0's first rows. */
    __device__ __forceinline__ void begin()
    {
        here *const all = &m.step[0][0][0][0];

        for (int i = lane; i < (int)(sizeof m.step / sizeof *all); i += LANES)
            all[i] = here(0);
        __syncwarp();
        for (int by = max(BELOW, UP); by > 0; by--) {
            const long row = k.from - by, first = first_of(row);

            for (int f = 0; f < F; f++) {
                const char *const given =
                    lane < k.used ? plane(k.t + 1 + lane, row - lane * UP, f) : nullptr;

                for (int step = -EDGE; step < W; step++) {
                    const here v = value(given, around(first + step) - lane * LAG);

                    if (by <= UP)
                        row_at(f, row + UP)[(step + BY) * PAD + lane + 1] = v;
                    if (by <= BELOW)
                        row_at(f, row)[step * PAD + lane] = v;
                }
            }
        }
        __syncwarp();
        for (int by = 0; by <= UP; by++) {
            fetch(k.from + by);
            if (by < UP)
                put(k.from + by);
        }
        __syncwarp();
    }

    /* Receives the steps before the first column. */
    __device__ __forceinline__ void take(long step)
    {
        const long row = k.from + step, first = first_of(row);
        const bool leads = circles && (first == 0 || first + W > o.circle); /* the line of tiles */

        if (gets && !leads) {
            receive(in_box.at(step, 0), lane, (unsigned)step + 1, in);
            UNROLL
            for (int i = 0; i < SENT; i++)
                hand_up(i / EDGE, row, i % EDGE - EDGE, in[i].value());
        } else if (!circles && at.tile[0] > 0) {
            const here *const edge =
                reinterpret_cast<const here *>(o.west) + step * SENT * LANES + lane;

            UNROLL
            for (int i = 0; i < SENT; i++)
                hand_up(i / EDGE, row, i % EDGE - EDGE, edge[i * LANES]);
        }
    }

    /* Computes the steps of a row. */
    __device__ __forceinline__ void compute(long row, long first)
    {
        constexpr int FIELD = ROWS * memory::WIDTH * PAD;
        const long plane = row - lane * UP;
        const bool some = has(k, lane, plane);
        here *around_it[ROWS];
        int lo[STATE], size[STATE];
        value_here result[STATE];
        at_step<K> p;

        p.params = &o.params;
        p.t = k.t + 1 + lane;
        p.p[1] = plane;
        p.p[2] = 0;
        p.n = o.domain;
        UNROLL
        for (int i = 0; i < TABLES; i++)
            p.now[i] =
                o.table[(at.group - o.group) * LANES * TABLES + min(lane, k.used - 1) * TABLES + i];
        p.result = result;
        UNROLL
        for (int i = 0; i < ROWS; i++)
            around_it[i] = row_at(0, row - BELOW + i) + lane;
        UNROLL
        for (int f = 0; f < STATE; f++) {
            const bool computed = some && plane >= o.planes[f].lo && plane < o.planes[f].hi;

            lo[f] = (int)o.x[f].lo;
            size[f] = computed ? (int)(o.x[f].hi - o.x[f].lo) : 0;
            p.before[f] = around_it[BELOW][f * FIELD - PAD];
        }
        for (int step = 0; step < W; step++) {
            const int x = (int)column(first, step) - lane * LAG;

            p.p[0] = x;
            UNROLL
            for (int i = 0; i < ROWS; i++)
                p.row[i] = around_it[i] + step * PAD;
            K::template point<0>(&p);
            UNROLL
            for (int f = 0; f < F; f++) {
                here *const own = around_it[BELOW] + f * FIELD + step * PAD;
                here v = *own;

                if (f < STATE) {
                    v = (unsigned)(x - lo[f]) < (unsigned)size[f] ? result[f].v[0] : v;
                    *own = p.before[f] = v;
                }
                around_it[BELOW + UP][f * FIELD + (step + BY) * PAD + 1] = v;
            }
            __syncwarp();
        }
    }

    /* Sends the last steps to the next tile, or stores them for the next launch. */
    __device__ __forceinline__ void hand_on(long step)
    {
        const long row = k.from + step;

        if (gives) {
            right.wait(step - ZOID_WARP_AHEAD + 1);
            UNROLL
            for (int i = 0; i < SENT; i++)
                mail<here>::send(out_box.at(step, i), lane,
                                 row_at(i / EDGE, row)[(W - EDGE + i % EDGE) * PAD + lane],
                                 (unsigned)step + 1);
        } else if (at.tile[0] + 1 < o.all[0]) {
            here *const edge = reinterpret_cast<here *>(o.west) + step * SENT * LANES + lane;

            UNROLL
            for (int i = 0; i < SENT; i++)
                edge[i * LANES] = row_at(i / EDGE, row)[(W - EDGE + i % EDGE) * PAD + lane];
        }
    }

    /* Stores the last time's row, by all lanes, and those of other times to views that need them.
     */
    __device__ __forceinline__ void leave(long row, long first)
    {
        const long t = k.t + k.used, z = row - stores * UP, own = row - lane * UP;

        for (int f = 0; f < STATE; f++) {
            char *const out = z >= last.lo && z < last.hi ? destination(o, t, z, f) : nullptr;

            for (int step = lane; step < W && out; step += LANES) {
                const long x = column(first, step) - stores * LAG;

                if (x >= 0 && x < o.n[0])
                    reinterpret_cast<here *>(out)[x] = row_at(f, row)[step * PAD + stores];
            }
            for (int i = 0; i < o.writes && row >= wanted.lo && row < wanted.hi; i++) {
                char *const to =
                    has(k, lane, own) ? in_view(o, o.write[i], k.t + 1 + lane, own, f) : nullptr;
                const bool leaves = to && !(lane == k.used - 1 && to == destination(o, t, own, f));

                if (!__any_sync(ALL, leaves))
                    continue;
                for (int step = 0; step < W; step++) {
                    const long x = column(first, step) - lane * LAG;

                    if (leaves && x >= 0 && x < o.n[0])
                        reinterpret_cast<here *>(to)[x] = row_at(f, row)[step * PAD + lane];
                }
            }
        }
    }

    __device__ __forceinline__ void run()
    {
        const long steps = to - k.from;

        if (steps <= 0)
            return;
        begin();
        for (long step = 0; step < steps; step++) {
            const long row = k.from + step, first = first_of(row);
            /* All points of the row's steps are beyond the domain. */
            const bool empty = first + W <= 0 ||
                               (first - LAST * LAG >= o.n[0] && !(circles && first + W > o.circle));

            take(step);
            put(row + UP);
            __syncwarp();
            if (step + 1 < steps)
                fetch(row + UP + 1);
            if (!empty)
                compute(row, first);
            hand_on(step);
            if (!empty)
                leave(row, first);
            __syncwarp();
            if (lane == 0 && (step % (ZOID_WARP_AHEAD / 2) == 0 || step + 1 == steps))
                publish(at.done, (unsigned)step + 1, at.read);
        }
    }
};

template <class K>
__global__ void __launch_bounds__(LANES) skewed(const __grid_constant__ lanes_order o)
{
    extern __shared__ __align__(16) char memory[];
    skewed_warp<K> warp(o, *reinterpret_cast<skewed_memory<K> *>(memory));

    warp.run();
}

/* Rows that lanes do not take have none. */
template <class K> const void *kernel_of(size_t *shared)
{
    if constexpr (zoid_warp_takes(&K::row, K::D, K::STAGES, sizeof(here))) {
        *shared = sizeof(skewed_memory<K>);
        return reinterpret_cast<const void *>(skewed<K>);
    }
    return nullptr;
}

} // namespace

#define ZOID_SKEWED(variant)                                          \
    extern "C" const void *zoid_skewed_cuda_##variant(size_t *shared) \
    {                                                                 \
        return kernel_of<variant##_kind>(shared);                     \
    }
#define ZOID_VARIANT(variant, family, dims, radius, type, ...) \
    ZOID_HERE(type, dims, family, ZOID_SKEWED(variant))
#include ZOID_ROWS
