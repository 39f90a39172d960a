/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements of SOR by tiles on a device: values, overheads, fits of both models, layouts. */
#ifndef ZOID_APPS_BENCH_TILE_STUDY_H
#define ZOID_APPS_BENCH_TILE_STUDY_H

#include "apps/bench/tile_device.h"

enum zoid_tile_shape { ZOID_TILE_MINIMAL, ZOID_TILE_BALANCED, ZOID_TILE_SHAPES };

struct zoid_tile_study {
    struct zoid_tile_device device;
    const struct zoid_problem *problem; /* of sor */
    double omega;
    unsigned short state[3]; /* of random numbers */
    struct zoid_tile_space space[ZOID_TILE_SHAPES];
    struct zoid_tile_model model[ZOID_TILE_SHAPES];
};

/* Open the device, with room for the domain and for what fits are made of; the caller closes the
 * study, also after a failure. */
enum zoid_status zoid_tile_study_open(const struct zoid_problem *problem, bool gpu, uint64_t seed,
                                      struct zoid_tile_study *study);
void zoid_tile_study_close(struct zoid_tile_study *study);
/* Compare the values of `n` random layouts with the plain loop nest's, byte by byte, in domains of
 * a few tiles; add the number that the device ran to *checked. ZOID_CHECK_FAILED: bytes differ. */
enum zoid_status zoid_tile_study_check(struct zoid_tile_study *study, int n, long *checked);
/* The same for a layout. */
enum zoid_status zoid_tile_study_check_one(struct zoid_tile_study *study,
                                           enum zoid_tile_shape shape,
                                           const struct zoid_tile_layout *layout, long *checked);
/* Measure the overheads, and fit both models of both shapes; count the fits and the tile sizes that
 * they are of. */
enum zoid_status zoid_tile_study_fit(struct zoid_tile_study *study, long *fits, long *sizes);
/* Store random values on the device, as the domain's. */
enum zoid_status zoid_tile_study_fill(struct zoid_tile_study *study);
/* Store the least seconds of a layout among `rounds` runs of the nest; INFINITY: it does not fit.
 */
enum zoid_status zoid_tile_study_time(struct zoid_tile_study *study, enum zoid_tile_shape shape,
                                      const struct zoid_tile_layout *layout, long rounds,
                                      double *seconds);
/* Predict it by both models. False: out of memory. */
bool zoid_tile_study_predict(const struct zoid_tile_study *study, enum zoid_tile_shape shape,
                             const struct zoid_tile_layout *layout,
                             double seconds[ZOID_TILE_MODELS]);

#endif
