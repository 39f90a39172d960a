/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/calibrate/refine.h"

#include <math.h>
#include <string.h>

#include "runtime/calibrate/calibrate.h"
#include "runtime/machine/refine.h"
#include "runtime/plan/estimate.h"
#include "runtime/ranks/ranks.h"

struct teaching {
    const struct zoid_op_rates *used; /* rates of the run's prediction */
    struct zoid_observed run;
};

/* The file keeps six digits of a rate. */
static bool alike(double a, double b)
{
    return fabs(a - b) <= 1e-4 * fabs(b);
}

static bool same_rates(enum zoid_place_kind place, const struct zoid_op_rates *a,
                       const struct zoid_op_rates *b)
{
    if (place == ZOID_GPUS)
        return alike(a->gpu_step, b->gpu_step) && alike(a->gpu_even, b->gpu_even);
    return alike(a->tiled, b->tiled) && alike(a->exceeding, b->exceeding) &&
           alike(a->visit, b->visit) && alike(a->step, b->step) && alike(a->marched, b->marched) &&
           alike(a->marched_visit, b->marched_visit) && alike(a->untiled, b->untiled);
}

static enum zoid_status teach(void *user, struct zoid_rates *kept, bool *changed)
{
    const struct teaching *t = user;
    struct zoid_op_rates *op = kept->op, *end = op + kept->ops;

    while (op < end && strcmp(op->name, t->used->name) != 0)
        op++;
    *changed = op < end && same_rates(t->run.place, op, t->used);
    if (*changed)
        zoid_rates_refine(op, &t->run);
    return ZOID_OK;
}

/* Returns the predicted seconds of a run on GPUs if its blocks take `times` times their
 * prediction. */
static double expected_on_gpus(const struct zoid_context *c, const struct zoid_plan *plan,
                               double times)
{
    struct zoid_model model = zoid_model_of(&c->machine, &c->rates, plan->problem.op);
    struct zoid_plan again = *plan;

    model.op.gpu_step *= times;
    model.op.gpu_even *= times;
    model.gpu.far *= times;
    model.gpu.waits = 1;
    return zoid_estimate(&model, &again).seconds;
}

static struct zoid_observed observe(const struct zoid_context *c, const struct zoid_plan *plan,
                                    const struct zoid_op_rates *used,
                                    const struct zoid_report *report)
{
    const struct zoid_cost *cost = &plan->cost;
    const enum zoid_place_kind place = plan->place.kind;
    const struct zoid_factors *f = place == ZOID_GPUS ? &used->gpus : &used->cores;
    const double times = report->core_seconds / (cost->near + cost->far);
    struct zoid_observed run = {.place = place,
                                .near = cost->near / zoid_factor(f->near),
                                .far = cost->far / zoid_factor(f->far),
                                .measured = report->core_seconds,
                                .seconds = report->seconds};

    if (cost->waits > 0)
        run.expected = place == ZOID_GPUS ? expected_on_gpus(c, plan, times)
                                          : cost->seconds / cost->waits * times;
    return run;
}

/* Returns true if blocks on GPUs ran as rates assume: by the best traversal, and without the single
 * times that sources and receivers enforce. */
static bool is_usual(const struct zoid_plan *plan)
{
    return plan->place.kind != ZOID_GPUS ||
           (plan->place.traversal[ZOID_GPUS] == ZOID_TRAVERSAL_BEST && !plan->problem.points);
}

/* ---- networks -------------------------------------------------------------------------------- */

struct message_teaching {
    enum zoid_network_kind kind;
    const struct zoid_network *used;
    struct zoid_observed_messages run;
};

/* The file's network must be that of the prediction. */
static enum zoid_status teach_network(void *user, struct zoid_rates *kept, bool *changed)
{
    const struct message_teaching *t = user;
    struct zoid_network *network = &kept->network[t->kind];

    *changed = kept->calibrated && alike(network->way, t->used->way) &&
               alike(network->wire, t->used->wire);
    if (*changed)
        zoid_network_refine(network, &t->run);
    return ZOID_OK;
}

/* Refine the factors of the network between ranks by the time that workers waited for messages, or
 * should have waited, if that is a part of the run that matters. */
static enum zoid_status refine_network(const struct zoid_context *c, const struct zoid_plan *plan,
                                       const struct zoid_report *report)
{
    static const double LEAST_SECONDS = 10e-3, LEAST_PART = 0.05;
    const struct zoid_model model = zoid_model_of(&c->machine, &c->rates, plan->problem.op);
    const enum zoid_network_kind kind = zoid_rates_network_kind(&c->machine);
    struct message_teaching t = {.kind = kind, .used = &c->rates.network[kind]};
    const double waited = report->waiting / (plan->place.workers * (double)c->machine.ranks);
    struct zoid_exchange_cost one;
    double bytes, waits;

    if (zoid_ranks_here()->rank || !(report->seconds >= LEAST_SECONDS) ||
        !zoid_estimate_exchange(&model, plan, &plan->cost, &one))
        return ZOID_OK;
    waits = zoid_exchange_waits(&one);
    if (!(fmax(waited, waits) >= LEAST_PART * report->seconds))
        return ZOID_OK;
    /* The network counts if its bytes take longer than the thread. */
    bytes = one.wire >= one.thread ? one.wire / one.parts : 0;
    t.run = (struct zoid_observed_messages){
        .way = one.ways / zoid_factor(t.used->way_factor),
        .wire = bytes / zoid_factor(t.used->wire_factor),
        .measured = fmax(one.ways + bytes + (waited - waits) / one.exchanges, one.ways / 16)};
    return zoid_calibrate_change(&c->machine, teach_network, &t);
}

/* ---- the entry ------------------------------------------------------------------------------- */

enum zoid_status zoid_refine(const struct zoid_context *context, const struct zoid_plan *plan,
                             const struct zoid_report *report)
{
    const struct zoid_op_rates *used = zoid_rates_find(&context->rates, plan->problem.op);
    struct teaching teaching = {.used = used};

    if (context->machine.ranks > 1)
        return report->steps == plan->problem.steps ? refine_network(context, plan, report)
                                                    : ZOID_OK;
    if (!used || !isfinite(report->core_seconds) || report->steps != plan->problem.steps ||
        !is_usual(plan))
        return ZOID_OK;
    teaching.run = observe(context, plan, used, report);
    return zoid_rates_teaches(used, &teaching.run)
               ? zoid_calibrate_change(&context->machine, teach, &teaching)
               : ZOID_OK;
}
