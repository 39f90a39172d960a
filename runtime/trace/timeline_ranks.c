/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges timelines of several ranks, on the clock of the first rank. */
#include <math.h>
#include <string.h>

#include "runtime/trace/timeline.h"

int zoid_timeline_ranks(const struct zoid_timeline *t)
{
    return t->ranks > 1 ? t->ranks : 1;
}

/* The rank's clock at a time of its trace. Clocks may run at different rates between the marks
 * before the run and those after it: interpolate. */
static double common(const struct zoid_timeline *t, double time)
{
    const struct zoid_timeline_mark *a = &t->before, *b = &t->after;
    const double rate =
        b->known && b->trace > a->trace ? (b->clock - a->clock) / (b->trace - a->trace) : 1;

    return a->clock + (time - a->trace) * rate;
}

static struct zoid_span common_span(const struct zoid_timeline *t, struct zoid_span span)
{
    return (struct zoid_span){common(t, span.begin), common(t, span.end)};
}

static int of_rank(int rank, int number)
{
    return rank * ZOID_TIMELINE_IDS + number;
}

static enum zoid_status add_workers(struct zoid_timeline *all, int rank,
                                    const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < t->workers && !status; i++) {
        struct zoid_timeline_worker w = t->worker[i];

        w.rank = rank;
        w.id = of_rank(rank, w.id);
        w.node = of_rank(rank, w.node);
        status = zoid_timeline_add_worker(all, &w);
    }
    return status;
}

static enum zoid_status add_blocks(struct zoid_timeline *all, int rank,
                                   const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < t->blocks && !status; i++) {
        struct zoid_timeline_block b = t->block[i];

        b.worker = of_rank(rank, b.worker);
        b.span = common_span(t, b.span);
        status = zoid_timeline_add_block(all, &b);
    }
    return status;
}

static enum zoid_status add_transfers(struct zoid_timeline *all, int rank,
                                      const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < t->transfers && !status; i++) {
        struct zoid_timeline_transfer x = t->transfer[i];

        x.from = of_rank(rank, x.from);
        x.to = of_rank(rank, x.to);
        x.span = common_span(t, x.span);
        status = zoid_timeline_add_transfer(all, &x);
    }
    return status;
}

static enum zoid_status add_waits(struct zoid_timeline *all, int rank,
                                  const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < t->waits && !status; i++)
        status = zoid_timeline_add_request(all, of_rank(rank, t->wait[i].worker),
                                           common(t, t->wait[i].span.begin));
    for (size_t i = 0; i < t->works && !status; i++) {
        const int worker = of_rank(rank, t->work[i].worker);
        const struct zoid_span span = common_span(t, t->work[i].span);

        status = zoid_timeline_add_work(all, worker, span.begin, false);
        if (!status)
            status = zoid_timeline_add_work(all, worker, span.end, true);
    }
    return status;
}

static enum zoid_status add_helds(struct zoid_timeline *all, int rank,
                                  const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < t->helds && !status; i++) {
        const struct zoid_span span = common_span(t, t->held[i].span);

        status = zoid_timeline_add_held(all, rank, &span);
    }
    return status;
}

static enum zoid_status add_members(struct zoid_timeline *all, int rank,
                                    const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < t->members && !status; i++) {
        const struct zoid_timeline_member member = {of_rank(rank, t->member[i].worker),
                                                    of_rank(rank, t->member[i].first)};

        status = zoid_timeline_add_member(all, &member);
    }
    return status;
}

/* All ranks have the same borders and plans. */
static enum zoid_status add_parts(struct zoid_timeline *all, int rank,
                                  const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; rank == 0 && i < t->borders && !status; i++) {
        struct zoid_timeline_border border = t->border[i];

        border.time = common(t, border.time);
        status = zoid_timeline_add_border(all, &border);
    }
    for (size_t i = 0; rank == 0 && i < t->parts && !status; i++)
        status = zoid_timeline_add_part(all, &t->part[i]);
    return status;
}

static void add_run(struct zoid_timeline *all, const struct zoid_timeline *t)
{
    const struct zoid_span run = common_span(t, t->run);

    all->overflows += t->overflows;
    if (!t->marked)
        return;
    all->run.begin = all->marked ? fmin(all->run.begin, run.begin) : run.begin;
    all->run.end = all->marked ? fmax(all->run.end, run.end) : run.end;
    all->marked = true;
}

enum zoid_status zoid_timeline_add_rank(struct zoid_timeline *all, int rank,
                                        const struct zoid_timeline *t)
{
    enum zoid_status status = ZOID_OK;

    if (!t->before.known)
        return zoid_fail(ZOID_RESOURCE,
                         "the trace of rank %d does not say what its clock showed; run it again",
                         rank);
    if (rank >= all->ranks)
        all->ranks = rank + 1;
    add_run(all, t);
    status = add_workers(all, rank, t);
    if (!status)
        status = add_blocks(all, rank, t);
    if (!status)
        status = add_transfers(all, rank, t);
    if (!status)
        status = add_helds(all, rank, t);
    if (!status)
        status = add_members(all, rank, t);
    if (!status)
        status = add_parts(all, rank, t);
    return status ? status : add_waits(all, rank, t);
}
