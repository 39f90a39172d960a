/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink that keeps everything, for oracles that look at a graph as a whole. */
#ifndef ZOID_TESTS_GRAPHS_RECORDER_H
#define ZOID_TESTS_GRAPHS_RECORDER_H

#include "graphs/graph.h"

struct recorder {
    struct zoid_sink sink;
    struct zoid_block *block; /* each with lists of its own */
    long blocks, room;
};

/* All blocks of a graph. */
void recorder_fill(struct recorder *r, const struct zoid_graph *graph);
void recorder_free(struct recorder *r);
/* Whether two blocks share a datum that one of them writes. */
bool recorder_conflict(const struct zoid_block *a, const struct zoid_block *b);

#endif
