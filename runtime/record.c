/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/record.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/ranks/ranks.h"

/* GPUs look at taps, and write the record, where these lie. */
static bool pinned(const struct zoid_job *job)
{
    return job->plan.place[0].kind == ZOID_GPUS;
}

static size_t record_bytes(const struct zoid_taps *taps)
{
    return (size_t)taps->rows * zoid_record_row_bytes(taps);
}

static void unpin(const struct zoid_job *job, void *at, size_t bytes)
{
    if (pinned(job) && bytes)
        starpu_memory_unpin(at, bytes);
}

static enum zoid_status pin(const struct zoid_job *job, void *at, size_t bytes)
{
    if (!pinned(job) || !bytes || !starpu_memory_pin(at, bytes))
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "the GPUs cannot reach %zu bytes for sources and receivers; use fewer of them",
                     bytes);
}

enum zoid_status zoid_record_extend(struct zoid_job *job, long end)
{
    struct zoid_taps *taps = job->work.taps;
    enum zoid_status status = ZOID_OK;

    if (!taps || end - taps->start < taps->rows)
        return ZOID_OK;
    unpin(job, taps->record, record_bytes(taps));
    if (!zoid_record_fit(taps, end))
        status = zoid_fail(ZOID_DOES_NOT_FIT,
                           "there is no room for what receivers see of %ld steps; use fewer steps "
                           "or receivers",
                           end - taps->start);
    return status ? status : pin(job, taps->record, record_bytes(taps));
}

enum zoid_status zoid_record_create(struct zoid_job *job)
{
    const struct zoid_problem *p = &job->plan.problem;
    struct zoid_taps *taps;
    enum zoid_status status;

    if (!p->points)
        return ZOID_OK;
    job->work.taps = taps = zoid_taps_create(p->op, &job->plan.graph.shape, p->points);
    if (!taps)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    taps->start = p->start;
    status = pin(job, taps->room, taps->bytes);
    return status ? status : zoid_record_extend(job, p->start + p->steps);
}

void zoid_record_destroy(struct zoid_job *job)
{
    struct zoid_taps *taps = job->work.taps;

    if (!taps)
        return;
    unpin(job, taps->record, record_bytes(taps));
    unpin(job, taps->room, taps->bytes);
    zoid_taps_destroy(&job->work.taps);
}

void zoid_record_begin(struct zoid_job *job, long start)
{
    struct zoid_taps *taps = job->work.taps;

    if (!taps)
        return;
    taps->start = start;
    memset(taps->record, 0, record_bytes(taps));
}

/* ---- the first step ------------------------------------------------------------------------ */

struct filling {
    const struct zoid_taps *taps;
    zoid_box_fn *box;
    void *user;
};

static void fill_and_keep(void *filling, int field, const struct zoid_box *box,
                          const struct zoid_values *to)
{
    const struct filling *f = filling;
    const struct zoid_taps *t = f->taps;
    const int chain = zoid_chain(t->shape);
    const struct zoid_tap_list keeps = zoid_taps_of(&t->keeps, box->lo[chain], box->hi[chain]);
    const size_t size = zoid_type_size(t->op->type);

    f->box(f->user, field, box, to);
    for (size_t i = 0; i < keeps.n; i++) {
        const struct zoid_tap *tap = &keeps.tap[i];
        bool inside = tap->field == field;

        for (int a = 0; a < ZOID_AXES; a++)
            inside = inside && tap->at[a] >= box->lo[a] && tap->at[a] < box->hi[a];
        if (inside)
            zoid_record_keep(t, (size_t)(tap - t->keeps.tap), t->start,
                             (char *)zoid_values_row(to, size, tap->at[1] - box->lo[1],
                                                     tap->at[2] - box->lo[2]) +
                                 (size_t)(tap->at[0] - box->lo[0]) * size);
    }
}

void zoid_record_fill(struct zoid_job *job, zoid_box_fn *box, void *user)
{
    struct filling f = {.taps = job->work.taps, .box = box, .user = user};

    if (f.taps)
        zoid_fill_state(&job->state, fill_and_keep, &f);
    else
        zoid_fill_state(&job->state, box, user);
}

/* ---- what is seen -------------------------------------------------------------------------- */

enum zoid_status zoid_job_record(const struct zoid_job *job, long step, double *seen)
{
    const struct zoid_taps *taps = job->work.taps;
    enum zoid_status status = ZOID_OK;
    void *row;

    if (!taps || step < taps->start || step > job->state.steps)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "nothing was recorded of step %ld; give a problem receivers, and a step "
                         "that its job was filled at or has come to",
                         step);
    row = malloc(zoid_record_row_bytes(taps) + 1);
    status = zoid_ranks_agree(row ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory"));
    if (!status) {
        memcpy(row, zoid_record_row(taps, step), zoid_record_row_bytes(taps));
        /* What several ranks have computed is the same, and 0 where none of it was. */
        if (zoid_ranks_here()->size > 1)
            zoid_ranks_combine(row, zoid_record_row_bytes(taps));
        zoid_record_see(taps, row, seen);
    }
    free(row);
    return status;
}
