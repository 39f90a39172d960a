/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs for the tests of graphs/: random ones, and what they are in words. */
#ifndef ZOID_TESTS_GRAPHS_CASES_H
#define ZOID_TESTS_GRAPHS_CASES_H

#include <stdint.h>

#include "graphs/graph.h"

/* lo <= value <= hi; every call moves the seed on. */
long case_between(uint64_t *seed, long lo, long hi);
/* Steps that a random graph starts after; half of them start at time 0. */
long case_start(uint64_t *seed);

/* A shape of 1 to 3 dimensions, up to 40 planes and 3 stages, each stage with reaches of its own,
 * now and then beyond the domain, and faces of all kinds. */
struct zoid_shape case_shape(uint64_t *seed);
/* Parameters as a user might give them; zoid_graph_init has not seen them. Where the method can,
 * stages take points in order at times. */
struct zoid_graph case_graph(uint64_t *seed, const struct zoid_method *method);
/* Cuts it into cells along one axis or several, if that can be: along those of planes at times more
 * than there are points, or so narrow that blocks look beyond a neighbour; with epochs of several
 * passes, with borders at multiples of a grain, and with borders anywhere that move, in a table
 * that is valid until the next call. */
void case_cut(uint64_t *seed, struct zoid_graph *graph);
/* Deals cells to several ranks, where there can be any: up to three along each axis with one cell
 * or two each. The graph is that of all ranks. Cells are wide enough for an epoch, at times just
 * so. Borders may be in a table that is valid until the next call. */
void case_deal(uint64_t *seed, struct zoid_graph *graph);
/* A graph on a line: one stage, one plane of reach on each side. */
struct zoid_graph case_line(const struct zoid_method *method, long n, long block, long depth,
                            long steps);

/* How many methods there are. */
int case_methods(void);

/* All parameters on one line, valid until the next call. */
const char *case_words(const struct zoid_graph *graph);

/* Whether the method may compute points more than once for this graph. */
bool case_redundant(const struct zoid_graph *graph);
/* NULL when the graph is proved, else the reason, valid until the next call. */
const char *case_disproof(const struct zoid_graph *graph);

#endif
