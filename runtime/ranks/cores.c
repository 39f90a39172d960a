/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/cores.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/ranks/launcher.h"

/* ---- counting ----------------------------------------------------------------------------- */

/* Some machines report no cores. */
static hwloc_obj_type_t core_type(hwloc_topology_t t)
{
    return hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* Next core after `core`, or the first if that is NULL, of which the set has a part. */
static hwloc_obj_t next_core(hwloc_topology_t t, hwloc_const_bitmap_t set, hwloc_obj_t core)
{
    do
        core = hwloc_get_next_obj_by_type(t, core_type(t), core);
    while (core && !hwloc_bitmap_intersects(core->cpuset, set));
    return core;
}

int zoid_cores_count(hwloc_topology_t t, hwloc_const_bitmap_t set)
{
    int n = 0;

    for (hwloc_obj_t core = next_core(t, set, NULL); core; core = next_core(t, set, core))
        n++;
    return n;
}

int zoid_cores_first(hwloc_topology_t t, hwloc_const_bitmap_t set)
{
    hwloc_obj_t core = next_core(t, set, NULL);

    return core ? (int)core->logical_index : INT_MAX;
}

void zoid_cores_pick(hwloc_topology_t t, hwloc_const_bitmap_t set, int i, int n,
                     hwloc_bitmap_t picked)
{
    hwloc_obj_t core = next_core(t, set, NULL);

    hwloc_bitmap_zero(picked);
    for (int at = 0; core && at < i + n; at++, core = next_core(t, set, core))
        if (at >= i)
            hwloc_bitmap_or(picked, picked, core->cpuset);
    hwloc_bitmap_and(picked, picked, set);
}

/* ---- allowed processors ------------------------------------------------------------------- */

/* Parent of a process, and the name of the process itself; 0: unknown. */
static pid_t parent_of(pid_t process, char name[64])
{
    char path[64], line[512];
    FILE *f;
    size_t n;
    char *open, *close;
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    f = fopen(path, "r");
    if (!f)
        return 0;
    n = fread(line, 1, sizeof line - 1, f);
    fclose(f);
    line[n] = 0;
    open = strchr(line, '(');
    close = strrchr(line, ')');
    if (!open || !close || sscanf(close + 1, " %*c %d", &parent) != 1)
        return 0;
    *close = 0;
    snprintf(name, 64, "%s", open + 1);
    return parent;
}

static bool launches(const char *name)
{
    static const char *const names[] = {"mpirun", "mpiexec", "orterun",
                                        "orted",  "prted",   "prterun"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

/* Launcher's process on this host, some generations up; 0: not visible. */
static pid_t find_launcher(void)
{
    pid_t process = getppid();
    char name[64];

    while (process > 1) {
        pid_t parent = parent_of(process, name);

        if (parent && launches(name))
            return process;
        process = parent;
    }
    return 0;
}

hwloc_bitmap_t zoid_cores_allowed(hwloc_topology_t t)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_const_bitmap_t all = hwloc_topology_get_allowed_cpuset(t);
    int error;

    if (!set)
        return NULL;
    if (zoid_launcher_bound_by_default()) {
        pid_t launcher = find_launcher();

        error = !launcher || hwloc_get_proc_cpubind(t, launcher, set, 0);
    } else {
        error = hwloc_get_cpubind(t, set, HWLOC_CPUBIND_PROCESS);
    }
    if (error || !hwloc_bitmap_intersects(set, all))
        hwloc_bitmap_copy(set, all);
    hwloc_bitmap_and(set, set, all);
    return set;
}

/* ---- control groups ----------------------------------------------------------------------- */

/* Limit of one group: its time per period, in cores. */
static int quota_of(const char *root, const char *group)
{
    char path[4096];
    long long time, period;
    int cores = INT_MAX;
    FILE *f;

    snprintf(path, sizeof path, "%s%s/cpu.max", root, group);
    f = fopen(path, "r");
    if (!f)
        return cores;
    if (fscanf(f, "%lld %lld", &time, &period) == 2 && period > 0)
        cores = time < period ? 1 : (int)(time / period);
    fclose(f);
    return cores;
}

int zoid_cores_quota(const char *root, const char *group)
{
    char name[2048];
    int least = INT_MAX;

    snprintf(name, sizeof name, "%s", strcmp(group, "/") ? group : "");
    for (;;) {
        int cores = quota_of(root, name);
        char *slash = strrchr(name, '/');

        least = cores < least ? cores : least;
        if (!slash)
            return least;
        *slash = 0;
    }
}

int zoid_cores_quota_here(void)
{
    char line[2048], group[2048] = "/";
    FILE *f = fopen("/proc/self/cgroup", "r");

    while (f && fgets(line, sizeof line, f))
        sscanf(line, "0::%2047[^\n]", group);
    if (f)
        fclose(f);
    return zoid_cores_quota("/sys/fs/cgroup", group);
}

bool zoid_cores_unbound(void)
{
    const char *free = getenv("STARPU_WORKERS_NOBIND");

    return free && atoi(free) > 0;
}
