/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs for the tests of graphs/: random ones, and their description as text. */
#ifndef ZOID_TESTS_GRAPHS_CASES_H
#define ZOID_TESTS_GRAPHS_CASES_H

#include <stdint.h>

#include "graphs/graph.h"

/* Random integer in [lo, hi]; advances *seed. */
long case_between(uint64_t *seed, long lo, long hi);
/* Steps done before a random graph starts; 0 for half of them. */
long case_start(uint64_t *seed);

/* A shape of 1 to 3 dimensions, up to 40 planes and 3 stages, each stage with its own reach,
 * sometimes larger than the domain, and with faces of all kinds. */
struct zoid_shape case_shape(uint64_t *seed);
/* Random parameters as a user might give them, before zoid_graph_init. If the method can, some
 * graphs have ordered stages. */
struct zoid_graph case_graph(uint64_t *seed, const struct zoid_method *method);
/* Cuts the graph into cells along one axis or several, if possible: along plane axes sometimes into
 * more cells than points, or into cells so narrow that halos reach beyond a neighbour; with epochs
 * of several passes, with borders at multiples of a grain, and with arbitrary moving borders in a
 * table that is valid until the next call. */
void case_cut(uint64_t *seed, struct zoid_graph *graph);
/* Deals cells to several ranks, if there can be several: up to three along each axis, with one or
 * two cells each. The graph is that of all ranks. Cells are wide enough for an epoch, sometimes
 * just so. Borders may be in a table that is valid until the next call. */
void case_deal(uint64_t *seed, struct zoid_graph *graph);
/* A 1-D graph: one stage, reach 1 on each side. */
struct zoid_graph case_line(const struct zoid_method *method, long n, long block, long depth,
                            long steps);

/* Number of methods. */
int case_methods(void);

/* All parameters on one line; the string is valid until the next call. */
const char *case_words(const struct zoid_graph *graph);

/* True if the method may compute points redundantly for this graph. */
bool case_redundant(const struct zoid_graph *graph);
/* NULL if the prover accepts the graph, else the reason; the string is valid until the next
 * call. */
const char *case_disproof(const struct zoid_graph *graph);

#endif
