/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_CONTEXT_H
#define ZOID_RUNTIME_CONTEXT_H

#include "runtime/config.h"
#include "runtime/disks.h"
#include "runtime/jobs.h"
#include "runtime/machine/binding.h"
#include "runtime/machine/described.h"
#include "runtime/machine/environment.h"
#include "runtime/machine/rates.h"
#include "runtime/plan/plan.h"
#include "runtime/ranks/share.h"
#include "runtime/trace/trace.h"
#include "runtime/zoid_advanced.h"

/* Rates of a disk in struct zoid_rates. */
struct zoid_rates_disk {
    char folder[sizeof((struct zoid_rates *)0)->disk];
    unsigned measured;
    double read, write, datum;
};

struct zoid_context {
    /* The machine is that of files, and StarPU has not started; NULL: this one. */
    struct zoid_described *described;
    struct zoid_machine machine;
    struct zoid_rates rates;
    struct zoid_trace *trace; /* NULL: none */
    struct zoid_disks *disks;
    struct zoid_disk *beyond[ZOID_TIERS]; /* of plans that name no folder; NULL: unused */
    struct zoid_rates_disk disk_rates;    /* as they were read, of whatever disk they are */
    bool gpu_wanted;                      /* a limit to GPU memory was given */
    char policy[64];                      /* of StarPU, for blocks that any worker takes */
    struct zoid_environment gpu_limit, suballocator, clean_data, signals, policies;
    struct zoid_jobs *jobs;
    struct zoid_share share; /* this rank's share of its host */
    struct zoid_binding binding;
};

/* Return the machine, rates and capacities that plans of this context are made for, without folders
 * of their own. Main memory has the capacity that other jobs leave, tiers beyond it their free
 * capacity. */
struct zoid_site zoid_context_site(const struct zoid_context *context);

/* Load the rates as `use` says, the same on all ranks; those of a disk are the folder's, if they
 * were measured there. Collective. */
enum zoid_status zoid_context_take_rates(struct zoid_context *context, enum zoid_rates_use use,
                                         const char *folder);
/* Return the context's rates with those of another folder's disk. They refer to the context's.
 * Collective. */
void zoid_context_rate_folder(const struct zoid_context *context, const char *folder,
                              struct zoid_rates *rates);

/* Add measured rates to the context's. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_context_add_rates(struct zoid_context *context,
                                        const struct zoid_rates *measured);

/* Return whether a context makes plans alone: simulations run on a machine of files. */
static inline bool zoid_context_plans(const struct zoid_context *context)
{
    return context->described && !ZOID_SIMULATED;
}
/* Make the context one of a machine that files describe, as `options` say. Fails as
 * zoid_context_open. */
enum zoid_status zoid_context_describe(struct zoid_context *context,
                                       const struct zoid_context_options *options);
/* Return the operator as plans of a context see it: on a machine of files GPUs run those of the
 * table, also if this build has no code for them. */
const struct zoid_op *zoid_context_op(const struct zoid_context *context, const struct zoid_op *op);

/* Share the bytes of main memory that the host has free (0: not known, no-op) among its ranks, for
 * plans to come; no job is alive. Collective. */
void zoid_context_share_memory(struct zoid_context *context, uint64_t free);

#endif
