/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/zoid.h"
#include "runtime/error.h"
#include "runtime/io/background.h"
#include "runtime/io/h5.h"
#include "runtime/io/output.h"
#include "runtime/job.h"
#include "runtime/machine/clock.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/output/checkpoint_file.h"
#include "runtime/session/output/finite.h"
#include "runtime/session/output/stream.h"

struct zoid_checkpoint zoid_checkpoint_of(const struct zoid_problem *p)
{
    struct zoid_checkpoint c = {.step = p->start};

    snprintf(c.op, sizeof c.op, "%s", p->op->name);
    memcpy(c.n, p->n, sizeof c.n);
    return c;
}

static double field_bytes(const struct zoid_problem *p)
{
    return (double)p->n[0] * (double)p->n[1] * (double)p->n[2] * (double)zoid_op_point_bytes(p->op);
}

enum { LAYERS = ZOID_AXES * ZOID_SIDES };

/* Bytes of the memory of a layer. */
static size_t layer_bytes(const struct zoid_checkpoint_layer *layer)
{
    return (size_t)layer->planes * layer->bytes;
}

double zoid_checkpoint_bytes(const struct zoid_problem *p, bool coefficients)
{
    double bytes = field_bytes(p) * zoid_checkpoint_count(p->op, coefficients);
    struct zoid_checkpoint_layer layer;

    for (int i = 0; i < LAYERS; i++)
        bytes += zoid_checkpoint_layer(p, i, &layer) ? (double)layer_bytes(&layer) : 0;
    return bytes;
}

/* ---- coefficients -------------------------------------------------------------------------- */

/* Number of planes of a field that have about a MiB. */
static long layers_of(const struct zoid_problem *p)
{
    const size_t bytes = 1 << 20;
    const struct zoid_box plane = zoid_problem_planes(p, 0, 1);
    const size_t layer = (size_t)zoid_box_volume(&plane) * zoid_op_point_bytes(p->op);

    return zoid_min(layer < bytes ? (long)(bytes / layer) : 1, p->n[p->op->dims - 1]);
}

/* Call `part` for the values of a field as `initial` makes them, from the first to
 * the last, in parts that depend on the domain alone. */
static enum zoid_status each_part(struct zoid_initial *initial, int field, zoid_part_fn *part,
                                  void *user)
{
    const struct zoid_problem *p = initial->problem;
    const long n = p->n[p->op->dims - 1], layers = layers_of(p);
    struct zoid_box box = zoid_problem_planes(p, 0, layers);
    void *room = malloc((size_t)zoid_box_volume(&box) * zoid_op_point_bytes(p->op));
    enum zoid_status status = room ? ZOID_OK : zoid_no_memory();

    for (long lo = 0; lo < n && !status; lo += layers) {
        struct zoid_values values;

        box = zoid_problem_planes(p, lo, zoid_min(lo + layers, n));
        values = zoid_values_packed(&box, room);
        zoid_initial_box(initial, field, &box, &values);
        status = part(user, &box, room, (size_t)zoid_box_volume(&box) * zoid_op_point_bytes(p->op));
    }
    free(room);
    return status;
}

/* Chain the checksums: that of a part includes that of the parts before it. */
static enum zoid_status add_sum(void *sum, const struct zoid_box *box, const void *values,
                                size_t bytes)
{
    uint64_t both[2] = {*(uint64_t *)sum, zoid_h5_sum(values, bytes)};

    (void)box;
    *(uint64_t *)sum = zoid_h5_sum(both, sizeof both);
    return ZOID_OK;
}

