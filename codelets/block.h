/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of one block, and the runners that execute blocks on a core: the sweeps of every
 * operator, and runners of an operator's own. */
#ifndef ZOID_CODELETS_BLOCK_H
#define ZOID_CODELETS_BLOCK_H

#include <stdbool.h>

#include "codelets/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory of layers that a halo has after all of its fields, `plane` elements per plane: patch after
 * patch, and in these layer after layer, psi, P and zeta, each row after row of the points of the
 * patch that are in the layer. Those of layers along the chain axis, which share their place, come
 * last, if they are there (`across`). 0: no memory of layers. */
struct zoid_tail {
    size_t plane;
    bool across;
};

/* One datum of the block. `in` and `out` are its contents before (reads) and after (writes), as in
 * graphs/graph.h. Field f of slot s starts at element f * capacity * layout.plane + s *
 * layout.plane.
 *
 * A halo has `halo` elements per plane instead, with the rim in them: patch after patch, each row
 * after row. A row of a patch that covers the whole x axis is a whole row of the layout, ghost
 * points included. If a read `in` has only a patch, the halos that are read have the rest of the
 * window, and the block copies it in before it computes.
 *
 * A written datum is one part only; a read one may be several. A part that reads and writes,
 * without a circle (in.around is 0), holds the zoid's t0 before and its t1 after, t0 < t1; its
 * planes drift by at most the chain axis's reach per time. */
struct zoid_part {
    bool reads, writes;
    /* Read only. Either the coefficient fields, for every time of `in`, or for an operator with
     * coefficient_bytes the piece (segment of coefficients) of the planes of `in`, from `base` on.
     */
    bool coefficient;
    /* Both. The piece of memory (codelets/block/layer.h) of the planes of `in`, which the block
     * updates, from `base` on. */
    bool memory;
    struct zoid_view in, out;
    void *base;
    long capacity;       /* slots */
    size_t halo;         /* elements per plane of a halo; 0: not a halo */
    struct zoid_rim rim; /* of a halo only */
    struct zoid_tail tail;
};

/* True if the part is a slab that the block updates in place. */
static inline bool zoid_part_updated(const struct zoid_part *part)
{
    return part->reads && part->writes && !part->memory && !part->in.around;
}

struct zoid_team; /* codelets/threads/team.h */

struct zoid_block_args {
    enum zoid_traversal traversal;
    const struct zoid_op *op;
    const struct zoid_params *params;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout;
    struct zoid zoid, region;
    size_t nparts;
    const struct zoid_part *part;
    void *scratch; /* planes of every state field; the plan sets the number, spare ones included */
    /* Buffers in the scratch, which zoid_run_block sets: the op->spare planes for sweeps, and ghost
     * planes beyond free boundaries of the chain axis (codelets/block/scratch.h). */
    void *spare, *images;
    /* Runner on a core; NULL: sweeps. */
    const struct zoid_block_runner *runner;
    const struct zoid_sample_points *sample_points; /* the run's sources and receivers, or NULL */
    struct zoid_team *team; /* that computes the block; NULL: the calling core alone */
};

/* Number of parts that hold whole planes, of which lists have segments; the other parts are halos
 * and memory. */
static inline size_t zoid_run_whole(const struct zoid_block_args *run)
{
    size_t n = 0;

    for (size_t i = 0; i < run->nparts; i++)
        n += !run->part[i].halo && !run->part[i].memory;
    return n;
}

/* A core that runs blocks. */
struct zoid_cpu {
    enum zoid_isa isa;
    size_t cache; /* bytes of its largest private cache; 0: no tiling for a cache */
    int ways;     /* associativity of its first-level cache, in lines per set; 0: unknown */
    size_t share; /* bytes of its share of the largest shared cache; 0: no such cache */
};

/* Properties that the blocks of a plan have in common. */
struct zoid_blocks {
    const struct zoid_op *op;
    const struct zoid_shape *shape;
    const struct zoid_layout *layout; /* of a cell's planes */
    enum zoid_traversal traversal;
    double planes; /* planes of a block at one time, on average */
    double times;  /* times that a block advances, on average */
    /* Planes exchanged with other blocks, left or taken, per plane computed. */
    double handed_on;
    int team; /* cores that compute a block together */
};

struct zoid_rates;

/* Times of a core, in seconds. */
struct zoid_pace {
    double update;    /* sweep of a point, one stage, from a private cache */
    double untiled;   /* the same in a block that is not cut into tiles; 0: unknown */
    double farther;   /* added to that if the block lies in memory */
    double near, far; /* a byte from that cache; from memory, with all cores active */
    double handed;    /* transfer of a point that one block leaves and another takes */
    /* `marched`: a point and stage in a wavefront of times (codelets/block/wavefront.h), or in the
     * first runner of the operator's own; 0: unknown. `marched_visit`: each load of a point from
     * memory.
     */
    double marched, marched_visit;
    /* A byte that all cores stream to or from memory at once; a further stretch of points of a row
     * in 2-D beyond one for every `stretch_points`. 0: not counted. */
    double stream, stretch, stretch_points;
    struct zoid_cpu cpu; /* the core */
    /* A byte of a working set of `bytes` bytes that is read repeatedly; called with `rates`. */
    double (*cost)(const struct zoid_rates *rates, double bytes);
    const struct zoid_rates *rates;
};

/* A way to run blocks on a core. */
struct zoid_block_runner {
    const char *name;
    /* True if the runner can run such blocks. */
    bool (*fits)(const struct zoid_blocks *blocks);
    /* Seconds per plane and time, on average; NULL for sweeps, which the planner predicts itself.
     */
    double (*seconds)(const struct zoid_blocks *blocks, const struct zoid_pace *pace);
    /* By how much longer than a fraction 1 / team of one core's time a team takes for a block;
     * NULL: only one of its cores is at work. */
    double (*excess)(const struct zoid_blocks *blocks);
    /* Planes of scratch per worker, if blocks have at most `planes` planes between their first and
     * last time; NULL: as for sweeps. */
    long (*scratch)(const struct zoid_op *op, const struct zoid_shape *shape, long planes);
    /* True if leaning blocks never touch the scratch, except for ghost planes beyond free
     * boundaries, so that the system never allocates its other pages; NULL: false. */
    bool (*spares)(const struct zoid_blocks *blocks);
    /* Writes a description of the operator on such a core to `text`, `room` bytes, for the plan's
     * reason; NULL: nothing. */
    void (*explain)(const struct zoid_op *op, const struct zoid_cpu *cpu, char *text, size_t room);
    /* Runs a block on the calling core. Cannot fail: the graph's checks prove the block valid
     * beforehand. The scratch belongs to the caller, one per thread. */
    void (*run)(const struct zoid_block_args *run, const struct zoid_cpu *cpu);
};

#ifdef __cplusplus
}
#endif
#endif
