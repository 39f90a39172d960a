/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/record.h"

#include <string.h>

#include "runtime/error.h"
#include "runtime/plan/place.h"

/* GPUs read the taps, and write the record, in main memory. */
static bool pinned(const struct zoid_plan *plan)
{
    return zoid_plan_on_gpus(plan);
}

static size_t record_bytes(const struct zoid_taps *taps)
{
    return (size_t)taps->rows * zoid_record_row_bytes(taps);
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

enum zoid_status zoid_record_extend(const struct zoid_plan *plan, struct zoid_taps *taps, long end)
{
    enum zoid_status status = ZOID_OK, reached;

    if (!taps || end - taps->start < taps->rows)
        return ZOID_OK;
    unpin(plan, taps->record, record_bytes(taps));
    if (!zoid_record_fit(taps, end))
        status = zoid_fail(ZOID_DOES_NOT_FIT,
                           "there is no room for what receivers see of %ld steps; use fewer steps "
                           "or receivers",
                           end - taps->start);
    reached = pin(plan, taps->record, record_bytes(taps));
    return status ? status : reached;
}

enum zoid_status zoid_record_create(const struct zoid_plan *plan, struct zoid_taps **taps)
{
    const struct zoid_problem *p = &plan->problem;
    enum zoid_status status;

    if (!p->points)
        return ZOID_OK;
    *taps = zoid_taps_create(p->op, &plan->graph.shape, p->points);
    if (!*taps)
        return zoid_no_memory();
    (*taps)->start = p->start;
    status = pin(plan, (*taps)->room, (*taps)->bytes);
    return status ? status : zoid_record_extend(plan, *taps, p->start + p->steps);
}

void zoid_record_destroy(const struct zoid_plan *plan, struct zoid_taps **taps)
{
    if (!*taps)
        return;
    unpin(plan, (*taps)->record, record_bytes(*taps));
    unpin(plan, (*taps)->room, (*taps)->bytes);
    zoid_taps_destroy(taps);
}

void zoid_record_begin(struct zoid_taps *taps, long start)
{
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

void zoid_record_fill(const struct zoid_state *state, const struct zoid_taps *taps,
                      zoid_box_fn *box, void *user)
{
    struct filling f = {.taps = taps, .box = box, .user = user};

    if (taps)
        zoid_fill_state(state, fill_and_keep, &f);
    else
        zoid_fill_state(state, box, user);
}
