/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_GRAPHS_SINKS_MOVES_H
#define ZOID_GRAPHS_SINKS_MOVES_H

#include "graphs/graph.h"

/* Memory traffic in bytes if every datum is brought in once a visit; see graphs/sinks/moves.c. */
struct zoid_moves {
    double up, down;         /* from main memory to the near memories, and back */
    double peer;             /* from one near memory to another */
    double far_up, far_down; /* from beyond main memory to main memory, and back */
};
/* Memories: where blocks run, and where data are at home. */
struct zoid_moves_options {
    int memories; /* near ones (GPUs), sharing the lanes evenly; 0: blocks run in main memory */
    bool kept[ZOID_KINDS]; /* kinds all of whose data fit where blocks run */
    bool far[ZOID_KINDS];  /* kinds at home beyond main memory */
    bool settled;          /* kept constants are there already, read by an earlier leg */
    long end; /* step, counted from time 0, at whose end a sink ended the graph; 0: none did */
    double (*bytes)(const void *of, const struct zoid_datum *datum);
    const void *of;
};
enum { ZOID_MOVES_MEMORIES = 64 };
/* Replay a graph, or one rank's own stream, and sum its traffic. Returns non-zero on failure, also
 * if a block reads a datum that is in no memory, which graphs/residence.h must prevent. */
int zoid_moves_graph(const struct zoid_graph *graph, const struct zoid_moves_options *options,
                     struct zoid_moves *moves);

#endif