enum zoid_status zoid_checkpoint_source(struct zoid_initial *initial, int field, uint64_t *sum)
{
    return each_part(initial, field, add_sum, sum);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A checkpoint on its way to the disk: the first rank's, unless noted. */
struct writing {
    struct zoid_checkpoint_state state;  /* all ranks', */
    const struct zoid_checkpoint *about; /* all ranks', until all is put */
    struct zoid_output *output;
    struct zoid_h5 *h5;
    /* Of fields, then of the memory of layers, by face. */
    long offset[ZOID_MAX_FIELDS + LAYERS];
    uint64_t *sums[ZOID_MAX_FIELDS + LAYERS];
    struct zoid_background background; /* completes it, */
    struct zoid_background *others;
    long others_begun; /* once this number of their works is over */
    long step;
    double began, seconds;
    bool open; /* on all ranks: it is not complete yet */
    char path[PATH_MAX];
};

struct zoid_checkpoints {
    const char *folder;
    const struct zoid_problem *problem;
    bool coefficients;
    bool waits;                 /* the run waits until each is complete */
    struct zoid_stream *stream; /* the first rank's */
    struct writing writing;
    double seconds;
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

/* Add a dataset of `bytes` bytes, number i of those that stream, and its checksums. */
static enum zoid_status add_dataset(struct writing *w, const struct zoid_h5_dataset *d, int i,
                                    size_t bytes)
{
    const long sums = zoid_stream_sums(bytes);
    struct zoid_h5_dataset of_sums;
    char name[ZOID_CHECKPOINT_NAME];
    long offset;
    enum zoid_status status = zoid_h5_add(w->h5, d, &w->offset[i]);

    if (status)
        return status;
    zoid_checkpoint_sums(d->name, name);
    of_sums = numbers_of(name, 'u', sums);
    w->sums[i] = calloc((size_t)sums, sizeof *w->sums[i]);
    if (!w->sums[i])
        return zoid_no_memory();
    return zoid_h5_add(w->h5, &of_sums, &offset);
}

static enum zoid_status add_field(struct zoid_checkpoints *c, int f)
{
    const struct zoid_h5_dataset d = zoid_checkpoint_dataset(c->problem, f);

    return add_dataset(&c->writing, &d, f, (size_t)field_bytes(c->problem));
}

static enum zoid_status add_layer(struct zoid_checkpoints *c, int i)
{
    struct zoid_checkpoint_layer layer;

    if (!zoid_checkpoint_layer(c->problem, i, &layer))
        return ZOID_OK;
    return add_dataset(&c->writing, &layer.dataset, ZOID_MAX_FIELDS + i, layer_bytes(&layer));
}

/* Add a table of numbers, with checksums like those of fields. */
static enum zoid_status put_table(struct writing *w, const char *name, long rows, long columns,
                                  const double *number)
{
    const size_t bytes = (size_t)(rows * columns) * sizeof *number;
    const long sums = zoid_stream_sums(bytes);
    struct zoid_h5_dataset d = numbers_of(name, 'f', rows);
    struct zoid_h5_part all = {.hi = {rows, columns}, .element = d.element};
    uint64_t *sum = calloc((size_t)sums, sizeof *sum);
    char sums_name[ZOID_CHECKPOINT_NAME];
    long offset;
    enum zoid_status status = sum ? ZOID_OK : zoid_no_memory();

    if (sum)
        zoid_stream_sum(number, bytes, sum);
    if (columns > 1) {
        d.axes = 2;
        d.n[1] = columns;
    }
    zoid_checkpoint_sums(name, sums_name);
    if (!status)
        status = zoid_h5_add(w->h5, &d, &offset);
    if (!status)
        status = zoid_h5_write(w->h5, name, &all, number);
    d = numbers_of(sums_name, 'u', sums);
    if (!status)
        status = zoid_h5_add(w->h5, &d, &offset);
    if (!status)
        status = put_numbers(w->h5, sums_name, sum, 'u', sums);
    free(sum);
    return status;
}

/* The engine's own numbers, and the tables of settings. */
static enum zoid_status put_tables(struct writing *w)
{
    const struct zoid_stored *s = &w->about->settings;
    enum zoid_status status = ZOID_OK;

    if (w->about->numbers)
        status = put_table(w, ZOID_CHECKPOINT_OWN, w->about->numbers, 1, w->about->number);
    for (long i = 0; i < s->tables && !status; i++) {
        const struct zoid_stored_table *t = &s->table[i];
        char name[ZOID_CHECKPOINT_NAME];

        snprintf(name, sizeof name, "%s%s", ZOID_CHECKPOINT_TABLES, t->name);
        if (t->rows)
            status = put_table(w, name, t->rows, t->columns, t->number);
    }
    return status;
}

static int count_fields(const struct zoid_checkpoints *c)
{
    return zoid_checkpoint_count(c->problem->op, c->coefficients);
}

/* Create the file without values and checksums, for which it has datasets, and without the mark
 * that it is complete. */
static enum zoid_status open_file(struct zoid_checkpoints *c)
{
    struct writing *w = &c->writing;
    enum zoid_status status = zoid_output_open(w->path, &w->output);

