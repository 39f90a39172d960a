/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/bench/yardstick.h"

#include <omp.h>
#include <string.h>

#define ZOID_INLINE static inline __attribute__((always_inline))
#include "codelets/ops/point.h"

struct zoid_at {
    const struct zoid_params *params;
    const double *tables;
    long t, p[ZOID_AXES], n[ZOID_AXES];
    long row; /* offset of the point's row in a field */
    const void *const *from;
    void *const *to;
    unsigned skips; /* bit f: the box of field f does not have the point */
    void *skipped;
};

/* Returns the fields whose boxes do not have a point. */
ZOID_INLINE unsigned skips_at(const struct zoid_boxes *boxes, const long p[ZOID_AXES])
{
    unsigned fields = ~0u;

    for (int a = 0; a < ZOID_AXES; a++) {
        long end = p[a] + 1;
        bool inside;

        fields &= zoid_boxes_at(boxes, a, p[a], &inside, &end);
    }
    return ~fields;
}

#define ZOID_ROWS "codelets/ops.def"
#define ZOID_FROM(lane, at, dims, field, dx, dy, dz) \
    &((const lane *)(at)->from[field] +              \
      (at)->row)[(at)->p[0] + ((dz) * (at)->n[1] + (dy)) * (at)->n[0] + (dx)]
#define ZOID_TO(lane, at, field)                      \
    ((at)->skips >> (field)&1 ? (lane *)(at)->skipped \
                              : &((lane *)(at)->to[field] + (at)->row)[(at)->p[0]])
#include "codelets/op/scalar.h"

/* The loop over x is vectorised: from and to are equal or do not overlap. */
/* clang-format off */
#define STAGE_LOOPS(number, family, nd, nr, type)                                                  \
    for (long z = box.lo[2]; z < box.hi[2] && stage == number; z++)                                \
        for (long y = box.lo[1]; y < box.hi[1]; y++) {                                             \
            _Pragma("omp simd")                                                                    \
            for (long x = box.lo[0]; x < box.hi[0]; x++) {                                         \
                const long p[] = {x, y, z};                                                        \
                double skipped;                                                                    \
                const struct zoid_at at = {                                                        \
                    .params = &params,                                                             \
                    .tables = zoid_table_row(&params, t),                                          \
                    .t = t,                                                                        \
                    .p = {x, y, z},                                                                \
                    .n = {n[0], n[1], n[2]},                                                       \
                    .row = (z * n[1] + y) * n[0],                                                  \
                    .from = from,                                                                  \
                    .to = to,                                                                      \
                    .skips = op.stage[number].nboxes ? skips_at(&s->boxes, p) : 0,                 \
                    .skipped = &skipped};                                                          \
                                                                                                   \
                zoid_##family##_##type(&at, nd, nr, number);                                       \
            }                                                                                      \
        }

/* Local copies, which stores to fields cannot alias. */
#define ZOID_VARIANT(variant, family, nd, nr, type, stages, ...)                                   \
    static void loops_##variant(const struct zoid_yardstick *s, const struct zoid_box *share)      \
    {                                                                                              \
        enum { D = nd, R = nr, SIZE = sizeof(zoid_##type) };                                       \
        static const struct zoid_op op = {.dims = D, __VA_ARGS__};                                 \
        const struct zoid_box box = *share;                                                        \
        const struct zoid_params params = *s->params;                                              \
        const long t = s->t, n[ZOID_AXES] = {s->n[0], s->n[1], s->n[2]};                           \
        const long stage = (t - 1) % (0 stages(COUNT));                                            \
        const void *from[ZOID_MAX_FIELDS];                                                         \
        void *to[ZOID_MAX_FIELDS];                                                                 \
                                                                                                   \
        memcpy(from, s->from, sizeof from);                                                        \
        memcpy(to, s->to, sizeof to);                                                              \
        stages(STAGE_LOOPS, family, nd, nr, type)                                                  \
    }
#include "codelets/ops.def"
#undef ZOID_VARIANT

/* In the order of the operator table. */
#define ZOID_VARIANT(variant, ...) loops_##variant,
static void (*const loops[])(const struct zoid_yardstick *, const struct zoid_box *) = {
#include "codelets/ops.def"
};
/* clang-format on */

static long share(long n, int member, int members)
{
    return n / members * member + (member < n % members ? member : n % members);
}

static void sweep_share(const struct zoid_yardstick *s, size_t variant,
                        const struct zoid_box *share)
{
    const long rows = s->rows ? s->rows : share->hi[1] - share->lo[1];
    struct zoid_box some = *share;

    for (some.lo[1] = share->lo[1]; some.lo[1] < share->hi[1]; some.lo[1] = some.hi[1]) {
        some.hi[1] = some.lo[1] + rows < share->hi[1] ? some.lo[1] + rows : share->hi[1];
        loops[variant](s, &some);
    }
}

void zoid_yardstick_sweep(const struct zoid_yardstick *s)
{
    const int chain = s->op->dims - 1;
    const long lo = s->box.lo[chain], n = s->box.hi[chain] - lo;
    size_t i = 0;

    while (zoid_op_at(i) != s->op)
        i++;
#pragma omp parallel
    {
        struct zoid_box mine = s->box;

        mine.lo[chain] = lo + share(n, omp_get_thread_num(), omp_get_num_threads());
        mine.hi[chain] = lo + share(n, omp_get_thread_num() + 1, omp_get_num_threads());
        sweep_share(s, i, &mine);
    }
}

void zoid_yardstick_fill(void *to, const void *pattern, size_t bytes, long times)
{
#pragma omp parallel for schedule(static)
    for (long i = 0; i < times; i++)
        memcpy((char *)to + (size_t)i * bytes, pattern, bytes);
}

int zoid_yardstick_threads(void)
{
    return omp_get_max_threads();
}
