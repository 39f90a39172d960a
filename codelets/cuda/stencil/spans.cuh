/* SPDX-License-Identifier: BSD-3-Clause */
/* The input segments of a sweep, merged by the host into spans of planes in which no list changes.
 * A thread that streams along the chain axis then looks up only the next span; a search of every
 * list for every field takes as long as some planes. */
#ifndef ZOID_CODELETS_CUDA_STENCIL_SPANS_CUH
#define ZOID_CODELETS_CUDA_STENCIL_SPANS_CUH

#include "codelets/cuda/order.cuh"

namespace
{

enum { MAX_SPANS = 40 };

/* Planes up to `stop`, exclusive, from the previous span's end: plane p of list g starts at at[g] +
 * p planes; its fields are field[g] bytes apart. */
template <int GROUPS> struct span {
    int stop;
    const char *at[GROUPS];
    size_t field[GROUPS];
};

template <int GROUPS> struct spans {
    int n;
    struct span<GROUPS> span[MAX_SPANS];
};

/* Returns the segment with the most planes; NULL if the list is empty. */
inline const segment *longest(const list &l)
{
    const segment *most = nullptr;

    for (int i = 0; i < l.n; i++)
        if (!most || l.segment[i].hi - l.segment[i].lo > most->hi - most->lo)
            most = &l.segment[i];
    return most;
}

/* Stores where list g has planes from p on; lowers s->stop to where that changes. A plane in no
 * segment only serves values that are dropped, so another one stands for it. */
template <int GROUPS> void look(const list &l, int g, int p, long plane, span<GROUPS> *s)
{
    spot one = find(l, p, plane, &s->stop);
    const segment *other = one.at ? nullptr : longest(l);

    if (other) {
        one = {other->plane0 + other->lo * plane, other->field};
        if (s->stop > p + other->hi - other->lo)
            s->stop = p + other->hi - other->lo;
    }
    s->at[g] = one.at - p * plane;
    s->field[g] = one.field;
}

/* Merges the lists over planes [lo, hi); returns false if there are more than MAX_SPANS spans. */
template <int GROUPS> bool merge(spans<GROUPS> *s, const list *in, int lo, int hi, long plane)
{
    s->n = 0;
    for (int p = lo; p < hi; p = s->span[s->n++].stop) {
        if (s->n == MAX_SPANS)
            return false;
        s->span[s->n].stop = hi;
        for (int g = 0; g < GROUPS; g++)
            look(in[g], g, p, plane, &s->span[s->n]);
    }
    return true;
}

} // namespace
#endif
