/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a block on a GPU, and sweeps of one stage, or of several fused times, over a box of points.
 * The interface is C, so that the runtime needs no CUDA compiler; a cudaStream_t is passed as an
 * untyped pointer. Unless noted, functions return CUDA's error code, 0 on success. */
#ifndef ZOID_CODELETS_CUDA_RUN_H
#define ZOID_CODELETS_CUDA_RUN_H

#include "codelets/block/device.h"
#include "codelets/block/finish.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A struct zoid_sweep for a GPU: sweep->out is unused; planes of the box go to the `nout` segments
 * `out`, so that one launch serves a whole stage. Segments point to GPU memory. */
struct zoid_cuda_sweep {
    const struct zoid_sweep *sweep;
    size_t nout;
    const struct zoid_segment *out;
    void *stream;
};

/* Several fused times, as in zoid_device.fused. */
struct zoid_cuda_levels {
    size_t n;
    const struct zoid_fused_level *level;
    void *stream;
};

/* Tiling of a kernel that streams planes along the chain axis: tiles of `values` x `rows` points,
 * which the `units` units of threads of a multiprocessor share. For its part of a tile a unit takes
 * the time of that part's planes and of `lead` more (pipeline fill). */
struct zoid_cuda_tiles {
    int values, rows, units, lead;
};
/* Fewest planes that are worth a unit. */
enum { ZOID_CUDA_FEW = 4 };

/* Schedule of units over a box: `whole` tiles are processed whole, `units` at a time; `sharers`
 * units then share the remaining tiles' planes equally, tile after tile. `planes` is the number of
 * planes of the unit with the most work. */
struct zoid_cuda_climb {
    long units, whole, sharers, planes;
};

/* Returns the schedule for `tiles` tiles of `planes` planes with `all` resident units. For the
 * remaining tiles it takes the shorter of two: all units share them, and most shares span two
 * tiles, with a lead in each; or every tile has the same number of units. */
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

/* A variant's kernels other than its plain sweep. Kernels that use shared memory name the bytes
 * that a block of threads takes. */
struct zoid_cuda_kernels {
    int most;           /* times that `fused` takes; 1: no fusion */
    size_t most_shared; /* bytes of shared memory for `most` times */
    struct zoid_cuda_tiles tiles;
    int (*fused)(const struct zoid_cuda_levels *levels);
    int (*one)(const struct zoid_cuda_sweep *sweep); /* a single time; NULL if it does not pay */
    size_t one_shared;
    struct zoid_cuda_tiles one_tiles;
    int (*naive)(const struct zoid_cuda_sweep *sweep); /* baseline: one thread per point */
    int (*load)(void); /* loads all kernels but the baseline, see zoid_cuda_load */
    /* Returns the kernel of sweeps in order in the lanes of warps (lanes.h) and the bytes of shared
     * memory of a warp. NULL: none. */
    const void *(*skewed)(size_t *shared);
};

/* Multiprocessors of a GPU, and bytes of shared memory of a block of threads; all 0: no GPU. */
struct zoid_cuda_gpu {
    int processors;
    size_t shared;
};

/* Returns the most times of a block that one launch fuses, at least 1. Traversals STEP and TWO take
 * the stages of one and two steps; if a step has fewer stages than the operator, a step counts as
 * one. */
static inline int zoid_cuda_most(const struct zoid_op *op, enum zoid_traversal traversal,
                                 const struct zoid_cuda_gpu *gpu)
{
    const int step = op->step == op->nstages ? op->nstages : 1, most = op->kernels->most;

    if (traversal == ZOID_TRAVERSAL_NAIVE || most == 1 || op->kernels->most_shared > gpu->shared)
        return 1;
    if (traversal == ZOID_TRAVERSAL_STEP)
        return step;
    return traversal == ZOID_TRAVERSAL_TWO && most > 2 * step ? 2 * step : most;
}

/* Returns true if a single time is swept by tiles in shared memory (kernels->one). */
static inline bool zoid_cuda_one(const struct zoid_op *op, enum zoid_traversal traversal,
                                 const struct zoid_cuda_gpu *gpu)
{
    return op->kernels->one && traversal != ZOID_TRAVERSAL_NAIVE &&
           op->kernels->one_shared <= gpu->shared;
}

