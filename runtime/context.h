/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_CONTEXT_H
#define ZOID_RUNTIME_CONTEXT_H

#include "runtime/machine/binding.h"
#include "runtime/machine/rates.h"
#include "runtime/machine/setting.h"
#include "runtime/memory/disk.h"
#include "runtime/plan/plan.h"
#include "runtime/ranks/share.h"
#include "runtime/trace/trace.h"
#include "runtime/zoid.h"

struct zoid_context {
    struct zoid_machine machine;
    struct zoid_rates rates;
    struct zoid_trace *trace;             /* NULL: none */
    struct zoid_disk *beyond[ZOID_TIERS]; /* main memory; NULL: none */
    bool gpu_wanted;                      /* by a limit to its memory */
    struct zoid_setting gpu_limit, suballocator, clean_data;
    struct zoid_share share; /* of several ranks' host */
    struct zoid_binding binding;
};

/* What plans of this context are made for. The room of tiers beyond main memory is that of now. */
struct zoid_site zoid_context_site(const struct zoid_context *context);

/* A line a rank, `rank.N` and what it has of its host, on the first rank; all ranks call it. Prints
 * nothing where there is one. */
void zoid_context_print_ranks(const struct zoid_context *context, FILE *out);

#endif
