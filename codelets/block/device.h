/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices, which execute the sweeps and copies of a block: cores (codelets/cpu/run.h) and GPUs
 * (codelets/cuda/run.h). */
#ifndef ZOID_CODELETS_BLOCK_DEVICE_H
#define ZOID_CODELETS_BLOCK_DEVICE_H

#include "codelets/block/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of the consecutive times of a fused call; a call consists of whole rounds of the operator's
 * stages. A level reads a group of fields from the last earlier level that writes the group; from
 * its own inputs it then reads only planes next to those, which the block was given. A group that
 * no earlier level writes is entirely among its inputs. All levels have the same box below the
 * chain axis. A level stores only its planes in `out`; the last level that writes a group stores
 * all of them. */
struct zoid_fused_level {
    struct zoid_sweep sweep;
    size_t nout;
    const struct zoid_segment *out;
};

/* A strided copy: `planes` times `rows` times `bytes` bytes. With `turned`, the bytes of a float,
 * it turns the sign of each. */
struct zoid_copy {
    void *to;
    const void *from;
    size_t bytes, turned;
    long rows;
    size_t to_row, from_row; /* stride of rows in bytes, if rows > 1 */
    long planes;
    size_t to_plane, from_plane; /* stride of planes in bytes, if planes > 1 */
};

/* A device: executes sweeps and copies in the order of the calls, on one CPU core or in a stream of
 * a GPU. The functions return 0 or an error code of the device; after an error the caller makes no
 * more calls. */
struct zoid_device {
    long batch; /* planes computed at once if a block updates a slab in place */
    /* Planes that a sweep computes before it writes any of them, so that fields which their stage
     * reads at the point only may be overwritten in place. 0: they may not. */
    long abreast;
    long wavefront; /* most times computed in a pipeline; 0: one time after another */
    /* Points of a tile that one time computes before the next time continues, in a wavefront that
     * keeps its planes in the scratch: more than a batch if planes are short, since each switch
     * costs time. 0: a batch. */
    long stride;
    size_t cache; /* bytes of the cache that tiles are sized for; 0: no tiles */
    /* Planes by which each half of the scratch exceeds the largest box between the first and last
     * time, so that times of a block without tiles can form a wavefront. */
    long slack;
    /* Executes a sweep. The planes of its box go to out[0 ... nout - 1], ascending, not to
     * sweep.out. Finishes them afterwards: see codelets/block/finish.h. */
    int (*sweep)(void *self, const struct zoid_sweep *sweep, size_t nout,
                 const struct zoid_segment *out);
    int (*copy)(void *self, const struct zoid_copy *copy);
    /* Both NULL, or neither. `fusible`: most consecutive times that `fused` takes for this run's
     * operator, 1 if it cannot fuse. `fused`: computes n > 1 of them in one call. */
    int (*fusible)(void *self, const struct zoid_block_args *run);
    int (*fused)(void *self, size_t n, const struct zoid_fused_level *level);
};

#ifdef __cplusplus
}
#endif
#endif
