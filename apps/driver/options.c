/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/options.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "apps/driver/given.h"
#include "runtime/machine/rates.h"
#include "runtime/session/number.h"

#define AT(member) offsetof(struct zoid_options, member)

const char zoid_options_notes[] =
    "Numbers take the suffixes K, M, G and T, powers of 1024. Of an option given twice the last "
    "one counts. --plan and --graph run nothing, so they write no dump, no report and no "
    "trace.\n\n"
    "Exit status:\n"
    "  0  done\n"
    "  1  the check failed, or an iteration; dump and report are still written\n"
    "  2  a bad argument\n"
    "  3  it does not fit; the message names the smallest budget that would do\n"
    "  4  something failed or is missing: a file, a device, memory, a second rank\n"
    "  5  stopped before its end, and can be restarted from its last checkpoint";

struct zoid_options zoid_options_defaults(void)
{
    return (struct zoid_options){.size = {64},
                                 .axes = 1,
                                 .steps = 10,
                                 .type = ZOID_TYPES,
                                 .init = ZOID_INIT_RANDOM,
                                 .keep = {.slice = -1},
                                 .method = "auto"};
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

void zoid_options_join(const struct zoid_option *const *first,
                       const struct zoid_option *const *second, const struct zoid_option **both)
{
    while (*first)
        *both++ = *first++;
    do
        *both++ = *second;
    while (*second++);
}

static enum zoid_status read_size(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_options *o = into;

    return zoid_number_axes(option->name, value, o->size, &o->axes);
}

static enum zoid_status read_ranks(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_options *o = into;
    int axes;
    enum zoid_status status = zoid_number_axes(option->name, value, o->ranks, &axes);

    for (int a = axes; !status && a < ZOID_AXES; a++)
        o->ranks[a] = 1;
    return status;
}

static enum zoid_status read_exchange(const struct zoid_option *option, const char *value,
                                      void *into)
{
    const char *const names[] = {zoid_exchange_name(ZOID_EXCHANGE_AUTO),
                                 zoid_exchange_name(ZOID_EXCHANGE_DIRECT),
                                 zoid_exchange_name(ZOID_EXCHANGE_JOINED), NULL};
    int i = zoid_read_name(option, value, names);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_options *)into)->exchange = (enum zoid_exchange)i;
    return ZOID_OK;
}

/* A size is what follows the last colon and starts with a digit: folders may have colons too. */
static enum zoid_status read_disk(const struct zoid_option *option, const char *value, void *into)
{
    static char folder[PATH_MAX];
    const char *colon = strrchr(value, ':');
    size_t length =
        colon && isdigit((unsigned char)colon[1]) ? (size_t)(colon - value) : strlen(value);
    struct zoid_options *o = into;
    enum zoid_status status = ZOID_OK;

    if (!length || length >= sizeof folder)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' names no folder; name one", option->name,
                         value);
    o->budget[ZOID_DISK] = 0;
    if (value[length])
        status = zoid_number_unsigned(option->name, colon + 1,
                                      (struct zoid_number_range){.least = 1, .most = UINT64_MAX},
                                      &o->budget[ZOID_DISK]);
    memcpy(folder, value, length);
    folder[length] = '\0';
    o->folder[ZOID_DISK] = folder;
    return status;
}

const char *const zoid_init_names[] = {[ZOID_INIT_RANDOM] = "random",
                                       [ZOID_INIT_ZERO] = "zero",
                                       [ZOID_INIT_POINT] = "point",
                                       [ZOID_INIT_HOT] = "hot",
                                       NULL};

static enum zoid_status read_init(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_options *o = into;
    bool taken;
    enum zoid_status status = zoid_given_init(o, value, &taken);
    int i;

    if (status || taken)
        return status;
    if ((i = zoid_read_name(option, value, zoid_init_names)) < 0)
        return ZOID_BAD_ARGUMENT;
    o->init = (enum zoid_init)i;
    o->given.kind_named = true;
    o->given.all = NULL;
    return ZOID_OK;
}

