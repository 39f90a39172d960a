/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/parallel.h"
#include "codelets/reference.h"
#include "runtime/job.h"

/* One comparison: a state of a job with the reference's. */
struct comparison {
    const struct zoid_problem *problem;
    size_t plane; /* values in one */
    size_t size;  /* bytes of a value */
    uint64_t different, compared;
    /* The first difference. */
    int field;
    long at[ZOID_AXES];
    char is[sizeof(double)], should[sizeof(double)];
};

static size_t plane_values(const struct zoid_problem *p)
{
    size_t count = 1;

    for (int a = 0; a < p->op->dims - 1; a++)
        count *= (size_t)p->n[a];
    return count;
}

static long planes(const struct zoid_problem *p)
{
    return p->n[p->op->dims - 1];
}

/* A plan exists only for problems whose bytes can be counted. */
static uint64_t field_bytes(const struct zoid_problem *p)
{
    return (uint64_t)planes(p) * plane_values(p) * zoid_type_size(p->op->type);
}

/* Of the fields and the spare state that the reference swaps theirs with. */
static uint64_t reference_bytes(const struct zoid_problem *p)
{
    return (2 * (uint64_t)p->op->nstate + (uint64_t)p->op->ncoef) * field_bytes(p);
}

enum zoid_status zoid_check_fits(const struct zoid_context *context, const struct zoid_plan *plan)
{
    const uint64_t mib = 1 << 20, available = zoid_context_machine(context)->ram_available;
    uint64_t reference = reference_bytes(&plan->problem);
    /* With a disk StarPU keeps in main memory what there is room for. */
    uint64_t run = plan->on_disk ? plan->budget : plan->total_bytes;

    if (reference <= available && run <= available - reference)
        return ZOID_OK;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "the check needs %" PRIu64 " MiB beside the run's %" PRIu64
                     " MiB, and this machine has %" PRIu64
                     " MiB free; drop --check or choose a smaller --size",
                     (reference + mib - 1) / mib, (run + mib - 1) / mib, available / mib);
}

static void note_first(struct comparison *c, int field, long z, size_t i, const char *is,
                       const char *should)
{
    const struct zoid_problem *p = c->problem;

    c->field = field;
    for (int a = 0; a < p->op->dims - 1; a++) {
        c->at[a] = (long)(i % (size_t)p->n[a]);
        i /= (size_t)p->n[a];
    }
    c->at[p->op->dims - 1] = z;
    memcpy(c->is, is, c->size);
    memcpy(c->should, should, c->size);
}

static void compare_plane(struct comparison *c, int field, long z, const char *is,
                          const char *should)
{
    c->compared += c->plane;
    if (!memcmp(is, should, c->plane * c->size))
        return;
    for (size_t i = 0; i < c->plane; i++)
        if (memcmp(is + i * c->size, should + i * c->size, c->size) && !c->different++)
            note_first(c, field, z, i, is + i * c->size, should + i * c->size);
}

/* The value and its bits, which tell apart what prints alike. */
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

    if (!c->different)
        return ZOID_OK;
    show_value(c->problem->op->type, c->is, is, sizeof is);
    show_value(c->problem->op->type, c->should, should, sizeof should);
    return zoid_fail(ZOID_CHECK_FAILED,
                     "the check failed: %s at (%ld, %ld, %ld) is %s instead of %s, the first of "
                     "%" PRIu64 " different values among %" PRIu64
                     "; trust no result and report this command line",
                     c->problem->op->field[c->field], c->at[0], c->at[1], c->at[2], is, should,
                     c->different, c->compared);
}

/* The whole initial state, and where plane i of it lies, field after field. */
struct initial_state {
    struct zoid_initial *initial;
    char *state;
    size_t plane_bytes;
};

static void make_plane(void *arg, int thread, long i)
{
    const struct initial_state *s = arg;
    long n = planes(s->initial->problem);

    (void)thread;
    zoid_initial_plane(s->initial, (int)(i / n), i % n, s->state + (size_t)i * s->plane_bytes);
}

/* The state after all steps. */
static const char *reference(const struct zoid_problem *p, void *state, void *spare)
{
    static const uint64_t least = 1 << 18; /* points that are worth a thread */
    const struct zoid_shape shape = zoid_problem_shape(p);
    const uint64_t worth = 1 + (uint64_t)planes(p) * plane_values(p) / least;
    const int cores = zoid_cores();

    return zoid_reference_run(p->op, &p->params, &shape, p->steps,
                              worth < (uint64_t)cores ? (int)worth : cores, state, spare);
}

/* Every plane of the job's state with that of the reference's. */
static enum zoid_status compare(struct comparison *c, const struct zoid_job *job,
                                const char *should, char *plane)
{
    const struct zoid_problem *p = c->problem;
    const size_t bytes = c->plane * c->size;
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < p->op->nstate; f++)
        for (long z = 0; z < planes(p) && !status; z++) {
            long stored = zoid_op_stored(p->op, f, p->steps) * planes(p) + z;

            status = zoid_job_read(job, f, z, plane);
            if (!status)
                compare_plane(c, f, z, plane, should + (size_t)stored * bytes);
        }
    return status;
}

enum zoid_status zoid_check(const struct zoid_job *job, struct zoid_initial *initial)
{
    const struct zoid_problem *p = &job->plan.problem;
    const int nstate = p->op->nstate, fields = nstate + p->op->ncoef;
    struct comparison c = {
        .problem = p, .plane = plane_values(p), .size = zoid_type_size(p->op->type)};
    char *state = malloc((size_t)fields * field_bytes(p));
    char *spare = malloc((size_t)nstate * field_bytes(p)), *plane = malloc(c.plane * c.size);
    struct initial_state s = {initial, state, c.plane * c.size};
    const char *should;
    enum zoid_status status;

    if (!state || !spare || !plane) {
        free(state), free(spare), free(plane);
        return zoid_fail(ZOID_DOES_NOT_FIT, "the check needs %" PRIu64 " MiB; drop --check",
                         reference_bytes(p) >> 20);
    }
    /* StarPU's idle workers poll; the threads want the cores for themselves. */
    starpu_pause();
    zoid_parallel(zoid_cores(), fields * planes(p), make_plane, &s);
    should = reference(p, state, spare);
    starpu_resume();
    status = compare(&c, job, should, plane);
    free(state), free(spare), free(plane);
    return status ? status : verdict(&c);
}
