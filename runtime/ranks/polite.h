/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_RANKS_POLITE_H
#define ZOID_RUNTIME_RANKS_POLITE_H

struct starpu_sched_policy;

/* StarPU's policy of that name, but that CPU workers who find nothing to run sleep for a moment:
 * where threads outnumber cores, one that polls keeps another from its work. NULL: there is no such
 * policy. One at a time. */
struct starpu_sched_policy *zoid_polite_policy(const char *name);

#endif
