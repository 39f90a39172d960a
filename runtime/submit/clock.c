/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/clock.h"

#include <stdlib.h>

#include "runtime/error.h"

enum zoid_status zoid_clock_init(struct zoid_clock *clock, unsigned workers)
{
    clock->workers = workers;
    clock->worker =
        aligned_alloc(_Alignof(struct zoid_worker_clock), workers * sizeof *clock->worker);
    if (!clock->worker)
        return zoid_no_memory();
    for (unsigned w = 0; w < workers; w++) {
        atomic_init(&clock->worker[w].busy_ns, 0);
        atomic_init(&clock->worker[w].core_ns, 0);
        atomic_init(&clock->worker[w].points, 0);
    }
    return ZOID_OK;
}

void zoid_clock_free(struct zoid_clock *clock)
{
    free(clock->worker);
    *clock = (struct zoid_clock){.worker = NULL};
}

void zoid_clock_add(const struct zoid_clock *clock, int worker, double seconds, int64_t points)
{
    struct zoid_worker_clock *w = &clock->worker[worker];

    atomic_fetch_add_explicit(&w->busy_ns, (int64_t)(seconds * 1e9), memory_order_relaxed);
    atomic_fetch_add_explicit(&w->points, points, memory_order_relaxed);
}

void zoid_clock_add_core(const struct zoid_clock *clock, int worker, double seconds)
{
    atomic_fetch_add_explicit(&clock->worker[worker].core_ns, (int64_t)(seconds * 1e9),
                              memory_order_relaxed);
}

struct zoid_done zoid_clock_of(const struct zoid_clock *clock, int worker)
{
    struct zoid_worker_clock *w = &clock->worker[worker];

    return (struct zoid_done){(double)atomic_load_explicit(&w->busy_ns, memory_order_relaxed) *
                                  1e-9,
                              (double)atomic_load_explicit(&w->points, memory_order_relaxed)};
}

double zoid_clock_points(const struct zoid_clock *clock)
{
    double points = 0;

    for (unsigned w = 0; w < clock->workers; w++)
        points += (double)atomic_load_explicit(&clock->worker[w].points, memory_order_relaxed);
    return points;
}

double zoid_clock_busy_seconds(const struct zoid_clock *clock)
{
    double ns = 0;

    for (unsigned w = 0; w < clock->workers; w++)
        ns += (double)atomic_load_explicit(&clock->worker[w].busy_ns, memory_order_relaxed);
    return ns * 1e-9;
}

double zoid_clock_core_seconds(const struct zoid_clock *clock)
{
    double ns = 0;

    for (unsigned w = 0; w < clock->workers; w++)
        ns += (double)atomic_load_explicit(&clock->worker[w].core_ns, memory_order_relaxed);
    return ns * 1e-9;
}
