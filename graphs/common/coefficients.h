/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients that blocks of a chain look at. */
#ifndef ZOID_GRAPHS_COMMON_COEFFICIENTS_H
#define ZOID_GRAPHS_COMMON_COEFFICIENTS_H

#include "graphs/common/passes.h"

/* The i-th datum of coefficients and what it holds; false when there is no such datum. */
bool zoid_chain_piece(const struct zoid_chain *chain, long i, struct zoid_datum *datum,
                      struct zoid_view *view);
/* Adds to a block the coefficients that its stages look at, and those of the next one to fetch. */
void zoid_chain_coefficients(const struct zoid_chain *chain, struct zoid_block *block,
                             struct zoid_access *access, struct zoid_datum *fetch);
/* Adds to a census how many data of coefficients there are, how high, and how many a block lists.
 */
void zoid_chain_coefficient_census(const struct zoid_chain *chain, struct zoid_census *census);

#endif
