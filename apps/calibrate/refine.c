/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/calibrate/refine.h"

#include <math.h>
#include <string.h>

#include "apps/calibrate/calibrate.h"
#include "runtime/machine/refine.h"

struct teaching {
    const struct zoid_op_rates *used; /* to predict the run */
    struct zoid_observed run;
};

/* The file has six digits of a rate. */
static bool alike(double a, double b)
{
    return fabs(a - b) <= 1e-4 * fabs(b);
}

static bool same_rates(const struct zoid_op_rates *a, const struct zoid_op_rates *b)
{
    return alike(a->tiled, b->tiled) && alike(a->exceeding, b->exceeding) &&
           alike(a->visit, b->visit) && alike(a->step, b->step) && alike(a->marched, b->marched) &&
           alike(a->marched_visit, b->marched_visit);
}

static enum zoid_status teach(void *user, struct zoid_rates *kept, bool *changed)
{
    const struct teaching *t = user;
    struct zoid_op_rates *op = kept->op, *end = op + kept->ops;

    while (op < end && strcmp(op->name, t->used->name) != 0)
        op++;
    *changed = op < end && same_rates(op, t->used);
    if (*changed)
        zoid_rates_refine(op, &t->run);
    return ZOID_OK;
}

static struct zoid_observed observe(const struct zoid_op_rates *used, const struct zoid_cost *cost,
                                    const struct zoid_report *report)
{
    struct zoid_observed run = {.near = cost->near / zoid_factor_near(used),
                                .far = cost->far / zoid_factor_far(used),
                                .measured = report->core_seconds,
                                .seconds = report->seconds};

    if (cost->waits > 0)
        run.expected =
            cost->seconds / cost->waits * report->core_seconds / (cost->near + cost->far);
    return run;
}

enum zoid_status zoid_refine(const struct zoid_context *context, const struct zoid_plan *plan,
                             const struct zoid_report *report)
{
    const struct zoid_op_rates *used = zoid_rates_find(&context->rates, plan->problem.op);
    struct teaching teaching = {.used = used};

    if (!used || !isfinite(report->core_seconds) || report->steps != plan->problem.steps)
        return ZOID_OK;
    teaching.run = observe(used, &plan->cost, report);
    return zoid_rates_teaches(used, &teaching.run)
               ? zoid_calibrate_change(&context->machine, teach, &teaching)
               : ZOID_OK;
}
