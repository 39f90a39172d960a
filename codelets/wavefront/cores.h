/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles on cores: `resident` tiles of a wavefront at a time, each by `threads` threads. */
#ifndef ZOID_CODELETS_WAVEFRONT_CORES_H
#define ZOID_CODELETS_WAVEFRONT_CORES_H

#include "codelets/threads/team.h"
#include "codelets/wavefront/wavefront.h"

struct zoid_wavefront_run {
    const struct zoid_wavefront *w;
    const struct zoid_wavefront_list *list;
    enum zoid_type type; /* ZOID_F32 or ZOID_F64 */
    double omega;
    int threads[ZOID_AXES]; /* along q_m, q_(m - 1), ...; on cores all along q_2 */
    int resident;           /* tiles at a time, on a GPU of each multiprocessor */
    long repeat;            /* times that the list is gone through; one is the loop nest */
};

/* Run tiles on the values of the domain, x fastest, without padding. The team has threads times
 * resident members (NULL: one). */
void zoid_wavefront_on_cores(const struct zoid_wavefront_run *run, void *values,
                             struct zoid_team *team);
/* Have the team go through `repeat` barriers: of all members, or of those of each tile. */
void zoid_wavefront_barriers(struct zoid_team *team, int threads, bool all, long repeat);

#endif
