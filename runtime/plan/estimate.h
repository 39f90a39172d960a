/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted time of a plan, from the operator's row, the census and the machine's rates; the
 * formulas are in docs/design/planner.md. */
#ifndef ZOID_RUNTIME_PLAN_ESTIMATE_H
#define ZOID_RUNTIME_PLAN_ESTIMATE_H

#include "runtime/machine/rates.h"

struct zoid_cuda_tiles; /* codelets/cuda/run.h */
struct zoid_cuda_gpu;

/* Rates and factors that the estimates of an operator's plans share. */
struct zoid_model {
    const struct zoid_machine *machine;
    const struct zoid_rates *rates;
    struct zoid_op_rates op; /* measured and refined, or defaults from its row */
    /* Correction factors on cores: for work in the core's own cache, for data from farther away,
     * and for workers that wait for one another. */
    double near, far, waits;
    /* The same on GPUs; `rates` includes the factor of the kernels. */
    struct {
        double far, waits;
    } gpu;
    bool cores, gpus;            /* rates of that device are measured */
    struct zoid_network network; /* between the machine's ranks, refined */
};

/* A block, or several alike. */
struct zoid_block_extent {
    double planes; /* that they compute, over all times */
    double times;  /* of each */
    double blocks;
    double share; /* of a cell's plane that they compute, on average */
};

struct zoid_model zoid_model_of(const struct zoid_machine *machine, const struct zoid_rates *rates,
                                const struct zoid_op *op);

/* Return a plan as if its cells' lines had no room for planes that the border may still bring:
 * blocks without points are not run. */
struct zoid_plan zoid_estimate_present(const struct zoid_plan *plan);
/* Predict the seconds of a plan, and the part of them in which each resource is busy. Sets the
 * plan's reason, and on cores its turns and the runner of blocks. */
struct zoid_cost zoid_estimate(const struct zoid_model *model, struct zoid_plan *plan);

/* Return by how much the tiles of blocks of `planes` planes (codelets/block/tile.h) exceed the
 * core's own cache, weighted by their distance from it towards memory: 0 if they fit, 1 if they are
 * twice as large, 2 at most. */
double zoid_estimate_excess(const struct zoid_machine *machine, const struct zoid_rates *rates,
                            const struct zoid_op *op, const struct zoid_shape *shape,
                            const struct zoid_layout *layout, double planes);

/* Return how far from the core's own cache (0) and how near to memory (1) blocks find their slabs,
 * with `busy` cores at work: at the distance of the whole domain, or nearer if passes follow one
 * another. */
double zoid_estimate_away(const struct zoid_model *model, const struct zoid_plan *plan,
                          double busy);

/* Return the factor by which points in the core's own cache take longer than in infinite rows: the
 * first and the last vector of a row take longer, and the last one costs the same as a full one. */
double zoid_estimate_ends(const struct zoid_machine *machine, const struct zoid_shape *shape,
                          enum zoid_type type);

/* Return a plan of ANY place as if its workers of one kind took all blocks. */
struct zoid_plan zoid_plan_as(const struct zoid_plan *plan, enum zoid_place_kind kind);

/* ---- shared by the estimates ---------------------------------------------------------------- */

struct zoid_cuda_gpu zoid_estimate_gpu_of(const struct zoid_machine *machine);
/* Return the factor by which a launch with tiles `t` takes longer, for `planes` planes of that
 * layout, than if the GPU had all the work that it can do at all times. */
double zoid_estimate_stretch(const struct zoid_machine *machine, const struct zoid_cuda_tiles *t,
                             const struct zoid_layout *layout, double planes);

/* Return the extent of a block in a cell of that layout. */
struct zoid_block_extent zoid_estimate_extent(const struct zoid_layout *layout,
                                              const struct zoid *zoid, const struct zoid *region);
/* Return the bytes of a plane of the state, with its memory, and of the coefficients. */
double zoid_estimate_state(const struct zoid_plan *plan);
double zoid_estimate_coefficients(const struct zoid_plan *plan);
/* Perfectly matched layers (codelets/block/layer.h) in a plane of a cell: of the rank that has the
 * most points, as its mean; rows and layers are the mean over all cells. */
