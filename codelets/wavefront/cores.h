/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles on cores: `resident` tiles of a wavefront at a time, each by `threads` threads. */
#ifndef ZOID_CODELETS_WAVEFRONT_CORES_H
#define ZOID_CODELETS_WAVEFRONT_CORES_H

#include "codelets/threads/team.h"
#include "codelets/wavefront/wavefront.h"

/* Run tiles on the values of the domain, x fastest, without padding. The team has threads times
 * resident members (NULL: one). */
void zoid_wavefront_on_cores(const struct zoid_wavefront_run *run, void *values,
                             struct zoid_team *team);
/* Have the team go through `repeat` barriers: of all members, or of those of each tile. */
void zoid_wavefront_barriers(struct zoid_team *team, int threads, bool all, long repeat);

#endif
