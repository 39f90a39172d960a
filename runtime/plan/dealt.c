/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/dealt.h"

#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "graphs/common/arith.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/place.h"

const char *zoid_dealt_places(const struct zoid_site *site, const struct zoid_op *op)
{
    if (!site->machine->cuda_workers || !zoid_op_on_gpus(op))
        return "cores";
    return site->machine->cpu_workers ? "cores+gpus" : "gpus";
}

void zoid_dealt_seat(const struct zoid_site *site, struct zoid_plan *p)
{
    p->place.crews = site->crews;
    memcpy(p->place.crew, site->crew, sizeof p->place.crew);
    p->place.policy = site->policy;
}

/* Refuse operators whose blocks wait for one another. */
static enum zoid_status check_op(const struct zoid_site *site, const struct zoid_op *op)
{
    if (zoid_op_in_order(op))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s sweeps in order, block after block, and {balance=scheduler} is for "
                         "blocks that wait for no other; use {balance=split}",
                         op->name);
    for (int i = 0; i < site->crews; i++)
        if (!zoid_places[site->crew[i].kind]->can(op))
            return zoid_fail(ZOID_RESOURCE, "%s has no code for GPUs; use {places=cores}",
                             op->name);
    return ZOID_OK;
}

/* Refuse choices of a request, with its alias resolved, that any worker's blocks are not for. */
static enum zoid_status check_choices(const struct zoid_request *r, const struct zoid_alias *alias)
{
    const struct zoid_method *method = r->method ? zoid_method_find(r->method) : NULL;

    if (method && method->chained)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "blocks of %s wait for one another, and {balance=scheduler} is for those "
                         "that do not; use {method=overlapped}",
                         alias ? alias->name : r->method);
    if (r->overlap == ZOID_OVERLAP_OFF && alias)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s stands for {overlap=off}, and StarPU's scheduler moves data while "
                         "blocks run; use {method=overlapped}",
                         alias->name);
    if (r->overlap == ZOID_OVERLAP_OFF)
        return zoid_fail(ZOID_BAD_ARGUMENT, "StarPU's scheduler moves data while blocks run; drop "
                                            "{overlap=off}, or use {balance=cpu}");
    if (r->leaf)
        return zoid_fail(ZOID_BAD_ARGUMENT, "blocks that any worker takes do not recurse; drop "
                                            "{leaf}");
    if (r->team > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a block that any worker takes is for one core; drop "
                                            "{team}");
    return ZOID_OK;
}

static enum zoid_status check(const struct zoid_site *site, const struct zoid_problem *problem,
                              const struct zoid_request *request)
{
    struct zoid_request resolved = *request;
    const struct zoid_alias *alias = NULL;
    enum zoid_status status;

    if (site->ranks > 1 || request->ranks[0] > 1 || request->ranks[1] > 1 || request->ranks[2] > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{balance=scheduler} deals blocks of one process; start "
                         "one, or use {balance=cpu}");
    if (request->folder[ZOID_DISK])
        return zoid_fail(ZOID_BAD_ARGUMENT, "{balance=scheduler} keeps data in main memory; drop "
                                            "{disk}, or use {balance=cpu}");
    if (site->workers[ZOID_ANY] < 2)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{balance=scheduler} is for two workers or more, and there is one; use "
                         "{balance=cpu}, or raise STARPU_NCPU");
    status = zoid_alias_apply(&resolved, problem->op->dims - 1, &alias);
    if (!status)
        status = check_op(site, problem->op);
    return status ? status : check_choices(&resolved, alias);
}

enum zoid_status zoid_dealt_at(const struct zoid_site *site, const struct zoid_problem *problem,
                               const struct zoid_request *request, const struct zoid_crew crew[],
                               int crews, struct zoid_plan *plan)
{
    struct zoid_site any = *site;
    enum zoid_status status;

    any.crews = crews;
    memcpy(any.crew, crew, (size_t)crews * sizeof *crew);
    for (int k = 0; k < ZOID_PLACES; k++)
        any.workers[k] = 0;
    for (int i = 0; i < crews; i++) {
        any.workers[crew[i].kind] += crew[i].workers;
        any.workers[ZOID_ANY] += crew[i].workers;
    }
    any.gpu_wanted &= any.workers[ZOID_GPUS] > 0;
    status = check(&any, problem, request);
    /* The context has these for other jobs. */
    for (int t = ZOID_RAM + 1; t < ZOID_TIERS; t++)
        any.folder[t] = NULL;
    return status ? status : zoid_plan_at(&any, problem, request, plan);
}
