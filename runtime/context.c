/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/context.h"

#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/memory.h"
#include "codelets/cuda/run.h"
#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/plan/tier.h"
#include "runtime/ranks/launcher.h"
#include "runtime/submit/dealer.h"
#include "runtime/submit/perf.h"

/* StarPU, with its settings, exists once per process. */
static atomic_flag taken = ATOMIC_FLAG_INIT;

/* StarPU reads its limits, in MiB, from the environment. */
static enum zoid_status limit_gpu_memory(struct zoid_context *c, uint64_t bytes)
{
    char mib[32];

    /* StarPU takes 0 as no limit. */
    snprintf(mib, sizeof mib, "%llu", (unsigned long long)(bytes >> 20 ? bytes >> 20 : 1));
    return zoid_environment_set(&c->gpu_limit, "STARPU_LIMIT_CUDA_MEM", mib);
}

/* StarPU aborts on values that are not numbers. */
static enum zoid_status check_environment(void)
{
    static const char *const names[] = {"STARPU_NCPU", "STARPU_NCPUS", "STARPU_NCUDA"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        char *end;

        if (!value)
            continue;
        strtol(value, &end, 10);
        if (end == value || *end)
            return zoid_fail(ZOID_BAD_ARGUMENT, "%s=%s is no number; set one, or unset it",
                             names[i], value);
    }
    return ZOID_OK;
}

static enum zoid_status start_starpu(struct zoid_context *c,
                                     const struct zoid_context_options *options)
{
    const uint64_t part = c->share.gpu_mem;
    struct starpu_conf conf;
    enum zoid_status status = ZOID_OK;

    /* StarPU writes to stderr, where only our one line belongs; a variable that is set keeps its
     * value. */
    setenv("STARPU_SILENT", "1", 0);
    starpu_conf_init(&conf);
    if (!ZOID_HAVE_CUDA && !ZOID_SIMULATED)
        conf.ncuda = 0;
    conf.nopencl = 0;
    /* Ready blocks run in the order of their submission, which keeps the lanes together. */
    conf.sched_policy_name = "prio";
    if (options->gpu_mem || part)
        status = limit_gpu_memory(
            c, options->gpu_mem && (!part || options->gpu_mem < part) ? options->gpu_mem : part);
    /* Chunks of 32 MiB, shared by several small data, keep free memory from large ones and are not
     * in any budget: with little memory, runs waited for ever. */
    if (!status)
        status = zoid_environment_set(&c->suballocator, "STARPU_SUBALLOCATOR", "0");
    /* Idle workers would write data back, to make them evictable, over and over if tasks keep
     * writing them. */
    if (!status)
        status = zoid_environment_set(&c->clean_data, "STARPU_MINIMUM_CLEAN_BUFFERS", "0");
    /* The user's is for blocks that any worker takes, and StarPU would take it, or the same one by
     * name, instead of ours, by which workers can sleep. */
    if (!status)
        status = zoid_environment_set(&c->policies, "STARPU_SCHED", NULL);
    /* Handlers are the program's. */
    if (!status)
        status = zoid_environment_set(&c->signals, "STARPU_CATCH_SIGNALS", "0");
    status = zoid_ranks_agree(status);
    if (!status)
        status = zoid_ranks_start_starpu(&c->share, &conf);
    if (status)
        return status;
    /* Data of any job may pass through memory that StarPU keeps of another's, on its way to a disk
     * that is yet to be opened. */
    starpu_malloc_set_align(ZOID_DISK_BLOCK);
    return ZOID_OK;
}

/* A policy that the user names is for blocks that any worker takes. */
static void choose_policy(struct zoid_context *c)
{
    const char *named = getenv("STARPU_SCHED");

    snprintf(c->policy, sizeof c->policy, "%s", named && *named ? named : ZOID_DEALER_POLICY);
}

