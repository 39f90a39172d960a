/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel arguments of band matrices, by value: the addresses of rows of the matrix and of vectors,
 * and the terms of a step. */
#ifndef ZOID_CODELETS_CUDA_BAND_BAND_CUH
#define ZOID_CODELETS_CUDA_BAND_BAND_CUH

#include <cuda_runtime.h>

#include "codelets/band/band.h"
#include "codelets/band/cuda.h"
#include "codelets/cuda/fused_add.cuh"
#include "codelets/cuda/run.h"

namespace
{

enum { BAND_SEGMENTS = 400, BAND_STRETCHES = 8 };

/* Consecutive rows of vectors, contiguous in memory. */
struct band_rows {
    long lo, hi;
    char *base;   /* row `lo` of the first field */
    size_t field; /* bytes between fields */
};

struct band_list {
    int n;
    band_rows rows[BAND_SEGMENTS];
};

/* Rows of one piece with one destination, and the groups that hold them. */
struct band_stretch {
    band_rows out;
    long from, groups;                  /* first row of the first group */
    int first;                          /* its first block of threads */
    const char *values, *numbers, *rhs; /* DIA, and rhs: at row `from`; SELL: of the piece */
    const zoid_sell_head *head;         /* of the first group */
};

/* Coefficients of a step, and which of them are not 0. */
template <class T> struct band_term {
    T a, b, c, d, s;
    bool has_a, has_b, has_c, has_d, has_s;
};

template <class T> struct band_order {
    long n, lower, upper, diagonals, vectors;
    int previous, sum; /* field indices; -1: no such field */
    bool wide;
    band_term<T> term;
    band_list in;
    int stretches;
    band_stretch stretch[BAND_STRETCHES];
};

/* Address of a row of vectors in all fields, and bytes between fields. */
struct band_spot {
    char *at; /* NULL: the row is in no segment */
    size_t field;
};

template <class T>
__device__ __forceinline__ band_spot find(const band_list &list, long row, long vectors)
{
    for (int i = 0; i < list.n; i++)
        if (row >= list.rows[i].lo && row < list.rows[i].hi)
            return {list.rows[i].base + (row - list.rows[i].lo) * vectors * (long)sizeof(T),
                    list.rows[i].field};
    return {nullptr, 0};
}

/* next = factor * from + next if `has`, branch-free; the innermost term is a product, without the
 * addition. */
template <class T>
__device__ __forceinline__ void more(bool has, T factor, T from, bool *any, T *next)
{
    const T product = factor * from, sum = fused_add(factor, from, *next);

    *next = has ? (*any ? sum : product) : *next;
    *any = *any || has;
}

/* Returns the next value of a point from its fields, the right-hand side and the row's sum. */
template <class T>
__device__ __forceinline__ T step_of(const band_term<T> &t, T cur, T previous, T rhs, T sum)
{
    bool any = false;
    T next = 0;

    more(t.has_d, t.d, rhs, &any, &next);
    more(t.has_c, t.c, previous, &any, &next);
    more(t.has_b, t.b, cur, &any, &next);
    more(t.has_a, t.a, sum, &any, &next);
    return next;
}

/* Returns value v of a row in a field. */
template <class T> __device__ __forceinline__ T &value_of(const band_spot &spot, int field, long v)
{
    return reinterpret_cast<T *>(spot.at + field * spot.field)[v];
}

/* Stores value v of a row, and of its other fields, to the stretch's destination. */
template <class T>
__device__ __forceinline__ void finish(const band_order<T> &o, const band_stretch &s, long row,
                                       long v, T sum)
{
    const band_spot from = find<T>(o.in, row, o.vectors);
    const band_spot to = {s.out.base + (row - s.out.lo) * o.vectors * (long)sizeof(T), s.out.field};
    const T cur = value_of<T>(from, 0, v);
    const T previous = o.term.has_c ? value_of<T>(from, o.previous, v) : (T)0;
    const T rhs =
        o.term.has_d ? reinterpret_cast<const T *>(s.rhs)[(row - s.from) * o.vectors + v] : (T)0;
    const T next = step_of(o.term, cur, previous, rhs, sum);

    value_of<T>(to, 0, v) = next;
    if (o.previous >= 0)
        value_of<T>(to, o.previous, v) = cur;
    if (o.sum >= 0) {
        const T old = value_of<T>(from, o.sum, v);

        value_of<T>(to, o.sum, v) = o.term.has_s ? fused_add(o.term.s, next, old) : old;
    }
}

template <class T> band_term<T> term_of(const zoid_term &t)
{
    return {(T)t.a,   (T)t.b,   (T)t.c,   (T)t.d,   (T)t.s,
            t.a != 0, t.b != 0, t.c != 0, t.d != 0, t.s != 0};
}

/* Appends the segments that hold rows of [lo, hi) and are not yet listed; returns false if there
 * are too many. */
template <class T> bool add_rows(band_list *list, const zoid_segments &given, long lo, long hi)
{
    for (size_t i = 0; i < given.n; i++) {
        const zoid_segment &one = given.segment[i];
        bool known = false;

        if (one.lo >= hi || one.hi <= lo)
            continue;
        for (int k = 0; k < list->n; k++)
            known |= list->rows[k].base == one.base && list->rows[k].lo == one.lo;
        if (!known && list->n == BAND_SEGMENTS)
            return false;
        if (!known)
            list->rows[list->n++] = {one.lo, one.hi, static_cast<char *>(one.base),
                                     one.field * sizeof(T)};
    }
    return true;
}

template <class T> band_order<T> order_of(const zoid_band *b, long t)
{
    band_order<T> o = {};

    o.n = b->matrix->about.n;
    o.lower = b->matrix->about.lower;
    o.upper = b->matrix->about.upper;
    o.diagonals = b->diagonals;
    o.vectors = b->vectors;
    o.previous = b->previous;
    o.sum = b->sum;
    o.wide = b->wide;
    o.term = term_of<T>(*zoid_band_term(b, t));
    return o;
}

/* Returns the stretch of rows from `lo` on, up to the end of their piece, with destination
 * `out`. */
template <class T>
band_stretch stretch_of(const zoid_band *b, const zoid_segments &pieces, long lo, long hi,
                        const zoid_segment &out)
{
    const zoid_segment *piece = pieces.segment;
    band_stretch s = {};
    zoid_band_piece at;
    const char *base;

    while (lo < piece->lo || lo >= piece->hi)
        piece++;
    at = zoid_band_piece_of(b, piece->lo, piece->hi);
    base = static_cast<const char *>(piece->base);
    hi = zoid_min(hi, piece->hi);
    s.from = lo / b->lanes * b->lanes;
    s.groups = (hi - s.from + b->lanes - 1) / b->lanes;
    s.out = {lo, hi, static_cast<char *>(out.base) + (lo - out.lo) * b->vectors * (long)sizeof(T),
             out.field * sizeof(T)};
    s.values = base + at.values;
    s.numbers = base + at.numbers;
    s.rhs = base + at.rhs + (s.from - at.first * b->lanes) * b->vectors * (long)sizeof(T);
    s.head = reinterpret_cast<const zoid_sell_head *>(base) + (s.from / b->lanes - at.first);
    if (b->format == ZOID_FORMAT_DIA)
        s.values += (s.from / b->lanes - at.first) * b->diagonals * ZOID_LINE;
    return s;
}

} // namespace
#endif
