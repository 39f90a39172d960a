/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_GRAPHS_SINKS_SCHEDULE_H
#define ZOID_GRAPHS_SINKS_SCHEDULE_H

#include "graphs/graph.h"

/* Predicted time on several workers; see graphs/sinks/schedule.c. */
struct zoid_schedule {
    double seconds; /* from the first block's start to the last one's end */
    double work;    /* of all blocks, one after the other */
};
struct zoid_schedule_options {
    int workers;
    long most; /* maximum number of blocks in flight: submitted and not ended */
    double (*seconds)(const void *of, const struct zoid_block *block);
    const void *of;
};
/* Schedule a graph, or one rank's own stream, whose messages are assumed to be in time. Returns 0,
 * ZOID_GRAPH_NO_MEMORY, or a positive value if the census does not fit. */
int zoid_schedule_graph(const struct zoid_graph *graph, const struct zoid_schedule_options *options,
                        struct zoid_schedule *schedule);

#endif
