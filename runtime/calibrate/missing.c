/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/calibrate/missing.h"

#include <stdio.h>
#include <string.h>

#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/machine/clock.h"
#include "runtime/plan/estimate.h"

static bool wants_disk(const struct zoid_calibration_request *request, const struct zoid_machine *m)
{
    const uint64_t ram =
        request->ram && request->ram < m->ram_available ? request->ram : m->ram_available;

    return request->disk && 2 * request->state > (double)ram;
}

/* An operator made for one problem, such as a matrix, is measured for no other; nor can it be on
 * fields of another size. */
static bool in_table(const struct zoid_op *op)
{
    return zoid_op_find(op->family, op->dims, op->radius, op->type) == op;
}

/* Return the operator that is measured: the request's, or one of the table, for the machine's own
 * rates. */
static const struct zoid_op *measured(const struct zoid_calibration_request *request)
{
    return in_table(request->op) ? request->op : zoid_op_find("heat", 3, 1, ZOID_F32);
}

/* True if the rates were measured with so many fewer cores busy that those of memory say little. */
static bool is_larger(const struct zoid_context *c)
{
    return 2 * c->machine.cpu_workers > 3 * c->rates.workers;
}

/* Returns the parts that were measured, with the request's disk, and with so many cores. */
static unsigned measured_of(const struct zoid_calibration_request *request,
                            const struct zoid_context *c)
{
    unsigned measured = c->rates.measured;
    struct zoid_rates here;

    if (request->disk) {
        zoid_context_rate_folder(c, request->disk, &here);
        measured = here.measured;
    }
    return is_larger(c) ? measured & ~(unsigned)ZOID_RATES_MEMORY : measured;
}

/* Returns the parts that the run needs and the context's rates lack. A run with a limit of GPU
 * memory is on GPUs. */
static unsigned lacking(const struct zoid_calibration_request *request,
                        const struct zoid_context *c)
{
    const struct zoid_model model = zoid_model_of(&c->machine, &c->rates, request->op);
    const bool cores = c->machine.cpu_workers > 0, own = in_table(request->op);
    const bool known = (model.cores && !is_larger(c)) || !own;
    unsigned parts = 0;

    if (cores && wants_disk(request, &c->machine))
        parts |= ZOID_RATES_DISK;
    if (cores && !c->gpu_wanted)
        parts |= ZOID_RATES_MEMORY | ZOID_RATES_TASKS | (known ? 0 : ZOID_RATES_CORE_OPS);
    if (c->machine.cuda_workers > 0 && zoid_op_on_gpus(request->op))
        parts |= ZOID_RATES_GPU | (model.gpus || !own ? 0 : ZOID_RATES_GPU_OPS);
    parts &= ~measured_of(request, c);
    /* The bandwidth of GPU memory is measured along with an operator. */
    return parts & ZOID_RATES_GPU ? parts | ZOID_RATES_GPU_OPS : parts;
}

/* Measures in a context of its own: limits and traces are for the run. */
static enum zoid_status measure(const struct zoid_calibration_request *request, unsigned parts,
                                struct zoid_rates *rates)
{
    const struct zoid_context_options options = {
        .folder = {[ZOID_DISK] = parts & ZOID_RATES_DISK ? request->disk : NULL},
        .rates = ZOID_RATES_KEEP};
    const struct zoid_op *op = measured(request);
    struct zoid_calibration calibration = {.parts = parts, .op = &op, .ops = 1, .brief = true};
    enum zoid_status status = zoid_context_open(&options, &calibration.context);

    if (status)
        return status;
    *rates = calibration.context->rates;
    rates->op = NULL;
    status = zoid_calibrate(&calibration, rates);
    zoid_context_close(&calibration.context);
    return status;
}

static void list(unsigned parts, const struct zoid_op *op, char *text, size_t size)
{
    const char *const names[] = {parts & ZOID_RATES_MEMORY ? "memory" : NULL,
                                 parts & (ZOID_RATES_CORE_OPS | ZOID_RATES_GPU_OPS) ? op->name
                                                                                    : NULL,
                                 parts & (ZOID_RATES_TASKS | ZOID_RATES_GPU) ? "tasks" : NULL,
                                 parts & ZOID_RATES_DISK ? "the disk" : NULL};
    size_t n = 0;

    *text = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "", names[i]);
}

/* Logs the parts measured, and whether they are kept. */
static void keep(const struct zoid_calibration_request *request, const struct zoid_machine *machine,
                 struct zoid_rates *rates, double seconds)
{
    char path[1024] = "", parts[256];
    enum zoid_status status = zoid_calibrate_keep(machine, rates);

    list(rates->measured, measured(request), parts, sizeof parts);
    if (!status && zoid_rates_path(machine, path, sizeof path))
        zoid_log("%s: measured %s in %.1f s, once for this machine; the rates are in %s",
                 request->program, parts, seconds, path);
    else
        zoid_log("%s: measured %s in %.1f s, for this run only: %s", request->program, parts,
                 seconds, zoid_error_as(ZOID_NAMES_OPTIONS));
}

static enum zoid_status learn(const struct zoid_calibration_request *request, unsigned parts,
                              struct zoid_context **context)
{
    const struct zoid_machine machine = (*context)->machine;
    const double start = zoid_machine_clock();
    struct zoid_rates rates = {.ops = 0};
    enum zoid_status failed, status;

    zoid_context_close(context);
    failed = measure(request, parts, &rates);
    if (failed)
        zoid_log("%s: cannot measure, so defaults are used: %s", request->program,
                 zoid_error_as(ZOID_NAMES_OPTIONS));
    else
        keep(request, &machine, &rates, zoid_machine_clock() - start);
    status = zoid_context_open(request->wanted, context);
    if (!status && !failed)
        status = zoid_context_add_rates(*context, &rates);
    if (status)
        zoid_context_close(context);
    zoid_rates_free(&rates);
    return status;
}

bool zoid_calibration_complete(const struct zoid_calibration_request *request,
                               const struct zoid_context *context)
{
    return !lacking(request, context);
}

enum zoid_status zoid_calibrate_missing(const struct zoid_calibration_request *request,
                                        struct zoid_context **context)
{
    struct zoid_context_options first = *request->wanted;
    enum zoid_status status;
    unsigned parts;

    first.trace = NULL;
    status = zoid_context_open(&first, context);
    if (status)
        return status;
    parts = lacking(request, *context);
    if (parts) {
        status = learn(request, parts, context);
    } else if (request->wanted->trace) {
        zoid_context_close(context);
        status = zoid_context_open(request->wanted, context);
    }
    /* The file's fault is repaired by now, or reported. */
    if (!status)
        (*context)->rates.note[0] = 0;
    return status;
}
