/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/rates.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- defaults ---------------------------------------------------------------------------- */

/* Bytes of the second-level cache for each core; some, where the system does not say. */
static double own_cache(const struct zoid_machine *m)
{
    enum { LEVEL = 1 };
    int sharers = m->cache_sharers[LEVEL] > 1 ? m->cache_sharers[LEVEL] : 1;

    return fmax((double)m->cache[LEVEL] / sharers, 1 << 18);
}

/* One core of a server with AVX-512 (docs/performance.md), and an H200. The size of the last cache is not
 * asked for: what a virtual machine shows of it often belongs to many others. */
void zoid_rates_defaults(const struct zoid_machine *m, struct zoid_rates *rates)
{
    const double own = own_cache(m);

    *rates = (struct zoid_rates){
        .workers = m->cores > 1 ? m->cores : 1,
        .cost = {{own, 0.09e-9 / 8},
                 {2 * own, 0.14e-9 / 8},
                 {4 * own, 0.14e-9 / 8},
                 {16 * own, 0.49e-9 / 8}},
        .costs = 4,
        .memory_alone = 0.49e-9 / 8,
        .touch = 0.25e-9,
        .task = 8e-6,
        .submit = 4e-6,
        .gpu_task = 40e-6,
        .gpu_memory = 1 / 4.2e12,
        .link_up = 1 / 50e9,
        .link_down = 1 / 50e9,
        .link_both = 1.15,
        .link_peer = 1 / 300e9,
        .disk_read = 1 / 1e9,
        .disk_write = 1 / 1e9,
    };
}

/* ---- asking ------------------------------------------------------------------------------ */

const struct zoid_op_rates *zoid_rates_find(const struct zoid_rates *rates,
                                            const struct zoid_op *op)
{
    for (size_t i = 0; i < rates->ops; i++)
        if (!strcmp(rates->op[i].name, op->name))
            return &rates->op[i];
    return NULL;
}

double zoid_rates_cost(const struct zoid_rates *r, double bytes)
{
    int i = 1;

    if (bytes <= r->cost[0].bytes)
        return r->cost[0].seconds;
    while (i < r->costs && r->cost[i].bytes < bytes)
        i++;
    if (i == r->costs)
        return r->cost[i - 1].seconds;
    return r->cost[i - 1].seconds + (r->cost[i].seconds - r->cost[i - 1].seconds) *
                                        log(bytes / r->cost[i - 1].bytes) /
                                        log(r->cost[i].bytes / r->cost[i - 1].bytes);
}

double zoid_rates_distance(const struct zoid_rates *r, double bytes)
{
    double near = r->cost[0].seconds, far = r->cost[r->costs - 1].seconds;

    return far > near ? fmin(fmax((zoid_rates_cost(r, bytes) - near) / (far - near), 0), 1) : 1;
}

double zoid_rates_memory(const struct zoid_rates *r, int workers)
{
    return fmax(r->memory_alone, r->cost[r->costs - 1].seconds * workers / r->workers);
}

/* ---- the file ---------------------------------------------------------------------------- */

bool zoid_rates_path(char *path, size_t room)
{
    const char *file = getenv("ZOID_RATES"), *starpu = getenv("STARPU_HOME");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char host[65] = "";
    int n = -1;

    if (gethostname(host, sizeof host - 1))
        snprintf(host, sizeof host, "unknown");
    if (file && *file)
        n = snprintf(path, room, "%s", file);
    else if (starpu && *starpu)
        n = snprintf(path, room, "%s/zoid-rates-%s.json", starpu, host);
    else if (cache && *cache)
        n = snprintf(path, room, "%s/zoid/rates-%s.json", cache, host);
    else if (home && *home)
        n = snprintf(path, room, "%s/.cache/zoid/rates-%s.json", home, host);
    return n > 0 && (size_t)n < room;
}

/* The numbers of the file, by their names; all are above zero. StarPU keeps those of the links. */
struct entry {
    const char *name;
    size_t at;
};

