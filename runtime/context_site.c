/* SPDX-License-Identifier: BSD-3-Clause */
/* The site of a plan: the workers of a context, and the memory that its jobs leave. */
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/machine/core.h"
#include "runtime/plan/plans.h"
#include "runtime/plan/told.h"
#include "runtime/ranks/host.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/dealer.h"

/* Reservations of other jobs in main memory are theirs. A limit to GPU memory asks for a GPU.
 * With a tier beyond main memory, StarPU allocates the data that pass through main memory, and it
 * uses less than the machine has. */
static struct zoid_site site_of(const struct zoid_context *c, struct zoid_disk *const *beyond)
{
    const struct zoid_machine *m = &c->machine;
    const uint64_t starpu =
        c->described ? UINT64_MAX : (uint64_t)starpu_memory_get_total(STARPU_MAIN_RAM);
    struct zoid_site site = {
        .machine = m,
        .rates = &c->rates,
        .workers =
            {[ZOID_CORES] = c->gpu_wanted ? 0 : m->cpu_workers, [ZOID_GPUS] = m->cuda_workers},
        .capacity = {[ZOID_GPU_MEMORY] = m->gpu_mem, [ZOID_RAM] = m->ram_available},
        .others = zoid_jobs_reserved(c->jobs, NULL),
        .rank = zoid_context_plans(c) ? -1 : zoid_ranks_here()->rank,
        .ranks = m->ranks,
        .ways = zoid_machine_core(m).ways,
        .policy = c->policy,
        .gpu_wanted = c->gpu_wanted};

    for (int t = ZOID_RAM + 1; t < ZOID_TIERS; t++) {
        if (!beyond[t])
            continue;
        site.capacity[t] = zoid_disk_free(beyond[t]) / (uint64_t)zoid_ranks_here()->host_size;
        site.folder[t] = zoid_disk_folder(beyond[t]);
        if (starpu < site.capacity[ZOID_RAM])
            site.capacity[ZOID_RAM] = starpu;
    }
    if (zoid_jobs_offer(c->jobs, NULL) < site.capacity[ZOID_RAM])
        site.capacity[ZOID_RAM] = zoid_jobs_offer(c->jobs, NULL);
    return site;
}

void zoid_context_share_memory(struct zoid_context *c, uint64_t free)
{
    if (zoid_ranks_here()->size > 1)
        free = zoid_host_least(free) / (uint64_t)zoid_ranks_here()->host_size;
    if (free)
        c->machine.ram_available = c->jobs->ram = free;
}

struct zoid_site zoid_context_site(const struct zoid_context *c)
{
    return site_of(c, c->beyond);
}

/* Open the folders that a request names, and describe the site with them. Collective. */
static enum zoid_status find_site(const struct zoid_context *c, const struct zoid_request *request,
                                  struct zoid_rates *rates, struct zoid_site *site)
{
    struct zoid_disk *beyond[ZOID_TIERS];
    enum zoid_status status = ZOID_OK;

    memcpy(beyond, c->beyond, sizeof beyond);
    if (c->described && request->folder[ZOID_DISK])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "the files of a {machine} describe no disk; drop {disk}");
    for (int t = ZOID_RAM + 1; t < ZOID_TIERS && !status; t++)
        if (request->folder[t])
            status = zoid_disks_open(c->disks, request->folder[t], &beyond[t]);
    status = zoid_ranks_agree(status);
    if (status)
        return status;
    *site = site_of(c, beyond);
    if (beyond[ZOID_DISK] != c->beyond[ZOID_DISK]) {
        zoid_context_rate_folder(c, site->folder[ZOID_DISK], rates);
        site->rates = rates;
    }
    return ZOID_OK;
}

/* Reduce workers and capacities to the least of all ranks, so that plans suit each of them.
 * `machine` stands for the site's from then on. */
