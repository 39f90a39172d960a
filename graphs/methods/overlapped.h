/* SPDX-License-Identifier: BSD-3-Clause */
/* Builder of overlapped [ghost-zone] tiling, for methods that are special cases of it. */
#ifndef ZOID_GRAPHS_METHODS_OVERLAPPED_H
#define ZOID_GRAPHS_METHODS_OVERLAPPED_H

#include "graphs/graph.h"

long zoid_overlapped_min_block(const struct zoid_shape *shape);
/* As zoid_method.refuses, for passes of one step. */
const char *zoid_overlapped_refuses(const struct zoid_shape *shape);
void zoid_overlapped_census(const struct zoid_graph *graph, struct zoid_census *census);
int zoid_overlapped_emit(const struct zoid_graph *graph, struct zoid_sink *sink);

#endif
