/* SPDX-License-Identifier: BSD-3-Clause */
/* Running one block on a GPU, and one stage, or several times at once, over a box of points. C on
 * the outside, so that the runtime needs no CUDA compiler; a cudaStream_t is passed as the pointer
 * it is. */
#ifndef ZOID_CODELETS_CUDA_RUN_H
#define ZOID_CODELETS_CUDA_RUN_H

#include "codelets/device.h"
#include "codelets/finish.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Like a struct zoid_sweep, whose `out` it does not use: planes of the box go to `nout` segments,
 * so that one launch serves a whole stage. Segments point to memory of the GPU. */
struct zoid_cuda_sweep {
    const struct zoid_sweep *sweep;
    size_t nout;
    const struct zoid_segment *out;
    void *stream;
};

/* Several times at once, as a device's `fused` takes them. */
struct zoid_cuda_levels {
    size_t n;
    const struct zoid_fused_level *level;
    void *stream;
};

/* How a launch of several times, or of one, goes up a box: in tiles of so many values and rows. The
 * units of threads that a multiprocessor has share them. A unit takes as long for its part of a
 * tile as for the planes of that part and `lead` more. */
struct zoid_cuda_tiles {
    int values, rows, units, lead;
};
/* Planes for which a unit is not worth starting. */
enum { ZOID_CUDA_FEW = 4 };

/* How units share a box: `whole` tiles are taken whole, as many at a time as there are units;
 * `sharers` units share those that are left equally, tile after tile. The unit with the most to do
 * climbs `planes` planes. */
struct zoid_cuda_climb {
    long units, whole, sharers, planes;
};

/* So many tiles of so many planes, where there is room for so many units at once. Either all of
 * them share what is left, and most shares lie in two tiles, with a way up to each; or as many
 * share a tile as go evenly into them all. */
static inline struct zoid_cuda_climb zoid_cuda_climb_of(long tiles, long planes, long lead,
                                                        long all)
{
    const long left = tiles % all, enough = (left * planes + ZOID_CUDA_FEW - 1) / ZOID_CUDA_FEW;
    struct zoid_cuda_climb c = {all, tiles - left, 0, tiles / all * (planes + lead)};

    if (left > 0) {
        const long most = all / left, worth = planes / ZOID_CUDA_FEW;
        const long each = worth < 1 ? 1 : worth < most ? worth : most;
        const long shares = enough < all ? enough : all;
        const long even = (planes + each - 1) / each + lead;
        const long uneven = (left * planes + shares - 1) / shares + 2 * lead;

        c.sharers = even <= uneven ? left * each : shares;
        c.planes += even <= uneven ? even : uneven;
        c.units = c.whole ? all : c.sharers;
    }
    return c;
}

/* What there is beside a variant's own kernel. Kernels that work in shared memory say how many
 * bytes of it a block of threads takes. */
struct zoid_cuda_kernels {
    int most;           /* times at once; 1: none */
    size_t most_shared; /* for so many */
    struct zoid_cuda_tiles tiles;
    int (*fused)(const struct zoid_cuda_levels *levels);
    int (*one)(const struct zoid_cuda_sweep *sweep); /* a single time; NULL where it does not pay */
    size_t one_shared;
    struct zoid_cuda_tiles one_tiles;
    int (*naive)(const struct zoid_cuda_sweep *sweep); /* the baseline: a thread a point */
    int (*load)(void); /* has all but the baseline brought: see zoid_cuda_load */
};

/* What a GPU has: multiprocessors, and bytes of shared memory for a block of threads. All 0: there
 * is none. */
struct zoid_cuda_gpu {
    int processors;
    size_t shared;
};

/* The most times of a block at once: for traversals that take one step a launch, or two, the stages
 * of so many steps; one stage is a step where each is. */
static inline int zoid_cuda_most(const struct zoid_op *op, enum zoid_traversal traversal,
                                 const struct zoid_cuda_gpu *gpu)
{
    int step = op->step == op->nstages ? op->nstages : 1, most = op->kernels->most;

    if (traversal == ZOID_TRAVERSAL_NAIVE || most == 1 || op->kernels->most_shared > gpu->shared)
        return 1;
    if (traversal == ZOID_TRAVERSAL_STEP)
        return step;
    return traversal == ZOID_TRAVERSAL_TWO && most > 2 * step ? 2 * step : most;
}

