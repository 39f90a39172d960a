/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/solve/visits.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static enum zoid_status check(const struct zoid_visits *v, const struct zoid_problem *p)
{
    if (p->op->dims == 1)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "mlsor is for planes and solids; choose {solver=sor}, or give a {size} with two axes");
    if (v->layers > v->subdomain / 2)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{layers=%ld} is more than half of {subdomain=%ld}; give at most %ld",
                         v->layers, v->subdomain, v->subdomain / 2);
    if (v->subdomain > LONG_MAX / 4 / p->n[0] / p->n[1])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{subdomain=%ld} makes planes that cannot be counted; give less",
                         v->subdomain);
    if (v->every % v->layers)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{residual_every=%ld} is no multiple of {layers=%ld}, so that it would "
                         "fall into a visit; give %ld",
                         v->every, v->layers, (v->every / v->layers + 1) * v->layers);
    return ZOID_OK;
}

enum zoid_status zoid_visits_make(const struct zoid_visits *v, const struct zoid_problem *p,
                                  double omega, struct zoid_mlsor *mlsor,
                                  struct zoid_problem *problem)
{
    const struct zoid_mlsor_kind kind = {.dims = p->op->dims,
                                         .type = p->op->type,
                                         .n = {p->n[0], p->n[1], p->n[2]},
                                         .subdomain = v->subdomain,
                                         .layers = v->layers,
                                         .sweeps = v->sweeps,
                                         .forward = v->forward,
                                         .rhs = p->op->ncoef > 0};
    enum zoid_status status = check(v, p);

    if (status)
        return status;
    zoid_mlsor_make(&kind, mlsor);
    *problem = (struct zoid_problem){.op = &mlsor->op,
                                     .n = {mlsor->n[0], mlsor->n[1], 1},
                                     .steps = zoid_mlsor_visits(&kind, p->steps),
                                     .params = zoid_op_defaults(&mlsor->op)};
    problem->params.value[0] = omega;
    return zoid_problem_check(problem);
}

enum zoid_status zoid_visits_fold(const char *option, int dims, long along[ZOID_AXES])
{
    if (dims < 3 || !along[0])
        return ZOID_OK;
    if (along[1] > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "mlsor is cut along z alone, since its subdomains lie side by side in "
                         "whole planes; let {%s} be 1 along y",
                         option);
    along[1] = along[2];
    along[2] = 1;
    return ZOID_OK;
}

static void unfold(int dims, long along[ZOID_AXES])
{
    const long chain = along[1];

    if (dims < 3)
        return;
    along[1] = along[2];
    along[2] = chain;
}

void zoid_visits_count(const struct zoid_domain *domain, long sweeps, struct zoid_report *r)
{
    const long *n = domain->problem->n;
    const double computed = r->useful + r->redundant, visits = (double)(r->steps - r->start);
    const long start = zoid_min(r->start * domain->mlsor->kind.layers, sweeps);
    const double done = (double)(sweeps - start);

    memcpy(r->size, n, sizeof r->size);
    unfold(domain->problem->op->dims, r->cells);
    unfold(domain->problem->op->dims, r->ranks);
    r->start = start;
    r->steps = sweeps;
    r->useful = (double)n[0] * (double)n[1] * (double)n[2] * done;
    r->redundant = visits > 0 ? computed / visits * done - r->useful : 0;
    r->gups = r->seconds > 0 ? r->useful / r->seconds * 1e-9 : NAN;
}
