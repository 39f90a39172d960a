/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/options.h"

#include <string.h>

const char zoid_options_notes[] =
    "BYTES take the suffixes K, M, G and T, powers of 1024. Of an option given twice the last one "
    "counts. --plan and --graph run nothing, so they write no dump, no report and no "
    "trace.\n\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  the check failed, or an iteration; dump and report are still written\n"
    "  2  a bad argument\n"
    "  3  it does not fit; the message names the smallest budget that would do\n"
    "  4  something failed or is missing: a file, a device, memory, a second rank\n"
    "  5  stopped before its end, and can be restarted from its last checkpoint";

/* Axes that are not given are not partitioned. */
static void copy_axes(const struct zoid_setting_axes *from, long to[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES && from->axes; a++)
        to[a] = a < from->axes ? from->n[a] : 1;
}

static struct zoid_given_list given_list(const struct zoid_setting_texts *from)
{
    struct zoid_given_list list = {.n = from->n};

    for (int i = 0; i < list.n; i++)
        list.text[i] = from->text[i];
    return list;
}

static struct zoid_keep_options keep_of(const struct zoid_settings *s)
{
    return (struct zoid_keep_options){.checkpoint = s->checkpoint,
                                      .every = s->checkpoint_every,
                                      .minutes = s->checkpoint_minutes,
                                      .coefficients = s->checkpoint_coefficients,
                                      .restart = s->restart,
                                      .walltime = s->walltime,
                                      .within = s->stop_within,
                                      .snapshot = s->snapshot_every,
                                      .fields = s->snapshot_fields,
                                      .out = s->out,
                                      .first = s->snapshot_first,
                                      .stride = s->stride,
                                      .axis = s->slice.axis,
                                      .slice = s->has_slice ? s->slice.at : -1};
}

static void take_problem(const struct zoid_settings *s, struct zoid_options *o)
{
    memcpy(o->size, s->size.n, sizeof o->size);
    o->axes = s->size.axes;
    o->dims = s->dims;
    o->steps = s->steps;
    o->family = s->operator;
    o->radius = s->radius;
    o->type = s->has_type ? (enum zoid_type)s->type : ZOID_TYPES;
    o->nparams = s->nparams;
    memcpy(o->param, s->param, sizeof o->param);
    o->bounded = s->has_boundary;
    memcpy(o->face, s->boundary.face, sizeof o->face);
    o->faces_named = s->boundary.named;
    o->init = (enum zoid_init)s->init.kind;
    o->seed = s->seed;
    o->sources = s->source;
    o->receivers = s->receivers;
    o->given = (struct zoid_given_options){.state = given_list(&s->init.fields),
                                           .coefficients = given_list(&s->coefficient),
                                           .scales = given_list(&s->scale),
                                           .all = s->init.all,
                                           .velocity = s->velocity,
                                           .dx = s->dx,
                                           .dt = s->dt,
                                           .kind_named = s->init.named,
                                           .force = s->force};
}

static void take_cut(const struct zoid_settings *s, struct zoid_options *o)
{
    o->method = s->method;
    o->block = s->block;
    o->depth = s->depth;
    o->lanes = s->lanes;
    o->strip = s->strip.automatic ? 0 : s->strip.value ? s->strip.value : ZOID_STRIP_NONE;
    copy_axes(&s->cells, o->cells);
    o->epoch = s->epoch;
    o->leaf = s->leaf;
    o->traversal = (enum zoid_traversal)s->traversal;
    o->traversal_named = s->has_traversal;
    if (s->has_overlap)
        o->overlap = s->overlap ? ZOID_OVERLAP_OFF : ZOID_OVERLAP_ON;
    o->rates = (enum zoid_rates_use)(s->has_rates ? ZOID_RATES_LEARN + s->rates : 0);
    copy_axes(&s->ranks, o->ranks);
    o->exchange = (enum zoid_exchange)s->exchange;
    o->oversubscribe = s->oversubscribe;
    o->budget[ZOID_RAM] = s->ram;
    o->budget[ZOID_GPU_MEMORY] = s->gpu_mem;
    o->budget[ZOID_DISK] = s->disk_mem;
    o->folder[ZOID_DISK] = s->disk;
}

struct zoid_options zoid_options_of(const struct zoid_settings *s, const struct zoid_cli *cli)
{
    struct zoid_options o = {.settings = s,
                             .dump = s->dump,
                             .report = s->report,
                             .trace = s->trace,
                             .record = s->record,
                             .check = s->check,
                             .keep = keep_of(s)};

    take_problem(s, &o);
    take_cut(s, &o);
    if (cli) {
        o.graph = cli->graph;
        o.plan = cli->plan;
        o.plans = cli->plans;
        o.progress = cli->progress;
        o.porcelain = cli->porcelain;
        o.quiet = cli->quiet;
    }
    return o;
}

struct zoid_request zoid_options_request(const struct zoid_options *o)
{
    struct zoid_request request = {.method = o->method,
                                   .block = o->block,
                                   .depth = o->depth,
                                   .lanes = (int)o->lanes,
                                   .strip = o->strip,
                                   .cells = {o->cells[0], o->cells[1], o->cells[2]},
                                   .ranks = {o->ranks[0], o->ranks[1], o->ranks[2]},
                                   .epoch = o->epoch,
                                   .exchange = o->exchange,
                                   .leaf = o->leaf,
                                   .traversal = o->traversal,
                                   .traversal_named = o->traversal_named,
                                   .overlap = o->overlap,
                                   .again = o->again};

    memcpy(request.budget, o->budget, sizeof request.budget);
    return request;
}

struct zoid_context_options zoid_options_context(const struct zoid_options *o)
{
    struct zoid_context_options context = {.gpu_mem = o->budget[ZOID_GPU_MEMORY],
                                           .rates = o->rates,
                                           .oversubscribe = o->oversubscribe};

    memcpy(context.folder, o->folder, sizeof context.folder);
    return context;
}

static enum zoid_status needs(const char *option, const char *other)
{
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} is for runs with {%s}; give that, too", option,
                     other);
}

enum zoid_status zoid_options_check_keep(const struct zoid_options *o)
{
    const struct zoid_keep_options *k = &o->keep;
    const struct {
        const char *option;
        bool given;
    } kept[] = {{"checkpoint-every", k->every > 0},
                {"checkpoint-minutes", k->minutes > 0},
                {"checkpoint-coefficients", k->coefficients},
                {"walltime", k->walltime > 0},
                {"stop-within", k->within > 0}},
      shown[] = {{"out", k->out != NULL},
                 {"snapshot-first", k->first},
                 {"stride", k->stride > 0},
                 {"slice", k->slice >= 0}};

    for (size_t i = 0; i < sizeof kept / sizeof *kept && !k->checkpoint; i++)
        if (kept[i].given)
            return needs(kept[i].option, "checkpoint DIR");
    for (size_t i = 0; i < sizeof shown / sizeof *shown && !k->snapshot; i++)
        if (shown[i].given)
            return needs(shown[i].option, "snapshot EVERY");
    return k->snapshot && !k->out ? needs("snapshot", "out DIR") : ZOID_OK;
}
