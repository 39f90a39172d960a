/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of rates. */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/machine/rates.h"

/* ---- path and mode --------------------------------------------------------------------------- */

const char *const zoid_rates_uses[] = {"learn", "keep", "default", NULL};

enum zoid_status zoid_rates_use(enum zoid_rates_use asked, enum zoid_rates_use usual,
                                enum zoid_rates_use *use)
{
    static const char variable[] = "ZOID_RATES_MODE";
    const char *value = getenv(variable);

    *use = asked ? asked : usual;
    if (asked || !value || !*value)
        return ZOID_OK;
    for (int i = 0; zoid_rates_uses[i]; i++)
        if (!strcmp(value, zoid_rates_uses[i])) {
            *use = ZOID_RATES_LEARN + i;
            return ZOID_OK;
        }
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s=%s is not known; choose from learn, keep, default",
                     variable, value);
}

/* Letters and digits of the machine's description, joined by hyphens. */
static void name_of(const struct zoid_machine *m, char *name, size_t room)
{
    char text[sizeof m->cpu + sizeof m->gpu + 64];
    size_t n = 0;

    snprintf(text, sizeof text, "%s %d %s %s", m->cpu, m->cores, zoid_isa_name(m->isa), m->gpu);
    for (const char *c = text; *c && n + 2 < room; c++)
        if (isalnum((unsigned char)*c))
            name[n++] = *c;
        else if (isalnum((unsigned char)c[1]) && n)
            name[n++] = '-';
    name[n] = 0;
}

bool zoid_rates_path(const struct zoid_machine *machine, char *path, size_t room)
{
    const char *file = getenv("ZOID_RATES"), *starpu = getenv("STARPU_HOME");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char name[200];
    int n = -1;

    name_of(machine, name, sizeof name);
    if (file && *file)
        n = snprintf(path, room, "%s", file);
    else if (starpu && *starpu)
        n = snprintf(path, room, "%s/zoid-rates-%s.json", starpu, name);
    else if (cache && *cache)
        n = snprintf(path, room, "%s/zoid/rates-%s.json", cache, name);
    else if (home && *home)
        n = snprintf(path, room, "%s/.cache/zoid/rates-%s.json", home, name);
    return n > 0 && (size_t)n < room;
}

/* ---- writing it -------------------------------------------------------------------------- */

/* The numbers of the file, by name; all are positive, and those of a part that was not measured are
 * absent. Those of a GPU are in an object of its name, since machines with other GPUs may share the
 * file. On its own machine StarPU measures the links, except link_both, and what it has counts. */
struct entry {
    const char *name;
    size_t at;
    bool gpu;
    enum zoid_rates_part part;
};

#define OF_RATES(number) .name = #number, .at = offsetof(struct zoid_rates, number)
static const struct entry numbers[] = {
    {OF_RATES(task), .part = ZOID_RATES_TASKS},
    {OF_RATES(submit), .part = ZOID_RATES_TASKS},
    {OF_RATES(gpu_task), .gpu = true, .part = ZOID_RATES_GPU},
    {OF_RATES(gpu_memory), .gpu = true, .part = ZOID_RATES_GPU},
    {OF_RATES(link_both), .gpu = true, .part = ZOID_RATES_GPU},
    {OF_RATES(link_up), .gpu = true, .part = ZOID_RATES_LINKS},
    {OF_RATES(link_down), .gpu = true, .part = ZOID_RATES_LINKS},
    {OF_RATES(link_peer), .gpu = true, .part = ZOID_RATES_PEERS},
    {OF_RATES(disk_read), .part = ZOID_RATES_DISK},
    {OF_RATES(disk_write), .part = ZOID_RATES_DISK},
    {OF_RATES(disk_datum), .part = ZOID_RATES_DISK},
};