/* Whether a single time goes by tiles. */
static inline bool zoid_cuda_one(const struct zoid_op *op, enum zoid_traversal traversal,
                                 const struct zoid_cuda_gpu *gpu)
{
    return op->kernels->one && traversal != ZOID_TRAVERSAL_NAIVE &&
           op->kernels->one_shared <= gpu->shared;
}

/* Whether a launch of several times has room for where all planes of a block lie that has so many
 * parts with state, and so many with coefficients. Where planes are not written for some times,
 * they may have been given at each of them; and where the operator has edges of its own, planes
 * stand for those beyond the faces. */
static inline bool zoid_cuda_fits(const struct zoid_op *op, size_t state, size_t coefficients)
{
    const size_t most = 32; /* MAX_SEGMENTS of order.cuh */
    size_t beyond = 0;

    for (int s = 0; s < op->nstages && op->own_edges; s++) {
        const struct zoid_reach reach = zoid_op_reach(op, s);
        const size_t more = (size_t)(reach.lo[op->dims - 1] + reach.hi[op->dims - 1]);

        beyond = more > beyond ? more : beyond;
    }
    return (2 + (size_t)op->nstages) * state + 1 + beyond <= most && coefficients + beyond <= most;
}

/* Finishes what a sweep has written; see codelets/finish.h. */
int zoid_cuda_finish(const struct zoid_finish *finish, const struct zoid_cuda_sweep *sweep);
/* Lets its taps meet a sweep, as zoid_taps_sweep does. Taps and their record lie in pinned memory.
 */
int zoid_cuda_taps(const struct zoid_cuda_sweep *sweep);
int zoid_cuda_load_taps(void);
/* Has what finishes brought to the calling thread's GPU. */
int zoid_cuda_load_finish(void);

/* Queues so many copies within the GPU's memory in one launch, of any rows of any planes: as many
 * rows and planes of as many bytes each, and none of what another one writes. */
enum { ZOID_CUDA_COPIES = 16 }; /* at most */
int zoid_cuda_copy_rows(const struct zoid_copy *copy, int n, void *stream);
/* Has what copies them brought to the calling thread's GPU. */
int zoid_cuda_load_copy(void);

/* Queues the block on the stream and returns. Parts and scratch (zoid_scratch_planes(..., block),
 * in order zoid_warp_scratch) lie in the GPU's memory. Returns CUDA's error code. */
__attribute__((weak)) int zoid_cuda_run(const struct zoid_run *run, long block, void *stream);
__attribute__((weak)) const char *zoid_cuda_error(int error);
/* Has an operator's kernels, what finishes planes and what copies rows brought to the calling
 * thread's GPU, for which the first launch of each would wait. Returns CUDA's error code. */
__attribute__((weak)) int zoid_cuda_load(const struct zoid_op *op);

/* The first GPU. Weak, as zoid_cuda_run is. */
__attribute__((weak)) struct zoid_cuda_gpu zoid_cuda_first(void);
/* Where GPU i is, as in 0000:18:00.0, and the bytes of its memory; false: there is no such. */
__attribute__((weak)) bool zoid_cuda_find(int i, char *bus, int room, size_t *bytes);

/* For measurements without the runtime, on the GPU that the calling thread has chosen. Weak, as
 * zoid_cuda_run is: NULL in builds without CUDA. Return CUDA's error code. */
__attribute__((weak)) int zoid_cuda_stream_create(void **stream);
__attribute__((weak)) void zoid_cuda_stream_destroy(void **stream);
/* Waits for all that the stream was given. */
__attribute__((weak)) int zoid_cuda_stream_wait(void *stream);
/* Queues a copy between any two memories, the GPU's and main memory. */
__attribute__((weak)) int zoid_cuda_copy(void *to, const void *from, size_t bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