static const struct entry numbers[] = {
    {"memory_alone", offsetof(struct zoid_rates, memory_alone)},
    {"touch", offsetof(struct zoid_rates, touch)},
    {"task", offsetof(struct zoid_rates, task)},
    {"submit", offsetof(struct zoid_rates, submit)},
    {"gpu_task", offsetof(struct zoid_rates, gpu_task)},
    {"gpu_memory", offsetof(struct zoid_rates, gpu_memory)},
    {"disk_read", offsetof(struct zoid_rates, disk_read)},
    {"disk_write", offsetof(struct zoid_rates, disk_write)},
};

/* Of an operator; those that are not measured are left out. */
static const struct entry op_numbers[] = {
    {"tiled", offsetof(struct zoid_op_rates, tiled)},
    {"crowded", offsetof(struct zoid_op_rates, crowded)},
    {"visit", offsetof(struct zoid_op_rates, visit)},
    {"step", offsetof(struct zoid_op_rates, step)},
    {"gpu_single", offsetof(struct zoid_op_rates, gpu_step)},
    {"gpu_even", offsetof(struct zoid_op_rates, gpu_even)},
};

enum {
    NUMBERS = sizeof numbers / sizeof *numbers,
    OP_NUMBERS = sizeof op_numbers / sizeof *op_numbers
};

static double *number_in(void *object, const struct entry *entry)
{
    return (double *)((char *)object + entry->at);
}

static json_t *key_of(const struct zoid_machine *m)
{
    char host[65] = "";

    gethostname(host, sizeof host - 1);
    return json_pack("{s:s, s:s, s:s, s:s, s:i}", "zoid", zoid_version(), "host", host, "cpu",
                     m->cpu, "isa", zoid_isa_name(m->isa), "cores", m->cores);
}

/* NULL where memory is short or a rate is no number. */
static json_t *ops_object(const struct zoid_rates *rates)
{
    json_t *all = json_object();
    int lost = 0;

    for (size_t i = 0; i < rates->ops; i++) {
        json_t *one = json_object();

        for (int n = 0; n < OP_NUMBERS; n++) {
            double value = *number_in(&rates->op[i], &op_numbers[n]);

            if (value != 0)
                lost |= json_object_set_new(one, op_numbers[n].name, json_real(value));
        }
        lost |= json_object_set_new(all, rates->op[i].name, one);
    }
    if (!lost)
        return all;
    json_decref(all);
    return NULL;
}