static void take_back(struct zoid_context *c)
{
    zoid_environment_restore(&c->gpu_limit);
    zoid_environment_restore(&c->suballocator);
    zoid_environment_restore(&c->clean_data);
    zoid_environment_restore(&c->signals);
    zoid_environment_restore(&c->policies);
    zoid_binding_restore(&c->binding);
    zoid_jobs_destroy(&c->jobs);
    free(c->disks);
    free(c->described);
}

/* StarPU names a worker "CUDA 0.0 (NVIDIA H200 125.8 GiB 18:00.0)". After the model come the memory
 * that we may use, which we limit ourselves, and the bus address. */
static void name_gpu(char *name, size_t room)
{
    int worker = starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0);
    char text[256] = "", *begin, *end;

    if (worker >= 0)
        starpu_worker_get_name(worker, text, sizeof text);
    begin = strchr(text, '(');
    end = strstr(text, " GiB");
    if (!begin || !end || end < begin)
        return;
    *end = 0;
    end = strrchr(begin, ' ');
    if (!end)
        return;
    *end = 0;
    snprintf(name, room, "%s", begin + 1);
}

/* Least memory that any GPU allows us to use. */
static uint64_t usable_gpu_memory(void)
{
    uint64_t least = 0;

    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++) {
        starpu_ssize_t total = starpu_memory_get_total(node);

        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM && total > 0 &&
            (!least || (uint64_t)total < least))
            least = (uint64_t)total;
    }
    return least;
}

/* Refuse ranks that would wait for each other's cores, which is seldom intended. */
static enum zoid_status refuse_crowds(const struct zoid_share *share,
                                      const struct zoid_context_options *options)
{
    if (!share->oversubscribed || options->oversubscribe || zoid_launcher_oversubscribes())
        return ZOID_OK;
    return zoid_fail(
        ZOID_RESOURCE,
        "%s has fewer cores for its %d ranks than one each; start fewer, or say {oversubscribe}",
        share->host, share->ranks);
}

/* Take this rank's share of the host. */
static enum zoid_status take_share(struct zoid_context *c,
                                   const struct zoid_context_options *options)
{
    const struct zoid_ranks *ranks = zoid_ranks_here();
    enum zoid_status status;

    c->share = *zoid_ranks_share();
    if (c->described)
        c->share.workers = c->machine.cpu_workers;
    c->machine.ranks = ranks->size;
    c->machine.spread = ranks->size > ranks->host_size;
    if (ranks->size == 1)
        return ZOID_OK;
    status = zoid_ranks_agree(refuse_crowds(&c->share, options));
    if (!status)
        status = zoid_share_gpus(ranks, &c->share);
    return status;
}

/* Check the conditions of StarPU's start, and start it. */
static enum zoid_status start(struct zoid_context *c, const struct zoid_context_options *options,
                              enum zoid_rates_use *use)
{
    enum zoid_status status =
        ZOID_SIMULATED ? zoid_context_describe(c, options) : zoid_machine_probe(&c->machine);

    if (!status)
        status = check_environment();
    if (!status)
        status = zoid_rates_use(options->rates, ZOID_RATES_KEEP, use);
    status = zoid_ranks_agree(status);
    if (!status)
        status = zoid_trace_begin(options->trace, &c->trace);
    if (!status)
        status = take_share(c, options);
    if (!status)
        zoid_context_share_memory(c, c->machine.ram_available);
    return status ? status : start_starpu(c, options);
}

static enum zoid_status open_beyond(struct zoid_context *c,
                                    const struct zoid_context_options *options)
{
    enum zoid_status status = ZOID_OK;

    for (int t = ZOID_RAM + 1; t < ZOID_TIERS && !status; t++)
        if (options->folder[t])
            status = zoid_disks_open(c->disks, options->folder[t], &c->beyond[t]);
    return status;
}

