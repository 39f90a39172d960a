/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR by tiles on a GPU: one cooperative launch, tiles in shared memory. */
#ifndef ZOID_CODELETS_WAVEFRONT_CUDA_H
#define ZOID_CODELETS_WAVEFRONT_CUDA_H

#include "codelets/wavefront/wavefront.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU with the values of a domain, and the lists of its launches. */
struct zoid_wavefront_gpu;

struct zoid_wavefront_gpu_facts {
    char name[256];
    int processors;       /* multiprocessors */
    size_t shared, block; /* bytes of shared memory of a multiprocessor, and most of a block */
};

enum zoid_wavefront_term {
    ZOID_WAVEFRONT_LAUNCH,  /* a launch without tiles */
    ZOID_WAVEFRONT_BLOCKS,  /* a barrier of all blocks */
    ZOID_WAVEFRONT_THREADS, /* a barrier of the threads of a block, in a loop */
};

/* Weak: NULL in builds without CUDA. They return CUDA's error code. */

/* Reserves `bytes` for values on the calling thread's current GPU, the first one unless it has set
 * another; later calls come from the same thread. The caller closes *gpu, also after an error. */
__attribute__((weak)) int zoid_wavefront_gpu_open(size_t bytes, struct zoid_wavefront_gpu **gpu,
                                                  struct zoid_wavefront_gpu_facts *facts);
__attribute__((weak)) void zoid_wavefront_gpu_close(struct zoid_wavefront_gpu **gpu);
__attribute__((weak)) int zoid_wavefront_gpu_put(struct zoid_wavefront_gpu *gpu, const void *values,
                                                 size_t bytes);
__attribute__((weak)) int zoid_wavefront_gpu_get(struct zoid_wavefront_gpu *gpu, void *values,
                                                 size_t bytes);
/* Stores the most blocks of a layout that a multiprocessor has at a time; 0: a tile does not fit in
 * shared memory, or the threads are more than 1024, along x not a multiple of 32, or more than one
 * along an axis that the nest does not have. */
__attribute__((weak)) int zoid_wavefront_gpu_resident(const struct zoid_wavefront_run *run,
                                                      int *blocks);
/* Runs the tiles on its values, which must be those of the domain, and stores the seconds. A layout
 * with more resident blocks than fit is an error. */
__attribute__((weak)) int zoid_wavefront_gpu_run(struct zoid_wavefront_gpu *gpu,
                                                 const struct zoid_wavefront_run *run,
                                                 double *seconds);
/* Stores the seconds of a launch that goes through run->repeat times of a term; of the run, threads
 * and resident blocks matter only. */
__attribute__((weak)) int zoid_wavefront_gpu_term(struct zoid_wavefront_gpu *gpu,
                                                  const struct zoid_wavefront_run *run,
                                                  enum zoid_wavefront_term term, double *seconds);

#ifdef __cplusplus
}
#endif
#endif
