/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU sweep of an operator that zoid_mlsor_make created, and the layout of its subdomains in shared
 * memory. */
#ifndef ZOID_CODELETS_MLSOR_CUDA_H
#define ZOID_CODELETS_MLSOR_CUDA_H

#include "codelets/cuda/run.h"
#include "codelets/mlsor/mlsor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of shared memory of a warp, which is a block of threads here: compute capabilities 8.0
 * and 9.0 have that many. AMPLE: up to this size, enough warps are resident to hide latencies. */
enum { ZOID_MLSOR_SHARED = 160 << 10, ZOID_MLSOR_AMPLE = 21 << 10 };

/* A tile is a subdomain with its halo: `size` points of shared memory, with `row` and `line` points
 * from one row and line to the next. A group of `group` lanes relaxes it; a warp has `tiles` of
 * them. */
struct zoid_mlsor_tile {
    int row, line, size, group, tiles;
    size_t shared; /* bytes of shared memory of a warp */
};

/* Returns the tile layout with the fewest lanes per tile that leaves shared memory for enough
 * warps. `shared` is above ZOID_MLSOR_SHARED if the kernel cannot run such subdomains. Neighbouring
 * lanes are LAG points apart: the strides of lines and tiles put these accesses into different
 * banks. */
static inline struct zoid_mlsor_tile zoid_mlsor_tile_of(const struct zoid_mlsor_kind *kind)
{
    enum { LANES = 32, LAG = 2 };
    const long edge = kind->subdomain + 2, rows = kind->dims == 3 ? edge : 1;
    const long bytes = (long)zoid_type_size(kind->type) * (kind->rhs ? 2 : 1);
    const long line = rows * edge | 1, least = (edge - 1) * line;
    struct zoid_mlsor_tile t = {(int)edge, (int)line, 0, 1, LANES, ZOID_MLSOR_SHARED + 1};
    long size = 0;

    if (edge > 1 << 10 || least > ZOID_MLSOR_SHARED)
        return t;
    for (; t.group <= LANES; t.group *= 2) {
        size = least + ((t.group * (line - LAG) - least) % LANES + LANES) % LANES;
        t.tiles = LANES / t.group;
        if (t.tiles * size * bytes <= ZOID_MLSOR_AMPLE || t.group >= kind->subdomain - 1)
            break;
    }
    if (t.group > LANES)
        t.group = LANES;
    while (t.tiles > 1 && t.tiles * size * bytes > ZOID_MLSOR_SHARED)
        t.tiles--;
    t.size = (int)size;
    t.shared = (size_t)(t.tiles * size * bytes);
    return t;
}

/* Weak, as zoid_cuda_run: NULL in builds without CUDA. Queues a sweep; returns CUDA's error
 * code. */
__attribute__((weak)) int zoid_cuda_mlsor(const struct zoid_cuda_sweep *sweep);
extern __attribute__((weak)) const struct zoid_cuda_kernels zoid_cuda_mlsor_kernels;

#ifdef __cplusplus
}
#endif
#endif
