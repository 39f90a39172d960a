/* SPDX-License-Identifier: BSD-3-Clause */
/* Seconds of tiled loop nests (codelets/wavefront/): two models of a layout, that is a tile size,
 * the threads of a tile and the tiles that are resident on a multiprocessor.
 *
 * G: warps of an intra-tile wavefront, of 32 threads each; H: its points; N: values loaded and
 * stored; W: wavefronts; trips: how often threads go round in it; P: multiprocessors.
 *
 *     Di 2013 (5.2)-(5.11)   tile   alpha sum G + beta sum H + gamma N + (W + 2) sigma_thd
 *                            round  b resident tiles: b times as long
 *     by groups              group  of b resident tiles: lambda_b W + alpha_b sum G
 *                                   + rho_b trips + gamma_b N
 *     both                   all    sigma_ker + the rounds of each inter-tile wavefront + sigma_blk
 *
 * By (5.11) the tiles of a round are dealt to P multiprocessors, b to each; the last round has as
 * many as are left. A wavefront without full tiles counts half in the first model. */
#ifndef ZOID_APPS_BENCH_TILE_MODEL_H
#define ZOID_APPS_BENCH_TILE_MODEL_H

#include "codelets/wavefront/wavefront.h"

enum zoid_tile_model_kind { ZOID_TILE_DI, ZOID_TILE_GROUPS, ZOID_TILE_MODELS };
enum { ZOID_TILE_COEFFICIENTS = 4, ZOID_TILE_THREADS = 8, ZOID_TILE_RESIDENT = 16 };

/* The machine: `apart`, resident tiles have cores of their own, and the threads of a tile share its
 * points along its second coordinate. */
struct zoid_tile_machine {
    int processors, lanes; /* threads of a warp */
    bool apart;
};

/* Work of a full tile. */
struct zoid_tile_terms {
    double waves, warps, points, trips, memory;
};
struct zoid_tile_terms zoid_tile_terms_of(const struct zoid_wavefront *w,
                                          const struct zoid_tile_machine *machine,
                                          const int *threads);

/* Find coefficients by least squares of the relative errors of n seconds, which are sums of `terms`
 * values of a row. Terms that depend on others get 0; and so do those that would be negative, if
 * `positive`. */
void zoid_tile_least_squares(int n, int terms, const double *rows, const double *seconds,
                             bool positive, double *coefficient);

/* Coefficients and overheads of one shape of tiles: of each number of threads, and of resident
 * tiles in ascending order. */
struct zoid_tile_model {
    struct zoid_tile_machine machine;
    double launch; /* sigma_ker */
    int nthreads, nresident;
    int threads[ZOID_TILE_THREADS][ZOID_AXES], resident[ZOID_TILE_RESIDENT];
    struct zoid_tile_entry {
        bool known;
        double blocks, sync; /* sigma_blk, sigma_thd */
        double coefficient[ZOID_TILE_MODELS][ZOID_TILE_COEFFICIENTS];
    } entry[ZOID_TILE_THREADS][ZOID_TILE_RESIDENT];
};

/* One measured tile size: the seconds of a round of full tiles, without its barrier. */
struct zoid_tile_sample {
    struct zoid_tile_terms terms;
    double seconds;
};
/* Fit both models of an entry, whose overheads are known. */
void zoid_tile_model_fit(struct zoid_tile_model *model, int threads, int resident, int n,
                         const struct zoid_tile_sample *samples);
/* Seconds of a round of `tiles` resident tiles of a layout; between the numbers that are fitted, in
 * proportion. */
double zoid_tile_group(const struct zoid_tile_model *model, enum zoid_tile_model_kind kind,
                       int threads, int resident, int tiles, const struct zoid_tile_terms *terms);

/* Tiles of each sum of coordinates, and those that are full; without tiles it is no wavefront. */
struct zoid_tile_profile {
    long n, room;
    long *tiles, *full;
};
/* Find them; reuses the profile's memory. False: out of memory. */
bool zoid_tile_profile(const struct zoid_wavefront *w, struct zoid_tile_profile *profile);
void zoid_tile_profile_free(struct zoid_tile_profile *profile);
double zoid_tile_predict(const struct zoid_tile_model *model, enum zoid_tile_model_kind kind,
                         int threads, int resident, const struct zoid_tile_terms *terms,
                         const struct zoid_tile_profile *profile);

#endif