    if (!status)
        status = zoid_h5_open(zoid_output_file(w->output), w->path, ZOID_H5_NEW, &w->h5);
    for (int f = 0; f < count_fields(c) && !status; f++)
        status = add_field(c, f);
    for (int i = 0; i < LAYERS && !status; i++)
        status = add_layer(c, i);
    if (!status)
        status = zoid_checkpoint_put(w->h5, w->about);
    if (!status)
        status = put_tables(w);
    return status ? status : zoid_stream_into(c->stream, zoid_output_file(w->output), w->path);
}

static enum zoid_status put_part(void *checkpoints, const struct zoid_box *box, const void *values,
                                 size_t bytes)
{
    const struct zoid_checkpoints *c = checkpoints;

    (void)box;
    return c->stream ? zoid_stream_put(c->stream, values, bytes) : ZOID_OK;
}

/* A field of the state; no run could continue from non-finite values. */
struct state_field {
    struct zoid_checkpoints *checkpoints;
    struct zoid_finite of;
};

static enum zoid_status put_state(void *field, const struct zoid_box *box, const void *values,
                                  size_t bytes)
{
    const struct state_field *s = field;
    enum zoid_status status = zoid_finite_look(&s->of, box, values);

    return status ? status : put_part(s->checkpoints, box, values, bytes);
}

/* Read it straight into the buffer in which it waits for the disk. */
static enum zoid_status take_state(const struct state_field *s, void *room)
{
    const struct zoid_checkpoints *c = s->checkpoints;
    const struct zoid_box all =
        zoid_problem_planes(c->problem, 0, c->problem->n[c->problem->op->dims - 1]);
    enum zoid_status status = zoid_finite_read(&s->of, c->writing.state.job, &all, room);

    return status ? status : zoid_stream_filled(c->stream, (size_t)field_bytes(c->problem));
}

static enum zoid_status put_field(struct zoid_checkpoints *c, int f)
{
    struct writing *w = &c->writing;
    const struct zoid_checkpoint_state *state = &w->state;
    struct state_field field = {.checkpoints = c,
                                .of = {.problem = c->problem, .field = f, .step = w->step}};
    void *room = NULL;

    if (c->stream)
        zoid_stream_begin(c->stream, w->offset[f], (size_t)field_bytes(c->problem), w->sums[f]);
    if (f >= c->problem->op->nstate)
        return c->stream ? each_part(state->initial, f, put_part, c) : ZOID_OK;
    if (!state->reader.each && zoid_ranks_here()->size == 1)
        room = zoid_stream_room(c->stream);
    return room ? take_state(&field, room)
                : zoid_reader_each(&state->reader, state->job, f, put_state, &field);
}

static enum zoid_status put_plane(void *checkpoints, long plane, const void *values, size_t bytes)
{
    (void)plane;
    return put_part(checkpoints, NULL, values, bytes);
}

/* There is one rank. */
static enum zoid_status put_layer(struct zoid_checkpoints *c, int i)
{
    struct writing *w = &c->writing;
    struct zoid_checkpoint_layer layer;

    if (!zoid_checkpoint_layer(c->problem, i, &layer))
        return ZOID_OK;
    if (c->stream)
        zoid_stream_begin(c->stream, w->offset[ZOID_MAX_FIELDS + i], layer_bytes(&layer),
                          w->sums[ZOID_MAX_FIELDS + i]);
    return zoid_job_read_memory(w->state.job, layer.axis, layer.side, put_plane, c);
}

static enum zoid_status put_sums_of_layer(struct zoid_checkpoints *c, int i)
{
    struct writing *w = &c->writing;
    struct zoid_checkpoint_layer layer;
    char name[ZOID_CHECKPOINT_NAME];

    if (!zoid_checkpoint_layer(c->problem, i, &layer))
        return ZOID_OK;
    zoid_checkpoint_sums(layer.name, name);
    return put_numbers(w->h5, name, w->sums[ZOID_MAX_FIELDS + i], 'u',
                       zoid_stream_sums(layer_bytes(&layer)));
}

/* The mark that the file is complete comes last. */
static enum zoid_status put_rest(struct zoid_checkpoints *c)
{
    static const long yes = 1;
    struct writing *w = &c->writing;
    const long sums = zoid_stream_sums((size_t)field_bytes(c->problem));
    enum zoid_status status = zoid_stream_end(c->stream);

    for (int f = 0; f < count_fields(c) && !status; f++) {
        char name[ZOID_CHECKPOINT_NAME];

        zoid_checkpoint_sums(c->problem->op->field[f], name);
        status = put_numbers(w->h5, name, w->sums[f], 'u', sums);
    }
    for (int i = 0; i < LAYERS && !status; i++)
        status = put_sums_of_layer(c, i);
    if (!status)
        status = zoid_h5_put_longs(w->h5, "", ZOID_CHECKPOINT_COMPLETE, 1, &yes);
    return status ? status : zoid_h5_close(&w->h5);
}

/* A disk is slow, so only the next checkpoint, and the end, wait for it. */
static enum zoid_status complete(void *checkpoints)
{
    struct zoid_checkpoints *c = checkpoints;
    struct writing *w = &c->writing;
    enum zoid_status status = put_rest(c);

