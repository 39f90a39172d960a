/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/perf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op.h"
#include "runtime/config.h"
#include "runtime/machine/clock.h"
#include "runtime/submit/task.h"

/* The models that StarPU, of which a process has one, uses: found by name, since an operator may be
 * destroyed before StarPU shuts down. */
static struct perf {
    struct perf *next;
    char *name;
    struct starpu_perfmodel model;
} * models;

/* A bucket has the values within about 4 % of its middle. */
static uint32_t bucket(double value)
{
    return value < 1 ? 0 : 1 + (uint32_t)lrint(8 * log2(value));
}

static uint32_t footprint(struct starpu_task *task)
{
    const struct zoid_task *t = task->cl_arg;

    return bucket((double)t->points) << 16 | bucket((double)(t->zoid.t1 - t->zoid.t0));
}

/* Microseconds of a block on a worker; all implementations are one. */
static double cost(struct starpu_task *task, unsigned worker, unsigned implementation)
{
    const struct zoid_task *t = task->cl_arg;
    struct zoid_dealer *d = &t->work->dealer;

    (void)implementation;
    return zoid_costs_of(&d->costs, d->crew[worker] < 0 ? 0 : d->crew[worker], (double)t->points,
                         zoid_machine_clock());
}

static struct perf *make(const char *name, const struct starpu_perfmodel *model)
{
    struct perf *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->name = strdup(name);
    if (!p->name) {
        free(p);
        return NULL;
    }
    p->model = *model;
    p->model.symbol = p->name;
    p->next = models;
    return models = p;
}

/* Return the model of that name, and make it if there is none. */
static struct starpu_perfmodel *named(const char *name, const struct starpu_perfmodel *model)
{
    struct perf *p = models;

    while (p && strcmp(p->name, name) != 0)
        p = p->next;
    if (!p)
        p = make(name, model);
    return p ? &p->model : NULL;
}

struct starpu_perfmodel *zoid_perf_model(const struct zoid_op *op)
{
    if (ZOID_SIMULATED)
        return named(op->name, &(struct starpu_perfmodel){.type = STARPU_PER_WORKER,
                                                          .worker_cost_function = zoid_task_cost});
    return named(op->name,
                 &(struct starpu_perfmodel){.type = STARPU_HISTORY_BASED, .footprint = footprint});
}

/* No operator has such a name. */
struct starpu_perfmodel *zoid_perf_dealt(void)
{
    return named("any worker", &(struct starpu_perfmodel){.type = STARPU_PER_WORKER,
                                                          .worker_cost_function = cost});
}

void zoid_perf_free(void)
{
    while (models) {
        struct perf *p = models;

        models = p->next;
        free(p->name);
        free(p);
    }
}