/* The numbers of an operator; those that are not measured are absent. */
#define OF_OP(number) .name = #number, .at = offsetof(struct zoid_op_rates, number)
#define LEARNT(who, number) .name = #number, .at = offsetof(struct zoid_op_rates, who.number)
static const struct entry op_numbers[] = {
    {OF_OP(tiled)},
    {OF_OP(exceeding)},
    {OF_OP(visit)},
    {OF_OP(marched)},
    {OF_OP(marched_visit)},
    {OF_OP(untiled)},
    {OF_OP(step)},
    {LEARNT(cores, near)},
    {LEARNT(cores, far)},
    {LEARNT(cores, waits)},
    {LEARNT(cores, runs)},
    {OF_OP(gpu_step), .gpu = true},
    {OF_OP(gpu_even), .gpu = true},
    {LEARNT(gpus, near), .gpu = true},
    {LEARNT(gpus, far), .gpu = true},
    {LEARNT(gpus, waits), .gpu = true},
    {LEARNT(gpus, runs), .gpu = true},
};

/* The numbers of a network; factors may be there without the others, and the others without
 * `copy`. */
#define OF_NETWORK(number) .name = #number, .at = offsetof(struct zoid_network, number)
static const struct entry network_numbers[] = {
    {OF_NETWORK(message)},    {OF_NETWORK(way)},         {OF_NETWORK(wire)}, {OF_NETWORK(copy)},
    {OF_NETWORK(way_factor)}, {OF_NETWORK(wire_factor)}, {OF_NETWORK(runs)}};
static const char *const network_names[ZOID_NETWORKS] = {
    [ZOID_ONE_HOST] = "one_host", [ZOID_SEVERAL_HOSTS] = "several_hosts"};
enum {
    NETWORK_NEEDS = 3,
    NETWORK_RATES,
    NETWORK_NUMBERS = sizeof network_numbers / sizeof *network_numbers
};

enum {
    NUMBERS = sizeof numbers / sizeof *numbers,
    OP_NUMBERS = sizeof op_numbers / sizeof *op_numbers
};

static double *number_in(void *object, const struct entry *entry)
{
    return (double *)((char *)object + entry->at);
}

/* Version of the names and their meaning; a file of another version is not read. */
enum { FORMAT = 10 };

static json_t *key_of(const struct zoid_machine *m)
{
    return json_pack("{s:i, s:s, s:s, s:s, s:i}", "format", FORMAT, "zoid", zoid_version(), "cpu",
                     m->cpu, "isa", zoid_isa_name(m->isa), "cores", m->cores);
}

/* Returns true if the file is of this machine and, unless `any`, version of Zoid; otherwise stores
 * the first key that differs in `what`. */
static bool is_of(json_t *object, const struct zoid_machine *m, bool any, char *what, size_t room)
{
    json_t *here = key_of(m), *there = json_object_get(object, "machine"), *value;
    const char *name, *other = NULL;

    if (any)
        json_object_del(here, "zoid");
    json_object_foreach(here, name,
                        value) if (!other && !json_equal(value, json_object_get(there, name)))
        other = name;
    snprintf(what, room, "%s", other ? other : "");
    json_decref(here);
    return !other;
}

/* Rates of the operators on cores or on the GPU. NULL: out of memory, or a rate is not finite. */
static json_t *ops_object(const struct zoid_rates *rates, bool gpu)
{
    json_t *all = json_object();
    int lost = 0;

    for (size_t i = 0; i < rates->ops; i++) {
        json_t *one = json_object();

        for (int n = 0; n < OP_NUMBERS; n++) {
            double value = *number_in(&rates->op[i], &op_numbers[n]);

            if (value != 0 && op_numbers[n].gpu == gpu)
                lost |= json_object_set_new(one, op_numbers[n].name, json_real(value));
        }
        if (json_object_size(one))
            lost |= json_object_set(all, rates->op[i].name, one);
        json_decref(one);
    }
    if (!lost)
        return all;
    json_decref(all);
    return NULL;
}