static void share_site(struct zoid_site *site, struct zoid_machine *machine)
{
    enum { N = ZOID_PLACES + ZOID_TIERS + 2 };
    uint64_t least[N];

    for (int k = 0; k < ZOID_PLACES; k++)
        least[k] = (uint64_t)site->workers[k];
    for (int t = 0; t < ZOID_TIERS; t++)
        least[ZOID_PLACES + t] = site->capacity[t];
    least[N - 2] = (uint64_t)site->machine->cpu_workers;
    least[N - 1] = (uint64_t)site->ways;
    zoid_ranks_least(least, N);
    *machine = *site->machine;
    machine->cpu_workers = (int)least[N - 2];
    site->machine = machine;
    site->ways = (int)least[N - 1];
    for (int k = 0; k < ZOID_PLACES; k++)
        site->workers[k] = (int)least[k];
    for (int t = 0; t < ZOID_TIERS; t++)
        site->capacity[t] = least[ZOID_PLACES + t];
}

/* Plan on the site of a context, with a function that plans for one place or for several. */
typedef enum zoid_status plans_fn(const struct zoid_site *site, const struct zoid_problem *problem,
                                  const struct zoid_request *request, struct zoid_plans *plans);

/* Plan on the first rank, which tells the others its choice: they count their own data alone. */
static enum zoid_status plan_once(struct zoid_site *site, const struct zoid_problem *problem,
                                  const struct zoid_request *request, plans_fn *at,
                                  struct zoid_plans *plans)
{
    const int rank = site->rank;
    struct zoid_told *told = calloc(1, sizeof *told);
    enum zoid_status status = told ? ZOID_OK : zoid_no_memory();

    site->rank = -1;
    if (!status && !rank)
        status = at(site, problem, request, plans);
    site->rank = rank;
    if (!status && !rank)
        zoid_told_make(plans, told);
    status = zoid_ranks_agree(status);
    if (!status) {
        zoid_ranks_broadcast(told, sizeof *told);
        status = zoid_ranks_agree(zoid_told_take(told, site, problem, plans));
    }
    free(told);
    return status;
}

static enum zoid_status make_plans(const struct zoid_context *context,
                                   const struct zoid_problem *problem,
                                   const struct zoid_request *request, plans_fn *at,
                                   struct zoid_plans *plans)
{
    struct zoid_problem there = *problem;
    struct zoid_machine machine;
    struct zoid_rates rates;
    struct zoid_site site;
    enum zoid_status status;

    there.op = zoid_context_op(context, problem->op);
    zoid_op_derive(there.op, &there.params);
    zoid_jobs_lock(context->jobs);
    status = find_site(context, request, &rates, &site);
    if (!status && zoid_dealer_check(site.policy)) {
        status = request->balance == ZOID_BALANCE_SCHEDULER ? ZOID_BAD_ARGUMENT : ZOID_OK;
        site.policy = NULL;
    }
    if (!status) {
        share_site(&site, &machine);
        status = zoid_ranks_here()->size > 1 ? plan_once(&site, &there, request, at, plans)
                                             : at(&site, &there, request, plans);
    }
    if (!status && site.rates == &rates && plans->part->home == ZOID_DISK && *rates.note &&
        !site.rank)
        zoid_log("%s", rates.note);
    zoid_jobs_unlock(context->jobs);
    return status;
}

enum zoid_status zoid_plans_make(const struct zoid_context *context,
                                 const struct zoid_problem *problem,
                                 const struct zoid_request *request, struct zoid_plans *plans)
{
    return make_plans(context, problem, request, zoid_plans_at, plans);
}

static enum zoid_status one_plan(const struct zoid_site *site, const struct zoid_problem *problem,
                                 const struct zoid_request *request, struct zoid_plans *plans)
{
    return zoid_plan_at(site, problem, request, plans->part);
}

enum zoid_status zoid_plan_make(const struct zoid_context *context,
                                const struct zoid_problem *problem,
                                const struct zoid_request *request, struct zoid_plan *plan)
{
    struct zoid_plans made = {.parts = 1};
    const enum zoid_status status = make_plans(context, problem, request, one_plan, &made);

    if (!status)
        *plan = *made.part;
    return status;
}
