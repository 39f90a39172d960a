/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of a launch of several levels: the boxes of each, and where its planes lie. Include
 * variants.cuh first. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_LEVELS_CUH
#define ZOID_CODELETS_CUDA_STENCIL_LEVELS_CUH

#include "codelets/cuda/order.cuh"
#include "codelets/cuda/stencil/flow.cuh"

namespace
{

struct level_order {
    extent box;
    list out, given; /* output segments; given planes of the fields that it writes */
};

/* The tables' values of the time of each level, in the type. */
template <int S, int TABLES> struct level_tables {
    here now[S][TABLES];
};
template <int S> struct level_tables<S, 0> {
};

template <int S, int GROUPS, int INNERS, int TABLES> struct fused_order : level_tables<S, TABLES> {
    field_layout f;
    long t;
    extent inner[INNERS]; /* of the domain: points computed; the others are carried */
    int first[2], tiles_x, tiles, whole, sharers; /* first: value of a row, and y */
    int lo, hi; /* planes of the last level, which blocks of threads share */
    list in[GROUPS];
    level_order level[S];
};

/* Arguments of a launch of S levels. */
template <class K, int S>
using order_of = fused_order<S, touched<K, 0>::groups, flow<K, S, 0>::INNERS, K::row.ntables>;

/* Returns true if launches may take several levels: stages take points in any order, and write all
 * fields of their group. */
template <class K> constexpr bool takes_levels()
{
    typedef touched<K, 0> what;
    bool takes = true;

    each_stage<K>([&]<int S>() { takes = takes && K::row.stage[S].order == ZOID_ANY_ORDER; });
    for (int f = 1; f < K::row.nstate; f++)
        takes = takes &&
                (what::group(f) != what::group(f - 1) || what::writers(f) == what::writers(f - 1));
    return takes;
}

/* Returns the number of streams of S levels: fields, and results of levels. */
template <class K, int S> constexpr int streams_of()
{
    int n = touched<K, 0>::fields;

    for (int i = 0; i < S; i++)
        for (int f = 0; f < K::row.nstate; f++)
            n += K::row.stage[i % K::STAGES].writes >> f & 1;
    return n;
}

/* Planes that a launch reads or writes. */
struct span {
    long lo, hi;
};

template <class K, int S> span planes_of(const zoid_cuda_levels *given)
{
    const int chain = K::D - 1;
    zoid_reach reach = {};
    span all = {given->level[0].sweep.box.lo[chain], given->level[0].sweep.box.hi[chain]};

    for (int i = 1; i < S; i++) {
        all.lo = min(all.lo, given->level[i].sweep.box.lo[chain]);
        all.hi = max(all.hi, given->level[i].sweep.box.hi[chain]);
    }
    for (int stage = 0; stage < K::STAGES; stage++) {
        reach.lo[chain] = max(reach.lo[chain], flow<K, S, 0>::reach_of(stage).lo[chain]);
        reach.hi[chain] = max(reach.hi[chain], flow<K, S, 0>::reach_of(stage).hi[chain]);
    }
    return {all.lo - reach.lo[chain], all.hi + reach.hi[chain]};
}

/* Sets the segments of all levels; returns false if there are too many. Planes that a level writes
 * may also have been given: the next level that writes the same field, or the last level, lists all
 * that was given until then. For the input in memory that is the first level that writes a field of
 * it. */
template <class K, int S, class Order> bool set_levels(Order *o, const zoid_cuda_levels *given)
{
    typedef flow<K, S, 0> flow;
    typedef touched<K, 0> what;
    const int chain = K::D - 1;
    const span all = planes_of<K, S>(given);
    bool fits = true;

    for (int f = 0; f < what::fields; f++) {
        int reader = 0;

        while (reader < S - 1 && !flow::writes(reader, f))
            reader++;
        const zoid_segments &in = given->level[reader].sweep.in[what::group(f)];

        if (what::first(f) == f)
            fits = fits && select(&o->in[what::group(f)], in.segment, in.n, all.lo, all.hi, o->f,
                                  sizeof(here));
    }
    for (int i = 0; i < S; i++) {
        const zoid_fused_level *level = &given->level[i];
        int field = 0, reader = i + 1;

        while (!flow::writes(i, field))
            field++;
        while (reader < S - 1 && !flow::writes(reader, field))
            reader++;
        o->level[i].box = extent_of(level->sweep.box, chain, o->f.origin);
        fits = fits && select(&o->level[i].out, level->out, level->nout, all.lo, all.hi, o->f,
                              sizeof(here));
        if (reader < S) {
            const zoid_segments &in = given->level[reader].sweep.in[what::group(field)];

            fits = fits &&
                   select(&o->level[i].given, in.segment, in.n, all.lo, all.hi, o->f, sizeof(here));
        }
    }
    return fits;
}

/* Sets the time of level 0, and the tables' values of all levels. */
template <int S, int GROUPS, int INNERS, int TABLES>
void set_times(fused_order<S, GROUPS, INNERS, TABLES> *o, const zoid_sweep *s)
{
    o->t = s->t;
    if constexpr (TABLES > 0)
        for (int i = 0; i < S; i++) {
            const double *now = zoid_table_row(s->params, s->t + i);

            for (int k = 0; k < TABLES; k++)
                o->now[i][k] = (here)now[k];
        }
}

/* Sets the arguments of all levels, with planes counted from `origin`; returns false if planes lie
 * in too many segments. */
template <class K, int S, class Order>
bool set_all(Order *o, const zoid_cuda_levels *given, long origin)
{
    typedef flow<K, S, 0> flow;
    const zoid_sweep *s = &given->level[0].sweep;

    o->f = layout_of(s, origin);
    set_times(o, s);
    for (int i = 0; i < K::STAGES; i++)
        for (int f = 0; f < flow::STATE; f++) {
            const zoid_reach leaves = zoid_op_leaves(s->op, i, f);
            const zoid_box inner = zoid_cuda_inner(s->shape, &leaves, origin);

            if (flow::writes(i, f))
                o->inner[flow::inner(i, f)] = extent_of(inner, K::D - 1, origin);
        }
    return set_levels<K, S>(o, given);
}

/* Calls launch<S>() for the number of levels S that are given, of MOST at most, in whole rounds of
 * the stages. */
template <class K, int MOST, class Launch>
int by_levels(const zoid_cuda_levels *given, const Launch &launch)
{
    if constexpr (MOST > 1) {
        if (given->n == MOST)
            return launch.template operator()<MOST>();
        return by_levels<K, MOST - K::STAGES>(given, launch);
    }
    return cudaErrorInvalidValue;
}

/* Loads kernel<S>() for all such S. */
template <class K, int MOST, class Kernel> int load_levels(const Kernel &kernel)
{
    if constexpr (MOST > 1) {
        const int error = load(kernel.template operator()<MOST>());

        return error ? error : load_levels<K, MOST - K::STAGES>(kernel);
    }
    return cudaSuccess;
}

} // namespace
#endif