    if (!status && w->others)
        status = zoid_background_wait(w->others, w->others_begun);
    if (!status)
        status = zoid_output_commit(&w->output);
    if (!status)
        status = zoid_checkpoint_keep(c->folder, w->step);
    w->seconds = zoid_machine_clock() - w->began;
    if (!status)
        zoid_job_note_checkpoint(w->state.job, w->step);
    return status;
}

/* Free the state of writing; an incomplete file is gone. */
static void drop(struct zoid_checkpoints *c)
{
    struct writing *w = &c->writing;

    if (c->stream && w->open)
        zoid_stream_end(c->stream);
    zoid_h5_close(&w->h5);
    zoid_output_discard(&w->output);
    for (int f = 0; f < ZOID_MAX_FIELDS + LAYERS; f++) {
        free(w->sums[f]);
        w->sums[f] = NULL;
    }
    w->open = false;
}

enum zoid_status zoid_checkpoints_finish(struct zoid_checkpoints *c)
{
    enum zoid_status status;

    if (!c->writing.open)
        return ZOID_OK;
    status = zoid_ranks_agree(zoid_background_end(&c->writing.background));
    c->seconds = c->writing.seconds;
    drop(c);
    return status;
}

static enum zoid_status take(struct zoid_checkpoints *c)
{
    enum zoid_status status = c->stream ? open_file(c) : ZOID_OK;

    status = zoid_ranks_agree(status);
    for (int f = 0; f < count_fields(c) && !status; f++)
        status = put_field(c, f);
    for (int i = 0; i < LAYERS && !status; i++)
        status = put_layer(c, i);
    /* All ranks have seen it. */
    return status == ZOID_CHECK_FAILED ? zoid_ranks_agree(status) : status;
}

enum zoid_status zoid_checkpoints_write(struct zoid_checkpoints *c,
                                        const struct zoid_checkpoint_state *state,
                                        const struct zoid_checkpoint *about,
                                        struct zoid_background *others)
{
    struct writing *w = &c->writing;
    bool waits = c->waits;
    enum zoid_status status = zoid_checkpoints_finish(c);

    if (status)
        return status;
    zoid_ranks_broadcast(&waits, sizeof waits);
    w->state = *state;
    w->about = about;
    w->others = others;
    w->others_begun = others ? zoid_background_begun(others) : 0;
    w->step = about->step;
    w->began = zoid_machine_clock();
    w->open = true;
    zoid_checkpoint_path(c->folder, w->step, w->path);
    status = take(c);
    if (status) {
        drop(c);
        return status;
    }
    if (c->stream)
        zoid_background_begin(&w->background);
    return waits ? zoid_checkpoints_finish(c) : ZOID_OK;
}

double zoid_checkpoints_seconds(const struct zoid_checkpoints *c)
{
    return c->seconds;
}

/* ---- before and after a run ---------------------------------------------------------------- */

size_t zoid_checkpoints_staging(const struct zoid_problem *problem, bool coefficients)
{
    return zoid_stream_bytes((size_t)zoid_checkpoint_bytes(problem, coefficients));
}

enum zoid_status zoid_checkpoints_open(const struct zoid_problem *problem, bool coefficients,
                                       const char *folder, bool waits,
                                       struct zoid_checkpoints **checkpoints)
{
    struct zoid_checkpoints *c = calloc(1, sizeof *c);
    const size_t ahead = waits ? 0 : (size_t)zoid_checkpoint_bytes(problem, coefficients);
    enum zoid_status status = c ? ZOID_OK : zoid_no_memory();

    if (status)
        return status;
    c->folder = folder;
    c->problem = problem;
    c->coefficients = coefficients;
    c->waits = waits;
    zoid_background_open(&c->writing.background, complete, c);
    if (zoid_ranks_here()->rank == 0)
        status = zoid_stream_open(ahead, &c->stream);
    if (status)
        zoid_checkpoints_close(&c);
    else
        *checkpoints = c;
    return status;
}

void zoid_checkpoints_close(struct zoid_checkpoints **checkpoints)
{
    struct zoid_checkpoints *c = *checkpoints;

    if (!c)
        return;
    zoid_background_close(&c->writing.background);
    drop(c);
    zoid_stream_close(&c->stream);
    free(c);
    *checkpoints = NULL;
}
