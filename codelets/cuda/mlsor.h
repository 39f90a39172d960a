/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep of an operator that zoid_mlsor_make has made, on a GPU; and how its kernels lay out
 * subdomains in shared memory. */
#ifndef ZOID_CODELETS_CUDA_MLSOR_H
#define ZOID_CODELETS_CUDA_MLSOR_H

#include "codelets/cuda/run.h"
#include "codelets/mlsor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of shared memory that a warp may take: what architectures from 8.0 on have for a block. And
 * those with which as many warps find room as hide one another's latencies. */
enum { ZOID_MLSOR_SHARED = 160 << 10, ZOID_MLSOR_AMPLE = 21 << 10 };

/* A tile is a subdomain with what lies around it: `size` points of memory, where rows and lines lie
 * so many points from one another. A group of lanes has it, and a warp has `tiles` of them. */
struct zoid_mlsor_tile {
    int row, line, size, group, tiles;
    size_t shared; /* bytes of a warp */
};

/* As few lanes to a tile as leave memory for enough warps. Lanes of a group are two points behind
 * one another: lines lie so that these are in different banks, and so do tiles. */
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

/* Weak, as zoid_cuda_run is: not there in builds without CUDA. */
__attribute__((weak)) int zoid_cuda_mlsor(const struct zoid_cuda_sweep *sweep);
extern __attribute__((weak)) const struct zoid_cuda_kernels zoid_cuda_mlsor_kernels;

#ifdef __cplusplus
}
#endif
#endif