enum zoid_status zoid_rates_write(const struct zoid_machine *machine,
                                  const struct zoid_rates *rates, FILE *out)
{
    json_t *o = json_object(), *costs = json_array();
    struct zoid_rates copy = *rates;
    int lost = 0;

    lost |= json_object_set_new(o, "machine", key_of(machine));
    lost |= json_object_set_new(o, "gpu", json_string(machine->gpu));
    lost |= json_object_set_new(o, "workers", json_integer(rates->workers));
    for (int n = 0; n < NUMBERS; n++)
        lost |= json_object_set_new(o, numbers[n].name, json_real(*number_in(&copy, &numbers[n])));
    lost |= json_object_set_new(o, "disk", json_string(rates->disk));
    for (int i = 0; i < rates->costs; i++)
        lost |= json_array_append_new(
            costs, json_pack("[f,f]", rates->cost[i].bytes, rates->cost[i].seconds));
    lost |= json_object_set_new(o, "cost", costs);
    lost |= json_object_set_new(o, "operators", ops_object(rates));
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

/* What is not in the file stays as it is. */
static bool read_number(const json_t *object, const struct entry *entry, void *into)
{
    const json_t *value = json_object_get(object, entry->name);
    double number = json_is_number(value) ? json_number_value(value) : 0;

    if (!value)
        return true;
    *number_in(into, entry) = number;
    return isfinite(number) && number > 0;
}

static bool read_costs(const json_t *object, struct zoid_rates *r)
{
    const json_t *costs = json_object_get(object, "cost");

    r->costs = (int)json_array_size(costs);
    if (r->costs < 2 || r->costs > ZOID_MAX_COSTS)
        return false;
    for (int i = 0; i < r->costs; i++) {
        const json_t *pair = json_array_get(costs, (size_t)i);

        r->cost[i].bytes = json_number_value(json_array_get(pair, 0));
        r->cost[i].seconds = json_number_value(json_array_get(pair, 1));
        if (!(r->cost[i].bytes > (i ? r->cost[i - 1].bytes : 0)) || !(r->cost[i].seconds > 0))
            return false;
    }
    return true;
}

static bool read_ops(json_t *object, struct zoid_rates *r)
{
    json_t *ops = json_object_get(object, "operators"), *one;
    const char *name;

    r->op = calloc(json_object_size(ops) + 1, sizeof *r->op);
    if (!json_is_object(ops) || !r->op)
        return false;
    json_object_foreach(ops, name, one)
    {
        struct zoid_op_rates *op = &r->op[r->ops++];

        snprintf(op->name, sizeof op->name, "%s", name);
        for (int n = 0; n < OP_NUMBERS; n++)
            if (!read_number(one, &op_numbers[n], op))
                return false;
    }
    return true;
}

static bool read_rates(json_t *object, struct zoid_rates *r)
{
    const char *disk = json_string_value(json_object_get(object, "disk"));

    r->calibrated = true;
    r->workers = (int)json_integer_value(json_object_get(object, "workers"));
    if (r->workers < 1 || !disk)
        return false;
    snprintf(r->disk, sizeof r->disk, "%s", disk);
    for (int n = 0; n < NUMBERS; n++)
        if (!read_number(object, &numbers[n], r))
            return false;
    return read_costs(object, r) && read_ops(object, r);
}

/* Whether the file is of this machine and this Zoid; `what` is the first thing that differs. Without a
 * GPU at work its rates may be of any. */
static bool is_of(json_t *object, const struct zoid_machine *m, char *what, size_t room)
{
    json_t *here = key_of(m), *there = json_object_get(object, "machine"), *value;
    const char *gpu = json_string_value(json_object_get(object, "gpu")), *name, *other = NULL;

    json_object_foreach(here, name,
                        value) if (!other && !json_equal(value, json_object_get(there, name)))
        other = name;
    if (!other && gpu && *gpu && *m->gpu && strcmp(gpu, m->gpu))
        other = "gpu";
    snprintf(what, room, "%s", other ? other : "");
    json_decref(here);
    return !other;
}

/* The defaults, and why. */
static void fall_back(const struct zoid_machine *m, struct zoid_rates *rates, const char *format,
                      ...)
{
    va_list list;

    zoid_rates_free(rates);
    zoid_rates_defaults(m, rates);
    va_start(list, format);
    vsnprintf(rates->note, sizeof rates->note, format, list);
    va_end(list);
}

static void load_object(json_t *object, const char *path, const struct zoid_machine *m,
                        struct zoid_rates *rates)
{
    char what[32];

    if (!json_is_object(json_object_get(object, "machine")))
        fall_back(m, rates,
                  "%.300s has no rates in it, defaults are used; run zoid-info --calibrate", path);
    else if (!is_of(object, m, what, sizeof what))
        fall_back(m, rates,
                  "the rates in %.300s are of another %s, defaults are used; run zoid-info "
                  "--calibrate",
                  path, what);
    else if (!read_rates(object, rates))
        fall_back(m, rates, "%.300s is broken, defaults are used; run zoid-info --calibrate", path);
}

void zoid_rates_load(const struct zoid_machine *machine, struct zoid_rates *rates)
{
    char path[1024];
    FILE *file = NULL;
    json_error_t error;
    json_t *object;

    zoid_rates_defaults(machine, rates);
    if (!zoid_rates_path(path, sizeof path))
        return;
    file = fopen(path, "r");
    if (!file) {
        if (errno != ENOENT && errno != ENOTDIR)
            fall_back(machine, rates,
                      "cannot read %.300s: %s; defaults are used; run zoid-info --calibrate", path,
                      strerror(errno));
        return;
    }
    object = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (object)
        load_object(object, path, machine, rates);
    else
        fall_back(machine, rates,
                  "%.300s is broken (line %d), defaults are used; run zoid-info --calibrate", path,
                  error.line);
    json_decref(object);
}

void zoid_rates_free(struct zoid_rates *rates)
{
    free(rates->op);
    rates->op = NULL;
    rates->ops = 0;
}
