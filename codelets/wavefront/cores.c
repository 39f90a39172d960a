/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles in place, in the values of the domain: caches stand for the shared memory of GPUs. */
#include "codelets/wavefront/cores.h"

#include <math.h>
#include <stdlib.h>

#include "codelets/wavefront/steps.h"
#include "codelets/wavefront/update.h"

enum { M = ZOID_WAVEFRONT_ROWS };

/* ---- points --------------------------------------------------------------------------------- */

/* Points of an intra-tile wavefront along q_m. */
struct stretch {
    void *first;
    long by, n;      /* values from a point to the next one; points */
    long row, plane; /* values from a row of the domain to the next one, and of a plane */
    double omega;
};

#define FMA(a, b, c) _Generic((a), float : fmaf, double : fma)(a, b, c)

#define UPDATES(type)                                                                            \
    static inline                                                                                \
        __attribute__((always_inline)) void updates_##type(const struct stretch *s, const int D) \
    {                                                                                            \
        typedef type here;                                                                       \
        const double omega = s->omega;                                                           \
        const long row = s->row, plane = s->plane;                                               \
        WAVEFRONT_FACTORS;                                                                       \
        here *u = s->first;                                                                      \
                                                                                                 \
        for (long i = 0; i < s->n; i++, u += s->by)                                              \
            WAVEFRONT_UPDATE(true);                                                              \
    }

UPDATES(float)
UPDATES(double)

/* Without the instruction an fma is a library call: the same bits, twenty times slower. */
#ifdef __x86_64__
#define FUSED __attribute__((target("fma")))
#else
#define FUSED
#endif

#define STRETCHES(name, attribute)                                                                \
    attribute static void name(const struct stretch *s, enum zoid_type type, int D)               \
    {                                                                                             \
        if (type == ZOID_F32)                                                                     \
            D == 1 ? updates_float(s, 1) : D == 2 ? updates_float(s, 2) : updates_float(s, 3);    \
        else                                                                                      \
            D == 1 ? updates_double(s, 1) : D == 2 ? updates_double(s, 2) : updates_double(s, 3); \
    }
STRETCHES(stretch_fused, FUSED)
STRETCHES(stretch_plain, )

static bool has_fma(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("fma") != 0;
#else
    return true;
#endif
}

/* ---- barriers ------------------------------------------------------------------------------- */

struct gate {
    _Alignas(ZOID_LINE) _Atomic long arrived;
};

/* Waits until all members have come as often as the caller. */
static void pass(struct gate *g, int members)
{
    struct zoid_team_wait wait = {0, 0, 0};
    long all;

    if (members == 1)
        return;
    all = (atomic_fetch_add_explicit(&g->arrived, 1, memory_order_acq_rel) / members + 1) * members;
    while (atomic_load_explicit(&g->arrived, memory_order_acquire) < all)
        zoid_team_wait(&wait);
}

/* ---- a tile --------------------------------------------------------------------------------- */

struct all {
    const struct zoid_wavefront_run *run;
    struct zoid_wavefront_steps steps;
    char *values;
    size_t size;
    long stride[ZOID_AXES]; /* values along each axis, the slowest first */
    bool fused;
    int threads, members;
    struct gate *gate; /* of all, then of each tile */
};

struct tile {
    const struct all *all;
    int thread; /* of those of the tile */
    bool full;
    long origin[M]; /* (t, point) of its first coordinates */
};

/* Range of a coordinate, of v - (those before it) that are left. */
static void shape_range(const struct all *a, int k, long left, long *lo, long *hi)
{
    const struct zoid_wavefront *w = a->run->w;

    *lo = w->balanced ? 0 : zoid_max(0, left - a->steps.beyond[k]);
    *hi = w->balanced ? w->tile[k] - 1 : zoid_min(w->tile[k] - 1, left);
}

/* Narrows a range of q_m to points in the domain. */
static void clip(const struct tile *t, const long x[M], long *lo, long *hi)
{
    const struct zoid_wavefront *w = t->all->run->w;

    for (int i = 0; i < w->rows; i++) {
        const long by = t->all->steps.by[i][w->rows - 1];
        const long least = (i ? 1 : 0) - x[i];
        const long most = (i ? w->n[i - 1] - 2 : w->nest.steps - 1) - x[i];
        long from = by < 0 ? -most : least, to = by < 0 ? -least : most;

        if (!by) {
            if (least > 0 || most < 0)
                *hi = *lo - 1;
            continue;
        }
        if (labs(by) > 1) { /* rounded up and down */
            from = -(-from / labs(by) - (-from % labs(by) < 0));
            to = to / labs(by) - (to % labs(by) < 0);
        }
        *lo = zoid_max(*lo, from);
        *hi = zoid_min(*hi, to);
    }
}

