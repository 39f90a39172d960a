/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples on all cores at once, each in memory of its own.
 *
 * A disturbance of some seconds would spoil all samples of one series, were they taken in a row. So
 * samples are taken in rounds over all series, and each result is the median of a series' samples
 * so far. */
#ifndef ZOID_RUNTIME_CALIBRATE_ROUNDS_H
#define ZOID_RUNTIME_CALIBRATE_ROUNDS_H

#include "runtime/calibrate/calibrate.h"
#include "runtime/measure/team.h"

/* ZOID_FAR: bytes per core that exceed the caches. ZOID_LARGE_PAGE: bytes of a large page. */
enum { ZOID_FAR = 64 << 20, ZOID_LARGE_PAGE = 2 << 20 };

enum { ZOID_ROUNDS = 5, ZOID_SERIES = ZOID_MAX_COSTS + ZOID_MAX_FEW };

/* Samples of the measurements of a round, in order. */
struct zoid_series {
    double taken[ZOID_SERIES][ZOID_ROUNDS];
};

/* Sample of a core: repetitions of the work, and seconds of one. */
struct zoid_timing {
    long times;
    double seconds;
};

struct zoid_rounds {
    const struct zoid_machine *machine;
    int n;          /* cores */
    char **memory;  /* `room` bytes for each core, in large pages like slabs */
    char **scratch; /* the same, like scratch; NULL if only copies are measured */
    size_t room;
    struct zoid_timing *timing; /* of each core */
    struct zoid_series *series; /* current series; one for each operator */
    int rounds, round;          /* number of rounds; index of the current one */
    int nth;                    /* index in the series of the next sample */
};

/* Returns the bytes of a core's private cache; 256 KiB if unknown. */
size_t zoid_rounds_cache(const struct zoid_machine *machine);
/* Allocates memory for `ops` operators, or for copies alone if that is 0, and fills it. The caller
 * closes the rounds, also after a failure. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_rounds_open(struct zoid_rounds *rounds,
                                  const struct zoid_calibration *calibration, size_t room,
                                  size_t ops);
void zoid_rounds_close(struct zoid_rounds *rounds);
/* Fills all memory with normal floating-point values, as zoid_rounds_open does. */
enum zoid_status zoid_rounds_fill(struct zoid_rounds *rounds);
/* Runs `work` on n cores at once, timing[member].times times per call, and stores the seconds of
 * one repetition per core: the median of this round's sample and the previous ones. */
enum zoid_status zoid_rounds_sample(struct zoid_rounds *rounds, int n, zoid_team_fn *work,
                                    void *arg, double *seconds);

#endif
