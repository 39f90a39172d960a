/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of a GPU, the first one: whole fields, a launch for every time, and as runs do it. */
#include <stdlib.h>

#include "apps/calibrate/calibrate.h"
#include "apps/measure/field.h"
#include "apps/measure/sample.h"
#include "codelets/cuda/run.h"
#include "runtime/plan/estimate.h"

/* Bytes of a field, more than any cache has; and steps, a multiple of the times that launches
 * take. */
static const double FIELD = 256 << 20;
enum { STEPS = 12 };

static enum zoid_status samples(struct zoid_field *field,
                                enum zoid_status (*run)(struct zoid_field *, long, double *),
                                double *seconds)
{
    double taken[ZOID_SAMPLES];
    enum zoid_status status = ZOID_OK;

    for (int i = -1; i < ZOID_SAMPLES && !status; i++)
        status = run(field, 1, &taken[i < 0 ? 0 : i]);
    if (!status)
        *seconds = zoid_sample_median(taken, ZOID_SAMPLES);
    return status;
}

static double stretch_of(const struct zoid_machine *machine, const struct zoid_problem *problem,
                         const struct zoid_cuda_tiles *tiles)
{
    const struct zoid_shape shape = zoid_problem_shape(problem);
    const struct zoid_layout layout =
        zoid_layout_make(problem->op, problem->n, zoid_layout_ghost(&shape));

    return zoid_estimate_stretch(machine, tiles, &layout,
                                 (double)problem->n[problem->op->dims - 1]);
}

static enum zoid_status rate(struct zoid_field *field, const struct zoid_machine *machine,
                             const struct zoid_problem *problem, struct zoid_op_rates *r)
{
    const struct zoid_op *op = problem->op;
    const struct zoid_cuda_gpu gpu = zoid_estimate_gpu_of(machine);
    const double points = zoid_sample_points(problem);
    double step, fused, single = 1, several;
    enum zoid_status status = samples(field, zoid_field_sweep, &step);

    if (!status)
        status = samples(field, zoid_field_fuse, &fused);
    if (status)
        return status;
    if (zoid_cuda_one(op, ZOID_TRAVERSAL_BEST, &gpu))
        single = stretch_of(machine, problem, &op->kernels->one_tiles);
    several = zoid_cuda_most(op, ZOID_TRAVERSAL_BEST, &gpu) > 1
                  ? stretch_of(machine, problem, &op->kernels->tiles)
                  : single;
    r->gpu_step = step / points / single;
    r->gpu_even = fused / points / several;
    return ZOID_OK;
}

static enum zoid_status one_operator(struct zoid_context *context, const struct zoid_op *op,
                                     struct zoid_rates *r, struct zoid_op_rates *known)
{
    struct zoid_problem problem = {
        .op = op, .n = {1, 1, 1}, .steps = STEPS, .params = zoid_op_defaults(op)};
    struct zoid_field_request request = {.machine = &context->machine,
                                         .problem = &problem,
                                         .gpu = true,
                                         .traversal = ZOID_TRAVERSAL_STEP,
                                         .depth = STEPS,
                                         .budget = context->machine.gpu_mem};
    struct zoid_field *field = NULL;
    double bytes, seconds;
    enum zoid_status status;

    zoid_sample_size(op, FIELD, problem.n);
    status = zoid_field_open(&request, &field);
    if (!status)
        status = rate(field, &context->machine, &problem, known);
    if (!status)
        status = zoid_field_copy(field, 1, &bytes, &seconds);
    if (!status)
        r->gpu_memory = seconds / bytes;
    zoid_field_close(&field);
    return status;
}

/* An operator whose fields this GPU has no room for keeps the default rates. */
enum zoid_status zoid_calibrate_gpu(const struct zoid_calibration *c, struct zoid_rates *r)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < c->ops && !status; i++) {
        /* Sweeps in order do not go by launches of a time. */
        if (!c->op[i]->cuda || zoid_op_in_order(c->op[i]))
            continue;
        status = one_operator(c->context, c->op[i], r, &r->op[i]);
        if (status == ZOID_DOES_NOT_FIT)
            status = ZOID_OK;
    }
    return status;
}
