/* SPDX-License-Identifier: BSD-3-Clause */
/* A device that runs tiled loop nests (codelets/wavefront/): all cores, or the first GPU. */
#ifndef ZOID_APPS_BENCH_TILE_DEVICE_H
#define ZOID_APPS_BENCH_TILE_DEVICE_H

#include "apps/bench/tile_search.h"
#include "codelets/wavefront/cores.h"
#include "codelets/wavefront/cuda.h"
#include "runtime/zoid_advanced.h"

struct zoid_tile_device {
    struct zoid_tile_machine machine;
    size_t bytes;                   /* of values */
    double shared, block, own;      /* as in struct zoid_tile_space */
    struct zoid_wavefront_gpu *gpu; /* NULL: cores */
    char *values;                   /* on cores */
    struct zoid_team *team;
    int members; /* wanted of it */
};

/* Open a device with room for `bytes` bytes of values; the caller closes it, also after a failure.
 * ZOID_RESOURCE: out of memory, or CUDA fails. */
enum zoid_status zoid_tile_device_open(bool gpu, size_t bytes, struct zoid_tile_device *device);
void zoid_tile_device_close(struct zoid_tile_device *device);
/* Fill the threads and numbers of resident tiles of a model with those that are measured. */
void zoid_tile_device_layouts(const struct zoid_tile_device *device, int axes,
                              struct zoid_tile_model *model);
/* Fill the sizes of tiles that are considered. */
void zoid_tile_device_space(const struct zoid_tile_device *device, int axes,
                            struct zoid_tile_space *space);
/* Store whether the resident tiles of a run fit. */
enum zoid_status zoid_tile_device_fits(const struct zoid_tile_device *device,
                                       const struct zoid_wavefront_run *run, bool *fits);
/* Copy values of a domain to or from the device. */
enum zoid_status zoid_tile_device_put(struct zoid_tile_device *device, const void *values,
                                      size_t bytes);
enum zoid_status zoid_tile_device_get(struct zoid_tile_device *device, void *values, size_t bytes);
enum zoid_status zoid_tile_device_run(struct zoid_tile_device *device,
                                      const struct zoid_wavefront_run *run, double *seconds);
/* Store the seconds of run->repeat times of a term; of the run, threads and resident tiles matter
 * only. */
enum zoid_status zoid_tile_device_term(struct zoid_tile_device *device,
                                       const struct zoid_wavefront_run *run,
                                       enum zoid_wavefront_term term, double *seconds);

#endif
