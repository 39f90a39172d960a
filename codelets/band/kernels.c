/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for groups of rows of a band matrix times a vector. Compiled once per instruction set and
 * type, with ZOID_ISA and ZOID_TYPE defined and isa_<ZOID_ISA>.h included first.
 *
 * Every row is one sum of its products by ascending column, in a lane of its own: the assignment of
 * rows to vectors, and the number of groups computed together, change no bit. */
#include "codelets/band/band.h"
#include "codelets/ops/lists.h"

#define INLINE static inline __attribute__((always_inline))

typedef ZOID_JOIN(zoid_, ZOID_TYPE) real;
typedef ZOID_JOIN(zoid_vector_, ZOID_TYPE) vector;
/* Unaligned. */
typedef vector loose __attribute__((aligned(sizeof(real)), may_alias));
typedef __typeof__(__builtin_choose_expr(sizeof(real) == sizeof(int32_t), (int32_t)0,
                                         (int64_t)0)) bits;
typedef bits mask __attribute__((vector_size(sizeof(vector))));
enum { GROUP = ZOID_LINE / sizeof(real), LANES = sizeof(vector) / sizeof(real) };
enum { VECTORS = GROUP / LANES, TOGETHER = 4 };

#define FMA ZOID_JOIN(zoid_vector_fma_, ZOID_TYPE)

INLINE vector load(const real *at)
{
    return *(const loose *)at;
}

INLINE void store(real *at, vector value)
{
    *(loose *)at = value;
}

/* ---- DIA ----------------------------------------------------------------------------------- */

/* Groups that are computed together, and the prefetch distance in elements; 0: left to the hardware
 * prefetcher. */
struct together {
    const real *a[TOGETHER];
    long ahead;
};

/* Adds the products of x[lo ... hi - 1] for groups [from, to) of those that are computed together:
 * element x + s is at diagonal s - g GROUP of group g. */
INLINE void some_diagonals(const struct together *k, const real *x, long lo, long hi,
                           const int from, const int to, vector sum[TOGETHER][VECTORS])
{
    for (long s = lo; s < hi; s++) {
        if (k->ahead)
            _Pragma("GCC unroll 4") for (int g = from; g < to; g++)
                __builtin_prefetch(k->a[g] + (s - (long)g * GROUP) * GROUP + k->ahead, 0, 2);
        for (int v = 0; v < VECTORS; v++) {
            const vector at = load(x + s + v * LANES);

            _Pragma("GCC unroll 4") for (int g = from; g < to; g++) sum[g][v] =
                FMA(load(k->a[g] + (s - (long)g * GROUP) * GROUP + v * LANES), at, sum[g][v]);
        }
    }
}

/* Computes n groups, which share their loads of x, except where the first begin and the last end.
 */
INLINE void some_groups(const real *values, long diagonals, const real *x, real *sums, const int n,
                        const bool far)
{
    struct together k = {.ahead = far ? n * diagonals * GROUP : 0};
    vector sum[TOGETHER][VECTORS] = {0};

    for (int g = 0; g < n; g++)
        k.a[g] = values + g * diagonals * GROUP;
    _Pragma("GCC unroll 4") for (int g = 1; g < n; g++)
        some_diagonals(&k, x, (g - 1) * GROUP, g * GROUP, 0, g, sum);
    some_diagonals(&k, x, (n - 1) * GROUP, diagonals, 0, n, sum);
    _Pragma("GCC unroll 4") for (int g = 1; g < n; g++)
        some_diagonals(&k, x, diagonals + (g - 1) * GROUP, diagonals + g * GROUP, g, n, sum);
    for (int g = 0; g < n; g++)
        for (int v = 0; v < VECTORS; v++)
            store(sums + g * GROUP + v * LANES, sum[g][v]);
}

/* Computes groups from g on, n at a time, while the width of the band allows it; returns the first
 * of the rest. */
INLINE long groups_of(const struct zoid_band_groups *k, long g, const int n, const bool far)
{
    const real *values = k->values, *x = k->x;
    const long d = k->diagonals;
    real *sums = k->sums;

    for (; d > (n - 1) * GROUP && g + n <= k->groups; g += n)
        some_groups(values + g * d * GROUP, d, x + g * GROUP, sums + g * GROUP, n, far);
    return g;
}

static void dia(const struct zoid_band_groups *k)
{
    /* Processors with vectors shorter than a line prefetch the streams of groups in hardware. */
    const bool ask = k->far && LANES == GROUP;
    long g = ask ? groups_of(k, 0, TOGETHER, true) : groups_of(k, 0, TOGETHER, false);

    g = groups_of(k, g, 2, false);
    groups_of(k, g, 1, false);
}

