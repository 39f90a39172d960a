/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "codelets/op/traits.h"
#include "codelets/threads/parallel.h"
#include "runtime/boundary.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/ranks/ranks.h"

/* Comparison of a job's state with the reference's. */
struct comparison {
    const struct zoid_problem *problem;
    size_t size;        /* bytes of a value */
    int field;          /* being compared, */
    const char *should; /* and its expected values from the next one on */
    uint64_t different, compared;
    /* The first difference. */
    int first;
    long at[ZOID_AXES];
    char is[sizeof(double)], was_to_be[sizeof(double)];
    /* The samples of receivers: the number of different values, and the first of them. */
    uint64_t seen_different;
    long step;
    size_t receiver;
    double seen, to_be_seen;
};

static uint64_t points(const struct zoid_problem *p)
{
    return (uint64_t)p->n[0] * (uint64_t)p->n[1] * (uint64_t)p->n[2];
}

/* Cannot overflow: a plan exists only for problems whose bytes can be counted. */
static uint64_t field_bytes(const struct zoid_problem *p)
{
    return points(p) * zoid_op_point_bytes(p->op);
}

/* Number of fields. Coefficients in pieces are not needed: such an operator has a reference of its
 * own, which has them already. */
static int fields_of(const struct zoid_op *op)
{
    return op->nstate + (op->coefficient_bytes ? 0 : op->ncoef);
}

/* Bytes of the receivers' samples over that number of steps. */
static uint64_t seen_bytes(const struct zoid_problem *p, long steps)
{
    return p->points ? (uint64_t)(steps + 1) * p->points->receivers * sizeof(double) : 0;
}

/* Bytes of the memory of layers that match. */
static size_t memory_bytes(const struct zoid_problem *p)
{
    const struct zoid_shape shape = zoid_problem_shape(p);

    return zoid_reference_memory(p->op, &shape, &p->params);
}

/* Bytes of the fields, of the memory of layers that match, of the spare state that the reference
 * computes into, and of its receivers' samples. */
static uint64_t reference_bytes(const struct zoid_problem *p)
{
    return (uint64_t)(p->op->nstate + fields_of(p->op)) * field_bytes(p) + memory_bytes(p) +
           seen_bytes(p, p->steps);
}

static enum zoid_status check_known(const struct zoid_op *op)
{
    if (op->reference)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has no plain loop nest to be compared with; drop {check}", op->name);
}

enum zoid_status zoid_check_fits(const struct zoid_context *context, const struct zoid_plan *plan)
{
    const uint64_t others = zoid_jobs_reserved(context->jobs, NULL), mib = 1 << 20;
    const uint64_t all = zoid_context_machine(context)->ram_available;
    const uint64_t available = others < all ? all - others : 0;
    uint64_t reference = reference_bytes(&plan->problem);
    const struct zoid_tier *ram = &plan->tier[ZOID_RAM];
    /* With a disk, StarPU fills main memory up to the capacity. */
    uint64_t run = plan->home != ZOID_RAM ? ram->capacity : ram->bytes;
    enum zoid_status status = check_known(plan->problem.op);

    if (status)
        return status;
    if (reference <= available && run <= available - reference)
        return ZOID_OK;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "the check needs %" PRIu64 " MiB beside the run's %" PRIu64
                     " MiB, and this machine has %" PRIu64
                     " MiB free; drop {check} or choose a smaller %s",
                     (reference + mib - 1) / mib, (run + mib - 1) / mib, available / mib,
                     zoid_op_plain(plan->problem.op) ? ZOID_KEY("size") : "problem");
}

/* Record value i of a box as the first difference. */
static void note_first(struct comparison *c, const struct zoid_box *box, size_t i, const char *is)
{
    const struct zoid_op *op = c->problem->op;

    c->first = c->field;
    memcpy(c->is, is, c->size);
    memcpy(c->was_to_be, c->should + i * c->size, c->size);
    i /= (size_t)zoid_op_width(op);
    for (int a = 0; a < ZOID_AXES; a++) {
        const size_t width = (size_t)(box->hi[a] - box->lo[a]);

        c->at[a] = box->lo[a] + (long)(i % width);
        i /= width;
    }
}

static enum zoid_status compare_part(void *comparison, const struct zoid_box *box,
                                     const void *values, size_t bytes)
{
    struct comparison *c = comparison;
    const char *is = values;

    if (memcmp(is, c->should, bytes))
        for (size_t i = 0; i < bytes / c->size; i++, is += c->size)
            if (memcmp(is, c->should + i * c->size, c->size) && !c->different++)
                note_first(c, box, i, is);
    c->compared += bytes / c->size;
    c->should += bytes;
    return ZOID_OK;
}

