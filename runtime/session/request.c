/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/request.h"

#include "runtime/config.h"
#include "runtime/error.h"

/* Axes that are not given are not partitioned. */
static void copy_axes(const struct zoid_setting_axes *from, long to[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES && from->axes; a++)
        to[a] = a < from->axes ? from->n[a] : 1;
}

struct zoid_request zoid_settings_request(const struct zoid_settings *s)
{
    struct zoid_request request = {
        .method = s->method,
        .block = s->block,
        .depth = s->depth,
        .lanes = (int)s->lanes,
        .team = s->team.automatic ? 0 : (int)s->team.value,
        .strip = s->strip.automatic ? 0
                 : s->strip.value   ? s->strip.value
                                    : ZOID_STRIP_NONE,
        .epoch = s->epoch,
        .exchange = (enum zoid_exchange)s->exchange,
        .leaf = s->leaf,
        .balance = (enum zoid_balance)s->balance,
        .places = s->places,
        .split_at = s->split_at,
        .split_stay = s->split_stay,
        .cores = {.method = s->cores_method,
                  .block = s->cores_block,
                  .depth = s->cores_depth,
                  .team = (int)s->cores_team},
        .budget = {[ZOID_RAM] = s->ram, [ZOID_GPU_MEMORY] = s->gpu_mem, [ZOID_DISK] = s->disk_mem},
        .folder = {[ZOID_DISK] = s->disk}};

    for (int k = 0; k < ZOID_ANY; k++) {
        request.traversal[k] = (enum zoid_traversal)s->traversal.of[k];
        request.traversal_named[k] = s->traversal.named[k];
    }
    copy_axes(&s->cells, request.cells);
    copy_axes(&s->ranks, request.ranks);
    if (s->has_overlap)
        request.overlap = s->overlap ? ZOID_OVERLAP_OFF : ZOID_OVERLAP_ON;
    return request;
}

struct zoid_context_options zoid_settings_context(const struct zoid_settings *s)
{
    return (struct zoid_context_options){
        .gpu_mem = s->gpu_mem,
        .rates = (enum zoid_rates_use)(s->has_rates ? ZOID_RATES_LEARN + s->rates : 0),
        .oversubscribe = s->oversubscribe,
        .machine = s->machine,
        .nodes = s->nodes};
}

enum zoid_status zoid_settings_check(const struct zoid_settings *s)
{
    /* Settings of runs that have values. */
    const struct {
        const char *key;
        bool given;
    } values[] = {{"check", s->check},
                  {"dump", s->dump},
                  {"record", s->record},
                  {"trace", s->trace},
                  {"checkpoint", s->checkpoint},
                  {"restart", s->restart},
                  {"out", s->out},
                  {"disk", s->disk}};
    const struct {
        const char *key, *needs;
        bool given, there;
    } rule[] = {
        {"checkpoint_every", "checkpoint DIR", s->has_checkpoint_every, s->checkpoint},
        {"checkpoint_minutes", "checkpoint DIR", s->has_checkpoint_minutes, s->checkpoint},
        {"checkpoint_coefficients", "checkpoint DIR", s->checkpoint_coefficients, s->checkpoint},
        {"walltime", "checkpoint DIR", s->has_walltime, s->checkpoint},
        {"stop_within", "checkpoint DIR", s->has_stop_within, s->checkpoint},
        {"out", "snapshot EVERY", s->out, s->snapshot_every},
        {"snapshot_first", "snapshot EVERY", s->snapshot_first, s->snapshot_every},
        {"stride", "snapshot EVERY", s->has_stride, s->snapshot_every},
        {"slice", "snapshot EVERY", s->has_slice, s->snapshot_every},
        {"snapshot", "out DIR", s->snapshot_every, s->out},
        {"nodes", "machine NAME", s->has_nodes, s->machine},
    };

    for (size_t i = 0; ZOID_SIMULATED && i < sizeof values / sizeof *values; i++)
        if (values[i].given)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{%s} is for a run: a simulation computes no values; drop it",
                             values[i].key);
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
        if (rule[i].given && !rule[i].there)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} is for runs with {%s}; give that, too",
                             rule[i].key, rule[i].needs);
    return ZOID_OK;
}
