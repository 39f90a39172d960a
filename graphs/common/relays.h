/* SPDX-License-Identifier: BSD-3-Clause */
/* Relays: where ranks share a domain whose stages take points in order, a cell's lowest blocks read
 * planes below the cell as they are at the same time. The cell below leaves them in relays, some
 * for each pass of an epoch. */
#ifndef ZOID_GRAPHS_COMMON_RELAYS_H
#define ZOID_GRAPHS_COMMON_RELAYS_H

#include "graphs/common/passes.h"

/* Where a cell begins and ends along its line at a time of a pass; LONG_MIN and LONG_MAX where the
 * domain does, whose ends do not move. */
struct zoid_range zoid_relay_faces(const struct zoid_chain *chain, long cell, long pass, long time);
/* A part of what a pass of a cell relays to the cell above it. */
struct zoid_datum zoid_relay_datum(const struct zoid_chain *chain, long cell, long pass, int part);
/* Whether a cell has another above it, or below it. */
bool zoid_relay_above(const struct zoid_graph *graph, long cell);
bool zoid_relay_below(long cell);
/* Rows of relays in a graph's census, and which of them a datum has. */
long zoid_relay_rows(const struct zoid_graph *graph);
long zoid_relay_row(const struct zoid_graph *graph, const struct zoid_datum *relay);

/* Awaits what the cell below relays in an epoch of this leg, if there is such an epoch, and sends
 * what is complete with a block. */
int zoid_relays_await(const struct zoid_chain *chain, long cell, long epoch,
                      struct zoid_sink *sink);
int zoid_relays_send(const struct zoid_chain *chain, const struct zoid_block *block,
                     struct zoid_sink *sink);

#endif