/* Print a value and its bits, which distinguish values that print alike. */
static void show_value(enum zoid_type type, const char *value, char *text, size_t room)
{
    union {
        float f32;
        double f64;
        uint32_t bits32;
        uint64_t bits64;
        uint8_t u8;
    } v;

    memcpy(&v, value, zoid_type_size(type));
    if (type == ZOID_F32)
        snprintf(text, room, "%.9g (%08" PRIx32 ")", (double)v.f32, v.bits32);
    else if (type == ZOID_U8)
        snprintf(text, room, "%u (%02" PRIx8 ")", v.u8, v.u8);
    else
        snprintf(text, room, "%.17g (%016" PRIx64 ")", v.f64, v.bits64);
}

static enum zoid_status verdict(const struct comparison *c)
{
    char is[64], should[64];

    if (!c->different && !c->seen_different)
        return ZOID_OK;
    if (!c->different)
        return zoid_fail(ZOID_CHECK_FAILED,
                         "the check failed: receiver %zu sees %.17g of step %ld instead of %.17g, "
                         "the first of %" PRIu64 " different values; trust no result and report "
                         "this command line",
                         c->receiver + 1, c->seen, c->step, c->to_be_seen, c->seen_different);
    show_value(c->problem->op->type, c->is, is, sizeof is);
    show_value(c->problem->op->type, c->was_to_be, should, sizeof should);
    return zoid_fail(ZOID_CHECK_FAILED,
                     "the check failed: %s at (%ld, %ld, %ld) is %s instead of %s, the first of "
                     "%" PRIu64 " different values among %" PRIu64
                     "; trust no result and report this command line",
                     c->problem->op->field[c->first], c->at[0], c->at[1], c->at[2], is, should,
                     c->different, c->compared);
}

/* Parallel initialization of the whole state, field after field, in parts: layers along the slowest
 * axis that has more than one point. */
struct initial_state {
    struct zoid_initial *initial;
    long from; /* steps from time 0 */
    char *state;
    int axis;
    long parts; /* per field */
};

static struct initial_state initial_state(struct zoid_initial *initial, long from, char *state)
{
    static const uint64_t worth = 1 << 16; /* points */
    const struct zoid_problem *p = initial->problem;
    struct initial_state s = {
        .initial = initial, .from = from, .state = state, .axis = ZOID_AXES - 1};

    while (s.axis > 0 && p->n[s.axis] == 1)
        s.axis--;
    s.parts = 1 + (long)(points(p) / worth);
    s.parts = s.parts < p->n[s.axis] ? s.parts : p->n[s.axis];
    return s;
}

static void make_part(void *arg, int thread, long i)
{
    const struct initial_state *s = arg;
    const struct zoid_problem *p = s->initial->problem;
    const int field = (int)(i / s->parts), stored = zoid_op_stored(p->op, field, s->from);
    const long n = p->n[s->axis], part = i % s->parts;
    struct zoid_box box = {.hi = {p->n[0], p->n[1], p->n[2]}};
    struct zoid_values to;

    (void)thread;
    to = zoid_values_packed(&box, s->state + (size_t)stored * field_bytes(p));
    box.lo[s->axis] = (long)((__int128)n * part / s->parts);
    box.hi[s->axis] = (long)((__int128)n * (part + 1) / s->parts);
    to.at =
        (char *)to.at + (size_t)(box.lo[s->axis] * to.stride[s->axis]) * zoid_op_point_bytes(p->op);
    zoid_initial_box(s->initial, field, &box, &to);
}

/* Sets the memory of layers as the initial state has it: for each face psi, P and zeta, each as one
 * would a field of its points. */
static enum zoid_status make_memory(const struct zoid_initial *initial, char *memory)
{
    const struct zoid_problem *p = initial->problem;
    const struct zoid_shape shape = zoid_problem_shape(p);
    const struct zoid_layers l = zoid_layers_of(p->op, &shape, &p->params, NULL);

    for (int i = 0; i < shape.dims * ZOID_SIDES && initial->memory; i++) {
        const int axis = i / ZOID_SIDES, side = i % ZOID_SIDES;
        const struct zoid_layer_planes planes = zoid_layer_planes_of(&shape, &l, axis, side);
        const size_t plane = zoid_layer_plane_bytes(&planes, p->op->type) / ZOID_LAYER_VALUES;
        const long lo = planes.planes.lo, n = planes.planes.hi - lo;
        char *values;

        if (!l.face[axis][side].there)
            continue;
        values = malloc(plane * ZOID_LAYER_VALUES);
        if (!values)
            return zoid_no_memory();
        for (long z = 0; z < n; z++) {
            initial->memory(initial->of, axis, side, lo + z, values);
            for (int v = 0; v < ZOID_LAYER_VALUES; v++)
                memcpy(memory + (size_t)(v * n + z) * plane, values + (size_t)v * plane, plane);
        }
        memory += (size_t)(ZOID_LAYER_VALUES * n) * plane;
        free(values);
    }
    return ZOID_OK;
}