static int add_memory(json_t *o, const struct zoid_rates *rates)
{
    json_t *costs = json_array(), *few = json_array();
    int lost = json_object_set_new(o, "workers", json_integer(rates->workers));

    for (int i = 0; i < rates->costs; i++)
        lost |= json_array_append_new(
            costs, json_pack("[f,f]", rates->cost[i].bytes, rates->cost[i].seconds));
    for (int i = 0; i < zoid_rates_few(rates->workers); i++)
        lost |= json_array_append_new(few, json_real(rates->few[i]));
    lost |= json_object_set_new(o, "few", few);
    return lost | json_object_set_new(o, "cost", costs);
}

static int add_numbers(json_t *o, const struct zoid_rates *rates, bool gpu)
{
    struct zoid_rates copy = *rates;
    int lost = 0;

    for (int n = 0; n < NUMBERS; n++)
        if (rates->measured & numbers[n].part && numbers[n].gpu == gpu)
            lost |=
                json_object_set_new(o, numbers[n].name, json_real(*number_in(&copy, &numbers[n])));
    return lost;
}

/* Networks that were measured, or that runs have taught about. */
static int add_networks(json_t *o, const struct zoid_rates *rates)
{
    json_t *all = json_object();
    int lost = 0;

    for (int k = 0; k < ZOID_NETWORKS; k++) {
        const unsigned part = zoid_rates_network_part((enum zoid_network_kind)k);
        struct zoid_network network = rates->network[k];
        json_t *one = json_object();

        for (int n = rates->measured & part ? 0 : NETWORK_RATES; n < NETWORK_NUMBERS; n++) {
            const double value = *number_in(&network, &network_numbers[n]);

            if (n < NETWORK_NEEDS || (n < NETWORK_RATES ? value : network.runs) > 0)
                lost |= json_object_set_new(one, network_numbers[n].name, json_real(value));
        }
        if (json_object_size(one))
            lost |= json_object_set(all, network_names[k], one);
        json_decref(one);
    }
    return lost | json_object_set_new(o, "network", all);
}

/* NULL: no file, or a broken one. */
static json_t *file_of(const struct zoid_machine *m)
{
    char path[1024];

    return zoid_rates_path(m, path, sizeof path)
               ? json_load_file(path, JSON_REJECT_DUPLICATES, NULL)
               : NULL;
}

/* The file's current entries of other GPUs, and this machine's entry if it has a GPU. */
static json_t *gpus_object(const struct zoid_machine *m, const struct zoid_rates *rates)
{
    json_t *file = file_of(m), *gpus = json_object(), *one = json_object();
    json_t *others = json_object_get(file, "gpus");
    char what[32];
    int lost = 0;

    if (json_is_object(others) && is_of(file, m, false, what, sizeof what))
        lost |= json_object_update(gpus, others);
    lost |= add_numbers(one, rates, true);
    lost |= json_object_set_new(one, "operators", ops_object(rates, true));
    if (*m->gpu)
        lost |= json_object_set(gpus, m->gpu, one);
    json_decref(one);
    json_decref(file);
    if (!lost)
        return gpus;
    json_decref(gpus);
    return NULL;
}

