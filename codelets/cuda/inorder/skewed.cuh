/* SPDX-License-Identifier: BSD-3-Clause */
/* A warp of skewed.cu, which is the includer and has defined `here`, skewed_memory and at_step: the
 * points that it loads, the rows of steps that it computes, and the points that it stores. */
#ifndef ZOID_CODELETS_CUDA_INORDER_SKEWED_CUH
#define ZOID_CODELETS_CUDA_INORDER_SKEWED_CUH

#include "codelets/cuda/inorder/warps.cuh"

namespace
{

/* A row of a tile's steps: of plane z, with the rows before the tile's first one; and where the
 * points given for it lie: in which row, and from which column on, edge apart. */
struct spot {
    long z;
    int row, y, x;
};

template <class K> struct skewed_warp {
    typedef skewed_memory<K> memory;
    typedef touched<K, 0> what;
    static constexpr zoid_warp_skew skew = memory::skew;
    static constexpr int W = memory::W, HIGH = memory::HIGH, RING = memory::RING;
    static constexpr int PAD = memory::PAD, LINE = memory::LINE, FIELD = memory::FIELD;
    static constexpr int F = what::fields, STATE = what::state, TABLES = K::row.ntables;
    static constexpr int UP = skew.apart, PLANES = skew.planes, ROWS = memory::ROWS;
    static constexpr int EDGE = skew.edge, LOW = skew.edge_rows, PITCH = EDGE + W;
    static constexpr int LAG = skew.lag, LAG_ROWS = skew.lag_rows;
    /* Vectors of a row that a tile sends to the next one in x, and all that it sends at a step: to
     * that one, then to the next one in y. */
    static constexpr int SENT = F * EDGE, ACROSS = F * W, EAST = HIGH * SENT, NORTH = LOW * ACROSS;
    static constexpr int AHEAD = K::D == 3 ? ZOID_WARP_AHEAD_3D : ZOID_WARP_AHEAD;
    static constexpr int EVERY = AHEAD / 2; /* planes from a word on progress to the next */
    /* Points of a row as given: values of a lane. And tiles that may have stored a row's. */
    static constexpr int QUEUE = (PITCH + LANES - 1) / LANES, TILES = (PITCH + W - 2) / W + 1;
    static constexpr int WATCHED = (HIGH * TILES + LANES - 1) / LANES;
    typedef mailbox<here, EAST + NORTH, AHEAD> box;

    const lanes_order &o;
    here *const steps; /* all, in shared memory */
    const int lane;
    const post at;
    const group k, source;         /* and the group before */
    const int circle, circle_rows; /* 0: tiles do not circle */
    const int width, height;       /* of the domain */
    const box out_box, west_box, south_box;
    /* Receives from the tiles before, sends to the next ones, of this launch. */
    const bool gets_west, gets_south, gives_east, gives_north;
    const range wanted, last; /* steps: see wanted_of; planes of the last time */
    const int stores; /* lane that stores these: the last one, or one that they are carried to */
    const long to;
    mail<here> in[SENT > 0 ? SENT : 1];
    here ahead[F][QUEUE]; /* points given for the next row, in flight */
    watched upstream[WATCHED], right, beyond;
    /* Words to wait for where all points that a plane takes are in the domain. */
    const unsigned *usual[WATCHED];
    at_step<K> point;

    /* Of the plane at hand, and of those below it: first row in their ring. */
    int low[PLANES + 1], ring[PLANES + 1];
    /* Planes to fetch from next, and the plane to store to. */
    stretch state, rhs, out;

    __device__ __forceinline__ skewed_warp(const lanes_order &o, memory &m)
        : o(o), steps(&m.step[0][0][0][0]), lane(threadIdx.x), at(o),
          k(group_of(o, at.group, lane)),
          source(at.group > o.group ? group_of(o, at.group - 1, lane) : k),
          circle((int)o.circle[0]), circle_rows((int)o.circle[1]), width((int)o.n[0]),
          height((int)o.n[1]), out_box(o.ring, at.number), west_box(o.ring, at.around(o, 0, -1)),
          south_box(o.ring, at.around(o, 1, -1)), gets_west(circle || at.beside(o, 0, -1)),
          gets_south(circle_rows || at.beside(o, 1, -1)), gives_east(circle || at.beside(o, 0, 1)),
          gives_north(circle_rows || at.beside(o, 1, 1)),
          wanted(wanted_of(o, k, lane)), last{__shfl_sync(ALL, k.own.lo, k.used - 1),
                                              __shfl_sync(ALL, k.own.hi, k.used - 1)},
          stores(max(k.used - 1, skew.storing)),
          to(last.lo < last.hi ? max(k.to, last.hi + (long)stores * UP) : k.to), in{},
          right{post::word(o, at.around(o, 0, 1)), 0}, beyond{post::word(o, at.around(o, 1, 1)), 0}
    {
        const long y = at.tile[1] * memory::T - LOW + LANES * skew.by_rows;
        const long x = at.tile[0] * W - EDGE + LANES * skew.by;

        UNROLL
        for (int i = 0; i < WATCHED; i++) {
            upstream[i] = {nullptr, 0};
            usual[i] = at.group > o.group
                           ? word_of(y + asked_row(i), x + min(asked_tile(i) * W, PITCH - 1))
                           : nullptr;
        }
    }

    /* ---- rows and columns ---------------------------------------------------------------- */

    static __device__ __forceinline__ long around(long at, long circle)
    {
        if (!circle)
            return at;
        return at < 0 ? circle - 1 - modulo(-1 - at, circle) : modulo(at, circle);
    }

    /* The same, for columns less than a circle before it or beyond. */
    __device__ __forceinline__ int near(int at) const
    {
        return !circle ? at : at < 0 ? at + circle : at >= circle ? at - circle : at;
    }

    __device__ __forceinline__ int column_of(long z, int y) const
    {
        return (int)around(at.tile[0] * W - (z - o.upright) * skew.lean - (long)y * skew.slant,
                           circle);
    }

    /* First row of a plane. */
    __device__ __forceinline__ spot first_of(long z) const
    {
        const int y =
            K::D < 3 ? 0
                     : (int)around(at.tile[1] * memory::T - LOW - (z - o.upright) * skew.lean_rows,
                                   circle_rows);

        return {z, 0, y, column_of(z, y)};
    }

    __device__ __forceinline__ spot after(spot s) const
    {
        if (K::D < 3)
            return {s.z + 1, 0, 0, near(s.x - skew.lean)};
        if (++s.row == HIGH)
            return first_of(s.z + 1);
        if (++s.y == circle_rows) {
            s.y = 0;
            s.x = column_of(s.z, 0);
        } else {
            s.x = near(s.x - skew.slant);
        }
        return s;
    }

    /* Returns whether points of the domain are given, or computed by any lane, in `count` columns
     * of a row. */
    __device__ __forceinline__ bool any(int y, int from, int count) const
    {
        from = near(from);
        return y >= 0 && y < height + LANES * LAG_ROWS && from + count > 0 &&
               (from < width + LANES * LAG || (circle && from + count > circle));
    }

    /* Offset of a row of steps, of the plane at hand or one `below`. */
    __device__ __forceinline__ int slot(int below, int row) const
    {
        const int i = low[below] + row;

        return ((PLANES > 1 ? ring[below] * RING : 0) + (i >= RING ? i - RING : i)) * LINE +
               EDGE * PAD;
    }

    /* Goes on to the next plane: its rows take the places of those PLANES below, LOW + 1 rows
     * further down. */
    __device__ __forceinline__ void climb(long z)
    {
        const int first = low[PLANES - 1] - (LOW + 1), around = ring[PLANES - 1];

        UNROLL
        for (int i = PLANES; i > 0; i--) {
            low[i] = low[i - 1];
            ring[i] = ring[i - 1];
        }
        low[0] = first < 0 ? first + RING : first;
        ring[0] = around;
        go_on(&out, [&] { return stretch_to(o, k.t + k.used, z + 1 - (long)stores * UP); });
    }

    template <class Find> static __device__ __forceinline__ void go_on(stretch *s, const Find &find)
    {
        if (--s->left == 0)
            *s = find();
        else
            s->at += s->by;
    }

    /* ---- points as given ----------------------------------------------------------------- */

    /* Row, and tile in x, that this lane asks for. */
    __device__ __forceinline__ int asked_row(int i) const
    {
        return (i * LANES + lane) / TILES;
    }
    __device__ __forceinline__ int asked_tile(int i) const
    {
        return (i * LANES + lane) % TILES;
    }

    /* Word of the warp before that stores steps of a row and column, counted from where the
     * launch's first tile began. */
    __device__ __forceinline__ const unsigned *word_of(long y, long x) const
    {
        const long across = around(x, circle) / W, along = around(y, circle_rows) / memory::T;

        return post::word(o, ((at.group - 1 - o.group) * o.count[1] + min(along, o.all[1] - 1)) *
                                     o.count[0] +
                                 min(across, o.all[0] - 1));
    }

    /* Waits until the group before has stored the points that a plane of steps takes. A lane asks
     * for every tile that has some of a row. */
    __device__ __forceinline__ void await(const spot &s)
    {
        const bool whole = s.y >= 0 && s.y + HIGH <= height &&
                           s.x - EDGE - (HIGH - 1) * skew.slant >= 0 && s.x + W <= width;
        const long z = s.z + UP + (long)LAST * UP - o.upright; /* of its step */

        if (at.group == o.group)
            return;
        UNROLL
        for (int i = 0; i < WATCHED; i++) {
            const unsigned *word = asked_row(i) < HIGH ? usual[i] : nullptr;
            int y = s.y + asked_row(i);

            if (word && !whole) {
                if (circle_rows && y >= circle_rows)
                    y -= circle_rows;
                const int from = near(column_of(s.z, y) - EDGE), end = from + PITCH - 1;
                const bool round = circle && end >= circle;
                const int lo = round ? 0 : max(from, 0),
                          hi = min(round ? end - circle : end, width - 1);
                const long x = min(lo + asked_tile(i) * W, hi) + LANES * LAG;
                const long row = y + LANES * LAG_ROWS;

                word = y >= 0 && y < height && lo <= hi
                           ? word_of(row + z * skew.lean_rows, x + row * skew.slant + z * skew.lean)
                           : nullptr;
            }
            if (word) {
                if (word != upstream[i].word)
                    upstream[i] = {word, 0};
                upstream[i].wait(steps_for(o, source, s.z + UP));
            }
        }
        __syncwarp();
    }

    __device__ __forceinline__ bool inside(int y, int x) const
    {
        return y >= 0 && y < height && x >= 0 && x < width;
    }

    /* Starts to load the points that a row of steps is given; planes go on after the last row. */
    __device__ __forceinline__ void fetch(const spot &s)
    {
        const int from = near(s.x - EDGE);

        if (s.row == 0)
            await(s);
        UNROLL
        for (int f = 0; f < F; f++) {
            const stretch &found = f < STATE ? state : rhs;
            const bool some = found.at && s.y >= 0 && s.y < height;
            const char *const given =
                some ? found.at + (f < STATE ? f : f - STATE) * found.field + s.y * o.pitch
                     : nullptr;

            UNROLL
            for (int i = 0; i < QUEUE; i++) {
                const int step = i * LANES + lane;
                const int x = circle && from + step >= circle ? from + step - circle : from + step;

                ahead[f][i] = some && step < PITCH && x >= 0 && x < width
                                  ? __ldcg(reinterpret_cast<const here *>(given) + x)
                                  : here(0);
            }
        }
        if (s.row + 1 < HIGH)
            return;
        go_on(&state, [&] { return stretch_given(o, k.t, s.z + 1 + UP); });
        if (F > STATE)
            go_on(&rhs, [&] { return stretch_rhs(o, s.z + 1 + UP); });
    }

    __device__ __forceinline__ void put(int slot)
    {
        UNROLL
        for (int f = 0; f < F; f++)
            UNROLL
        for (int i = 0; i < QUEUE; i++) {
            const int step = i * LANES + lane;

            if (step < PITCH)
                steps[f * FIELD + slot + (step - EDGE) * PAD] = ahead[f][i];
        }
    }

    /* ---- edges of tiles ------------------------------------------------------------------ */

    __device__ __forceinline__ here &value(int slot, int field, int step) const
    {
        return steps[field * FIELD + slot + step * PAD + lane + 1];
    }

    /* Vectors of a tile's last columns, and of its last rows, between launches: of a step, and for
     * rows of the tiles in the domain, which are never as many as those of a circle. */
    __device__ __forceinline__ here *west_edge(int step, int row) const
    {
        return reinterpret_cast<here *>(o.west) + ((long)step * EAST + row * SENT) * LANES + lane;
    }
    __device__ __forceinline__ here *south_edge(int step, int row) const
    {
        return reinterpret_cast<here *>(o.south) +
               (((long)step * o.tiles.across + modulo(at.tile[0], o.tiles.across)) * NORTH +
                row * ACROSS) *
                   LANES +
               lane;
    }

    /* Sets the steps of a row before its first column, and all of a row before the first one, as
     * the tiles before have computed them. */
    __device__ __forceinline__ void take(int step, const spot &s, int to)
    {
        if constexpr (EDGE > 0)
            if (any(s.y, s.x - EDGE, EDGE)) {
                const here *const edge = west_edge(step, s.row);

                if (gets_west)
                    receive(west_box.at(step, s.row * SENT), lane, (unsigned)step + 1, in);
                UNROLL
                for (int i = 0; i < SENT; i++)
                    value(to, i / EDGE, i % EDGE - EDGE) =
                        gets_west ? in[i].value() : edge[i * LANES];
            }
        if (s.row >= LOW || !any(s.y, s.x, W))
            return;
        for (int i = 0; i < ACROSS; i += ZOID_WARP_STEPS) {
            const here *const edge = south_edge(step, s.row) + i * LANES;
            mail<here> all[ZOID_WARP_STEPS] = {};

            if (gets_south)
                receive(south_box.at(step, EAST + s.row * ACROSS + i), lane, (unsigned)step + 1,
                        all);
            UNROLL
            for (int j = 0; j < ZOID_WARP_STEPS; j++)
                value(to, i / W, i % W + j) = gets_south ? all[j].value() : edge[j * LANES];
        }
    }

    /* Starts to load the next row's vectors from the tile before, and the next tiles' progress. */
    __device__ __forceinline__ void look_ahead(int step, int row)
    {
        if constexpr (EDGE > 0)
            if (gets_west) {
                UNROLL
                for (int i = 0; i < SENT; i++)
                    in[i].fetch(west_box.at(step, row * SENT + i), lane);
            }
        if (gives_east)
            right.look();
        if (gives_north)
            beyond.look();
    }

    /* Sends a row's last steps to the next tile in x, and a last row to the one in y, or stores
     * them for the next launch. */
    __device__ __forceinline__ void hand_on(int step, const spot &s, int from)
    {
        const int row = s.row - (HIGH - LOW);

        if constexpr (EDGE > 0)
            if ((gives_east || at.tile[0] + 1 < o.all[0]) && any(s.y, s.x + W - EDGE, EDGE)) {
                here *const edge = west_edge(step, s.row);

                if (gives_east)
                    right.wait(step - AHEAD + 1);
                UNROLL
                for (int i = 0; i < SENT; i++) {
                    const here v = value(from, i / EDGE, W - EDGE + i % EDGE);

                    if (gives_east)
                        mail<here>::send(out_box.at(step, s.row * SENT + i), lane, v,
                                         (unsigned)step + 1);
                    else
                        edge[i * LANES] = v;
                }
            }
        if (row < 0 || !(gives_north || at.tile[1] + 1 < o.all[1]) || !any(s.y, s.x, W))
            return;
        if (gives_north)
            beyond.wait(step - AHEAD + 1);
        here *const edge = south_edge(step, row);

#pragma unroll 4
        for (int i = 0; i < ACROSS; i++) {
            const here v = value(from, i / W, i % W);

            if (gives_north)
                mail<here>::send(out_box.at(step, EAST + row * ACROSS + i), lane, v,
                                 (unsigned)step + 1);
            else
                edge[i * LANES] = v;
        }
    }

    /* ---- rows of steps ------------------------------------------------------------------- */

    /* Sets the points of the planes below the first one as given, whether or not a lane has a plane
     * of its time to compute. */
    __device__ __forceinline__ void begin()
    {
        for (int i = lane; i < F * FIELD; i += LANES)
            steps[i] = here(0);
        __syncwarp();
        UNROLL
        for (int i = 0; i <= PLANES; i++) {
            low[i] = i ? 0 : RING - (LOW + 1);
            ring[i] = i ? PLANES - i : 0;
        }
        for (int by = PLANES; by > 0; by--) {
            const long z = k.from - by - lane * UP;
            const stretch from = lane < k.used ? stretch_given(o, k.t + 1 + lane, z) : missing;
            const stretch b = F > STATE && lane < k.used ? stretch_rhs(o, z) : missing;

            for (spot s = first_of(k.from - by); s.z == k.from - by; s = after(s))
                for (int f = 0; f < F; f++) {
                    const stretch &found = f < STATE ? from : b;
                    const int y = s.y - (lane + 1) * LAG_ROWS, field = f < STATE ? f : f - STATE;

                    for (int step = -EDGE; step < W; step++) {
                        const int x = near(s.x + step) - (lane + 1) * LAG;

                        value((PLANES - by) * RING * LINE + s.row * LINE + EDGE * PAD, f, step) =
                            found.at && inside(y, x)
                                ? reinterpret_cast<const here *>(found.at + field * found.field +
                                                                 y * o.pitch)[x]
                                : here(0);
                    }
                }
        }
        state = stretch_given(o, k.t, k.from);
        rhs = F > STATE ? stretch_rhs(o, k.from) : missing;
        out = stretch_to(o, k.t + k.used, k.from - (long)stores * UP);
        for (spot s = first_of(k.from - UP); s.z < k.from; s = after(s)) {
            fetch(s);
            put((int)(s.z - k.from + PLANES) * RING * LINE + s.row * LINE + EDGE * PAD);
        }
        fetch(first_of(k.from));
        __syncwarp();
        point.params = &o.params;
        point.t = k.t + 1 + lane;
        point.p[1] = point.p[2] = 0;
        point.n = o.domain;
        UNROLL
        for (int i = 0; i < TABLES; i++)
            point.now[i] =
                o.table[(at.group - o.group) * LANES * TABLES + min(lane, k.used - 1) * TABLES + i];
    }

    /* Values of a row around a point: those before it of the lane itself, others of the lane below,
     * which had the point UP planes before. */
    struct seen {
        bool own;
        int below, rows, columns;
    };
    static __device__ constexpr seen seen_at(int i)
    {
        const int dz = i / memory::AROUND - skew.below, dy = i % memory::AROUND - skew.south;
        const bool own = dz < 0 || (dz == 0 && dy < 0);
        const int rows = dy + dz * skew.lean_rows;
        const int columns = rows * skew.slant + dz * (skew.lean - skew.lean_rows * skew.slant);

        return {own, own ? -dz : UP - dz, own ? rows : rows - skew.by_rows,
                own ? columns : columns - skew.by};
    }

    /* Computes the steps of a row. The values around the next step are loaded while one is
     * computed. */
    __device__ __forceinline__ void compute(const spot &s, int place)
    {
        const long plane = s.z - lane * UP;
        const int y = s.y - (lane + 1) * LAG_ROWS;
        const bool some = has(k, lane, plane);
        here *const own = steps + place + lane + 1;
        const here *next[ROWS];
        const int behind = s.x - (lane + 1) * LAG, turn = circle ? circle - s.x : W;
        unsigned start[STATE], size[STATE];
        value_here result[STATE];

        point.p[K::D - 1] = plane;
        if (K::D == 3)
            point.p[1] = y;
        point.result = result;
        each<ROWS>([&]<int i>() {
            constexpr seen r = seen_at(i);

            next[i] = steps + slot(r.below, s.row + r.rows) + r.columns * PAD + lane + r.own;
        });
        UNROLL
        for (int f = 0; f < F; f++)
            UNROLL
        for (int i = 0; i < ROWS; i++)
            UNROLL
        for (int c = 0; c < point.COLUMNS; c++)
            point.around[f][i][c] = i == memory::MIDDLE && c < skew.left
                                        ? own[f * FIELD + (c - skew.left) * PAD]
                                        : next[i][f * FIELD + (c - skew.left) * PAD];
        UNROLL
        for (int f = 0; f < STATE; f++) {
            const bool computed = some && plane >= o.planes[f].lo && plane < o.planes[f].hi &&
                                  y >= o.rows[f].lo && y < o.rows[f].hi;

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
                right[f][i] = next[i][f * FIELD + (step + (step + 1 < W) + skew.right) * PAD];
            UNROLL
            for (int f = 0; f < STATE; f++) {
                inside[f] = start[f] + (unsigned)along;
                settle(inside[f]);
            }
            if (K::D > 1)
                point.p[0] = behind + along;
            K::template point<0>(&point);
            UNROLL
            for (int f = 0; f < F; f++) {
                here(&around)[ROWS][point.COLUMNS] = point.around[f];
                here &v = around[memory::MIDDLE][skew.left];

                if (f < STATE)
                    v = inside[f] < size[f] ? result[f].v[0] : v;
                own[f * FIELD + step * PAD] = v;
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

    /* On a line lanes are further apart than blocks lean, and begin one after another: sets the
     * points below a lane's first one as given. */
    __device__ __forceinline__ void bring(const spot &s, int place)
    {
        const long z = s.z - lane * UP;
        const stretch found =
            lane < k.used && z < k.own.lo ? stretch_given(o, k.t + 1 + lane, z) : missing;

        for (int f = 0; f < STATE && found.at; f++)
            value(place, f, 0) = *reinterpret_cast<const here *>(found.at + f * found.field);
    }

    __device__ __forceinline__ const char *destination(long z, int field) const
    {
        const stretch found = stretch_to(o, k.t + k.used, z);

        return found.at ? found.at + field * found.field : nullptr;
    }

    /* Stores a row of the last time, by all lanes, and those of other times to views that need
     * them. */
    __device__ __forceinline__ void leave(const spot &s, int slot)
    {
        const long z = s.z - (long)stores * UP, own = s.z - lane * UP;
        const int row = s.y - (stores + 1) * LAG_ROWS, y = s.y - (lane + 1) * LAG_ROWS;
        const bool direct = z >= last.lo && z < last.hi && out.at;

        for (int f = 0; f < STATE; f++) {
            const here *const from = steps + f * FIELD + slot;
            char *const to = direct ? out.at + f * out.field + row * o.pitch : nullptr;

            for (int step = lane; step < W && direct; step += LANES) {
                const int x = near(s.x + step) - (stores + 1) * LAG;

                if (inside(row, x))
                    reinterpret_cast<here *>(to)[x] = from[step * PAD + stores + 1];
            }
            for (int i = 0; i < o.writes && s.z >= wanted.lo && s.z < wanted.hi; i++) {
                char *const to =
                    has(k, lane, own) ? in_view(o, o.write[i], k.t + 1 + lane, own, f) : nullptr;
                const bool leaves = to && !(lane == k.used - 1 && to == destination(own, f));

                if (!__any_sync(ALL, leaves))
                    continue;
                for (int step = 0; step < W; step++) {
                    const int x = near(s.x + step) - (lane + 1) * LAG;

                    if (leaves && inside(y, x))
                        reinterpret_cast<here *>(to + y * o.pitch)[x] = from[step * PAD + lane + 1];
                }
            }
        }
    }

    __device__ __forceinline__ void run()
    {
        const int count = (int)(to - k.from);
        spot s = first_of(k.from);

        if (count <= 0)
            return;
        begin();
        for (int step = 0; step < count; step++) {
            for (int row = 0; row < HIGH; row++) {
                const bool computes = row >= LOW && any(s.y, s.x, W);
                const spot next = after(s);
                const int place = slot(0, row);

                put(place);
                take(step, s, place);
                __syncwarp();
                look_ahead(step + (row + 1 == HIGH), row + 1 == HIGH ? 0 : row + 1);
                if (next.z < to)
                    fetch(next);
                if (computes)
                    compute(s, place);
                if (K::D == 1 && s.z < k.from + LANES * UP)
                    bring(s, place);
                /* Of the planes before: their stores have long left when this waits for them. */
                if (lane == 0 && row == LOW && step % EVERY == 0)
                    publish(at.done, (unsigned)step, at.read);
                hand_on(step, s, place);
                if (computes)
                    leave(s, place);
                s = next;
                __syncwarp();
            }
            climb(s.z - 1);
        }
        if (lane == 0)
            publish(at.done, (unsigned)count, at.read);
    }
};

} // namespace
#endif
