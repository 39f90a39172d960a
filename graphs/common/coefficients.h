/* SPDX-License-Identifier: BSD-3-Clause */
/* Coefficients that blocks of a chain read. Each datum of them is a *piece* [segment of planes]. */
#ifndef ZOID_GRAPHS_COMMON_COEFFICIENTS_H
#define ZOID_GRAPHS_COMMON_COEFFICIENTS_H

#include "graphs/common/passes.h"

/* The i-th piece and its planes; returns false if there is no such piece. */
bool zoid_chain_piece(const struct zoid_chain *chain, long i, struct zoid_datum *datum,
                      struct zoid_view *view);
/* Append to a block's accesses the pieces that its stages read, and to its prefetch list those that
 * the next block reads. */
void zoid_chain_coefficients(const struct zoid_chain *chain, struct zoid_block *block,
                             struct zoid_access *access, struct zoid_datum *fetch);
/* Add to a census the number of pieces, their height, and the maximum number that a block lists. */
void zoid_chain_coefficient_census(const struct zoid_chain *chain, struct zoid_census *census);

#endif