enum zoid_status zoid_rates_write(const struct zoid_machine *machine,
                                  const struct zoid_rates *rates, FILE *out)
{
    json_t *o = json_object();
    int lost = 0;

    lost |= json_object_set_new(o, "machine", key_of(machine));
    lost |= add_numbers(o, rates, false);
    if (rates->measured & ZOID_RATES_DISK)
        lost |= json_object_set_new(o, "disk", json_string(rates->disk));
    if (rates->measured & ZOID_RATES_MEMORY)
        lost |= add_memory(o, rates);
    lost |= add_networks(o, rates);
    lost |= json_object_set_new(o, "operators", ops_object(rates, false));
    lost |= json_object_set_new(o, "gpus", gpus_object(machine, rates));
    if (lost) {
        json_decref(o);
        return zoid_fail(ZOID_RESOURCE, "a rate is no number, or memory is short; nothing is kept");
    }
    lost = json_dumpf(o, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    fputc('\n', out);
    json_decref(o);
    return lost ? zoid_fail(ZOID_RESOURCE, "cannot write the rates; make room for them") : ZOID_OK;
}

/* ---- reading it -------------------------------------------------------------------------- */

/* Leaves *into as it is if the file has no such number; returns false if it is not positive. */
static bool read_number(const json_t *object, const struct entry *entry, void *into)
{
    const json_t *value = json_object_get(object, entry->name);
    double number = json_is_number(value) ? json_number_value(value) : 0;

    if (!value)
        return true;
    *number_in(into, entry) = number;
    return isfinite(number) && number > 0;
}

static bool read_memory(const json_t *object, struct zoid_rates *r)
{
    const json_t *costs = json_object_get(object, "cost"), *few = json_object_get(object, "few");

    r->workers = (int)json_integer_value(json_object_get(object, "workers"));
    r->costs = (int)json_array_size(costs);
    if (r->workers < 1 || r->costs < 2 || r->costs > ZOID_MAX_COSTS ||
        json_array_size(few) != (size_t)zoid_rates_few(r->workers))
        return false;
    for (int i = 0; i < zoid_rates_few(r->workers); i++) {
        r->few[i] = json_number_value(json_array_get(few, (size_t)i));
        if (!(r->few[i] > 0))
            return false;
    }
    for (int i = 0; i < r->costs; i++) {
        const json_t *pair = json_array_get(costs, (size_t)i);

        r->cost[i].bytes = json_number_value(json_array_get(pair, 0));
        r->cost[i].seconds = json_number_value(json_array_get(pair, 1));
        if (!(r->cost[i].bytes > (i ? r->cost[i - 1].bytes : 0)) || !(r->cost[i].seconds > 0))
            return false;
    }
    return true;
}

/* A network has all of its rates, or none of them, and factors with the number of their runs. */
static bool read_networks(const json_t *object, struct zoid_rates *r)
{
    const json_t *all = json_object_get(object, "network");

    for (int k = 0; k < ZOID_NETWORKS; k++) {
        const json_t *one = json_object_get(all, network_names[k]);
        int found[3] = {0, 0, 0};

        for (int n = 0; n < NETWORK_NUMBERS; n++) {
            found[(n >= NETWORK_NEEDS) + (n >= NETWORK_RATES)] +=
                json_object_get(one, network_numbers[n].name) != NULL;
            if (!read_number(one, &network_numbers[n], &r->network[k]))
                return false;
        }
        if ((found[0] && found[0] < NETWORK_NEEDS) || (found[1] && !found[0]) ||
            (found[2] && found[2] < NETWORK_NUMBERS - NETWORK_RATES))
            return false;
        if (found[0])
            r->measured |= zoid_rates_network_part((enum zoid_network_kind)k);
    }
    return json_is_object(all);
}

/* r->op must have room for all operators of the file. */
static bool read_ops(const json_t *object, bool gpu, struct zoid_rates *r)
{
    json_t *ops = json_object_get(object, "operators"), *one;
    const char *name;

    if (!json_is_object(ops))
        return false;
    json_object_foreach(ops, name, one)
    {
        struct zoid_op_rates *op = r->op;

        while (op < r->op + r->ops && strcmp(op->name, name) != 0)
            op++;
        if (op == r->op + r->ops) {
            snprintf(op->name, sizeof op->name, "%s", name);
            r->ops++;
        }
        for (int n = 0; n < OP_NUMBERS; n++)
            if (op_numbers[n].gpu == gpu && !read_number(one, &op_numbers[n], op))
                return false;
    }
    return true;
}

/* Returns false if a part has only some of its numbers: a measured part has all. */
static bool read_numbers(const json_t *object, bool gpu, struct zoid_rates *r)
{
    for (int n = 0; n < NUMBERS; n++) {
        if (numbers[n].gpu != gpu || !json_object_get(object, numbers[n].name))
            continue;
        r->measured |= numbers[n].part;
        if (!read_number(object, &numbers[n], r))
            return false;
    }
    for (int n = 0; n < NUMBERS; n++)
        if (numbers[n].gpu == gpu && r->measured & numbers[n].part &&
            !json_object_get(object, numbers[n].name))
            return false;
    return true;
}

/* Reads all rates, with those of GPU `gpu` if the file has it. */
static bool read_rates(const json_t *object, const char *gpu, struct zoid_rates *r)
{
    const json_t *disk = json_object_get(object, "disk"), *gpus = json_object_get(object, "gpus");
    const json_t *mine = json_object_get(gpus, gpu);
    const size_t cores = json_object_size(json_object_get(object, "operators"));

    r->calibrated = true;
    r->op = calloc(cores + json_object_size(json_object_get(mine, "operators")) + 1, sizeof *r->op);
    if (!r->op || !json_is_object(gpus) || !read_numbers(object, false, r) ||
        !read_networks(object, r))
        return false;
    if (json_object_get(object, "cost"))
        r->measured |= ZOID_RATES_MEMORY;
    if (r->measured & ZOID_RATES_DISK) {
        if (!json_is_string(disk))
            return false;
        snprintf(r->disk, sizeof r->disk, "%s", json_string_value(disk));
    }
    return (!(r->measured & ZOID_RATES_MEMORY) || read_memory(object, r)) &&
           read_ops(object, false, r) &&
           (!mine || (read_numbers(mine, true, r) && read_ops(mine, true, r)));
}

/* Why a file was not used. */
typedef char reason[sizeof((struct zoid_rates *)0)->note];

/* Returns false, with the reason, unless the object is this machine's rates. */
static bool take_object(json_t *object, const char *path, const struct zoid_machine *m, bool any,
                        struct zoid_rates *rates, reason why)
{
    char what[32];

    if (!json_is_object(json_object_get(object, "machine")))
        snprintf(why, sizeof(reason), "%.300s has no rates in it", path);
    else if (!is_of(object, m, any, what, sizeof what))
        snprintf(why, sizeof(reason), "the rates in %.300s are of another %s", path, what);
    else if (!read_rates(object, m->gpu, rates))
        snprintf(why, sizeof(reason), "%.300s is broken", path);
    else
        return true;
    return false;
}

/* Reads a file, of `any` version; returns false, with the reason and nothing to free, if it is not
 * used. A missing file has no reason if it `may` be missing. */
static bool read_file(const char *path, const struct zoid_machine *m, bool any, bool may,
                      struct zoid_rates *rates, reason why)
{
    FILE *file = fopen(path, "r");
    json_error_t error;
    json_t *object;
    bool taken = false;

    *why = 0;
    zoid_rates_defaults(m, rates);
    if (!file) {
        if (!may || (errno != ENOENT && errno != ENOTDIR))
            snprintf(why, sizeof(reason), "cannot read %.300s: %s", path, strerror(errno));
        return false;
    }
    object = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (object)
        taken = take_object(object, path, m, any, rates, why);
    else
        snprintf(why, sizeof(reason), "%.300s is broken (line %d)", path, error.line);
    json_decref(object);
    if (!taken)
        zoid_rates_free(rates);
    return taken;
}

void zoid_rates_load(const struct zoid_machine *machine, struct zoid_rates *rates)
{
    char path[1024];
    reason why = "";

    if (zoid_rates_path(machine, path, sizeof path) &&
        read_file(path, machine, false, true, rates, why))
        return;
    zoid_rates_defaults(machine, rates);
    if (*why)
        snprintf(rates->note, sizeof rates->note,
                 "%.440s, defaults are used; run zoid-info --calibrate", why);
}

enum zoid_status zoid_rates_read(const char *path, const struct zoid_machine *machine,
                                 struct zoid_rates *rates)
{
    reason why;

    return read_file(path, machine, true, false, rates, why) ? ZOID_OK
                                                             : zoid_fail(ZOID_RESOURCE, "%s", why);
}