static enum zoid_status read_traversal(const struct zoid_option *option, const char *value,
                                       void *into)
{
    const char *names[ZOID_TRAVERSALS + 1] = {NULL};
    int i;

    for (i = 0; i < ZOID_TRAVERSALS; i++)
        names[i] = zoid_traversal_name((enum zoid_traversal)i);
    if ((i = zoid_read_name(option, value, names)) < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_options *)into)->traversal = (enum zoid_traversal)i;
    ((struct zoid_options *)into)->traversal_named = true;
    return ZOID_OK;
}

static enum zoid_status read_strip(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_options *o = into;
    uint64_t rows = 0;
    enum zoid_status status = ZOID_OK;

    if (strcmp(value, "auto"))
        status = zoid_number_unsigned(option->name, value,
                                      (struct zoid_number_range){.most = LONG_MAX}, &rows);
    if (!status)
        o->strip = rows ? (long)rows : strcmp(value, "auto") ? ZOID_STRIP_NONE : 0;
    return status;
}

/* Axes that are not named are not cut. */
static enum zoid_status read_cells(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_options *o = into;
    long cells[ZOID_AXES] = {0};
    int axes;
    enum zoid_status status = zoid_number_axes(option->name, value, cells, &axes);

    for (int a = 0; !status && a < ZOID_AXES; a++)
        o->cells[a] = a < axes ? cells[a] : 1;
    return status;
}

static enum zoid_status read_overlap(const struct zoid_option *option, const char *value,
                                     void *into)
{
    static const char *const names[] = {"on", "off", NULL};
    int i = zoid_read_name(option, value, names);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_options *)into)->overlap = i ? ZOID_OVERLAP_OFF : ZOID_OVERLAP_ON;
    return ZOID_OK;
}

/* Methods first, then what else they are called. */
static enum zoid_status read_method(const struct zoid_option *option, const char *value, void *into)
{
    const char **method = &((struct zoid_options *)into)->method;
    const struct zoid_alias *alias = zoid_alias_find(value);
    const struct zoid_method *found = zoid_method_find(value);
    char list[512] = "";
    FILE *text;

    if (!strcmp(value, "auto") || alias || found) {
        *method = found ? found->name : alias ? alias->name : "auto";
        return ZOID_OK;
    }
    text = fmemopen(list, sizeof list, "w");
    if (text) {
        fputs("auto", text);
        for (size_t i = 0; zoid_methods[i]; i++)
            fprintf(text, ", %s", zoid_methods[i]->name);
        for (size_t i = 0; zoid_aliases[i].name; i++)
            fprintf(text, "%s%s", i ? ", " : "; or a published variant: ", zoid_aliases[i].name);
        fclose(text);
    }
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' does not exist; choose from %s", option->name,
                     value, list);
}

static enum zoid_status read_rates(const struct zoid_option *option, const char *value, void *into)
{
    int i = zoid_read_name(option, value, zoid_rates_uses);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_options *)into)->rates = ZOID_RATES_LEARN + i;
    return ZOID_OK;
}

static char methods_doc[2048];
static char steps_doc[80] = "time steps [10]";

void zoid_options_steps(const char *doc, long steps, struct zoid_options *options)
{
    snprintf(steps_doc, sizeof steps_doc, "%s [%ld]", doc, steps);
    options->steps = steps;
}

const struct zoid_option zoid_options_problem[] = {
    {.doc = "The problem:"},
    {.name = "size",
     .arg = "N|NXxNY|NXxNYxNZ",
     .doc = "points of the domain; N alone is a line, square or cube [64]",
     .read = read_size},
    {.name = "steps", .arg = "N", .doc = steps_doc, .read = zoid_read_long, .at = AT(steps)},
    {.name = "init",
     .arg = "random|zero|point|hot|gaussian|plane|u=FILE",
     .doc =
         "initial state; a point is 1 at the centre and 0 elsewhere; hot is 1 in the first plane "
         "of the last axis and 0 elsewhere; gaussian:WIDTH is a bell in the middle, plane:WAVES a "
         "sine along x; coefficients are random or the middle of their values. Or a field's, once "
         "for each: u=FILE[:DATASET] (HDF5, .npy, raw), u=X, u=gaussian; others are 0 then "
         "[random]",
     .read = read_init},
    {.name = "seed",
     .arg = "N",
     .doc = "seed of the random initial state [0]",
     .read = zoid_read_u64,
     .at = AT(seed)},
    {.name = NULL},
};

