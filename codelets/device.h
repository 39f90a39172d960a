/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs the sweeps and copies of a block, and one such device: a CPU core. A GPU is another;
 * see codelets/cuda/run.h. */
#ifndef ZOID_CODELETS_DEVICE_H
#define ZOID_CODELETS_DEVICE_H

#include "codelets/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of the consecutive times of a fused call, which are whole rounds of the operator's stages. A
 * level reads a group of fields from the last level before it that writes the group, and from its
 * own inputs only planes next to those, which the block was given; a group that no level before it
 * writes is all among its inputs. All levels have the same box below the chain axis. A level keeps
 * only its planes in `out`; the last level that writes a group keeps all. */
struct zoid_fused_level {
    struct zoid_sweep sweep;
    size_t nout;
    const struct zoid_segment *out;
};

/* `planes` times `rows` times so many bytes, which lie so far from one another. */
struct zoid_copy {
    void *to;
    const void *from;
    size_t bytes;
    long rows;
    size_t to_row, from_row; /* bytes from a row to the next, where there are several */
    long planes;
    size_t to_plane, from_plane; /* likewise */
};

/* What runs sweeps and copies, in the order they are given: one CPU core, or a stream of a GPU.
 * All return 0 or an error code of the device, after which nothing more is asked of it. */
struct zoid_device {
    long batch; /* planes that it computes at once where a block updates a slab in place */
    /* Planes that a sweep computes at once, before it writes any of them, so that fields which
     * their stage reads at the point only may lie where they are written. 0: they may not. */
    long abreast;
    long march; /* the most times that it computes behind one another; 0: one after the other */
    /* Points of a tile's time that it computes before it turns to the next time, where times march
     * and lie in the scratch: more than a batch of short planes, for each turn takes a while. 0: a
     * batch. */
    long stride;
    size_t cache; /* bytes of the cache that blocks are cut into tiles for; 0: they are not */
    /* Planes by which the halves of the scratch are larger than the box of any time between the
     * first and the last, so that times of a block that is not cut into tiles can march. */
    long slack;
    /* The planes of the sweep's box go to the given segments, in ascending order, not to sweep.out.
     * Afterwards they are finished: see codelets/finish.h. */
    int (*sweep)(void *self, const struct zoid_sweep *sweep, size_t nout,
                 const struct zoid_segment *out);
    int (*copy)(void *self, const struct zoid_copy *copy);
    /* Either both or none. The most consecutive times that `fused` takes for this run's operator,
     * 1 if it takes none; and n > 1 of them at once. */
    int (*fusible)(void *self, const struct zoid_run *run);
    int (*fused)(void *self, size_t n, const struct zoid_fused_level *level);
};

extern const struct zoid_device zoid_cpu;
/* Its batch for blocks of a shape. */
long zoid_cpu_batch(const struct zoid_shape *shape);
/* What every core can run blocks by, NULL at the end: sweeps, one time after the other, then what
 * else there is. Operators may bring more. */
extern const struct zoid_block_runner zoid_cpu_march;
extern const struct zoid_block_runner *const zoid_cpu_runners[];
/* On the core that calls, by the run's own runner or else by sweeps; cannot fail. */
void zoid_cpu_run(const struct zoid_run *run, const struct zoid_cpu *cpu);

#ifdef __cplusplus
}
#endif
#endif