/* Computes the points of q_2 ... q_(m - 1); x: (t, point) with q_m = 0. */
static void row_of_points(const struct tile *t, const long x[M], long left)
{
    const struct all *a = t->all;
    const struct zoid_wavefront *w = a->run->w;
    const int m = w->rows - 1;
    struct stretch s = {.row = 0, .plane = 0, .omega = a->run->omega};
    long lo, hi, offset = 0;

    shape_range(a, m, left, &lo, &hi);
    if (m == 1) { /* the only row of points */
        const long n = hi - lo + 1;

        hi = lo + n * (t->thread + 1) / a->threads - 1;
        lo += n * t->thread / a->threads;
    }
    if (!t->full)
        clip(t, x, &lo, &hi);
    if (lo > hi)
        return;
    for (int i = 0; i < m; i++) {
        offset += (x[1 + i] + lo * a->steps.by[1 + i][m]) * a->stride[i];
        s.by += a->steps.by[1 + i][m] * a->stride[i];
    }
    s.row = m > 1 ? a->stride[m - 2] : 0;
    s.plane = m > 2 ? a->stride[0] : 0;
    s.first = a->values + (size_t)offset * a->size;
    s.n = hi - lo + 1;
    (a->fused ? stretch_fused : stretch_plain)(&s, a->run->type, m);
}

/* Goes through q_k ... q_(m - 1), of q_2 through a share. */
static void rows_of_points(const struct tile *t, int k, const long x[M], long left)
{
    const struct all *a = t->all;
    long lo, hi, next[M];

    if (k == a->run->w->rows - 1) {
        row_of_points(t, x, left);
        return;
    }
    shape_range(a, k, left, &lo, &hi);
    for (long q = lo + (k == 1 ? t->thread : 0); q <= hi; q += k == 1 ? a->threads : 1) {
        for (int i = 0; i < a->run->w->rows; i++)
            next[i] = x[i] + q * a->steps.by[i][k];
        rows_of_points(t, k + 1, next, left - q);
    }
}

static void compute_tile(const struct all *a, const long *tau, int member)
{
    const struct zoid_wavefront *w = a->run->w;
    struct tile t = {.all = a, .thread = member % a->threads};
    long first = 0, last = zoid_wavefront_waves(w) - 1;

    t.full = zoid_wavefront_full(w, tau);
    if (!t.full)
        zoid_wavefront_span(w, tau, &first, &last);
    for (int i = 0; i < w->rows; i++)
        for (int k = 0; k < w->rows; k++)
            t.origin[i] += w->inverse[i][k] * tau[k] * w->tile[k];
    for (long v = first; v <= last; v++) {
        long x[M];

        for (int i = 0; i < w->rows; i++)
            x[i] = t.origin[i] + v * a->steps.by[i][0];
        rows_of_points(&t, 1, x, v);
        pass(&a->gate[1 + member / a->threads], a->threads);
    }
}

static void compute_share(void *arg, int member)
{
    const struct all *a = arg;
    const struct zoid_wavefront_list *list = a->run->list;

    for (long r = 0; r < a->run->repeat; r++)
        for (long wave = 0; wave < list->nwaves; wave++) {
            for (long i = member / a->threads; i < list->wave[wave].tiles; i += a->run->resident) {
                long tau[M];

                zoid_wavefront_tile(a->run->w, list, wave, i, tau);
                compute_tile(a, tau, member);
            }
            pass(&a->gate[0], a->members);
        }
}

static int threads_of(const struct zoid_wavefront_run *run)
{
    int threads = 1;

    for (int a = 0; a < ZOID_AXES; a++)
        threads *= zoid_max(run->threads[a], 1);
    return threads;
}

void zoid_wavefront_on_cores(const struct zoid_wavefront_run *run, void *values,
                             struct zoid_team *team)
{
    struct gate gate[1 + run->resident];
    struct all a = {.run = run,
                    .steps = zoid_wavefront_steps_of(run->w),
                    .values = values,
                    .size = zoid_type_size(run->type),
                    .fused = has_fma(),
                    .threads = threads_of(run),
                    .members = zoid_team_size(team),
                    .gate = gate};

    for (int i = 0; i <= run->resident; i++)
        atomic_init(&gate[i].arrived, 0);
    for (int i = run->w->nest.axes - 1, stride = 1; i >= 0; stride = 0, i--)
        a.stride[i] = stride ? 1 : a.stride[i + 1] * run->w->n[i + 1];
    if (team)
        zoid_team_call(team, compute_share, &a);
    else
        compute_share(&a, 0);
}

/* ---- measurements --------------------------------------------------------------------------- */

struct barriers {
    struct gate *gate;
    int threads, members;
    bool all;
    long repeat;
};

static void go_through(void *arg, int member)
{
    const struct barriers *b = arg;

    for (long r = 0; r < b->repeat; r++)
        pass(&b->gate[b->all ? 0 : 1 + member / b->threads], b->all ? b->members : b->threads);
}

void zoid_wavefront_barriers(struct zoid_team *team, int threads, bool all, long repeat)
{
    const int members = zoid_team_size(team);
    struct gate gate[1 + members];
    struct barriers b = {gate, threads, members, all, repeat};

    for (int i = 0; i <= members; i++)
        atomic_init(&gate[i].arrived, 0);
    if (team)
        zoid_team_call(team, go_through, &b);
}