static const struct zoid_option cut[] = {
    {.doc = "How it is computed:"},
    {.name = "method", .arg = "NAME", .doc = methods_doc, .read = read_method},
    {.name = "block",
     .arg = "N",
     .doc = "planes a slab [the planner's choice]",
     .read = zoid_read_long,
     .at = AT(block),
     .least = 1},
    {.name = "depth",
     .arg = "N",
     .doc = "steps that a slab advances a visit [the planner's choice]",
     .read = zoid_read_long,
     .at = AT(depth),
     .least = 1},
    {.name = "lanes",
     .arg = "N",
     .doc = "passes that advance together, up to two a GPU or one a core [the planner's choice]",
     .read = zoid_read_long,
     .at = AT(lanes),
     .least = 1},
    {.name = "strip",
     .arg = "ROWS",
     .doc = "the most rows (in 2-D, points of a row) of the strips that planes are cut into; 0, "
            "they are not cut; auto, where nothing else fits, and on GPUs where that is faster "
            "[auto]",
     .read = read_strip},
    {.name = "cells",
     .arg = "NXxNYxNZ",
     .doc =
         "cells that the domain is cut into along each axis, or of several ranks each one's part, "
         "in place of --strip; 1x1x1, it is not cut",
     .read = read_cells},
    {.name = "epoch",
     .arg = "STEPS",
     .doc = "steps from one exchange between cells to the next; --depth becomes the largest "
            "divisor of it that is no larger [those of a visit]",
     .read = zoid_read_long,
     .at = AT(epoch),
     .least = 1},
    {.name = "traversal",
     .arg = "NAME",
     .doc = "for comparisons: two, at most two steps in a launch of a GPU; step, a sweep for every "
            "time; naive, one point after the other, or a thread a point [best]",
     .read = read_traversal},
    {.name = "overlap",
     .arg = "on|off",
     .doc = "off, for comparisons: nothing moves from, to and between memories while a block runs "
            "[on]",
     .read = read_overlap},
    {.name = "leaf",
     .arg = "BYTES",
     .doc = "what a recursive block may work on before it is cut [the planner's choice]",
     .read = zoid_read_u64,
     .at = AT(leaf),
     .least = 1},
    {.name = NULL},
};

const struct zoid_option zoid_options_rates[] = {
    {.name = "rates",
     .arg = "learn|keep|default",
     .doc =
         "what seconds are predicted from: learn, rates of this machine, of which the run measures "
         "what is missing and keeps it; keep, those that are there; default, none of them [learn]",
     .read = read_rates},
    {.name = NULL},
};

const struct zoid_option zoid_options_shown[] = {
    {.name = "plan",
     .doc = "print the plan and the memory it takes, run nothing",
     .read = zoid_read_flag,
     .at = AT(plan)},
    {.name = "plans",
     .doc = "print every plan that fits, with the seconds that it is expected to take, run nothing",
     .read = zoid_read_flag,
     .at = AT(plans)},
    {.name = "graph",
     .arg = "FILE.dot",
     .doc = "write the graph of blocks for Graphviz, run nothing",
     .read = zoid_read_path,
     .at = AT(graph)},
    {.name = NULL},
};

const struct zoid_option zoid_options_memory[] = {
    {.doc = "Where it is computed:"},
    {.name = "ram",
     .arg = "BYTES",
     .doc = "main memory that the run may allocate [what the machine has free]",
     .read = zoid_read_u64,
     .at = AT(budget[ZOID_RAM]),
     .least = 1},
    {.name = "gpu-mem",
     .arg = "BYTES",
     .doc = "memory to use of each GPU; refused where there is none",
     .read = zoid_read_u64,
     .at = AT(budget[ZOID_GPU_MEMORY]),
     .least = 1},
    {.name = NULL},
};