/* Compute the expected state and the expected samples of receivers. */
static const char *reference(const struct zoid_job *job, void *state, void *spare, void *memory,
                             double *seen)
{
    const struct zoid_problem *p = &job->part->plan.problem;
    static const uint64_t least = 1 << 18; /* points that are worth a thread */
    const struct zoid_shape shape = zoid_problem_shape(p);
    const uint64_t worth = 1 + points(p) / least;
    const int cores = zoid_cores();

    return zoid_reference_run(
        &(struct zoid_reference){.op = p->op,
                                 .params = &p->params,
                                 .shape = &shape,
                                 .start = job->from,
                                 .steps = zoid_job_steps(job) - job->from,
                                 .threads = worth < (uint64_t)cores ? (int)worth : cores,
                                 .points = p->points,
                                 .memory = memory,
                                 .seen = seen},
        state, spare);
}

/* Compare every value of the job's state with the reference's. */
static enum zoid_status compare(struct comparison *c, const struct zoid_job *job,
                                const char *should)
{
    const struct zoid_problem *p = c->problem;
    enum zoid_status status = ZOID_OK;

    for (c->field = 0; c->field < p->op->nstate && !status; c->field++) {
        c->should =
            should + (size_t)zoid_op_stored(p->op, c->field, zoid_job_steps(job)) * field_bytes(p);
        status = zoid_job_each(job, c->field, compare_part, c);
    }
    return status;
}

/* Compare the receivers' samples of every step with the reference's, `should`. */
static enum zoid_status compare_seen(struct comparison *c, const struct zoid_job *job,
                                     const double *should)
{
    const size_t n = c->problem->points ? c->problem->points->receivers : 0;
    enum zoid_status status = ZOID_OK;
    double *seen = malloc(n * sizeof *seen + 1);

    if (!seen)
        return zoid_no_memory();
    for (long step = job->from; n && step <= zoid_job_steps(job) && !status; step++, should += n) {
        status = zoid_job_record(job, step, seen);
        for (size_t i = 0; i < n && !status; i++)
            if (memcmp(&seen[i], &should[i], sizeof *seen) && !c->seen_different++) {
                c->step = step;
                c->receiver = i;
                c->seen = seen[i];
                c->to_be_seen = should[i];
            }
    }
    free(seen);
    return status;
}

static enum zoid_status check_all(const struct zoid_job *job, struct zoid_initial *initial)
{
    const struct zoid_problem *p = &job->part->plan.problem;
    const int nstate = p->op->nstate, fields = fields_of(p->op);
    struct comparison c = {.problem = p, .size = zoid_type_size(p->op->type)};
    char *state = malloc((size_t)fields * field_bytes(p));
    char *spare = malloc((size_t)nstate * field_bytes(p));
    double *seen = malloc(seen_bytes(p, zoid_job_steps(job) - job->from) + 1);
    void *memory = memory_bytes(p) ? calloc(1, memory_bytes(p)) : NULL;
    struct initial_state s = initial_state(initial, job->from, state);
    const char *should;
    enum zoid_status status;

    if (!state || !spare || !seen || (memory_bytes(p) && !memory)) {
        free(state), free(spare), free(seen), free(memory);
        return zoid_fail(ZOID_DOES_NOT_FIT, "the check needs %" PRIu64 " MiB; drop {check}",
                         reference_bytes(p) >> 20);
    }
    /* Idle StarPU workers poll; the threads need the cores for themselves. */
    starpu_pause();
    zoid_parallel(zoid_cores(), fields * s.parts, make_part, &s);
    status = make_memory(initial, memory);
    should = status ? state : reference(job, state, spare, memory, p->points ? seen : NULL);
    starpu_resume();
    if (!status)
        status = compare(&c, job, should);
    if (!status)
        status = compare_seen(&c, job, seen);
    free(state), free(spare), free(seen), free(memory);
    return status ? status : verdict(&c);
}

static enum zoid_status look_away(void *nothing, const struct zoid_box *box, const void *values,
                                  size_t bytes)
{
    (void)nothing, (void)box, (void)values, (void)bytes;
    return ZOID_OK;
}

static enum zoid_status lend_seen(const struct zoid_job *job)
{
    const size_t n = job->part->plan.problem.points ? job->part->plan.problem.points->receivers : 0;
    enum zoid_status status = ZOID_OK;
    double *seen = malloc(n * sizeof *seen + 1);

    if (!seen)
        return zoid_no_memory();
    for (long step = job->from; n && step <= zoid_job_steps(job) && !status; step++)
        status = zoid_job_record(job, step, seen);
    free(seen);
    return status;
}

/* Take part in the reads of rank 0, which does the comparison. */
static enum zoid_status lend(const struct zoid_job *job)
{
    enum zoid_status status = ZOID_OK;

    for (int field = 0; field < job->part->plan.problem.op->nstate && !status; field++)
        status = zoid_job_each(job, field, look_away, NULL);
    return status ? status : lend_seen(job);
}

enum zoid_status zoid_check(const struct zoid_job *job, struct zoid_initial *initial)
{
    enum zoid_status status = check_known(job->part->plan.problem.op);

    if (status)
        return status;
    zoid_jobs_enter(job->memory);
    status = zoid_ranks_here()->rank == 0 ? check_all(job, initial) : lend(job);
    status = zoid_ranks_agree(status);
    zoid_jobs_leave(job->memory);
    return status;
}