/* Returns true if a fused launch has room in its lists of segments for a block with `state` parts
 * of state and `coefficients` parts of coefficients. A plane that is not written at some times may
 * be given at each of them; an operator with edges of its own also lists planes beyond the
 * faces. */
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

/* Damps the layers of faces that absorb, as zoid_absorb_sweep does. */
int zoid_cuda_absorb(const struct zoid_cuda_sweep *sweep);
int zoid_cuda_load_absorb(void);
/* Applies perfectly matched layers, as zoid_layer_sweep does. The table of layers of more than 1024
 * points must lie in pinned memory. */
int zoid_cuda_remember(const struct zoid_cuda_sweep *sweep);
int zoid_cuda_load_layer(void);
/* Finishes the output of a sweep on the GPU: these layers, sponges, sample points, ghosts; see
 * codelets/block/finish.h. */
int zoid_cuda_finish(const struct zoid_finish *finish, const struct zoid_cuda_sweep *sweep);
/* Injects sources and samples receivers of a sweep's sample points, as zoid_sample_points_sweep
 * does. Sample points and record must lie in pinned memory. */
int zoid_cuda_sample_points(const struct zoid_cuda_sweep *sweep);
int zoid_cuda_load_sample_points(void);
/* Loads the kernels that finish planes onto the calling thread's GPU. */
int zoid_cuda_load_finish(void);

/* Queues `n` strided copies within GPU memory as one launch. They have equal bytes, turned, rows
 * and planes; no copy reads or writes memory that another one writes. */
enum { ZOID_CUDA_COPIES = 16 }; /* the most of a launch */
int zoid_cuda_copy_rows(const struct zoid_copy *copy, int n, void *stream);
/* Loads the copy kernels onto the calling thread's GPU. */
int zoid_cuda_load_copy(void);

/* Queues a block on `stream` and returns without waiting. `block` is the batch in planes. Parts and
 * scratch lie in GPU memory; scratch has zoid_scratch_planes(..., block) planes, or
 * zoid_warp_scratch if the operator is in order. Weak: NULL in builds without CUDA. */
__attribute__((weak)) int zoid_cuda_run(const struct zoid_block_args *run, long block,
                                        void *stream);
__attribute__((weak)) const char *zoid_cuda_error(int error);
/* Loads an operator's kernels and those that finish planes and copy rows onto the calling thread's
 * GPU; otherwise the first launch of each waits for that. */
__attribute__((weak)) int zoid_cuda_load(const struct zoid_op *op);

/* True if GPUs can run the operator: it has kernels, it is plain or has a runner of its own, and if
 * in order, lanes support it. */
bool zoid_op_on_gpus(const struct zoid_op *op);
/* True if the lanes of warps support an operator in order. */
bool zoid_op_in_warps(const struct zoid_op *op);

/* Returns the properties of GPU 0. Weak, as zoid_cuda_run. */
__attribute__((weak)) struct zoid_cuda_gpu zoid_cuda_first(void);
/* Writes the PCI bus id of GPU i, such as 0000:18:00.0, to `bus`, which has `room` bytes, and its
 * memory in bytes. Returns false if there is no GPU i. */
__attribute__((weak)) bool zoid_cuda_find(int i, char *bus, int room, size_t *bytes);

/* Streams and copies for measurements without the runtime, on the calling thread's current GPU.
 * Weak, as zoid_cuda_run. The caller destroys the stream, which sets *stream to NULL. */
__attribute__((weak)) int zoid_cuda_stream_create(void **stream);
__attribute__((weak)) void zoid_cuda_stream_destroy(void **stream);
/* Blocks until all work queued on the stream is complete. */
__attribute__((weak)) int zoid_cuda_stream_wait(void *stream);
/* Queues a copy between any two of GPU memory and main memory. */
__attribute__((weak)) int zoid_cuda_copy(void *to, const void *from, size_t bytes, void *stream);

#ifdef __cplusplus
}
#endif
#endif
