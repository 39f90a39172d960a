/* SPDX-License-Identifier: BSD-3-Clause */
/* The site of a plan: the workers of a context, and the memory that its jobs leave. */
#include <starpu.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/machine/core.h"
#include "runtime/plan/plans.h"
#include "runtime/ranks/host.h"
#include "runtime/ranks/ranks.h"
#include "runtime/submit/dealer.h"

/* Reservations of other jobs in main memory are theirs. A limit to GPU memory asks for a GPU.
 * With a tier beyond main memory, StarPU allocates the data that pass through main memory, and it
 * uses less than the machine has. */
static struct zoid_site site_of(const struct zoid_context *c, struct zoid_disk *const *beyond)
{
    const struct zoid_machine *m = &c->machine;
    const uint64_t starpu = (uint64_t)starpu_memory_get_total(STARPU_MAIN_RAM);
    struct zoid_site site = {
        .machine = m,
        .rates = &c->rates,
        .workers =
            {[ZOID_CORES] = c->gpu_wanted ? 0 : m->cpu_workers, [ZOID_GPUS] = m->cuda_workers},
        .capacity = {[ZOID_GPU_MEMORY] = m->gpu_mem, [ZOID_RAM] = m->ram_available},
        .others = zoid_jobs_reserved(c->jobs, NULL),
        .rank = zoid_ranks_here()->rank,
        .ranks = zoid_ranks_here()->size,
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

/* Reduce workers and capacities to the least of all ranks, so that all plan alike. */
static void share_site(struct zoid_site *site)
{
    enum { N = ZOID_PLACES + ZOID_TIERS + 1 };
    uint64_t least[N];

    for (int k = 0; k < ZOID_PLACES; k++)
        least[k] = (uint64_t)site->workers[k];
    for (int t = 0; t < ZOID_TIERS; t++)
        least[ZOID_PLACES + t] = site->capacity[t];
    least[N - 1] = (uint64_t)site->ways;
    zoid_ranks_least(least, N);
    site->ways = (int)least[N - 1];
    for (int k = 0; k < ZOID_PLACES; k++)
        site->workers[k] = (int)least[k];
    for (int t = 0; t < ZOID_TIERS; t++)
        site->capacity[t] = least[ZOID_PLACES + t];
}

static uint64_t number_of(const struct zoid_method *method)
{
    uint64_t i = 0;

    while (zoid_methods[i] != method)
        i++;
    return i;
}

/* Check that all ranks have the same numbers, so that each message sent is one that is received. */
static enum zoid_status check_numbers(const uint64_t mine[], size_t n)
{
    enum { MOST = 24 };
    uint64_t least[MOST];

    memcpy(least, mine, n * sizeof *mine);
    zoid_ranks_least(least, (int)n);
    if (!memcmp(least, mine, n * sizeof *mine))
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "the ranks have made different plans; name {method}, {block} and {depth}");
}

static enum zoid_status check_parts(const struct zoid_plans *plans)
{
    uint64_t mine[ZOID_PARTS_MOST + 3] = {(uint64_t)plans->parts, plans->moves, plans->balance};

    for (int i = 1; i < plans->parts; i++)
        mine[2 + i] = (uint64_t)plans->border[i];
    return check_numbers(mine, sizeof mine / sizeof *mine);
}

static enum zoid_status check_plan(const struct zoid_plan *plan)
{
    const struct zoid_graph *g = &plan->graph;
    uint64_t mine[] = {
        (uint64_t)g->steps,         (uint64_t)g->block,    (uint64_t)g->depth,
        (uint64_t)g->epoch,         (uint64_t)g->leaf,     (uint64_t)g->lanes,
        (uint64_t)g->elastic,       (uint64_t)g->workers,  (uint64_t)zoid_cells(g),
        (uint64_t)zoid_ranks(g),    (uint64_t)g->ranks[0], (uint64_t)g->cut[0].cells,
        number_of(g->method),       (uint64_t)plan->home,  (uint64_t)plan->place.kind,
        (uint64_t)plan->place.team, (uint64_t)g->ranks[1], (uint64_t)g->ranks[2],
        (uint64_t)g->cut[1].cells,  (uint64_t)g->joined};

    return check_numbers(mine, sizeof mine / sizeof *mine);
}

/* Check that all ranks have the same plans, of the same parts of the domain. */
static enum zoid_status check_all(const struct zoid_plans *plans)
{
    enum zoid_status status = zoid_ranks_agree(check_parts(plans));

    for (int i = 0; i < plans->parts && !status; i++)
        status = zoid_ranks_agree(check_plan(&plans->part[i]));
    return status;
}

/* Plan on the site of a context, with a function that plans for one place or for several. */
typedef enum zoid_status plans_fn(const struct zoid_site *site, const struct zoid_problem *problem,
                                  const struct zoid_request *request, struct zoid_plans *plans);

static enum zoid_status make_plans(const struct zoid_context *context,
                                   const struct zoid_problem *problem,
                                   const struct zoid_request *request, plans_fn *at,
                                   struct zoid_plans *plans)
{
    struct zoid_problem derived = *problem;
    struct zoid_rates rates;
    struct zoid_site site;
    enum zoid_status status;

    zoid_op_derive(problem->op, &derived.params);
    zoid_jobs_lock(context->jobs);
    status = find_site(context, request, &rates, &site);
    if (!status && zoid_dealer_check(site.policy)) {
        status = request->balance == ZOID_BALANCE_SCHEDULER ? ZOID_BAD_ARGUMENT : ZOID_OK;
        site.policy = NULL;
    }
    if (!status) {
        share_site(&site);
        status = zoid_ranks_agree(at(&site, &derived, request, plans));
    }
    if (!status)
        status = check_all(plans);
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
