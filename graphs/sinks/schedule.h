/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_GRAPHS_SINKS_SCHEDULE_H
#define ZOID_GRAPHS_SINKS_SCHEDULE_H

#include "graphs/graph.h"

/* Predicted time on several workers; see graphs/sinks/schedule.c. */
struct zoid_schedule {
    double seconds;  /* from the first block's start to the last one's end */
    double work;     /* of all blocks, one after the other */
    double up, down; /* of all transfers to the memory apart, and back */
};
/* Ways of the data of a rank, in seconds. */
struct zoid_schedule_ways {
    double (*bytes)(const void *of, const struct zoid_datum *datum);
    const void *of;
    /* Blocks run in a memory apart, with links of so many seconds a byte and a datum, and `room`
     * bytes for data of kinds that it does not keep, of which each takes a multiple of `grain`
     * bytes (0: its own). */
    bool near, kept[ZOID_KINDS];
    double up, down, datum, room, grain;
    double turn; /* from the moment when a block might run to that when its messages are fetched */
    /* Of a message between ranks, and of a byte: an end of it in the thread, and its way. */
    double message, copy, way, wire;
    bool steals; /* the thread takes its seconds from a worker */
};
struct zoid_schedule_options {
    int workers;
    long most; /* maximum number of blocks in flight: submitted and not ended */
    double (*seconds)(const void *of, const struct zoid_block *block);
    const void *of;
    /* NULL: data are where blocks run, and messages in time. Else the graph is that of a rank, with
     * one memory apart at most. */
    const struct zoid_schedule_ways *ways;
};
/* Schedule a graph, or one rank's own stream. Returns 0, ZOID_GRAPH_NO_MEMORY, a positive value if
 * the census does not fit, or ZOID_SCHEDULE_STUCK if blocks wait for one another. */
enum { ZOID_SCHEDULE_STUCK = 1000 };
int zoid_schedule_graph(const struct zoid_graph *graph, const struct zoid_schedule_options *options,
                        struct zoid_schedule *schedule);

#endif