/* ---- SELL ---------------------------------------------------------------------------------- */

INLINE uint32_t number(const void *numbers, uint64_t i, const bool wide)
{
    return wide ? ((const uint32_t *)numbers)[i] : ((const uint16_t *)numbers)[i];
}

/* Adds a line of a group with arbitrary columns; rows without an entry keep their sums. */
INLINE void scattered(const real *values, const real *x, const void *numbers, uint64_t at,
                      const bool wide, vector sum[VECTORS])
{
    const uint32_t none = wide ? ZOID_SELL_NONE_32 : ZOID_SELL_NONE_16;

    for (int v = 0; v < VECTORS; v++) {
        vector there = {0}, next;
        mask has = {0};

        for (int l = 0; l < LANES; l++) {
            const uint32_t c = number(numbers, at + (uint64_t)(v * LANES + l), wide);

            has[l] = c == none ? 0 : -1;
            there[l] = x[c == none ? 0 : c];
        }
        next = FMA(load(values + v * LANES), there, sum[v]);
        sum[v] = (vector)((has & (mask)next) | (~has & (mask)sum[v]));
    }
}

INLINE void sell_groups(const struct zoid_band_groups *k, const bool wide)
{
    const uint32_t none = wide ? ZOID_SELL_NONE_32 : ZOID_SELL_NONE_16;
    real *sums = k->sums;

    for (long g = 0; g < k->groups; g++) {
        const struct zoid_sell_head *head = &k->head[g];
        const uint64_t lines = head[1].line - head->line;
        const real *values = (const real *)k->values + head->line * GROUP;
        const real *x = (const real *)k->x + (head->first - k->column);
        uint64_t rest = head->number + lines;
        vector sum[VECTORS] = {0};

        for (uint64_t i = 0; i < lines; i++, values += GROUP) {
            const uint32_t lead = number(k->numbers, head->number + i, wide);

            if (lead == none) {
                scattered(values, x, k->numbers, rest, wide, sum);
                rest += GROUP;
                continue;
            }
            for (int v = 0; v < VECTORS; v++)
                sum[v] = FMA(load(values + v * LANES), load(x + lead + v * LANES), sum[v]);
        }
        for (int v = 0; v < VECTORS; v++)
            store(sums + g * GROUP + v * LANES, sum[v]);
    }
}

static void sell(const struct zoid_band_groups *k)
{
    if (k->wide)
        sell_groups(k, true);
    else
        sell_groups(k, false);
}

/* ---- a step, from A x ---------------------------------------------------------------------- */

/* next = fma(factor, from, next), or factor * from for the first term. */
static void add(real *restrict next, const real *restrict from, double factor, long n, bool any)
{
    const real f = (real)factor;

    if (any)
        for (long i = 0; i < n; i++)
            next[i] = sizeof(real) == sizeof(float)
                          ? (real)__builtin_fmaf((float)f, (float)from[i], (float)next[i])
                          : (real)__builtin_fma(f, from[i], next[i]);
    else
        for (long i = 0; i < n; i++)
            next[i] = f * from[i];
}

/* From the innermost product outwards. `next` is written to anyway and serves as accumulator. */
static void step(const struct zoid_band_step *s)
{
    const struct zoid_term *t = &s->term;
    real *next = s->next;
    bool any = false;

    if (s->rhs)
        add(next, s->rhs, t->d, s->n, any), any = true;
    if (s->prev)
        add(next, s->prev, t->c, s->n, any), any = true;
    if (s->cur)
        add(next, s->cur, t->b, s->n, any), any = true;
    if (s->sums && (any || s->sums != s->next || t->a != 1))
        add(next, s->sums, t->a, s->n, any);
    any = any || s->sums;
    for (long i = 0; !any && i < s->n; i++)
        next[i] = 0;
    if (!s->new_sum)
        return;
    for (long i = 0; i < s->n; i++)
        ((real *)s->new_sum)[i] = ((const real *)s->sum)[i];
    if (t->s != 0)
        add(s->new_sum, next, t->s, s->n, true);
}

#define TABLE ZOID_JOIN(zoid_band_kernels_, ZOID_JOIN(ZOID_ISA, ZOID_JOIN(_, ZOID_TYPE)))
extern const struct zoid_band_kernels TABLE;
const struct zoid_band_kernels TABLE = {.dia = dia, .sell = sell, .step = step};