/* Record the devices and the memory tiers, now that StarPU has started. */
static enum zoid_status look_round(struct zoid_context *c,
                                   const struct zoid_context_options *options)
{
    c->machine.cpu_workers = (int)starpu_cpu_worker_get_count();
    c->machine.cuda_workers = (int)starpu_cuda_worker_get_count();
    c->machine.gpu_mem = usable_gpu_memory();
    if (c->described && c->described->machine.gpu_mem < c->machine.gpu_mem)
        c->machine.gpu_mem = c->described->machine.gpu_mem;
    if (options->gpu_mem && options->gpu_mem < c->machine.gpu_mem)
        c->machine.gpu_mem = options->gpu_mem;
    c->gpu_wanted = options->gpu_mem > 0;
    if (c->gpu_wanted && !c->machine.cuda_workers)
        return zoid_fail(ZOID_RESOURCE,
                         "{gpu_mem} asks for a GPU, and %s; drop it to run on CPU cores",
                         ZOID_HAVE_CUDA ? "StarPU finds none here" : "this build has no GPU code");
    if (!c->described)
        name_gpu(c->machine.gpu, sizeof c->machine.gpu);
    if (*c->machine.gpu && zoid_cuda_first) {
        const struct zoid_cuda_gpu first = zoid_cuda_first();

        c->machine.gpu_processors = first.processors;
        c->machine.gpu_shared = first.shared;
    }
    return open_beyond(c, options);
}

static enum zoid_status open_first(const struct zoid_context_options *options,
                                   struct zoid_context **context)
{
    static const struct zoid_context_options defaults;
    struct zoid_context *c = calloc(1, sizeof *c);
    enum zoid_rates_use use;
    enum zoid_status status;

    if (c)
        zoid_binding_widen(&c->binding);
    if (c) {
        choose_policy(c);
        c->jobs = zoid_jobs_create();
        c->disks = calloc(1, sizeof *c->disks);
    }
    status = zoid_ranks_start();
    if (!status)
        status = zoid_ranks_agree(c && c->jobs && c->disks ? ZOID_OK : zoid_no_memory());
    if (status) {
        if (c)
            take_back(c);
        free(c);
        return status;
    }
    options = options ? options : &defaults;
    status = options->machine && !ZOID_SIMULATED ? zoid_context_describe(c, options)
                                                 : start(c, options, &use);
    if (status) {
        zoid_trace_end(&c->trace);
        zoid_rates_free(&c->rates);
        take_back(c);
        free(c);
        return status;
    }
    if (zoid_context_plans(c)) {
        *context = c;
        return ZOID_OK;
    }
    status = zoid_ranks_agree(look_round(c, options));
    if (status) {
        zoid_context_close(&c);
        return status;
    }
    if (!c->described)
        status = zoid_context_take_rates(c, use, options->folder[ZOID_DISK]);
    if (status)
        zoid_context_close(&c);
    *context = c;
    return status;
}

enum zoid_status zoid_context_open(const struct zoid_context_options *options,
                                   struct zoid_context **context)
{
    enum zoid_status status;

    if (atomic_flag_test_and_set(&taken))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "there is a context already, and a process has one at a time; close it "
                         "first (zoid_shutdown closes that of sessions)");
    status = open_first(options, context);
    if (status)
        atomic_flag_clear(&taken);
    return status;
}

enum zoid_status zoid_context_close(struct zoid_context **context)
{
    enum zoid_status status;

    if (!*context)
        return ZOID_OK;
    if (!zoid_context_plans(*context)) {
        zoid_trace_shutdown((*context)->trace);
        if (zoid_cuda_close_pools)
            zoid_cuda_close_pools();
        zoid_disks_close((*context)->disks);
    }
    status = zoid_trace_end(&(*context)->trace);
    take_back(*context);
    zoid_perf_free();
    zoid_rates_free(&(*context)->rates);
    free(*context);
    *context = NULL;
    atomic_flag_clear(&taken);
    return status;
}

const struct zoid_machine *zoid_context_machine(const struct zoid_context *context)
{
    return &context->machine;
}

void zoid_context_print_ranks(const struct zoid_context *context, FILE *out)
{
    if (context->machine.ranks > 1 && !context->described)
        zoid_share_print(&context->share, &context->machine, out);
}

const char *zoid_context_note(const struct zoid_context *context)
{
    return *context->rates.note ? context->rates.note : NULL;
}
