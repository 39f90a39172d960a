/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/record.h"

#include <string.h>

#include "runtime/error.h"
#include "runtime/plan/place.h"

/* GPUs read the sample points, and write the record, in main memory. */
static bool pinned(const struct zoid_plan *plan)
{
    return zoid_plan_on_gpus(plan);
}

static size_t record_bytes(const struct zoid_sample_points *sample_points)
{
    return (size_t)sample_points->rows * zoid_record_row_bytes(sample_points);
}

static void unpin(const struct zoid_plan *plan, void *at, size_t bytes)
{
    if (pinned(plan) && bytes)
        starpu_memory_unpin(at, bytes);
}

static enum zoid_status pin(const struct zoid_plan *plan, void *at, size_t bytes)
{
    if (!pinned(plan) || !bytes || !starpu_memory_pin(at, bytes))
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "the GPUs cannot reach %zu bytes for sources and receivers; use fewer of them",
                     bytes);
}

enum zoid_status zoid_record_extend(const struct zoid_plan *plan,
                                    struct zoid_sample_points *sample_points, long end)
{
    enum zoid_status status = ZOID_OK, reached;

    if (!sample_points || end - sample_points->start < sample_points->rows)
        return ZOID_OK;
    unpin(plan, sample_points->record, record_bytes(sample_points));
    if (!zoid_record_fit(sample_points, end))
        status = zoid_fail(ZOID_DOES_NOT_FIT,
                           "there is no room for what receivers see of %ld steps; use fewer steps "
                           "or receivers",
                           end - sample_points->start);
    reached = pin(plan, sample_points->record, record_bytes(sample_points));
    return status ? status : reached;
}

enum zoid_status zoid_record_create(const struct zoid_plan *plan,
                                    struct zoid_sample_points **sample_points)
{
    const struct zoid_problem *p = &plan->problem;
    enum zoid_status status;

    if (!p->points)
        return ZOID_OK;
    *sample_points = zoid_sample_points_create(p->op, &plan->graph.shape, p->points);
    if (!*sample_points)
        return zoid_no_memory();
    (*sample_points)->start = p->start;
    status = pin(plan, (*sample_points)->room, (*sample_points)->bytes);
    return status ? status : zoid_record_extend(plan, *sample_points, p->start + p->steps);
}

void zoid_record_destroy(const struct zoid_plan *plan, struct zoid_sample_points **sample_points)
{
    if (!*sample_points)
        return;
    unpin(plan, (*sample_points)->record, record_bytes(*sample_points));
    unpin(plan, (*sample_points)->room, (*sample_points)->bytes);
    zoid_sample_points_destroy(sample_points);
}

void zoid_record_begin(struct zoid_sample_points *sample_points, long start)
{
    if (!sample_points)
        return;
    sample_points->start = start;
    memset(sample_points->record, 0, record_bytes(sample_points));
}

/* ---- the first step ------------------------------------------------------------------------ */

struct filling {
    const struct zoid_sample_points *sample_points;
    zoid_box_fn *box;
    void *user;
};

static void fill_and_keep(void *filling, int field, const struct zoid_box *box,
                          const struct zoid_values *to)
{
    const struct filling *f = filling;
    const struct zoid_sample_points *t = f->sample_points;
    const int chain = zoid_chain(t->shape);
    const struct zoid_sample_point_list keeps =
        zoid_sample_points_of(&t->keeps, box->lo[chain], box->hi[chain]);
    const size_t size = zoid_type_size(t->op->type);

    f->box(f->user, field, box, to);
    for (size_t i = 0; i < keeps.n; i++) {
        const struct zoid_sample_point *sample_point = &keeps.sample_point[i];
        bool inside = sample_point->field == field;

        for (int a = 0; a < ZOID_AXES; a++)
            inside =
                inside && sample_point->at[a] >= box->lo[a] && sample_point->at[a] < box->hi[a];
        if (inside)
            zoid_record_keep(t, (size_t)(sample_point - t->keeps.sample_point), t->start,
                             (char *)zoid_values_row(to, size, sample_point->at[1] - box->lo[1],
                                                     sample_point->at[2] - box->lo[2]) +
                                 (size_t)(sample_point->at[0] - box->lo[0]) * size);
    }
}

void zoid_record_fill(const struct zoid_state *state,
                      const struct zoid_sample_points *sample_points, zoid_box_fn *box, void *user)
{
    struct filling f = {.sample_points = sample_points, .box = box, .user = user};

    if (sample_points)
        zoid_fill_state(state, fill_and_keep, &f);
    else
        zoid_fill_state(state, box, user);
}
