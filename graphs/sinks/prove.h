/* SPDX-License-Identifier: BSD-3-Clause */
/* Prover of several legs. */
#ifndef ZOID_GRAPHS_SINKS_PROVE_H
#define ZOID_GRAPHS_SINKS_PROVE_H

#include "graphs/graph.h"

/* Judge the leg that was emitted, and expect the emission of `leg` next. Returns non-zero if the
 * legs so far are not proved or `leg` cannot follow; zoid_prove_verdict then says why. */
int zoid_prove_next(struct zoid_prove *prove, const struct zoid_graph *leg);

#endif
