/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/core.h"

#include "codelets/block/layout.h"

struct zoid_cpu zoid_machine_core(const struct zoid_machine *m)
{
    const int sharers = m->cache_sharers[0] > 1 ? m->cache_sharers[0] : 1;
    struct zoid_cpu cpu = {.isa = m->isa,
                           .ways = zoid_layout_ways((size_t)m->cache[0] / (size_t)sharers)};

    for (int i = 0; i < ZOID_MAX_CACHES; i++) {
        if (m->cache[i] && (i < 2 || m->cache_sharers[i] == 1))
            cpu.cache = (size_t)m->cache[i] / (size_t)m->cache_sharers[i];
        if (m->cache[i] && m->cache_sharers[i] > 1)
            cpu.share = (size_t)m->cache[i] / (size_t)m->cache_sharers[i];
    }
    return cpu;
}

int zoid_machine_team(const struct zoid_machine *m)
{
    int team = m->numa_nodes > 1 ? m->cores / m->numa_nodes : m->cores;

    for (int i = 0; i < ZOID_MAX_CACHES; i++)
        if (m->cache[i] && (i + 1 == ZOID_MAX_CACHES || !m->cache[i + 1]) &&
            m->cache_sharers[i] < team)
            team = m->cache_sharers[i];
    return team > 1 ? team : 1;
}
