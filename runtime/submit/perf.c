/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/perf.h"

#include <math.h>
#include <stdlib.h>

#include "codelets/op.h"
#include "runtime/submit/task.h"

struct zoid_perf {
    struct zoid_perf *next;
    const struct zoid_op *op;
    struct starpu_perfmodel model;
};

/* Values within about 6 % of each other fall into one bucket. */
static uint32_t bucket(double value)
{
    return value < 1 ? 0 : 1 + (uint32_t)lrint(8 * log2(value));
}

static uint32_t footprint(struct starpu_task *task)
{
    const struct zoid_task *t = task->cl_arg;

    return bucket((double)t->points) << 16 | bucket((double)(t->zoid.t1 - t->zoid.t0));
}

struct starpu_perfmodel *zoid_perf_model(struct zoid_perf **list, const struct zoid_op *op)
{
    struct zoid_perf *p = *list;

    while (p && p->op != op)
        p = p->next;
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            return NULL;
        *p = (struct zoid_perf){
            .next = *list,
            .op = op,
            .model = {.type = STARPU_HISTORY_BASED, .symbol = op->name, .footprint = footprint}};
        *list = p;
    }
    return &p->model;
}

void zoid_perf_free(struct zoid_perf **list)
{
    while (*list) {
        struct zoid_perf *p = *list;

        *list = p->next;
        free(p);
    }
}
