/* SPDX-License-Identifier: BSD-3-Clause */
/* The options about what is kept of a run on its way: checkpoints, snapshots, and when it stops. */
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "apps/driver/options.h"
#include "runtime/session/number.h"

#define AT(member) offsetof(struct zoid_options, keep.member)

static enum zoid_status read_time(const struct zoid_option *option, const char *value, void *into)
{
    return zoid_number_time(option->name, value, (double *)((char *)into + option->at));
}

static enum zoid_status read_minutes(const struct zoid_option *option, const char *value,
                                     void *into)
{
    double minutes;
    enum zoid_status status = zoid_number_real(option->name, value, &minutes);

    if (!status && !(minutes > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} leaves no time to compute; give more than 0",
                           option->name, value);
    if (!status)
        ((struct zoid_options *)into)->keep.minutes = minutes;
    return status;
}

static enum zoid_status read_snapshot(const struct zoid_option *option, const char *value,
                                      void *into)
{
    struct zoid_keep_options *keep = &((struct zoid_options *)into)->keep;
    const char *colon = strchr(value, ':');
    char number[32] = "";
    uint64_t every = 0;
    enum zoid_status status;

    snprintf(number, sizeof number, "%.*s", colon ? (int)(colon - value) : (int)strlen(value),
             value);
    status = zoid_number_unsigned(option->name, number,
                                  (struct zoid_number_range){.least = 1, .most = LONG_MAX}, &every);
    if (!status && colon && !colon[1])
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{%s} '%s' names no field; name some, or leave the colon away",
                           option->name, value);
    if (status)
        return status;
    keep->snapshot = (long)every;
    keep->fields = colon ? colon + 1 : NULL;
    return ZOID_OK;
}

static enum zoid_status read_slice(const struct zoid_option *option, const char *value, void *into)
{
    static const char axes[] = "xyz";
    struct zoid_keep_options *keep = &((struct zoid_options *)into)->keep;
    const char *axis = *value ? strchr(axes, *value) : NULL;
    uint64_t at = 0;
    enum zoid_status status;

    if (!axis || value[1] != '=')
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is no plane; give one like z=100",
                         option->name, value);
    status = zoid_number_unsigned(option->name, value + 2,
                                  (struct zoid_number_range){.most = LONG_MAX}, &at);
    if (status)
        return status;
    keep->axis = (int)(axis - axes);
    keep->slice = (long)at;
    return ZOID_OK;
}

const struct zoid_option zoid_options_keep[] = {
    {.doc = "What is kept on the way:"},
    {.name = "checkpoint",
     .arg = "DIR",
     .doc = "a folder for checkpoints, from which a run can go on; signals then stop the run at "
            "the end of a pass, and leave one",
     .read = zoid_read_path,
     .at = AT(checkpoint)},
    {.name = "checkpoint-every",
     .arg = "STEPS",
     .doc = "steps from one checkpoint to the next [only when the run stops]",
     .read = zoid_read_long,
     .at = AT(every),
     .least = 1},
    {.name = "checkpoint-minutes",
     .arg = "N",
     .doc = "minutes from one checkpoint to the next [only when the run stops]",
     .read = read_minutes},
    {.name = "checkpoint-coefficients",
     .doc = "coefficients are in checkpoints, too [they are made again]",
     .read = zoid_read_flag,
     .at = AT(coefficients)},
    {.name = "restart",
     .arg = "DIR|FILE",
     .doc = "go on from the newest checkpoint in the folder that is whole, or from that one; "
            "--steps is what there are in all",
     .read = zoid_read_path,
     .at = AT(restart)},
    {.name = "walltime",
     .arg = "[HH:]MM:SS",
     .doc = "what the program has from its start: it stops so early that its checkpoint is there "
            "by then",
     .read = read_time,
     .at = AT(walltime)},
    {.name = "stop-within",
     .arg = "[HH:]MM:SS",
     .doc = "plan so that no stop takes longer, with its checkpoint",
     .read = read_time,
     .at = AT(within)},
    {.name = NULL},
};

const struct zoid_option zoid_options_snapshots[] = {
    {.name = "snapshot",
     .arg = "EVERY[:FIELDS]",
     .doc = "write these state fields, u,v or all, after every so many steps, and the last one",
     .read = read_snapshot},
    {.name = "out",
     .arg = "DIR",
     .doc = "the folder of the snapshots, and of the list of them for ParaView",
     .read = zoid_read_path,
     .at = AT(out)},
    {.name = "snapshot-first",
     .doc = "write one of the initial state, too",
     .read = zoid_read_flag,
     .at = AT(first)},
    {.name = "stride",
     .arg = "N",
     .doc = "of a snapshot, every N-th point along each axis [1]",
     .read = zoid_read_long,
     .at = AT(stride),
     .least = 1},
    {.name = "slice",
     .arg = "x|y|z=K",
     .doc = "of a snapshot, the points at K of that axis [all]",
     .read = read_slice},
    {.name = NULL},
};

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
