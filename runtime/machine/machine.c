/* SPDX-License-Identifier: BSD-3-Clause */
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/config.h"
#include "runtime/machine/capabilities.h"
#include "runtime/machine/free_ram.h"
#include "runtime/machine/topology.h"
#include "runtime/zoid_advanced.h"

/* Returns the number after `key` in a file of the kernel; 0 if it is missing. */
static uint64_t kernel_number(const char *path, const char *key)
{
    FILE *f = fopen(path, "r");
    unsigned long long value = 0;
    char line[128];

    while (f && !value && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)))
            sscanf(line + strlen(key), " %llu", &value);
    if (f)
        fclose(f);
    return value;
}

/* A control group may allow less than there is. */
uint64_t zoid_machine_free_ram(void)
{
    uint64_t available = kernel_number("/proc/meminfo", "MemAvailable:") * 1024;
    uint64_t limit = kernel_number("/sys/fs/cgroup/memory.max", "");
    uint64_t used = kernel_number("/sys/fs/cgroup/memory.current", "");
    uint64_t left = limit - (used < limit ? used : limit);

    if (!available)
        available = kernel_number("/proc/meminfo", "MemTotal:") * 1024;
    return limit && left < available ? left : available;
}

/* hwloc reports the current size of the memory nodes, which on machines with memory hotplug is less
 * than they will have. */
static void probe_memory(uint64_t nodes, struct zoid_machine *m)
{
    uint64_t total = kernel_number("/proc/meminfo", "MemTotal:") * 1024;
    uint64_t available = kernel_number("/proc/meminfo", "MemAvailable:") * 1024;
    uint64_t free = zoid_machine_free_ram();

    m->ram = total > nodes ? total : nodes;
    m->ram = available > m->ram ? available : m->ram;
    m->ram_available = free ? free : m->ram;
}

static void probe_caches(hwloc_topology_t topology, struct zoid_machine *m)
{
    static const hwloc_obj_type_t level[ZOID_MAX_CACHES] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                                            HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE};

    for (int i = 0; i < ZOID_MAX_CACHES; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, level[i], 0);

        if (!cache)
            continue;
        m->cache[i] = cache->attr->cache.size;
        m->cache_sharers[i] =
            hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
    }
}

static void probe_topology(hwloc_topology_t topology, struct zoid_machine *m)
{
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;

    snprintf(m->cpu, sizeof m->cpu, "%s", model ? model : "unknown");
    m->cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
    m->packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
    m->numa_nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    probe_memory(root->total_memory, m);
    probe_caches(topology, m);
}

static const char *starpu_version(void)
{
    static char text[32];
    int major, minor, release;

    starpu_get_version(&major, &minor, &release);
    snprintf(text, sizeof text, "%d.%d.%d", major, minor, release);
    return text;
}

enum zoid_status zoid_machine_probe(struct zoid_machine *machine)
{
    struct zoid_machine m = {.isa = zoid_isa_best(),
                             .ranks = 1,
                             .starpu = starpu_version(),
                             .starpu_fxt = ZOID_STARPU_FXT,
                             .starpu_cuda = ZOID_STARPU_CUDA,
                             .starpu_mpi = ZOID_STARPU_MPI,
                             .build_cuda = ZOID_HAVE_CUDA,
                             .build_mpi = ZOID_HAVE_MPI};
    const char *isa = getenv("ZOID_ISA");
    hwloc_topology_t topology;

    if (isa && !zoid_isa_find(isa, &m.isa))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "ZOID_ISA=%s is no instruction set that this processor "
                         "and build have; the best is %s",
                         isa, zoid_isa_name(m.isa));
    if (zoid_topology_load(false, &topology))
        return ZOID_RESOURCE;
    probe_topology(topology, &m);
    hwloc_topology_destroy(topology);
    *machine = m;
    return ZOID_OK;
}