const struct zoid_option zoid_options_disk[] = {
    {.name = "disk",
     .arg = "DIR[:BYTES]",
     .doc =
         "a folder on a disk for what --ram has no room for, and how much of it to take [no disk; "
         "what it has free]",
     .read = read_disk},
    {.name = NULL},
};

const struct zoid_option zoid_options_ranks[] = {
    {.name = "ranks",
     .arg = "PXxPYxPZ",
     .doc =
         "ranks that the domain is dealt to along each axis, as many as mpirun starts [as little "
         "to exchange as can be; the last axis stays whole, unless the others would be thin]",
     .read = read_ranks},
    {.name = "exchange",
     .arg = "joined|direct|auto",
     .doc = "how ranks exchange: direct, each with all around it, across edges and corners, too; "
            "joined, axis by axis, which takes fewer messages and a round of them for each axis "
            "[auto: what the planner expects to be faster]",
     .read = read_exchange},
    {.name = "oversubscribe",
     .doc = "run where a host has fewer cores than ranks, too, each of which is then slow",
     .read = zoid_read_flag,
     .at = AT(oversubscribe)},
    {.name = NULL},
};

const struct zoid_option zoid_options_results[] = {
    {.doc = "What comes out:"},
    {.name = "check",
     .doc = "compare the result with the plain loop nest, byte by byte",
     .read = zoid_read_flag,
     .at = AT(check)},
    {.name = "dump",
     .arg = "FILE.h5|FILE.npy|FILE",
     .doc = "write the final state, without coefficients: as HDF5, a dataset a field, as an array "
            "of NumPy's, or as values alone, field after field; x is fastest",
     .read = zoid_read_path,
     .at = AT(dump)},
    {.name = "report",
     .arg = "FILE.json",
     .doc = "write the report as JSON too",
     .read = zoid_read_path,
     .at = AT(report)},
    {.name = "trace",
     .arg = "DIR",
     .doc = "leave a trace of the run in this folder, with pictures of it: gantt.svg, gantt.png",
     .read = zoid_read_path,
     .at = AT(trace)},
    {.name = NULL},
};

const struct zoid_option zoid_options_printed[] = {
    {.name = "progress",
     .doc = "print a line a second on standard error, or a minute where that is no terminal",
     .read = zoid_read_flag,
     .at = AT(progress)},
    {.name = "porcelain",
     .doc = "print the report as programs read it, 'key value' a line, on a terminal, too",
     .read = zoid_read_flag,
     .at = AT(porcelain)},
    {.name = "quiet",
     .doc = "print nothing on standard output",
     .read = zoid_read_flag,
     .at = AT(quiet)},
    {.name = NULL},
};

const struct zoid_option *zoid_options_cut(void)
{
    FILE *doc = fmemopen(methods_doc, sizeof methods_doc, "w");

    if (doc) {
        fprintf(doc, "how space-time is cut [auto]: auto, the planner's choice");
        for (size_t i = 0; zoid_methods[i]; i++)
            fprintf(doc, "; %s, %s", zoid_methods[i]->name, zoid_methods[i]->summary);
        fputs(". Or as papers call it:", doc);
        for (const struct zoid_alias *a = zoid_aliases; a->name; a++)
            fprintf(doc, "%s %s (%s, --traversal %s, --overlap %s%s)", a == zoid_aliases ? "" : ";",
                    a->name, a->method, zoid_traversal_name(a->traversal),
                    zoid_overlap_name(a->overlap), a->depth ? ", --depth 1" : "");
        fputs(". Those of 2D cut planes into strips, too, those of 2D-1D deal them to ranks; b2r "
              "makes one slab of a cell",
              doc);
        fclose(doc);
    }
    return cut;
}
