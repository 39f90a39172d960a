/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/calibrate/calibrate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/error.h"
#include "runtime/io/lock.h"
#include "runtime/io/output.h"
#include "runtime/log.h"
#include "runtime/ranks/ranks.h"

/* In order of their dependencies. */
static const struct {
    enum zoid_rates_part part;
    bool needs_gpu, needs_cores;
    const char *name;
    enum zoid_status (*measure)(const struct zoid_calibration *c, struct zoid_rates *rates);
} parts[] = {
    {.part = ZOID_RATES_MEMORY,
     .needs_cores = true,
     .name = "memory",
     .measure = zoid_calibrate_memory},
    {.part = ZOID_RATES_CORE_OPS,
     .needs_cores = true,
     .name = "operators on cores",
     .measure = zoid_calibrate_cores},
    {.part = ZOID_RATES_GPU_OPS,
     .needs_gpu = true,
     .name = "operators on a GPU",
     .measure = zoid_calibrate_gpu},
    {.part = ZOID_RATES_TASKS,
     .needs_cores = true,
     .name = "tasks on cores",
     .measure = zoid_calibrate_tasks},
    {.part = ZOID_RATES_GPU,
     .needs_gpu = true,
     .name = "tasks on a GPU",
     .measure = zoid_calibrate_gpu_tasks},
    {.part = ZOID_RATES_GPU,
     .needs_gpu = true,
     .name = "links of a GPU",
     .measure = zoid_calibrate_links},
    {.part = ZOID_RATES_DISK,
     .needs_cores = true,
     .name = "the disk",
     .measure = zoid_calibrate_disk},
};

static enum zoid_status list_operators(const struct zoid_calibration *c, struct zoid_rates *r)
{
    free(r->op);
    r->ops = 0;
    r->op = calloc(c->ops + 1, sizeof *r->op);
    if (!r->op)
        return zoid_no_memory();
    r->ops = c->ops;
    for (size_t i = 0; i < c->ops; i++)
        zoid_rates_name(c->op[i], r->op[i].name);
    return ZOID_OK;
}

enum zoid_status zoid_calibrate(const struct zoid_calibration *c, struct zoid_rates *r)
{
    const struct zoid_machine *m = &c->context->machine;
    enum zoid_status status = list_operators(c, r);

    r->measured = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !status; i++) {
        if (!(c->parts & parts[i].part) || (parts[i].needs_cores && m->cpu_workers < 1) ||
            (parts[i].needs_gpu && m->cuda_workers < 1) ||
            (parts[i].part == ZOID_RATES_DISK && !c->context->beyond[ZOID_DISK]))
            continue;
        if (c->tells)
            zoid_log("%s", parts[i].name);
        status = parts[i].measure(c, r);
        if (!status)
            r->measured |= parts[i].part;
    }
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Creates the missing folders on the path of a file. */
static void make_folders(const char *path)
{
    char folder[1024];

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(folder, 0777);
        *slash = '/';
    }
}

static enum zoid_status open_file(const struct zoid_machine *machine, struct zoid_output **output)
{
    char path[1024];

    if (!zoid_rates_path(machine, path, sizeof path))
        return zoid_fail(ZOID_RESOURCE, "there is no place for the rates; set HOME or ZOID_RATES");
    make_folders(path);
    return zoid_output_open(path, output);
}

enum zoid_status zoid_calibrate_change(const struct zoid_machine *machine, zoid_change_fn *change,
                                       void *user)
{
    struct zoid_output *output = NULL;
    struct zoid_rates kept = {.ops = 0};
    char path[1024] = "";
    bool changed = false;
    int lock = -1;
    enum zoid_status status = open_file(machine, &output);

    if (!status && zoid_rates_path(machine, path, sizeof path))
        status = zoid_lock_take(path, &lock);
    if (!status) {
        zoid_rates_load(machine, &kept);
        status = change(user, &kept, &changed);
    }
    if (!status && changed)
        status = zoid_rates_write(machine, &kept, zoid_output_stream(output));
    if (!status && changed)
        status = zoid_output_commit(&output);
    zoid_output_discard(&output);
    zoid_lock_leave(&lock);
    zoid_rates_free(&kept);
    return status;
}

static enum zoid_status add(void *measured, struct zoid_rates *kept, bool *changed)
{
    *changed = true;
    return zoid_rates_merge(kept, measured);
}

enum zoid_status zoid_calibrate_keep(const struct zoid_machine *machine, struct zoid_rates *rates)
{
    return zoid_calibrate_change(machine, add, rates);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static enum zoid_status replace(void *measured, struct zoid_rates *kept, bool *changed)
{
    const struct zoid_rates before = *kept;
    const unsigned networks =
        zoid_rates_network_part(ZOID_ONE_HOST) | zoid_rates_network_part(ZOID_SEVERAL_HOSTS);

    *kept = *(struct zoid_rates *)measured;
    /* Ranks measure these. */
    memcpy(kept->network, before.network, sizeof kept->network);
    kept->measured |= before.measured & networks;
    *(struct zoid_rates *)measured = before;
    *changed = true;
    return ZOID_OK;
}

static enum zoid_status calibrate_all(struct zoid_context *context)
{
    const struct zoid_op **op = NULL;
    struct zoid_rates rates;
    struct zoid_output *output = NULL;
    size_t ops = 0;
    enum zoid_status status = open_file(&context->machine, &output);

    /* A file that cannot be written is found out before minutes of measurements. */
    zoid_output_discard(&output);
    zoid_rates_defaults(&context->machine, &rates);
    while (zoid_op_at(ops))
        ops++;
    op = calloc(ops + 1, sizeof *op);
    if (!status && !op)
        status = zoid_no_memory();
    for (size_t i = 0; op && i < ops; i++)
        op[i] = zoid_op_at(i);
    if (!status)
        status = zoid_calibrate(
            &(struct zoid_calibration){
                .context = context, .parts = ~0u, .op = op, .ops = ops, .tells = true},
            &rates);
    if (!status)
        status = zoid_calibrate_change(&context->machine, replace, &rates);
    zoid_rates_free(&rates);
    free(op);
    return status;
}

static enum zoid_status calibrate_ranks(struct zoid_context *context)
{
    struct zoid_rates rates = context->rates;
    enum zoid_status status = zoid_calibrate_network(
        &(struct zoid_calibration){.context = context, .tells = true}, &rates);

    rates.op = NULL;
    rates.ops = 0;
    if (!status && !zoid_ranks_here()->rank)
        status = zoid_calibrate_keep(&context->machine, &rates);
    return zoid_ranks_agree(status);
}

enum zoid_status zoid_calibrate_all(const struct zoid_context_options *options)
{
    struct zoid_context_options wanted = *options;
    struct zoid_context *context = NULL;
    enum zoid_status status;

    wanted.rates = ZOID_RATES_DEFAULT;
    status = zoid_context_open(&wanted, &context);
    if (!status)
        status = zoid_ranks_here()->size > 1 ? calibrate_ranks(context) : calibrate_all(context);
    zoid_context_close(&context);
    return status;
}
