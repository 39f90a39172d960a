/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/dealer.h"

#include <starpu_scheduler.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/machine/clock.h"
#include "runtime/submit/workers.h"

/* These ask for the costs of a kind of workers (starpu_task_expected_length), and end the program
 * where costs are those of each worker. */
static const char *const unfit[] = {"dmdasd", "pheft", "graph_test", "modular-heteroprio"};

static bool exists(const char *policy)
{
    for (struct starpu_sched_policy **p = starpu_sched_get_predefined_policies(); *p; p++)
        if (!strcmp((*p)->policy_name, policy))
            return true;
    return false;
}

enum zoid_status zoid_dealer_check(const char *policy)
{
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++)
        if (!strncmp(policy, unfit[i], strlen(unfit[i])) &&
            (!policy[strlen(unfit[i])] || policy[strlen(unfit[i])] == '-'))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "STARPU_SCHED=%s does not know costs of single workers, by which "
                             "{balance=scheduler} deals; unset it, or use " ZOID_DEALER_POLICY,
                             policy);
    if (exists(policy))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "StarPU has no policy STARPU_SCHED=%s; unset it, or use " ZOID_DEALER_POLICY,
                     policy);
}

int zoid_dealer_crew(const struct zoid_crew *crew, int worker[STARPU_NMAXWORKERS])
{
    int all[STARPU_NMAXWORKERS];
    const int n = (int)starpu_worker_get_ids_by_type(zoid_workers_of_kind(crew->kind)->type, all,
                                                     STARPU_NMAXWORKERS);
    int workers = 0;

    while (workers < crew->workers && crew->first + workers < n) {
        worker[workers] = all[crew->first + workers];
        workers++;
    }
    return workers;
}

void zoid_dealer_init(struct zoid_dealer *d, const struct zoid_plan *plan)
{
    if (!plan->place.crews)
        return;
    d->deals = true;
    zoid_costs_init(&d->costs, &plan->place);
    for (int i = 0; i < STARPU_NMAXWORKERS; i++)
        d->crew[i] = -1;
    for (int i = 0; i < plan->place.crews; i++) {
        int worker[STARPU_NMAXWORKERS];
        const int n = zoid_dealer_crew(&plan->place.crew[i], worker);

        for (int j = 0; j < n; j++)
            d->crew[worker[j]] = i;
    }
    zoid_dealer_open(d, plan);
}

/* Without priorities' bounds: for each value between them a queue has numbers of its own. */
void zoid_dealer_open(struct zoid_dealer *d, const struct zoid_plan *plan)
{
    int worker[STARPU_NMAXWORKERS], n = 0;

    if (!d->deals || d->open)
        return;
    for (int i = 0; i < STARPU_NMAXWORKERS; i++)
        if (d->crew[i] >= 0)
            worker[n++] = i;
    d->context = starpu_sched_ctx_create(worker, n, "zoid", STARPU_SCHED_CTX_POLICY_NAME,
                                         plan->place.policy, 0);
    d->open = true;
}

void zoid_dealer_close(struct zoid_dealer *d)
{
    if (!d->open)
        return;
    starpu_sched_ctx_delete(d->context);
    d->open = false;
}

void zoid_dealer_enter(struct zoid_dealer *d)
{
    if (d->open)
        starpu_sched_ctx_set_context(&d->context);
}

void zoid_dealer_leave(const struct zoid_dealer *d)
{
    if (d->open)
        starpu_sched_ctx_set_context(NULL);
}

void zoid_dealer_teach(struct zoid_dealer *d, int worker, double points, double seconds)
{
    if (d->deals && d->crew[worker] >= 0)
        zoid_costs_teach(&d->costs, d->crew[worker], points, seconds, zoid_machine_clock());
}
