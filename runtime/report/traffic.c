/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/traffic.h"

#include <starpu.h>

/* Reading a link's counter also resets it. */
static double moved(int link)
{
    struct starpu_profiling_bus_info info = {.transferred_bytes = 0};

    starpu_bus_get_profiling_info(link, &info);
    return (double)info.transferred_bytes;
}

void zoid_traffic_start(bool several)
{
    starpu_profiling_status_set(several ? STARPU_PROFILING_ENABLE : STARPU_PROFILING_DISABLE);
    for (int link = 0; link < starpu_bus_get_count(); link++)
        moved(link);
}

static double *counter(struct zoid_traffic *t, enum starpu_node_kind from, enum starpu_node_kind to)
{
    if (from == STARPU_DISK_RAM)
        return &t->disk_read;
    if (to == STARPU_DISK_RAM)
        return &t->disk_write;
    if (from == STARPU_CPU_RAM)
        return &t->h2d;
    return to == STARPU_CPU_RAM ? &t->d2h : &t->p2p;
}

struct zoid_traffic zoid_traffic_read(void)
{
    struct zoid_traffic sums = {.h2d = 0};

    for (int link = 0; link < starpu_bus_get_count(); link++) {
        enum starpu_node_kind from = starpu_node_get_kind((unsigned)starpu_bus_get_src(link));
        enum starpu_node_kind to = starpu_node_get_kind((unsigned)starpu_bus_get_dst(link));

        *counter(&sums, from, to) += moved(link);
    }
    return sums;
}
