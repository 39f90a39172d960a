/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of machines that files describe: for plans alone, and for simulations. */
#include <stdlib.h>

#include "runtime/config.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/plan/kernels.h"

static enum zoid_status check(const struct zoid_context_options *options)
{
    if (!options->machine)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a simulation is of a machine that files describe; name it by {machine}");
    if (ZOID_SIMULATED && options->nodes != zoid_ranks_here()->size && options->nodes)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%d ranks were started for %ld {nodes}; scripts/simulate starts as many",
                         zoid_ranks_here()->size, options->nodes);
    if (!ZOID_SIMULATED && zoid_ranks_here()->size > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "one process plans for all nodes of a {machine}; start it without mpirun");
    if (options->nodes < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{nodes} are at least 1");
    if (options->trace)
        return zoid_fail(ZOID_BAD_ARGUMENT, "there is no {trace} of a run that only is planned");
    for (int t = ZOID_RAM + 1; t < ZOID_TIERS; t++)
        if (options->folder[t])
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "the files of a {machine} describe no disk; drop {disk}");
    return ZOID_OK;
}

/* Workers of a rank that has the machine to itself, as in ranks/share.c. */
static void share(struct zoid_machine *m)
{
    const int left = zoid_share_workers(m->cores) - m->cuda_workers;

    if (m->ranks > 1 && left < m->cpu_workers)
        m->cpu_workers = left > 0 ? left : 0;
}

enum zoid_status zoid_context_describe(struct zoid_context *c,
                                       const struct zoid_context_options *options)
{
    enum zoid_status status = check(options);
    struct zoid_machine *m = &c->machine;

    if (status)
        return status;
    c->described = malloc(sizeof *c->described);
    if (!c->described)
        return zoid_no_memory();
    status = zoid_described_read(options->machine, c->described);
    if (status)
        return status;
    *m = c->described->machine;
    c->rates = c->described->rates;
    m->ranks = options->nodes > 1 ? (int)options->nodes : 1;
    m->spread = m->ranks > 1;
    share(m);
    c->gpu_wanted = options->gpu_mem > 0;
    if (c->gpu_wanted && !m->cuda_workers)
        return zoid_fail(ZOID_RESOURCE, "{gpu_mem} asks for a GPU, and the {machine} has none; "
                                        "drop it to plan for CPU cores");
    if (c->gpu_wanted && options->gpu_mem < m->gpu_mem)
        m->gpu_mem = options->gpu_mem;
    c->jobs->ram = m->ram_available;
    return ZOID_OK;
}

const struct zoid_op *zoid_context_op(const struct zoid_context *c, const struct zoid_op *op)
{
    return c->described && c->machine.cuda_workers && !ZOID_HAVE_CUDA ? zoid_kernels_with(op) : op;
}

void zoid_context_print_machine(const struct zoid_context *c, FILE *out)
{
    if (c->described)
        fprintf(out, "machine %s\nmachine.origin %s\nnodes %d\n", c->described->name,
                c->described->origin, c->machine.ranks);
}
