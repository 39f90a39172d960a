/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a plan will run, from the operator's row, the census and the machine's rates; the
 * formulas are in docs/design/planner.md. */
#ifndef ZOID_RUNTIME_PLAN_ESTIMATE_H
#define ZOID_RUNTIME_PLAN_ESTIMATE_H

#include "runtime/machine/rates.h"

struct zoid_cuda_tiles; /* codelets/cuda/run.h */
struct zoid_cuda_gpu;

/* What the estimates of an operator's plans share. */
struct zoid_model {
    const struct zoid_machine *machine;
    const struct zoid_rates *rates;
    struct zoid_op_rates op; /* measured and refined, or defaults from its row */
    /* The factors for the core's own work, for what comes from far off, and for who waits for whom.
     */
    double near, far, waits;
    /* Those for GPUs: the rates have that of the kernels. */
    struct {
        double far, waits;
    } gpu;
    bool cores, gpus; /* whether the rates of that device are measured */
};

struct zoid_model zoid_model_of(const struct zoid_machine *machine, const struct zoid_rates *rates,
                                const struct zoid_op *op);

/* Seconds, and how much of them each resource is busy. Writes the plan's reason. */
struct zoid_cost zoid_estimate(const struct zoid_model *model, struct zoid_plan *plan);

/* How far the tiles of blocks of so many planes (codelets/tile.h) exceed the core's own cache: 0
 * where they fit, 1 where they are twice as large, 2 at most; of that as much as they are away from
 * it, towards memory. */
double zoid_estimate_excess(const struct zoid_machine *machine, const struct zoid_rates *rates,
                            const struct zoid_op *op, const struct zoid_shape *shape,
                            const struct zoid_layout *layout, double planes);

/* How far from the core's own cache (0) and how near to memory (1) blocks find their slabs, where
 * so many cores are at work: as the whole domain is, or nearer where passes follow one another. */
double zoid_estimate_away(const struct zoid_model *model, const struct zoid_plan *plan,
                          double busy);

/* How much longer points in the core's own cache take than in rows without end: the first and the
 * last vector of a row take longer, and the last one is as good as full. */
double zoid_estimate_ends(const struct zoid_machine *machine, const struct zoid_shape *shape,
                          enum zoid_type type);

/* ---- what estimates share ------------------------------------------------------------------- */

struct zoid_cuda_gpu zoid_estimate_gpu_of(const struct zoid_machine *machine);
/* How much longer a launch by such tiles takes for planes of that layout than if the GPU had all it
 * can work on all the time. */
double zoid_estimate_stretch(const struct zoid_machine *machine, const struct zoid_cuda_tiles *t,
                             const struct zoid_layout *layout, double planes);

/* Bytes of a plane of the state, and of the coefficients. */
double zoid_estimate_state(const struct zoid_plan *plan);
double zoid_estimate_coefficients(const struct zoid_plan *plan);
/* Planes of all slabs, of all cells. */
double zoid_estimate_planes(const struct zoid_plan *plan);
/* Points that all blocks compute, of all times; about, where planes are cut, since cells at the
 * ends of an axis compute less beside their own. */
double zoid_estimate_points(const struct zoid_plan *plan);
/* Of the points of a plane that a cell holds, the part that blocks compute, in the mean. */
double zoid_estimate_share(const struct zoid_plan *plan);
/* Bytes that cells leave one another along the axes of a plane, of all epochs. */
double zoid_estimate_halos(const struct zoid_plan *plan);
/* Passes that compute. */
double zoid_estimate_passes(const struct zoid_plan *plan);
/* Lanes that hand slabs on; lanes that have cells of their own do not, nor do passes round a
 * circle, which follow one another. */
double zoid_estimate_lanes(const struct zoid_plan *plan);
/* How many slabs a pass stays behind the one before it, since its blocks read so far ahead. */
double zoid_estimate_lag(const struct zoid_plan *plan, double height);
/* How often slabs come from where they are at home and go back: once for all lanes. */
double zoid_estimate_rounds(const struct zoid_plan *plan);
/* Seconds that the disk is busy; 0 without one. */
double zoid_estimate_disk(const struct zoid_model *model, const struct zoid_plan *plan);
/* Adds what ranks wait for messages to what they take without. */
void zoid_estimate_messages(const struct zoid_model *model, const struct zoid_plan *plan,
                            struct zoid_cost *cost);
/* Seconds of two things that take so long each: the longer one, or without overlap their sum. */
double zoid_estimate_together(const struct zoid_plan *plan, double a, double b);

#endif
