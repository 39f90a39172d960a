/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink that records everything, for oracles that look at a graph as a whole. */
#ifndef ZOID_TESTS_GRAPHS_RECORDER_H
#define ZOID_TESTS_GRAPHS_RECORDER_H

#include "graphs/graph.h"

struct recorder {
    struct zoid_sink sink;
    struct zoid_block *block; /* with their own copies of the lists */
    long blocks, room;
};

/* Records all blocks of a graph; freed by recorder_free. */
void recorder_fill(struct recorder *r, const struct zoid_graph *graph);
void recorder_free(struct recorder *r);
/* True if two blocks share a datum and at least one of them writes it. */
bool recorder_conflict(const struct zoid_block *a, const struct zoid_block *b);

#endif
