/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of all cores at once, each in memory of its own.
 *
 * What slows a machine down for seconds would spoil all samples of a thing, were they taken one
 * after the other. So they are taken in rounds over all that is measured, and the median of a
 * thing's samples so far is what it takes. */
#ifndef ZOID_RUNTIME_CALIBRATE_ROUNDS_H
#define ZOID_RUNTIME_CALIBRATE_ROUNDS_H

#include "runtime/calibrate/calibrate.h"
#include "runtime/measure/team.h"

/* Bytes that a core goes over when it goes through memory, and of a large page. */
enum { ZOID_FAR = 64 << 20, ZOID_LARGE_PAGE = 2 << 20 };

enum { ZOID_ROUNDS = 5, ZOID_SERIES = ZOID_MAX_COSTS + ZOID_MAX_FEW };

/* The samples of what a round measures one after the other. */
struct zoid_series {
    double taken[ZOID_SERIES][ZOID_ROUNDS];
};

/* A core that takes a sample: how often it is to do its work, and what doing it once took. */
struct zoid_timing {
    long times;
    double seconds;
};

struct zoid_rounds {
    const struct zoid_machine *machine;
    int n;          /* cores */
    char **memory;  /* `room` bytes for each, in large pages as slabs are, */
    char **scratch; /* and as much, as scratch is; NULL for copying alone */
    size_t room;
    struct zoid_timing *timing; /* of each core */
    struct zoid_series *series; /* of the thing that is measured; one for each operator */
    int rounds, round;          /* how many, and which it is */
    int nth;                    /* of the series: what comes next */
};

/* Bytes of a core's own cache; a usual number where the machine does not say. */
size_t zoid_rounds_cache(const struct zoid_machine *machine);
/* For copying, or for so many operators. ZOID_RESOURCE: memory is short. To be closed after a
 * failure as well. */
enum zoid_status zoid_rounds_open(struct zoid_rounds *rounds,
                                  const struct zoid_calibration *calibration, size_t room,
                                  size_t ops);
void zoid_rounds_close(struct zoid_rounds *rounds);
/* Values in all of the memory that are like others, as they are when it is opened. */
enum zoid_status zoid_rounds_fill(struct zoid_rounds *rounds);
/* Seconds that `work` takes a core for once, while n cores do it: the median of this round's sample
 * and those before. The work does all timing[member].times times. */
enum zoid_status zoid_rounds_sample(struct zoid_rounds *rounds, int n, zoid_team_fn *work,
                                    void *arg, double *seconds);

#endif
