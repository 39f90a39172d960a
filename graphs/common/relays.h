/* SPDX-License-Identifier: BSD-3-Clause */
/* Relays [pipelined wavefront messages]: if ranks share a domain with in-order stages, a cell's
 * lowest blocks read planes below the cell as they are at the same time. The cell below sends them
 * in relays, one or more for each pass of an epoch. */
#ifndef ZOID_GRAPHS_COMMON_RELAYS_H
#define ZOID_GRAPHS_COMMON_RELAYS_H

#include "graphs/common/passes.h"

/* Low and high face of a cell along its line, at a time of a pass; LONG_MIN and LONG_MAX at the
 * ends of the domain, which do not move. */
struct zoid_range zoid_relay_faces(const struct zoid_chain *chain, long cell, long pass, long time);
/* Datum of one part of the planes that a pass of a cell relays to the cell above. */
struct zoid_datum zoid_relay_datum(const struct zoid_chain *chain, long cell, long pass, int part);
/* True if a cell has another one above it. */
bool zoid_relay_above(const struct zoid_graph *graph, long cell);
/* True if a cell has another one below it. */
bool zoid_relay_below(long cell);
/* Number of relay rows in a graph's census. */
long zoid_relay_rows(const struct zoid_graph *graph);
/* Row of a relay among them. */
long zoid_relay_row(const struct zoid_graph *graph, const struct zoid_datum *relay);

/* Await the relays that the cell below sends in an epoch of this leg; no-op if there is no such
 * epoch. Returns 0 or the callback's non-zero value. */
int zoid_relays_await(const struct zoid_chain *chain, long cell, long epoch,
                      struct zoid_sink *sink);
/* Send the relays that a block completes. Returns 0 or the callback's non-zero value. */
int zoid_relays_send(const struct zoid_chain *chain, const struct zoid_block *block,
                     struct zoid_sink *sink);

#endif
