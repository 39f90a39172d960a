/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/model/ours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphs/common/arith.h"
#include "graphs/method.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/machine/refine.h"
#include "runtime/plan/plan.h"

const char *const zoid_ours_names[ZOID_OURS_FACTORS] = {
    [ZOID_OURS_COMPUTE] = "compute", [ZOID_OURS_WAY] = "way", [ZOID_OURS_WIRE] = "wire"};

enum zoid_status zoid_ours_open(bool several_hosts, struct zoid_ours *ours)
{
    enum zoid_status status;

    *ours = (struct zoid_ours){.factor = {1, 1, 1}};
    status = zoid_machine_probe(&ours->machine);
    if (status)
        return status;
    zoid_rates_load(&ours->machine, &ours->rates);
    ours->machine.spread = several_hosts;
    return ZOID_OK;
}

void zoid_ours_close(struct zoid_ours *ours)
{
    zoid_rates_free(&ours->rates);
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* The same blocks (tiles), with a halo exchange every R steps: of visits of the same depth, or of
 * one visit, if that is an epoch of the run. */
static struct zoid_request request_of(const struct zoid_model_run *run, long r)
{
    struct zoid_request request = {.method = run->method->name,
                                   .block = run->block,
                                   .depth = run->depth == run->epoch ? r : zoid_min(run->depth, r),
                                   .epoch = r,
                                   .exchange =
                                       run->joined ? ZOID_EXCHANGE_JOINED : ZOID_EXCHANGE_DIRECT};

    for (int a = 0; a < ZOID_AXES; a++) {
        request.ranks[a] = run->ranks[a];
        request.cells[a] = run->cells[a];
    }
    return request;
}

/* Predict a run with factors of 1. Returns 0 halo exchanges if there is one epoch. */
static enum zoid_status predict(const struct zoid_ours *ours, const struct zoid_model_run *run,
                                long r, struct zoid_exchange_cost *cost)
{
    const struct zoid_problem problem = {.op = run->op,
                                         .n = {run->n[0], run->n[1], run->n[2]},
                                         .steps = run->steps,
                                         .params = zoid_op_defaults(run->op)};
    const struct zoid_request request = request_of(run, r);
    struct zoid_machine machine = ours->machine;
    struct zoid_rates rates = ours->rates;
    const struct zoid_site site = {
        .machine = &machine,
        .rates = &rates,
        .workers = {[ZOID_CORES] = run->cuda ? 0 : run->cpu, [ZOID_GPUS] = run->cuda},
        .capacity = {[ZOID_GPU_MEMORY] = 1ull << 46, [ZOID_RAM] = 1ull << 46},
        .ranks = (int)zoid_model_ranks(run)};
    struct zoid_model model;
    struct zoid_plan plan;
    enum zoid_status status;

    machine.ranks = site.ranks;
    machine.cpu_workers = run->cpu;
    machine.cuda_workers = run->cuda;
    rates.workers = (int)zoid_max(rates.workers / site.ranks, 1);
    status = zoid_plan_at(&site, &problem, &request, &plan);
    if (status)
        return status;
    model = zoid_model_of(&machine, &rates, run->op);
    if (!zoid_estimate_exchange(&model, &plan, &plan.cost, cost)) {
        cost->exchanges = 0;
        cost->base = plan.cost.seconds;
    }
    return ZOID_OK;
}

static double apply(struct zoid_exchange_cost cost, const double factor[ZOID_OURS_FACTORS])
{
    cost.base *= factor[ZOID_OURS_COMPUTE];
    cost.ways *= factor[ZOID_OURS_WAY];
    cost.wire *= factor[ZOID_OURS_WIRE];
    return zoid_exchange_seconds(&cost);
}

enum zoid_status zoid_ours_seconds(const struct zoid_ours *ours, const struct zoid_model_run *run,
                                   long r, struct zoid_exchange_cost *cost, double *seconds)
{
    const enum zoid_status status = predict(ours, run, r, cost);

    if (!status) {
        *seconds = apply(*cost, ours->factor);
        cost->base *= ours->factor[ZOID_OURS_COMPUTE];
        cost->ways *= ours->factor[ZOID_OURS_WAY];
        cost->wire *= ours->factor[ZOID_OURS_WIRE];
    }
    return status;
}

/* ---- the fit -------------------------------------------------------------------------------- */

/* Runs of one case hardly tell computation, latency and bandwidth apart. So a factor is expected
 * near 1: within this factor of it, or its inverse, in two of three cases; predictions, within 5 %.
 */
static const double expected[ZOID_OURS_FACTORS] = {
    [ZOID_OURS_COMPUTE] = 1.6, [ZOID_OURS_WAY] = 20, [ZOID_OURS_WIRE] = 2.7};
static const double NOISE = 0.05;

/* Squares of relative errors, and of the factors' logarithms. */
static double error_of(const struct zoid_model_runs *runs, const struct zoid_exchange_cost *cost,
                       const double factor[ZOID_OURS_FACTORS])
{
    double sum = 0;

    for (size_t i = 0; i < runs->n; i++) {
        const double off = apply(cost[i], factor) / runs->run[i].seconds - 1;

        sum += off * off / (double)runs->n;
    }
    for (int f = 0; f < ZOID_OURS_FACTORS; f++)
        sum += pow(NOISE * log(factor[f]) / log(expected[f]), 2) / (double)runs->n;
    return sum;
}

/* Search along the axes of the factors' logarithms, with steps that become smaller, from `factor`
 * on. Returns the error. */
static double descend(const struct zoid_model_runs *runs, const struct zoid_exchange_cost *cost,
                      double factor[ZOID_OURS_FACTORS])
{
    double least = error_of(runs, cost, factor);

    for (double step = 1; step > 1e-4; step /= 2)
        for (bool better = true; better;) {
            better = false;
            for (int way = 0; way < 2 * ZOID_OURS_FACTORS; way++) {
                double *at = &factor[way / 2], before = *at, error;

                *at *= exp(way % 2 ? step : -step);
                error = error_of(runs, cost, factor);
                if (error < least * (1 - 1e-9)) {
                    least = error;
                    better = true;
                } else {
                    *at = before;
                }
            }
        }
    return least;
}

enum zoid_status zoid_ours_fit(const struct zoid_model_runs *runs, struct zoid_ours *ours)
{
    static const double starts[][ZOID_OURS_FACTORS] = {{1, 1, 1}, {1, 8, 1}, {1, 1, 8}, {4, 1, 1}};
    struct zoid_exchange_cost *cost = calloc(runs->n + 1, sizeof *cost);
    enum zoid_status status = cost ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
    double least = INFINITY;

    for (size_t i = 0; i < runs->n && !status; i++)
        status = predict(ours, &runs->run[i], runs->run[i].epoch, &cost[i]);
    for (size_t s = 0; s < sizeof starts / sizeof *starts && !status; s++) {
        double factor[ZOID_OURS_FACTORS], error;

        memcpy(factor, starts[s], sizeof factor);
        error = descend(runs, cost, factor);
        if (error < least) {
            least = error;
            memcpy(ours->factor, factor, sizeof factor);
        }
    }
    free(cost);
    return status;
}

/* ---- the file of rates ---------------------------------------------------------------------- */

struct lesson {
    const struct zoid_ours *ours;
    const struct zoid_model_runs *runs;
};

static double bounded(double factor)
{
    return fmin(fmax(factor, 1 / ZOID_FACTOR_MOST), ZOID_FACTOR_MOST);
}

static void teach_operator(struct zoid_op_rates *op, const struct lesson *l)
{
    const bool gpu = l->runs->run[0].cuda > 0;
    struct zoid_factors *f = gpu ? &op->gpus : &op->cores;
    const double by = l->ours->factor[ZOID_OURS_COMPUTE];

    if (!((gpu ? op->gpu_step : op->tiled) > 0))
        return;
    f->near = bounded(by * zoid_factor(f->near));
    f->far = bounded(by * zoid_factor(f->far));
    f->waits = zoid_factor(f->waits);
    f->runs += (double)l->runs->n;
}

static enum zoid_status teach(void *user, struct zoid_rates *kept, bool *changed)
{
    const struct lesson *l = user;
    struct zoid_network *n = &kept->network[zoid_rates_network_kind(&l->ours->machine)];

    /* Latency and bandwidth of networks differ by orders of magnitude, so there is no bound. */
    n->way_factor = zoid_factor(n->way_factor) * l->ours->factor[ZOID_OURS_WAY];
    n->wire_factor = zoid_factor(n->wire_factor) * l->ours->factor[ZOID_OURS_WIRE];
    n->runs += (double)l->runs->n;
    for (size_t i = 0; i < kept->ops; i++)
        if (!strcmp(kept->op[i].name, l->runs->run[0].op->name))
            teach_operator(&kept->op[i], l);
    *changed = true;
    return ZOID_OK;
}

enum zoid_status zoid_ours_keep(const struct zoid_ours *ours, const struct zoid_model_runs *runs)
{
    struct lesson lesson = {.ours = ours, .runs = runs};

    return zoid_calibrate_change(&ours->machine, teach, &lesson);
}
