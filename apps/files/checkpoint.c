/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "apps/files/checkpoint_file.h"
#include "apps/files/finite.h"
#include "apps/files/h5.h"
#include "apps/files/output.h"
#include "apps/files/stream.h"
#include "runtime/ranks/ranks.h"

struct zoid_checkpoint zoid_checkpoint_of(const struct zoid_problem *p,
                                          const struct zoid_initial *initial)
{
    struct zoid_checkpoint c = {.step = p->start, .init = initial->kind, .seed = initial->seed};

    snprintf(c.op, sizeof c.op, "%s", p->op->name);
    memcpy(c.n, p->n, sizeof c.n);
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES; i++)
        c.face[i] = p->face[i / ZOID_SIDES][i % ZOID_SIDES];
    memcpy(c.param, p->params.value, (size_t)p->op->nparams * sizeof *c.param);
    return c;
}

static double field_bytes(const struct zoid_problem *p)
{
    return (double)p->n[0] * (double)p->n[1] * (double)p->n[2] * (double)zoid_op_point_bytes(p->op);
}

double zoid_checkpoint_bytes(const struct zoid_problem *p, bool coefficients)
{
    return field_bytes(p) * zoid_checkpoint_count(p->op, coefficients);
}

/* ---- coefficients -------------------------------------------------------------------------- */

/* Has `part` look at the values of a field of coefficients as `initial` makes them, from the first
 * to the last, in parts that follow from the domain alone. */
static enum zoid_status each_part(struct zoid_initial *initial, int field, zoid_part_fn *part,
                                  void *user)
{
    static const size_t most = 1 << 20;
    const struct zoid_problem *p = initial->problem;
    const int chain = p->op->dims - 1;
    const struct zoid_box plane = zoid_problem_planes(p, 0, 1);
    const size_t bytes = (size_t)zoid_box_volume(&plane) * zoid_op_point_bytes(p->op);
    const long layers = bytes < most ? (long)(most / bytes) : 1;
    void *room = malloc((size_t)layers * bytes);
    enum zoid_status status = room ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");

    for (long lo = 0, hi; !status && lo < p->n[chain]; lo = hi) {
        struct zoid_box box;
        struct zoid_values values;

        hi = lo + layers < p->n[chain] ? lo + layers : p->n[chain];
        box = zoid_problem_planes(p, lo, hi);
        values = zoid_values_packed(&box, room);
        zoid_initial_box(initial, field, &box, &values);
        status = part(user, &box, room, (size_t)(hi - lo) * bytes);
    }
    free(room);
    return status;
}

/* The sum of a part follows from it and from the sum of those before it. */
static enum zoid_status add_sum(void *sum, const struct zoid_box *box, const void *values,
                                size_t bytes)
{
    uint64_t both[2] = {*(uint64_t *)sum, zoid_h5_sum(values, bytes)};

    (void)box;
    *(uint64_t *)sum = zoid_h5_sum(both, sizeof both);
    return ZOID_OK;
}

enum zoid_status zoid_checkpoint_source(struct zoid_initial *initial, uint64_t *sum)
{
    const struct zoid_op *op = initial->problem->op;
    enum zoid_status status = ZOID_OK;

    *sum = 0;
    for (int f = op->nstate; f < op->nstate + op->ncoef && !status; f++)
        status = each_part(initial, f, add_sum, sum);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A checkpoint that is being written, by the first rank. */
struct writing {
    const struct zoid_checkpoint *about;
    const struct zoid_problem *problem;
    struct zoid_h5 *h5;
    struct zoid_stream *stream;
    long offset[ZOID_MAX_FIELDS];
    uint64_t *sums[ZOID_MAX_FIELDS];
};

static struct zoid_h5_dataset numbers_of(const char *name, char kind, long n)
{
    return (struct zoid_h5_dataset){
        .name = name, .axes = 1, .n = {n}, .element = {.kind = kind, .size = sizeof(double)}};
}

static enum zoid_status put_numbers(struct zoid_h5 *h5, const char *name, const void *values,
                                    char kind, long n)
{
    const struct zoid_h5_dataset d = numbers_of(name, kind, n);
    const struct zoid_h5_part all = {.hi = {n}, .element = d.element};

    return zoid_h5_write(h5, name, &all, values);
}

static enum zoid_status add_field(struct writing *w, int f)
{
    const struct zoid_op *op = w->problem->op;
    const long sums = zoid_stream_sums((size_t)field_bytes(w->problem));
    struct zoid_h5_dataset d = zoid_checkpoint_dataset(w->problem, f);
    char name[ZOID_CHECKPOINT_NAME];
    long offset;
    enum zoid_status status = zoid_h5_add(w->h5, &d, &w->offset[f]);

    if (status)
        return status;
    zoid_checkpoint_sums(op->field[f], name);
    d = numbers_of(name, 'u', sums);
    w->sums[f] = calloc((size_t)sums, sizeof *w->sums[f]);
    if (!w->sums[f])
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    return zoid_h5_add(w->h5, &d, &offset);
}

/* The program's own numbers, with sums beside them as fields have. */
static enum zoid_status put_own(struct writing *w)
{
    const long n = w->about->numbers;
    const size_t bytes = (size_t)n * sizeof *w->about->number;
    const long sums = zoid_stream_sums(bytes);
    struct zoid_h5_dataset d = numbers_of(ZOID_CHECKPOINT_OWN, 'f', n);
    uint64_t *sum = calloc((size_t)sums, sizeof *sum);
    char name[ZOID_CHECKPOINT_NAME];
    long offset;
    enum zoid_status status = sum ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");

