/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients that blocks of a chain read, and memory that they update. Each datum of them is a
 * *piece* [segment of planes] that does not move. */
#ifndef ZOID_GRAPHS_COMMON_PIECES_H
#define ZOID_GRAPHS_COMMON_PIECES_H

#include "graphs/common/passes.h"

/* The i-th piece of a kind and its planes; returns false if there is no such piece. */
bool zoid_chain_piece(const struct zoid_chain *chain, enum zoid_kind kind, long i,
                      struct zoid_datum *datum, struct zoid_view *view);
/* Append to a block's accesses the pieces that its stages read or update, and to its prefetch list
 * those that the next block does. */
void zoid_chain_pieces(const struct zoid_chain *chain, struct zoid_block *block,
                       struct zoid_access *access, struct zoid_datum *fetch);
/* Add to a census the number of pieces, their height, and the maximum number that a block lists. */
void zoid_chain_pieces_census(const struct zoid_chain *chain, struct zoid_census *census);

#endif
