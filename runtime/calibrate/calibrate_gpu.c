/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of the first GPU, from whole fields: one launch per time, and fused as in runs; and of its
 * links with transfers both ways. */
#include <math.h>
#include <starpu.h>
#include <stdlib.h>

#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "runtime/boundary.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/measure/field.h"
#include "runtime/measure/sample.h"
#include "runtime/plan/estimate.h"

/* Least bytes of a field, which exceed any cache; bytes of a state; and steps, a multiple of the
 * fused times of launches. */
static const double FIELD = 256 << 20, STATE = 1 << 30;
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

/* Measures an operator with fields of `size` bytes. */
static enum zoid_status one_operator(struct zoid_context *context, const struct zoid_op *op,
                                     double size, struct zoid_rates *r, struct zoid_op_rates *known)
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

    zoid_sample_size(op, size, problem.n);
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

/* The state is as large as slabs of runs: units of threads idle at the end of each launch, the more
 * the fewer planes there are. An operator whose fields do not fit this GPU keeps the default
 * rates. */
enum zoid_status zoid_calibrate_gpu(const struct zoid_calibration *c, struct zoid_rates *r)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < c->ops && !status; i++) {
        /* Sweeps in order have no launch per time. */
        if (!c->op[i]->cuda || zoid_op_in_order(c->op[i]))
            continue;
        status =
            one_operator(c->context, c->op[i], fmax(STATE / c->op[i]->nstate, FIELD), r, &r->op[i]);
        if (status == ZOID_DOES_NOT_FIT)
            status = one_operator(c->context, c->op[i], FIELD, r, &r->op[i]);
        if (status == ZOID_DOES_NOT_FIT)
            status = ZOID_OK;
    }
    return status;
}

/* ---- links ------------------------------------------------------------------------------- */

enum way { UP, DOWN, WAYS };

/* Buffers in pinned memory and on the GPU, with a stream per direction. */
struct links {
    void *host[WAYS], *gpu[WAYS], *stream[WAYS];
    int copies[WAYS]; /* of the current sample */
    double seconds;   /* of the latest sample */
    int error;
};

static const size_t COPY = 64 << 20;
enum { COPIES = 4 };

static void copy_ways(void *arg)
{
    struct links *l = arg;
    const double start = starpu_timing_now();

    for (int i = 0; i < COPIES; i++)
        for (int w = 0; w < WAYS && !l->error; w++)
            if (i < l->copies[w])
                l->error = zoid_cuda_copy(w == UP ? l->gpu[w] : l->host[w],
                                          w == UP ? l->host[w] : l->gpu[w], COPY, l->stream[w]);
    for (int w = 0; w < WAYS && !l->error; w++)
        l->error = zoid_cuda_stream_wait(l->stream[w]);
    l->seconds = (starpu_timing_now() - start) * 1e-6;
}

static void open_streams(void *arg)
{
    struct links *l = arg;

    for (int w = 0; w < WAYS && !l->error; w++)
        l->error = zoid_cuda_stream_create(&l->stream[w]);
}

static void close_streams(void *arg)
{
    for (int w = 0; w < WAYS; w++)
        zoid_cuda_stream_destroy(&((struct links *)arg)->stream[w]);
}

/* Returns the median seconds of copies up, down or both, after a warm-up. */
static double seconds_of(struct links *l, unsigned worker, bool up, bool down)
{
    double taken[ZOID_SAMPLES];

    l->copies[UP] = up ? COPIES : 0;
    l->copies[DOWN] = down ? COPIES : 0;
    for (int i = -1; i < ZOID_SAMPLES; i++) {
        starpu_execute_on_specific_workers(copy_ways, l, 1, &worker, "copies");
        taken[i < 0 ? 0 : i] = l->seconds;
    }
    return zoid_sample_median(taken, ZOID_SAMPLES);
}

static void measure_links(struct links *l, unsigned worker, struct zoid_rates *r)
{
    const double most = 2; /* one direction after the other */
    double one, both;

    starpu_execute_on_specific_workers(open_streams, l, 1, &worker, "copies");
    one = fmax(seconds_of(l, worker, true, false), seconds_of(l, worker, false, true));
    both = seconds_of(l, worker, true, true);
    starpu_execute_on_specific_workers(close_streams, l, 1, &worker, "copies");
    if (!l->error)
        r->link_both = fmin(fmax(both / one, 1), most);
}

/* StarPU itself measures each direction alone, and between GPUs. */
enum zoid_status zoid_calibrate_links(const struct zoid_calibration *c, struct zoid_rates *r)
{
    const struct zoid_rates *here = &c->context->rates;
    const unsigned worker = (unsigned)starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0);
    const unsigned node = starpu_worker_get_memory_node(worker);
    struct links l = {.error = 0};
    bool room = c->context->machine.gpu_mem > WAYS * COPY;

    for (int w = 0; w < WAYS && room; w++) {
        l.gpu[w] = (void *)starpu_malloc_on_node(node, COPY);
        room = l.gpu[w] && !starpu_malloc(&l.host[w], COPY);
    }
    r->link_up = here->link_up;
    r->link_down = here->link_down;
    r->link_peer = here->link_peer;
    r->measured |= here->measured & (ZOID_RATES_LINKS | ZOID_RATES_PEERS);
    if (room)
        measure_links(&l, worker, r);
    for (int w = 0; w < WAYS; w++) {
        if (l.host[w])
            starpu_free_noflag(l.host[w], COPY);
        if (l.gpu[w])
            starpu_free_on_node(node, (uintptr_t)l.gpu[w], COPY);
    }
    if (!room)
        return zoid_fail(ZOID_RESOURCE, "no room to measure the links of a GPU");
    return l.error ? zoid_fail(ZOID_RESOURCE, "CUDA: %s", zoid_cuda_error(l.error)) : ZOID_OK;
}