    if (sum)
        zoid_stream_sum(w->about->number, bytes, sum);
    zoid_checkpoint_sums(ZOID_CHECKPOINT_OWN, name);
    if (!status)
        status = zoid_h5_add(w->h5, &d, &offset);
    d = numbers_of(name, 'u', sums);
    if (!status)
        status = zoid_h5_add(w->h5, &d, &offset);
    if (!status)
        status = put_numbers(w->h5, ZOID_CHECKPOINT_OWN, w->about->number, 'f', n);
    if (!status)
        status = put_numbers(w->h5, name, sum, 'u', sums);
    free(sum);
    return status;
}

static enum zoid_status add_all(struct writing *w)
{
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < zoid_checkpoint_count(w->problem->op, w->about->coefficients) && !status;
         f++)
        status = add_field(w, f);
    if (!status && w->about->numbers)
        status = put_own(w);
    return status ? status : zoid_checkpoint_put(w->h5, w->about);
}

static enum zoid_status put_part(void *user, const struct zoid_box *box, const void *values,
                                 size_t bytes)
{
    struct writing *w = user;

    (void)box;
    return w->stream ? zoid_stream_put(w->stream, values, bytes) : ZOID_OK;
}

/* A field of the state, from which nobody could go on if it had values that are no numbers. */
struct state_field {
    struct writing *writing;
    struct zoid_finite of;
};

static enum zoid_status put_state(void *user, const struct zoid_box *box, const void *values,
                                  size_t bytes)
{
    const struct state_field *s = user;
    enum zoid_status status = zoid_finite_look(&s->of, box, values);

    return status ? status : put_part(s->writing, box, values, bytes);
}

static enum zoid_status put_values(struct writing *w, const struct zoid_checkpoint_state *state,
                                   int f)
{
    struct state_field field = {.writing = w,
                                .of = {.problem = w->problem, .field = f, .step = w->about->step}};

    if (f >= w->problem->op->nstate)
        return w->stream ? each_part(state->initial, f, put_part, w) : ZOID_OK;
    return state->each ? state->each(state->job, put_state, &field)
                       : zoid_job_each(state->job, f, put_state, &field);
}

static enum zoid_status put_field(struct writing *w, const struct zoid_checkpoint_state *state,
                                  int f)
{
    char name[ZOID_CHECKPOINT_NAME];
    enum zoid_status status;

    if (w->stream)
        zoid_stream_begin(w->stream, w->offset[f], (size_t)field_bytes(w->problem), w->sums[f]);
    status = put_values(w, state, f);
    if (status || !w->stream)
        return status;
    status = zoid_stream_end(w->stream);
    zoid_checkpoint_sums(w->problem->op->field[f], name);
    return status ? status
                  : put_numbers(w->h5, name, w->sums[f], 'u',
                                zoid_stream_sums((size_t)field_bytes(w->problem)));
}

static enum zoid_status open_all(struct writing *w, const struct zoid_output *output,
                                 const char *path)
{
    const char *file = zoid_output_file(output);
    enum zoid_status status = zoid_h5_open(file, path, ZOID_H5_NEW, &w->h5);

    if (!status)
        status = add_all(w);
    if (!status)
        status = zoid_stream_open(0, &w->stream);
    return status ? status : zoid_stream_into(w->stream, file, path);
}

/* What says that it is whole comes last. */
static enum zoid_status complete(struct writing *w, struct zoid_output **output)
{
    static const long yes = 1;
    enum zoid_status status = zoid_h5_put_longs(w->h5, "", ZOID_CHECKPOINT_COMPLETE, 1, &yes);

    if (!status)
        status = zoid_h5_close(&w->h5);
    return status ? status : zoid_output_commit(output);
}

enum zoid_status zoid_checkpoint_write(const struct zoid_checkpoint_state *state,
                                       const struct zoid_checkpoint *about, const char *folder,
                                       double *bytes)
{
    const bool writes = zoid_ranks_here()->rank == 0;
    struct writing w = {.about = about, .problem = state->initial->problem};
    struct zoid_output *output = NULL;
    char path[PATH_MAX];
    enum zoid_status status = ZOID_OK;

    zoid_checkpoint_path(folder, about->step, path);
    if (writes)
        status = zoid_output_open(path, &output);
    if (!status && writes)
        status = open_all(&w, output, path);
    status = zoid_ranks_agree(status);
    for (int f = 0; f < zoid_checkpoint_count(w.problem->op, about->coefficients) && !status; f++)
        status = put_field(&w, state, f);
    /* Which all ranks have seen. */
    if (status == ZOID_CHECK_FAILED)
        status = zoid_ranks_agree(status);
    zoid_stream_close(&w.stream);
    if (!status && writes)
        status = complete(&w, &output);
    if (!status && writes)
        status = zoid_checkpoint_keep(folder, about->step);
    zoid_h5_close(&w.h5);
    zoid_output_discard(&output);
    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        free(w.sums[f]);
    *bytes = zoid_checkpoint_bytes(w.problem, about->coefficients);
    return status;
}
