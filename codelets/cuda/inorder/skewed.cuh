/* SPDX-License-Identifier: BSD-3-Clause */
/* A warp of skewed.cu, which is the includer and has defined `here`, skewed_memory and at_step: the
 * points that it loads, the rows of steps that it computes, and the planes that it stores. */
#ifndef ZOID_CODELETS_CUDA_INORDER_SKEWED_CUH
#define ZOID_CODELETS_CUDA_INORDER_SKEWED_CUH

#include "codelets/cuda/inorder/warps.cuh"

namespace
{

template <class K> struct skewed_warp {
    typedef skewed_memory<K> memory;
    typedef touched<K, 0> what;
    static constexpr int W = memory::W, ROWS = memory::ROWS, BELOW = memory::skew.below,
                         UP = memory::skew.apart, FIELD = memory::FIELD;
    static constexpr int F = what::fields, STATE = what::state, TABLES = K::row.ntables;
    static constexpr int EDGE = memory::skew.edge, BY = memory::skew.by, LEAN = memory::skew.lean,
                         LAG = memory::skew.lag, LEFT = memory::skew.left,
                         RIGHT = memory::skew.right, END = W + memory::skew.beyond;
    /* Points as given of a row that a tile reads, TAKEN of them from column FROM on: in its own row
     * those before its first column are computed. */
    static constexpr int FROM = UP ? BY - EDGE : 0, TAKEN = END - FROM;
    static constexpr int PAD = memory::PAD, SENT = F * EDGE, QUEUE = (TAKEN + LANES - 1) / LANES;
    static constexpr int EVERY = ZOID_WARP_AHEAD / 2; /* rows from a word on progress to the next */
    typedef mailbox<here, SENT, ZOID_WARP_AHEAD> box;

    const lanes_order &o;
    here *const steps; /* all, in shared memory */
    const int lane;
    const post at;
    const group k, source; /* and the group before */
    const bool circles;
    const int circle, width; /* columns of the circle, and of the domain */
    const int tile, tiles;   /* of those of the launch */
    const box out_box, in_box;
    const bool gets, gives;   /* receives from the previous tile, sends to the next one */
    const range wanted, last; /* steps: see wanted_of; planes of the last time */
    const int stores; /* lane that stores these: the last one, or one that they are carried to */
    const long to;
    mail<here> in[SENT];
    here ahead[F][QUEUE]; /* lane 0's points of the next row but one, in flight */
    watched upstream, right;
    const unsigned *usual; /* the word to wait for where all points fetched are in the domain */
    at_step<K> point;

    /* Of the row at hand: */
    int first;      /* column of lane 0 at the tile's first step */
    int slot[ROWS]; /* offsets of the rows of steps from BELOW rows down on */
    /* Planes to fetch from next, and the plane to store to. */
    stretch state, rhs, out;

    __device__ __forceinline__ skewed_warp(const lanes_order &o, memory &m)
        : o(o), steps(&m.step[0][0][0][0]), lane(threadIdx.x), at(o),
          k(group_of(o, at.group, lane)),
          source(at.group > o.group ? group_of(o, at.group - 1, lane) : k), circles(o.circle > 0),
          circle((int)o.circle), width((int)o.n[0]), tile((int)(at.tile[0] - o.first[0])),
          tiles((int)o.count[0]), out_box(o.ring, at.number),
          in_box(o.ring, circles && tile == 0 ? at.number + tiles - 1 : at.number - 1),
          gets(circles || at.beside(o, 0, -1)), gives(circles || at.beside(o, 0, 1)),
          wanted(wanted_of(o, k, lane)), last{__shfl_sync(ALL, k.own.lo, k.used - 1),
                                              __shfl_sync(ALL, k.own.hi, k.used - 1)},
          stores(max(k.used - 1, memory::skew.storing)),
          to(last.lo < last.hi ? max(k.to, last.hi + (long)stores * UP) : k.to), in{},
          upstream{nullptr, 0}, right{post::word(o, circles && tile + 1 == tiles
                                                        ? at.number + 1 - tiles
                                                        : at.number + 1),
                                      0},
          usual(at.group > o.group ? word_before(at.tile[0] * W + FROM + min(lane * W, TAKEN - 1) +
                                                 LAST * (LAG + UP * LEAN))
                                   : nullptr)
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

    /* The same, for columns less than a circle beyond it. */
    __device__ __forceinline__ int near(int at) const
    {
        return !circles ? at : at < 0 ? at + circle : at >= circle ? at - circle : at;
    }

    /* Column of lane 0 at the tile's first step in a row. */
    __device__ __forceinline__ int first_of(long row) const
    {
        return (int)around(at.tile[0] * W - (row - o.upright) * LEAN);
    }

    /* Column of lane 0 at a step, EDGE before the tile's first one or later. */
    __device__ __forceinline__ int column(int first, int step) const
    {
        const int x = first + step;

        return circles && x >= circle ? x - circle : x;
    }

    __device__ __forceinline__ int slot_of(long row) const
    {
        return (int)((unsigned)(row - k.from + BELOW) % ROWS) * memory::WIDTH * PAD + EDGE * PAD;
    }

    __device__ __forceinline__ here value(const char *row, long x) const
    {
        return row && x >= 0 && x < width ? reinterpret_cast<const here *>(row)[x] : here(0);
    }

    /* A plane of a field at time t, as given. */
    __device__ __forceinline__ const char *plane(long t, long z, int field) const
    {
        const stretch found = field < STATE ? stretch_given(o, t, z) : stretch_rhs(o, z);

        return found.at ? found.at + (field < STATE ? field : field - STATE) * found.field
                        : nullptr;
    }

    /* ---- lane 0's points ----------------------------------------------------------------- */

    /* Word of the warp before whose last lane stores its points of a column, counted where lane 0
     * of the same plane is. */
    __device__ __forceinline__ const unsigned *word_before(long column) const
    {
        return post::word(o, (at.group - 1 - o.group) * o.count[0] +
                                 min(around(column) / W, o.all[0] - 1));
    }

    /* Waits until the group before has stored the columns of a plane that a row of steps takes,
     * from `from` on. A lane asks for every tile that has some of them. */
    __device__ __forceinline__ void await(long z, int from)
    {
        const int end = from + TAKEN - 1;
        int lo = max(from, 0), hi = min(end, width - 1);

        if (at.group == o.group)
            return;
        if (circles && end >= circle) {
            lo = 0;
            hi = end - circle;
        }
        if (lo <= hi && lane * W < TAKEN + W - 1) {
            const unsigned *const word = from >= 0 && end < width
                                             ? usual
                                             : word_before(min(lo + lane * W, hi) + LAST * LAG +
                                                           (z + LAST * UP - o.upright) * LEAN);

            if (word != upstream.word)
                upstream = {word, 0};
            upstream.wait(steps_for(o, source, z));
        }
        __syncwarp();
    }

    /* Starts to load lane 0's points of a row, whose first step is at column `first`: those that no
     * step of the tile is handed on to besides. */
    __device__ __forceinline__ void fetch(long row, int first)
    {
        const int from = near(first + FROM);

        await(row, from);
        UNROLL
        for (int f = 0; f < F; f++) {
            const stretch &found = f < STATE ? state : rhs;
            const char *const given = found.at + (f < STATE ? f : f - STATE) * found.field;

            UNROLL
            for (int i = 0; i < QUEUE; i++) {
                const int x = column(from, i * LANES + lane);

                ahead[f][i] = found.at && i * LANES + lane < TAKEN && x >= 0 && x < width
                                  ? __ldcg(reinterpret_cast<const here *>(given) + x)
                                  : here(0);
            }
        }
        if (--state.left == 0)
            state = stretch_given(o, k.t, row + 1);
        else
            state.at += state.by;
        if (F > STATE) {
            if (--rhs.left == 0)
                rhs = stretch_rhs(o, row + 1);
            else
                rhs.at += rhs.by;
        }
    }

    __device__ __forceinline__ void put(int slot)
    {
        UNROLL
        for (int f = 0; f < F; f++)
            UNROLL
        for (int i = 0; i < QUEUE; i++) {
            const int step = i * LANES + lane;

            if (step < TAKEN)
                steps[f * FIELD + slot + (step + FROM) * PAD] = ahead[f][i];
        }
    }

    /* ---- rows of steps ------------------------------------------------------------------- */

    /* Sets a lane's value before the tile's first column, and hands it on. */
    __device__ __forceinline__ void hand_up(int field, int step, here v)
    {
        steps[field * FIELD + slot[BELOW] + step * PAD + lane] = v;
        if (step + BY >= FROM)
            steps[field * FIELD + slot[BELOW + UP] + (step + BY) * PAD + lane + 1] = v;
    }

    /* Sets the points of the rows below the first one as given, whether or not a lane has a plane
     * of its time to compute, and starts lane 0's first rows. */
    __device__ __forceinline__ void begin()
    {
        for (int i = lane; i < F * FIELD; i += LANES)
            steps[i] = here(0);
        __syncwarp();
        for (int by = max(BELOW, UP); by > 0; by--) {
            const long row = k.from - by;
            const int first = first_of(row);

            for (int f = 0; f < F; f++) {
                const char *const given =
                    lane < k.used ? plane(k.t + 1 + lane, row - lane * UP, f) : nullptr;

                for (int step = -EDGE; step < W; step++) {
                    const here v = value(given, around(first + step) - lane * LAG);

                    if (by <= UP && step + BY < END)
                        steps[f * FIELD + slot_of(row + UP) + (step + BY) * PAD + lane + 1] = v;
                    if (by <= BELOW)
                        steps[f * FIELD + slot_of(row) + step * PAD + lane] = v;
                }
            }
        }
        __syncwarp();
        first = first_of(k.from);
        UNROLL
        for (int i = 0; i < ROWS; i++)
            slot[i] = slot_of(k.from - BELOW + i);
        state = stretch_given(o, k.t, k.from);
        rhs = F > STATE ? stretch_rhs(o, k.from) : missing;
        out = stretch_to(o, k.t + k.used, k.from - (long)stores * UP);
        for (int by = 0; by <= UP; by++) {
            fetch(k.from + by, first_of(k.from + by));
            if (by < UP)
                put(slot_of(k.from + by));
        }
        __syncwarp();
        point.params = &o.params;
        point.t = k.t + 1 + lane;
        point.p[2] = 0;
        point.n = o.domain;
        UNROLL
        for (int i = 0; i < TABLES; i++)
            point.now[i] =
                o.table[(at.group - o.group) * LANES * TABLES + min(lane, k.used - 1) * TABLES + i];
    }

    /* Goes on to the next row. */
    __device__ __forceinline__ void climb(long row)
    {
        const int lowest = slot[0];

        first = near(first - LEAN);
        UNROLL
        for (int i = 0; i + 1 < ROWS; i++)
            slot[i] = slot[i + 1];
        slot[ROWS - 1] = lowest;
        if (--out.left == 0)
            out = stretch_to(o, k.t + k.used, row + 1 - (long)stores * UP);
        else
            out.at += out.by;
    }

    /* The tile is the first one of the line of tiles that the circle is cut into. */
    __device__ __forceinline__ bool leads() const
    {
        return circles && (first == 0 || first + W > circle);
    }

    /* Receives the steps before the first column. */
    __device__ __forceinline__ void take(int step)
    {
        if (gets && !leads()) {
            receive(in_box.at(step, 0), lane, (unsigned)step + 1, in);
            UNROLL
            for (int i = 0; i < SENT; i++)
                hand_up(i / EDGE, i % EDGE - EDGE, in[i].value());
        } else if (!circles && at.tile[0] > 0) {
            const here *const edge =
                reinterpret_cast<const here *>(o.west) + (long)step * SENT * LANES + lane;

            UNROLL
            for (int i = 0; i < SENT; i++)
                hand_up(i / EDGE, i % EDGE - EDGE, edge[i * LANES]);
        }
    }

    /* Starts to load the next row's vectors from the tile before, and the next tile's progress. */
    __device__ __forceinline__ void look_ahead(int step)
    {
        if (gets) {
            UNROLL
            for (int i = 0; i < SENT; i++)
                in[i].fetch(in_box.at(step + 1, i), lane);
        }
        if (gives)
            right.look();
    }

    /* Computes the steps of a row. The values around the next step are loaded while one is
     * computed. */
    __device__ __forceinline__ void compute(long row)
    {
        const long plane = row - lane * UP;
        const bool some = has(k, lane, plane);
        here *next[ROWS], *const own = steps + slot[BELOW] + lane;
        here *const up = steps + slot[BELOW + UP] + BY * PAD + lane + 1;
        const int behind = first - lane * LAG, turn = circles ? circle - first : W;
        unsigned start[STATE], size[STATE];
        value_here result[STATE];

        point.p[1] = plane;
        point.result = result;
        UNROLL
        for (int i = 0; i < ROWS; i++)
            next[i] = steps + slot[i] + lane + (i - BELOW) * LEAN * PAD;
        UNROLL
        for (int f = 0; f < F; f++)
            UNROLL
        for (int i = 0; i < ROWS; i++)
            UNROLL
        for (int c = 0; c < point.COLUMNS; c++)
            point.around[f][i][c] = next[i][f * FIELD + (c - LEFT) * PAD];
        UNROLL
        for (int f = 0; f < STATE; f++) {
            const bool computed = some && plane >= o.planes[f].lo && plane < o.planes[f].hi;

            start[f] = (unsigned)(behind - (int)o.x[f].lo);
            size[f] = computed ? (unsigned)(o.x[f].hi - o.x[f].lo) : 0;
            settle(start[f]);
        }
#pragma unroll 4
        for (int step = 0; step < W; step++) {
            const int along = step - (step >= turn ? circle : 0);
            here right[F][ROWS];
            unsigned inside[STATE]; /* below `size` if the field's point is computed */

            UNROLL
            for (int f = 0; f < F; f++)
                UNROLL
            for (int i = 0; i < ROWS; i++)
                right[f][i] = next[i][f * FIELD + (step + (step + 1 < W) + RIGHT) * PAD];
            UNROLL
            for (int f = 0; f < STATE; f++) {
                inside[f] = start[f] + (unsigned)along;
                settle(inside[f]);
            }
            point.p[0] = behind + along;
            K::template point<0>(&point);
            UNROLL
            for (int f = 0; f < F; f++) {
                here(&around)[ROWS][point.COLUMNS] = point.around[f];
                here &v = around[BELOW][LEFT];

                if (f < STATE) {
                    v = inside[f] < size[f] ? result[f].v[0] : v;
                    own[f * FIELD + step * PAD] = v;
                }
                if (step + BY < END)
                    up[f * FIELD + step * PAD] = v;
                UNROLL
                for (int i = 0; i < ROWS; i++) {
                    UNROLL
                    for (int c = 0; c + 1 < point.COLUMNS; c++)
                        around[i][c] = around[i][c + 1];
                    around[i][point.COLUMNS - 1] = right[f][i];
                }
            }
            __syncwarp();
        }
    }

    /* Sends the last steps to the next tile, or stores them for the next launch. */
    __device__ __forceinline__ void hand_on(int step)
    {
        const here *const last = steps + slot[BELOW] + (W - EDGE) * PAD + lane;

        if (gives) {
            right.wait(step - ZOID_WARP_AHEAD + 1);
            UNROLL
            for (int i = 0; i < SENT; i++)
                mail<here>::send(out_box.at(step, i), lane, last[i / EDGE * FIELD + i % EDGE * PAD],
                                 (unsigned)step + 1);
        } else if (at.tile[0] + 1 < o.all[0]) {
            here *const edge = reinterpret_cast<here *>(o.west) + (long)step * SENT * LANES + lane;

            UNROLL
            for (int i = 0; i < SENT; i++)
                edge[i * LANES] = last[i / EDGE * FIELD + i % EDGE * PAD];
        }
    }

    __device__ __forceinline__ const char *destination(long z, int field) const
    {
        const stretch found = stretch_to(o, k.t + k.used, z);

        return found.at ? found.at + field * found.field : nullptr;
    }

    /* Stores the last time's row, by all lanes, and those of other times to views that need them.
     */
    __device__ __forceinline__ void leave(long row)
    {
        const long z = row - (long)stores * UP, own = row - lane * UP;
        const bool direct = z >= last.lo && z < last.hi && out.at;

        for (int f = 0; f < STATE; f++) {
            const here *const from = steps + f * FIELD + slot[BELOW];

            for (int step = lane; step < W && direct; step += LANES) {
                const int x = column(first, step) - stores * LAG;

                if (x >= 0 && x < width)
                    reinterpret_cast<here *>(out.at + f * out.field)[x] = from[step * PAD + stores];
            }
            for (int i = 0; i < o.writes && row >= wanted.lo && row < wanted.hi; i++) {
                char *const to =
                    has(k, lane, own) ? in_view(o, o.write[i], k.t + 1 + lane, own, f) : nullptr;
                const bool leaves = to && !(lane == k.used - 1 && to == destination(own, f));

                if (!__any_sync(ALL, leaves))
                    continue;
                for (int step = 0; step < W; step++) {
                    const int x = column(first, step) - lane * LAG;

                    if (leaves && x >= 0 && x < width)
                        reinterpret_cast<here *>(to)[x] = from[step * PAD + lane];
                }
            }
        }
    }

    __device__ __forceinline__ void run()
    {
        const int count = (int)(to - k.from);

        if (count <= 0)
            return;
        begin();
        for (int step = 0; step < count; step++) {
            const long row = k.from + step;
            /* All points of the row's steps are beyond the domain. */
            const bool empty =
                first + W <= 0 || (first - LAST * LAG >= width && !(circles && first + W > circle));

            take(step);
            put(slot[BELOW + UP]);
            __syncwarp();
            look_ahead(step);
            if (step + 1 < count)
                fetch(row + UP + 1, near(first - (UP + 1) * LEAN));
            if (!empty)
                compute(row);
            /* Of the rows before: their stores have long left when this waits for them. */
            if (lane == 0 && step % EVERY == 0)
                publish(at.done, (unsigned)step, at.read);
            hand_on(step);
            if (!empty)
                leave(row);
            climb(row);
            __syncwarp();
        }
        if (lane == 0)
            publish(at.done, (unsigned)count, at.read);
    }
};

} // namespace
#endif
