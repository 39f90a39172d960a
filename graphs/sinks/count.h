/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of several legs. */
#ifndef ZOID_GRAPHS_SINKS_COUNT_H
#define ZOID_GRAPHS_SINKS_COUNT_H

#include "graphs/graph.h"

/* Count a run of legs, as zoid_count_graph, each of which zoid_graph_follow has set up. */
int zoid_count_legs(const struct zoid_graph *leg, long legs, struct zoid_count *count);

#endif
