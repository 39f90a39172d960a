/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_RANKS_POLITE_H
#define ZOID_RUNTIME_RANKS_POLITE_H

#include <stdbool.h>

struct starpu_sched_policy;

/* Return StarPU's scheduling policy of that name, changed so that CPU workers without a task sleep
 * for a moment, all of them if it `naps`: if threads outnumber cores, a worker that polls delays
 * others. The policy is a static variable, for one caller at a time. NULL: no such policy. */
struct starpu_sched_policy *zoid_yielding_policy(const char *name, bool naps);
/* Let a worker without a task sleep for longer, since it gets none, or let it not. */
void zoid_yielding_rest(int worker, bool rest);

#endif
