/* SPDX-License-Identifier: BSD-3-Clause */
/* Data flow between the levels of a fused launch, computed at compile time from a variant's row.
 *
 * Level i computes stage FIRST + i of the operator, modulo the number of stages. Each field that a
 * level reads is a stream of planes: from memory, or from an earlier level of the launch. While
 * level 0 is at plane z, level i is at plane z - lag, and the newest plane of a stream is z +
 * head. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_FLOW_CUH
#define ZOID_CODELETS_CUDA_STENCIL_FLOW_CUH

#include "codelets/op.h"

namespace
{

enum { MOST_LEVELS = 8, MOST_STREAMS = 64, NONE = 1 << 20 };

/* A stream. Planes count from plane z of level 0. */
struct flowing {
    bool used, beside; /* some level reads it; rows beside the thread's own are read */
    int head, tail;    /* its newest plane; the oldest that is still read */
    int top, rows;     /* the newest that is read; the oldest whose rows beside are read */
};

/* Lag of a level in planes. down, up: planes that it computes below and above those of the last
 * level. left, right, below, above: values and rows at the edges of a tile that are not valid at
 * this level (the overlap). */
struct flow_level {
    int lag, down, up, left, right, below, above;
};

template <int S> struct flow_tables {
    flow_level level[S];
    flowing stream[MOST_STREAMS];
};

