/* SPDX-License-Identifier: BSD-3-Clause */
/* A scheduling context of StarPU for the blocks of a part that any of its workers takes: the policy
 * of the context deals them by their costs. Other tasks stay with the policy of the process. */
#ifndef ZOID_RUNTIME_SUBMIT_DEALER_H
#define ZOID_RUNTIME_SUBMIT_DEALER_H

#include <starpu.h>

#include "runtime/submit/costs.h"

/* All zeros: the part has one kind of workers. */
struct zoid_dealer {
    bool deals, open;
    unsigned context;             /* while it is open */
    int crew[STARPU_NMAXWORKERS]; /* of each worker; -1: it takes no part */
    struct zoid_costs costs;
};

/* Policy if the environment names no other. */
#define ZOID_DEALER_POLICY "dmdas"

/* Check that StarPU has a policy, and that it can deal blocks whose costs are those of workers.
 * ZOID_BAD_ARGUMENT: it has not, or cannot. */
enum zoid_status zoid_dealer_check(const char *policy);

/* Workers of a crew, into worker[]; returns their number. */
int zoid_dealer_crew(const struct zoid_crew *crew, int worker[STARPU_NMAXWORKERS]);

/* Initialise the dealer of a plan, and open its context; destroy it afterwards. While another job
 * runs it is closed. */
void zoid_dealer_init(struct zoid_dealer *dealer, const struct zoid_plan *plan);
void zoid_dealer_open(struct zoid_dealer *dealer, const struct zoid_plan *plan);
/* No task of the context may be left. */
void zoid_dealer_close(struct zoid_dealer *dealer);

/* Make its context that of the calling thread, by which StarPU numbers blocks in traces, and the
 * process's again. No-op if it is closed. */
void zoid_dealer_enter(struct zoid_dealer *dealer);
void zoid_dealer_leave(const struct zoid_dealer *dealer);

/* Teach it the seconds of a block that a worker has ended. */
void zoid_dealer_teach(struct zoid_dealer *dealer, int worker, double points, double seconds);

#endif
