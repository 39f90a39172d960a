/* SPDX-License-Identifier: BSD-3-Clause */
/* Running one block: every stage of a clipped zoid, from the data that hold its input planes to
 * the data that want its output planes. One routine serves every method. */
#ifndef ZOID_CODELETS_RUN_H
#define ZOID_CODELETS_RUN_H

#include <stdbool.h>

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One datum of the block: what it holds before (reads) and after (writes), as in graphs/graph.h,
 * and where: field f of slot s starts at element f * capacity * layout.plane + s * layout.plane. A
 * side has so many `rows` of every plane, and takes what these take. What is read of which `in` has not
 * all rows gets the others from the sides that are read, where it lies.
 * A datum that is written is one part only; one that is read may be several. One that both reads and
 * writes holds the zoid's t0 before and its t1 after, t0 < t1, and its planes drift by at most the
 * chain axis's reach a time. */
struct zoid_part {
    bool reads, writes;
    bool coefficient; /* it holds the coefficient fields, of every time of `in`; reads only */
    struct zoid_view in, out;
    void *base;
    long capacity; /* slots */
    long rows;     /* of a side; 0: it is none */
};

struct zoid_run {
    enum zoid_traversal traversal;
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    struct zoid zoid, region;
    size_t nparts;
    const struct zoid_part *part;
    void *scratch; /* zoid_scratch_planes() planes of every state field */
};

/* Parts that hold whole planes, which pieces of lists are made of; the others are sides. */
static inline size_t zoid_run_whole(const struct zoid_run *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->nparts; i++)
        n += !run->part[i].rows;
    return n;
}

/* One of the consecutive times of a fused call, which are whole rounds of the operator's stages. A
 * level reads what the last level before it computes that writes a group, and of its own inputs of
 * that group only planes next to it, which the block was given; of a group that no level before it
 * writes, all is among its inputs. Below the chain axis all have the same box. Of a level's planes only
 * those in `out` are kept; of the last level that writes a group, all. */
struct zoid_fused_level {
    struct zoid_sweep sweep;
    size_t nout;
    const struct zoid_piece *out;
};

/* `count` times so many bytes, which lie so far from one another. */
struct zoid_copy {
    void *to;
    const void *from;
    size_t bytes;
    long count;
    size_t to_step, from_step; /* bytes */
};

/* What runs sweeps and copies, in the order they are given: one CPU core, or a stream of a GPU.
 * All return 0 or an error code of the device, after which nothing more is asked of it. */
struct zoid_device {
    long batch; /* planes that it computes at once where a block updates a slab in place */
    /* Planes that a sweep computes at once: only after them it writes what their stage reads at the point
     * only, which may lie where it is written. 0: it may not. */
    long abreast;
    size_t cache; /* bytes of the cache that blocks are cut into tiles for; 0: they are not */
    /* The planes of the sweep's box go to the given pieces, in ascending order, not to sweep.out.
     * Afterwards they are finished: see codelets/finish.h. */
    int (*sweep)(void *self, const struct zoid_sweep *sweep, size_t nout,
                 const struct zoid_piece *out);
    int (*copy)(void *self, const struct zoid_copy *copy);
    /* Either both or none. The most consecutive times that `fused` takes for this run's operator,
     * 1 if it takes none; and n > 1 of them at once. */
    int (*fusible)(void *self, const struct zoid_run *run);
    int (*fused)(void *self, size_t n, const struct zoid_fused_level *level);
};

/* Runs a block on a device. What could be wrong with the block itself is proved before it runs.
 * Planes move whole; of those it computes, a run leaves points outside its box undefined. */
int zoid_run_block(const struct zoid_run *run, const struct zoid_device *device, void *self);
/* Whether a device that can may take several times of a block at once: not where planes must be
 * finished before the next time reads them or the next time reads planes that stand for others. */
bool zoid_fuses(const struct zoid_op *op, const struct zoid_shape *shape);
/* Planes of scratch that any block of a graph needs whose boxes have at most box_planes planes
 * between their first and last time, on a device of that batch. */
long zoid_scratch_planes(const struct zoid_shape *shape, long box_planes, long batch);

struct zoid_cpu {
    enum zoid_isa isa;
    size_t cache; /* as of a device: what of a core's own caches is the largest */
};

extern const struct zoid_device zoid_cpu;
/* Its batch for blocks of a shape. */
long zoid_cpu_batch(const struct zoid_shape *shape);
/* On the core that calls; cannot fail. */
void zoid_cpu_run(const struct zoid_run *run, const struct zoid_cpu *cpu);

/* One row of points, from p on along x, that a stage computes at time t: the fields of the time
 * before and the coefficients are in `from`, those that it writes in `to`, as for
 * zoid_reference_run. */
struct zoid_loop {
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    long t, p[ZOID_AXES], count;
    bool inside; /* everything that the points read lies in the domain */
    const void *from[ZOID_MAX_FIELDS];
    void *to[ZOID_MAX_FIELDS];
};

/* The plain loop nest: `steps` steps over whole fields, each on up to `threads` threads. `state` has the
 * state fields and then the coefficients, field after field, each n[2] * n[1] * n[0] elements, x fastest,
 * no padding; `spare` has room for the state fields. Whichever of the two holds the result is returned. Its
 * fields are those that the stages number: see zoid_op_stored. */
void *zoid_reference_run(const struct zoid_op *op, const struct zoid_params *params,
                         const struct zoid_shape *shape, long steps, int threads, void *state,
                         void *spare);

#ifdef __cplusplus
}
#endif
#endif
