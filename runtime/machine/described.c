/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for dladdr */
#include "runtime/machine/described.h"

#include <dlfcn.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096 };

/* ---- the folder ------------------------------------------------------------------------------ */

static bool is_machine(const char *folder)
{
    char path[ROOM];
    const int n = snprintf(path, sizeof path, "%s/machine.json", folder);

    return n < ROOM && !access(path, F_OK);
}

/* Looks in the library's folder and in some above it: PREFIX/lib/MACHINE/zoid is deeper than the
 * folder of a build. */
static bool find_above(const char *name, char folder[ROOM])
{
    enum { UP = 5 };
    static const char here;
    char file[PATH_MAX];
    Dl_info of;

    if (!dladdr(&here, &of) || !realpath(of.dli_fname, file))
        return false;
    for (int i = 0; i < UP; i++) {
        char *slash = strrchr(file, '/');

        if (!slash)
            return false;
        *slash = 0;
        if (snprintf(folder, ROOM, "%s/share/zoid/machines/%s", file, name) < ROOM &&
            is_machine(folder))
            return true;
    }
    return false;
}

static bool find(const char *name, char folder[ROOM])
{
    const char *own = getenv("ZOID_MACHINES");

    if (strchr(name, '/'))
        return snprintf(folder, ROOM, "%s", name) < ROOM && is_machine(folder);
    if (own && *own && snprintf(folder, ROOM, "%s/%s", own, name) < ROOM && is_machine(folder))
        return true;
    return *name && find_above(name, folder);
}

/* The last part of a path, without slashes at its end. */
static void name_of(const char *folder, char *name, size_t room)
{
    size_t end = strlen(folder), from;

    while (end > 1 && folder[end - 1] == '/')
        end--;
    for (from = end; from && folder[from - 1] != '/'; from--)
        ;
    snprintf(name, room, "%.*s", (int)(end - from), folder + from);
}

/* ---- machine.json ---------------------------------------------------------------------------- */

/* A value by its key, as in workers.cpu; NULL: the file has no such key. */
static const json_t *value_of(const json_t *all, const char *key)
{
    const char *dot = strchr(key, '.');
    char group[16];

    if (!dot)
        return json_object_get(all, key);
    snprintf(group, sizeof group, "%.*s", (int)(dot - key), key);
    return json_object_get(json_object_get(all, group), dot + 1);
}

/* A number of the file; 0 if it is missing, negative or no number. */
static json_int_t number(const json_t *all, const char *key)
{
    const json_int_t n = json_integer_value(value_of(all, key));

    return n > 0 ? n : 0;
}

static int small(const json_t *all, const char *key)
{
    enum { MOST = 1 << 20 };
    const json_int_t n = number(all, key);

    return n < MOST ? (int)n : MOST;
}

static void text(const json_t *all, const char *key, char *into, size_t room)
{
    const char *value = json_string_value(value_of(all, key));

    snprintf(into, room, "%s", value ? value : "");
}

static bool find_isa(const json_t *all, enum zoid_isa *isa)
{
    char name[32];

    text(all, "isa", name, sizeof name);
    for (int i = 0; i < ZOID_ISAS; i++)
        if (!strcmp(name, zoid_isa_name((enum zoid_isa)i))) {
            *isa = (enum zoid_isa)i;
            return true;
        }
    return false;
}

/* Returns the first key that is missing or broken, or NULL. */
static const char *read_object(const json_t *all, struct zoid_machine *m)
{
    static const char *const cache[ZOID_MAX_CACHES][2] = {
        {"cache.l1", "l1"}, {"cache.l2", "l2"}, {"cache.l3", "l3"}, {"cache.l4", "l4"}};

    *m = (struct zoid_machine){.cores = small(all, "cores"),
                               .packages = small(all, "packages"),
                               .numa_nodes = small(all, "numa_nodes"),
                               .ram = (uint64_t)number(all, "ram"),
                               .ram_available = (uint64_t)number(all, "ram_available"),
                               .ranks = 1,
                               .cpu_workers = small(all, "workers.cpu"),
                               .cuda_workers = small(all, "workers.cuda"),
                               .gpu_processors = small(all, "gpu_processors"),
                               .gpu_shared = (uint64_t)number(all, "gpu_shared"),
                               .gpu_mem = (uint64_t)number(all, "gpu_mem"),
                               .starpu = ""};
    text(all, "cpu", m->cpu, sizeof m->cpu);
    text(all, "gpu", m->gpu, sizeof m->gpu);
    for (int i = 0; i < ZOID_MAX_CACHES; i++) {
        const json_t *one = value_of(all, cache[i][0]);

        m->cache[i] = (uint64_t)number(one, "bytes");
        m->cache_sharers[i] = small(one, "cores");
        if (m->cache[i] && !m->cache_sharers[i])
            return "cache.*.cores";
    }
    if (!*m->cpu)
        return "cpu";
    if (!find_isa(all, &m->isa))
        return "isa";
    if (!m->cores)
        return "cores";
    if (!m->ram_available)
        return "ram_available";
    if (!m->cpu_workers && !m->cuda_workers)
        return "workers";
    if (m->cuda_workers && !*m->gpu)
        return "gpu";
    if (m->cuda_workers && !m->gpu_mem)
        return "gpu_mem";
    return NULL;
}

static enum zoid_status read_machine(const char *path, struct zoid_machine *machine)
{
    json_error_t error;
    json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    const char *key = all ? read_object(all, machine) : NULL;

    json_decref(all);
    if (!all)
        return zoid_fail(ZOID_RESOURCE, "%.300s is broken (line %d): %s", path, error.line,
                         error.text);
    if (key)
        return zoid_fail(ZOID_RESOURCE,
                         "%.300s has no '%s' that a plan could use; zoid-info {json} prints all "
                         "that it needs",
                         path, key);
    return ZOID_OK;
}

/* ---- the others ------------------------------------------------------------------------------ */

static enum zoid_status read_origin(const char *path, char *origin, size_t room)
{
    FILE *f = fopen(path, "r");
    const bool read = f && fgets(origin, (int)room, f);

    if (f)
        fclose(f);
    if (!read)
        return zoid_fail(ZOID_RESOURCE,
                         "%.300s says nothing of where the machine's numbers are from; write a "
                         "line of it",
                         path);
    origin[strcspn(origin, "\n")] = 0;
    return ZOID_OK;
}

enum zoid_status zoid_described_read(const char *name, struct zoid_described *d)
{
    char folder[ROOM], path[ROOM + 32];
    enum zoid_status status;

    *d = (struct zoid_described){.rates = {.ops = 0}};
    if (!find(name, folder))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "no machine is called '%s'; name one of share/zoid/machines or of "
                         "ZOID_MACHINES, or a folder, as in {machine=./%s}",
                         name, name);
    name_of(folder, d->name, sizeof d->name);
    snprintf(path, sizeof path, "%s/machine.json", folder);
    status = read_machine(path, &d->machine);
    snprintf(path, sizeof path, "%s/origin.txt", folder);
    if (!status)
        status = read_origin(path, d->origin, sizeof d->origin);
    snprintf(path, sizeof path, "%s/rates.json", folder);
    return status ? status : zoid_rates_read(path, &d->machine, &d->rates);
}
