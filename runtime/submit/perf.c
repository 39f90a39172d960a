/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/perf.h"

#include <math.h>
#include <stdlib.h>

#include "codelets/op.h"
#include "runtime/submit/task.h"

/* The models that StarPU, of which a process has one, remembers. */
static struct perf {
    struct perf *next;
    const struct zoid_op *op;
    struct starpu_perfmodel model;
} * models;

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

struct starpu_perfmodel *zoid_perf_model(const struct zoid_op *op)
{
    struct perf *p = models;

    while (p && p->op != op)
        p = p->next;
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            return NULL;
        *p = (struct perf){
            .next = models,
            .op = op,
            .model = {.type = STARPU_HISTORY_BASED, .symbol = op->name, .footprint = footprint}};
        models = p;
    }
    return &p->model;
}

void zoid_perf_free(void)
{
    while (models) {
        struct perf *p = models;

        models = p->next;
        free(p);
    }
}