template <class K, int S, int FIRST> struct flow {
    static_assert(S <= MOST_LEVELS, "more levels than there are tables for");
    static constexpr int C = K::D - 1, STATE = K::row.nstate, F = STATE + K::row.ncoef;

    static constexpr zoid_stage stage(int i)
    {
        return K::row.stage[(FIRST + i) % K::STAGES];
    }
    static constexpr bool writes(int i, int field)
    {
        return stage(i).writes >> field & 1;
    }
    static constexpr zoid_reach reach(int i, int field)
    {
        const zoid_stage s = stage(i);

        for (int r = 0; r < s.nreads; r++)
            if (s.read[r].field == field)
                return s.read[r].reach;
        return {};
    }
    /* Returns the reach of a stage over all fields. */
    static constexpr zoid_reach reach_of(int stage)
    {
        const zoid_stage s = K::row.stage[stage];
        zoid_reach all = {};

        for (int r = 0; r < s.nreads; r++)
            for (int a = 0; a < ZOID_AXES; a++) {
                const zoid_reach &one = s.read[r].reach;

                all.lo[a] = one.lo[a] > all.lo[a] ? one.lo[a] : all.lo[a];
                all.hi[a] = one.hi[a] > all.hi[a] ? one.hi[a] : all.hi[a];
            }
        return all;
    }
    static constexpr bool all_look_alike()
    {
        const zoid_reach first = reach_of(0);
        bool alike = true;

        for (int stage = 1; stage < K::STAGES; stage++)
            for (int a = 0; a < ZOID_AXES; a++)
                alike = alike && reach_of(stage).lo[a] == first.lo[a] &&
                        reach_of(stage).hi[a] == first.hi[a];
        return alike;
    }
    /* Returns the number of boxes of computed points of the stages before one: each has one for its
     * fields, and those that the row gives fields. */
    static constexpr int inners_before(int stage)
    {
        int n = 0;

        for (int before = 0; before < stage; before++)
            n += 1 + K::row.stage[before].nboxes;
        return n;
    }
    /* Number of boxes: one for all levels, or those of all stages; inner(i, field) is that of a
     * field that level i writes. */
    static constexpr bool BOXED = inners_before(K::STAGES) > K::STAGES;
    static constexpr int INNERS =
        !BOXED && (S == 1 || all_look_alike()) ? 1 : inners_before(K::STAGES);
    static constexpr int inner(int i, int field)
    {
        const int number = (FIRST + i) % K::STAGES;
        const zoid_stage &s = K::row.stage[number];
        int box = 0;

        for (int b = 0; b < s.nboxes; b++)
            box = s.box[b].field == field ? 1 + b : box;
        return INNERS == 1 ? 0 : inners_before(number) + box;
    }
    /* Returns true if a level has that box. */
    static constexpr bool has_inner(int k)
    {
        bool any = false;

        for (int i = 0; i < S; i++)
            for (int f = 0; f < STATE; f++)
                any = any || (writes(i, f) && inner(i, f) == k);
        return any;
    }
    template <int k> struct numbered {
        static constexpr bool used = has_inner(k);
    };
    /* Returns true if level i reads a field, or carries points of it. */
    static constexpr bool reads(int i, int field)
    {
        const zoid_stage s = stage(i);

        for (int r = 0; r < s.nreads; r++)
            if (s.read[r].field == field)
                return true;
        for (int f = 0; f < STATE; f++)
            if (writes(i, f) && K::kept((FIRST + i) % K::STAGES, f) == field)
                return true;
        return false;
    }
    /* Returns the last level before i that writes a field; -1: the field comes from memory. */
    static constexpr int writer(int i, int field)
    {
        int w = i - 1;

        while (w >= 0 && !writes(w, field))
            w--;
        return w;
    }
    /* Returns true if no later level writes the same fields. */
    static constexpr bool final(int i)
    {
        for (int later = i + 1; later < S; later++)
            if (stage(later).writes & stage(i).writes)
                return false;
        return true;
    }
    static constexpr unsigned finals()
    {
        unsigned bits = 0;

        for (int i = 0; i < S; i++)
            bits |= unsigned(final(i)) << i;
        return bits;
    }
    static constexpr int written(int i)
    {
        int n = 0;

        for (int f = 0; f < STATE; f++)
            n += writes(i, f);
        return n;
    }
    /* Index of the stream of a field that level i writes; inputs come first. */
    static constexpr int result(int i, int field)
    {
        int s = F;

        for (int w = 0; w < i; w++)
            s += written(w);
        for (int f = 0; f < field; f++)
            s += writes(i, f);
        return s;
    }
    static constexpr int stream(int i, int field)
    {
        const int w = writer(i, field);

        return w < 0 ? field : result(w, field);
    }
    static constexpr int STREAMS = result(S - 1, STATE);
    static_assert(STREAMS <= MOST_STREAMS, "more streams than there are tables for");
    static constexpr int RESULTS = STREAMS - F;

    /* Returns true if values are read that other threads store to shared memory: neighbouring rows,
     * or with a single time values beyond the ends of a row. */
    static constexpr bool of_others(const zoid_reach &reach)
    {
        return K::D == 3 &&
               (reach.lo[1] || reach.hi[1] || (S == 1 && (reach.lo[0] || reach.hi[0])));
    }
    /* Returns the number of planes by which a stream is ahead of its reader: planes of other
     * threads are complete one step after they are computed or traffic. */
    static constexpr int ahead(const zoid_reach &reach)
    {
        const int above = (int)reach.hi[C];

        if (!of_others(reach))
            return above;
        return K::diagonal ? above + 1 : above > 1 ? above : 1;
    }
    static constexpr int most(int a, long b)
    {
        return a > b ? a : (int)b;
    }

    /* Records the read of `field` by level i in its stream. */
    static constexpr void read_by(flow_tables<S> &t, int i, int field)
    {
        const zoid_reach r = reach(i, field);
        const int w = writer(i, field), centre = -t.level[i].lag;
        const bool beside = K::D == 3 && (r.lo[1] || r.hi[1]);
        const int low = centre - (int)r.lo[C], high = centre + (int)r.hi[C];
        const int rows = K::diagonal ? low : centre;
        flowing &s = t.stream[stream(i, field)];

        if (!s.used)
            s = {true, false, -NONE, NONE, -NONE, NONE};
        s.head = w < 0 ? most(s.head, centre + ahead(r)) : -t.level[w].lag;
        s.top = most(s.top, high);
        s.tail = low < s.tail ? low : s.tail;
        s.rows = of_others(r) && rows < s.rows ? rows : s.rows;
        s.beside = s.beside || beside;
    }
    static constexpr flow_tables<S> make()
    {
        flow_tables<S> t = {};

        for (int i = 0; i < S; i++) {
            flow_level &l = t.level[i];

            for (int f = 0; f < F; f++) {
                const int w = writer(i, f);
                const zoid_reach r = reach(i, f);
                const flow_level from = w < 0 ? flow_level{} : t.level[w];

                if (!reads(i, f))
                    continue;
                if (w >= 0)
                    l.lag = most(l.lag, from.lag + ahead(r));
                l.left = most(l.left, from.left + r.lo[0]);
                l.right = most(l.right, from.right + r.hi[0]);
                if (w >= 0 && K::D == 3) {
                    l.below = most(l.below, from.below + r.lo[1]);
                    l.above = most(l.above, from.above + r.hi[1]);
                }
            }
        }
        for (int i = S - 1; i >= 0; i--)
            for (int f = 0; f < F; f++) {
                const int w = writer(i, f);
                const zoid_reach r = reach(i, f);

                if (w >= 0 && reads(i, f)) {
                    t.level[w].down = most(t.level[w].down, t.level[i].down + r.lo[C]);
                    t.level[w].up = most(t.level[w].up, t.level[i].up + r.hi[C]);
                }
            }
        for (int i = 0; i < S; i++)
            for (int f = 0; f < F; f++)
                if (reads(i, f))
                    read_by(t, i, f);
        return t;
    }
    static constexpr flow_tables<S> tables = make();

    /* Newest plane in the queues, relative to the reader's. With a single time newer ones are read
     * from shared memory, which saves registers. */
    static constexpr int HELD = S == 1 ? 0 : NONE;

    static constexpr int held(int s)
    {
        return tables.stream[s].head < HELD ? tables.stream[s].head : HELD;
    }

    /* Returns true if a stream is read at the point only, with a single time: no other thread reads
     * it, so a thread loads its own rows from memory. */
    static constexpr bool direct(int s)
    {
        return S == 1 && s < F && tables.stream[s].used && tables.stream[s].head == 0 &&
               tables.stream[s].tail == 0;
    }

    /* First step, relative to the first plane of level i, at which the level's input is traffic. */
    static constexpr int first_step(int i)
    {
        int first = tables.level[i].lag;

        for (int f = 0; f < F; f++)
            if (reads(i, f)) {
                const int step = -(int)reach(i, f).lo[C] - held(stream(i, f));

                first = step < first ? step : first;
            }
        return first;
    }
    /* Returns the most planes of a stream that a queue holds. */
    static constexpr int slots()
    {
        int n = 1;

        for (int s = 0; s < STREAMS; s++)
            if (tables.stream[s].used)
                n = most(n, held(s) - tables.stream[s].tail + 1);
        return n;
    }
    /* Returns the planes of all streams that queues hold. */
    static constexpr int planes()
    {
        int n = 0;

        for (int s = 0; s < STREAMS; s++)
            n += tables.stream[s].used ? held(s) - tables.stream[s].tail + 1 : 0;
        return n;
    }
    /* Returns the highest head of the streams from memory. */
    static constexpr int highest_head()
    {
        int head = -NONE;

        for (int f = 0; f < F; f++)
            if (tables.stream[f].used)
                head = most(head, tables.stream[f].head);
        return head;
    }
    /* Halo rows of a tile in its inputs. */
    static constexpr int rows_beside()
    {
        int rows = 0;

        for (int i = 0; i < S && K::D == 3; i++)
            for (int f = 0; f < F; f++)
                rows = most(most(rows, reach(i, f).lo[1]), reach(i, f).hi[1]);
        return rows;
    }
    /* Planes for which edge rows in shared memory are still read. */
    static constexpr int edges_kept()
    {
        int planes = 1;

        for (int i = 0; i < S; i++)
            for (int f = 0; f < F; f++) {
                const int w = writer(i, f);
                const int below = K::diagonal ? (int)reach(i, f).lo[C] : 0;

                if (w >= 0 && reads(i, f))
                    planes = most(planes, tables.level[i].lag - tables.level[w].lag + below + 1);
            }
        return planes;
    }
    static constexpr int served()
    {
        int values = 0;

        for (const flow_level &l : tables.level)
            values = most(most(values, l.left), l.right);
        return values;
    }

    /* The same as constants for kernels. */
    template <int i> struct level {
        static constexpr int lag = tables.level[i].lag, down = tables.level[i].down,
                             up = tables.level[i].up, left = tables.level[i].left,
                             right = tables.level[i].right, below = tables.level[i].below,
                             above = tables.level[i].above, first = first_step(i),
                             stage = (FIRST + i) % K::STAGES;
        static constexpr bool final = flow::final(i);
        template <int f> struct of {
            static constexpr int stream = flow::stream(i, f), writer = flow::writer(i, f),
                                 low = (int)reach(i, f).lo[C], high = (int)reach(i, f).hi[C],
                                 result = flow::result(i, f), kept = K::kept(stage, f),
                                 inner = flow::inner(i, f);
            static constexpr bool read = reads(i, f), written = flow::writes(i, f);
        };
    };
    template <int s> struct line {
        static constexpr bool used = tables.stream[s].used, beside = tables.stream[s].beside;
        static constexpr int head = tables.stream[s].head, tail = tables.stream[s].tail,
                             held = flow::held(s);
    };
};

} // namespace
#endif
