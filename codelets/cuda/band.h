/* SPDX-License-Identifier: BSD-3-Clause */
/* Band matrices on GPUs: what their operators (codelets/band/band.h) have in the place of a sweep's
 * kernels. Weak: NULL in builds without CUDA. */
#ifndef ZOID_CODELETS_CUDA_BAND_H
#define ZOID_CODELETS_CUDA_BAND_H

#include "codelets/cuda/run.h"

struct zoid_band; /* codelets/band/band.h */

#ifdef __cplusplus
extern "C" {
#endif

/* A zoid_cuda_fn: a step of the rows of a sweep, whose last inputs are pieces of the matrix. */
__attribute__((weak)) int zoid_cuda_band(const struct zoid_cuda_sweep *sweep);
/* What else there is for a band whose format is known. */
__attribute__((weak)) struct zoid_cuda_kernels zoid_cuda_band_kernels(const struct zoid_band *band);

/* Adds those that take several steps at once, where they can. */
void zoid_cuda_band_march(const struct zoid_band *band, struct zoid_cuda_kernels *kernels);
/* Has them brought to the calling thread's GPU. */
int zoid_cuda_load_band_march(void);

#ifdef __cplusplus
}
#endif
#endif
