/* SPDX-License-Identifier: BSD-3-Clause */
/* Prover of several legs. */
#ifndef ZOID_GRAPHS_SINKS_PROVE_H
#define ZOID_GRAPHS_SINKS_PROVE_H

#include "graphs/leg.h"

/* Judge the leg that was emitted, and expect the emission of `leg` next. Returns non-zero if the
 * legs so far are not proved or `leg` cannot follow; zoid_prove_verdict then says why. */
int zoid_prove_next(struct zoid_prove *prove, const struct zoid_graph *leg);
/* Same for a first leg that starts where the one that was emitted has ended, with another border
 * along the chain axis; of one rank. Slabs and coefficients keep what they hold, and planes of
 * `gain` are copied into them; together these must be what the leg loads. */
int zoid_prove_moved(struct zoid_prove *prove, const struct zoid_graph *leg,
                     const struct zoid_gain *gain);

#endif
