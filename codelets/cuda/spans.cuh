/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists of all that a sweep reads, merged by the host: from plane to plane, where each list has
 * it. A thread on its way up looks for the next span only, and not in every list for every field,
 * which takes as long as some planes do. */
#ifndef ZOID_CODELETS_CUDA_SPANS_CUH
#define ZOID_CODELETS_CUDA_SPANS_CUH

#include "codelets/cuda/order.cuh"

namespace
{

enum { MAX_SPANS = 40 };

/* Planes up to `stop`, from where the span before ends: plane p of list g starts at at[g] +
 * p planes, and its fields are field[g] bytes apart. */
template <int GROUPS> struct span {
    int stop;
    const char *at[GROUPS];
    size_t field[GROUPS];
};

template <int GROUPS> struct spans {
    int n;
    struct span<GROUPS> span[MAX_SPANS];
};

/* The longest of some segments; NULL: there are none. */
inline const segment *longest(const list &l)
{
    const segment *most = nullptr;

    for (int i = 0; i < l.n; i++)
        if (!most || l.segment[i].hi - l.segment[i].lo > most->hi - most->lo)
            most = &l.segment[i];
    return most;
}

/* Where list g has the planes from p on, up to s->stop at most. A plane that is nowhere only serves
 * what is dropped: any other will do. */
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

/* Merges the lists over planes [lo, hi); false if these are too many spans. */
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
