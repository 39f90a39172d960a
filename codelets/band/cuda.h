/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of band matrices on GPUs, for their operators (codelets/band/band.h). Weak: NULL in
 * builds without CUDA. */
#ifndef ZOID_CODELETS_BAND_CUDA_H
#define ZOID_CODELETS_BAND_CUDA_H

#include "codelets/cuda/run.h"

struct zoid_band; /* codelets/band/band.h */

#ifdef __cplusplus
extern "C" {
#endif

/* A zoid_cuda_fn: one step of the rows of a sweep, whose coefficient inputs are pieces of the
 * matrix. */
__attribute__((weak)) int zoid_cuda_band(const struct zoid_cuda_sweep *sweep);
/* Returns the other kernels of a band with a known format. */
__attribute__((weak)) struct zoid_cuda_kernels zoid_cuda_band_kernels(const struct zoid_band *band);

/* Adds the kernel that fuses several steps to *kernels; `most` is 1 if it does not pay. */
void zoid_cuda_band_stream(const struct zoid_band *band, struct zoid_cuda_kernels *kernels);
/* Loads that kernel onto the calling thread's GPU. Returns CUDA's error code. */
int zoid_cuda_load_band_stream(void);

#ifdef __cplusplus
}
#endif
#endif