struct zoid_estimate_layers {
    double points, rows, layers; /* a point in two layers counts twice; with padding */
    double flops;                /* of a point, an fma as two */
    double memory;               /* of a point, in bytes, which is read and written */
    double beside;               /* bytes moved besides: u(t + 1) twice, u(t), the coefficient */
};
/* Return them; without layers, 0 points. */
struct zoid_estimate_layers zoid_estimate_layers(const struct zoid_plan *plan);
/* Return the planes of all slabs, of all cells of the rank. */
double zoid_estimate_planes(const struct zoid_plan *plan);
/* Return the points that the rank owns. */
double zoid_estimate_owned(const struct zoid_plan *plan);
/* Return the points that all blocks compute, over all times. Approximate if planes are cut, since
 * cells at the ends of an axis compute fewer ghost points. */
double zoid_estimate_points(const struct zoid_plan *plan);
/* Return the mean part of a cell's plane that blocks compute, of the owned and ghost points in
 * it. */
double zoid_estimate_share(const struct zoid_plan *plan);
/* Return the bytes of the halos that cells leave one another along the plane axes, over all
 * epochs. */
double zoid_estimate_halos(const struct zoid_plan *plan);
/* Return the number of passes that compute. */
double zoid_estimate_passes(const struct zoid_plan *plan);
/* Return the number of lanes (pipeline stages) that hand slabs on. Lanes with cells of their own do
 * not, nor do passes around a periodic chain axis, which follow one another. */
double zoid_estimate_lanes(const struct zoid_plan *plan);
/* Return the lag of a pass behind the one before it, in slabs of `height` planes, which is due to
 * the reach of its blocks. */
double zoid_estimate_lag(const struct zoid_plan *plan, double height);
/* Return the number of rounds: how often each slab comes from its home and goes back, once for all
 * lanes. */
double zoid_estimate_rounds(const struct zoid_plan *plan);
/* Return the seconds that the disk is busy; 0 without a disk. */
double zoid_estimate_disk(const struct zoid_model *model, const struct zoid_plan *plan);
/* Add the time of messages between ranks, and of waiting for them, to a cost without it. */
void zoid_estimate_messages(const struct zoid_model *model, const struct zoid_plan *plan,
                            struct zoid_cost *cost);
/* Return the seconds of the communication thread for `n` ends of messages of `bytes` bytes in
 * all. */
double zoid_estimate_thread(const struct zoid_model *model, const struct zoid_plan *plan, double n,
                            double bytes);
/* Return whether the communication thread takes its seconds from workers. */
bool zoid_estimate_steals(const struct zoid_model *model, const struct zoid_plan *plan);
/* Halo exchanges of a plan, in seconds (docs/design/planner.md). */
struct zoid_exchange_cost {
    double base;                   /* of the run without messages */
    double steady;                 /* part of it in which epochs compute, one like the other */
    double exchanges;              /* their number */
    double ways;                   /* of an exchange: latency, */
    double wire, thread, down, up; /* and bytes: network, communication thread, links of GPUs */
    double parts;   /* of an exchange, one for each slab, that blocks leave and await in turn */
    double largest; /* bytes of the largest message, as a share of the exchange's */
    double ends; /* share of messages that all of the last lap leaves, and the first block awaits */
    double laps; /* of an epoch over all parts */
    double rounds; /* of messages that await one another */
    double first;  /* parts that the first block of an epoch awaits */
    bool chain;    /* each block awaits the one before, and no other runs meanwhile */
    double late;   /* blocks of the last lap that follow a part's own until it is left */
    double share;  /* of the thread's time, by which workers lose time */
};
/* Describe the exchanges of a plan with that cost without messages, of which `alone` and `part` are
 * read. Returns false if there are none, or ranks take turns. */
bool zoid_estimate_exchange(const struct zoid_model *model, const struct zoid_plan *plan,
                            const struct zoid_cost *cost, struct zoid_exchange_cost *exchange);
/* Return the seconds that blocks wait for messages, and those of the run. */
double zoid_exchange_waits(const struct zoid_exchange_cost *cost);
double zoid_exchange_seconds(const struct zoid_exchange_cost *cost);
/* Return the seconds of two activities: the longer one, or without overlap, their sum. */
double zoid_estimate_together(const struct zoid_plan *plan, double a, double b);

#endif
