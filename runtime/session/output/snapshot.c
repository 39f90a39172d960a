/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/background.h"
#include "runtime/io/h5.h"
#include "runtime/io/output.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/output/finite.h"
#include "runtime/session/output/snapshot_list.h"
#include "runtime/session/output/stream.h"

/* A snapshot on its way to the disk. */
struct writing {
    struct zoid_output *output; /* the first rank's, as are the next ones */
    long offset[ZOID_MAX_FIELDS];
    struct zoid_background background; /* completes it */
    long step;
    bool open; /* on all ranks, as are the next ones: it is not complete yet */
    bool lost; /* some of its values are non-finite */
    char path[PATH_MAX];
};

struct zoid_snapshots {
    struct zoid_snapshot_wish wish;
    const struct zoid_problem *problem;
    struct zoid_box box; /* that points are taken from */
    int field[ZOID_MAX_FIELDS];
    const char *name[ZOID_MAX_FIELDS];
    struct zoid_xdmf_grid grid;
    struct zoid_snapshot_list list;
    struct writing writing;
    struct zoid_stream *stream; /* the first rank's */
    char *room, *chosen;        /* layers as they are read, and the points taken from them */
};

/* ---- fields and points ------------------------------------------------------------------- */

static enum zoid_status no_field(const struct zoid_op *op, const char *name, int length)
{
    char list[256] = "";
    size_t n = 0;

    for (int f = 0; f < op->nstate && n < sizeof list; f++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", f ? ", " : "", op->field[f]);
    return zoid_fail(ZOID_BAD_ARGUMENT, "{snapshot}: %s has no state field '%.*s'; it has %s",
                     op->family, length, name, list);
}

static int find_field(const struct zoid_op *op, const char *name, size_t length)
{
    for (int f = 0; f < op->nstate; f++)
        if (strlen(op->field[f]) == length && !strncmp(op->field[f], name, length))
            return f;
    return -1;
}

static enum zoid_status choose_fields(struct zoid_snapshots *s)
{
    const struct zoid_op *op = s->problem->op;
    const char *name = s->wish.fields;

    for (int f = 0; f < op->nstate && !name; f++)
        s->field[s->grid.fields++] = f;
    while (name) {
        const size_t length = strcspn(name, ",");
        const int f = find_field(op, name, length);
        bool given = false;

        if (f < 0)
            return no_field(op, name, (int)length);
        for (int i = 0; i < s->grid.fields; i++)
            given |= s->field[i] == f;
        if (!given)
            s->field[s->grid.fields++] = f;
        name = name[length] ? name + length + 1 : NULL;
    }
    for (int i = 0; i < s->grid.fields; i++)
        s->name[i] = op->field[s->field[i]];
    s->grid.field = s->name;
    return ZOID_OK;
}

static enum zoid_status choose_points(struct zoid_snapshots *s)
{
    const struct zoid_problem *p = s->problem;
    const int axis = s->wish.axis;

    s->box = (struct zoid_box){.hi = {p->n[0], p->n[1], p->n[2]}};
    if (s->wish.slice >= 0 && (axis >= p->op->dims || s->wish.slice >= p->n[axis]))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{slice=%c=%ld} is beyond the domain of %ldx%ldx%ld points; give a plane that it has",
            "xyz"[axis], s -> wish.slice, p->n[0], p->n[1], p->n[2]);
    if (s->wish.slice >= 0) {
        s->box.lo[axis] = s->wish.slice;
        s->box.hi[axis] = s->wish.slice + 1;
    }
    s->grid.dims = p->op->dims;
    s->grid.type = p->op->type;
    for (int a = 0; a < ZOID_AXES; a++) {
        s->grid.n[a] = (s->box.hi[a] - s->box.lo[a] + s->wish.stride - 1) / s->wish.stride;
        s->grid.origin[a] = (double)s->box.lo[a] * s->wish.units.h[a];
        s->grid.spacing[a] = (double)s->wish.stride * s->wish.units.h[a];
    }
    return ZOID_OK;
}

/* ---- a snapshot ---------------------------------------------------------------------------- */

static size_t field_bytes(const struct zoid_snapshots *s)
{
    return (size_t)s->grid.n[0] * (size_t)s->grid.n[1] * (size_t)s->grid.n[2] *
           zoid_op_point_bytes(s->problem->op);
}

/* Number of layers along the slowest axis that are taken at a time. */
static long layers_of(const struct zoid_snapshots *s)
{
    static const size_t most = 1 << 20;
    const int chain = s->grid.dims - 1;
    size_t layer = zoid_op_point_bytes(s->problem->op);

    for (int a = 0; a < chain; a++)
        layer *= (size_t)(s->box.hi[a] - s->box.lo[a]);
    layer *= (size_t)s->wish.stride;
    return layer < most ? (long)(most / layer) : 1;
}

/* Pack every stride-th point of a box into `to`; returns the number of bytes. */
static size_t choose(const struct zoid_snapshots *s, const struct zoid_box *box, const char *from,
                     char *to)
{
    const size_t size = zoid_op_point_bytes(s->problem->op);
    const struct zoid_values values = zoid_values_packed(box, (void *)from);
    char *end = to;

    for (long z = 0; z < box->hi[2] - box->lo[2]; z += s->wish.stride)
        for (long y = 0; y < box->hi[1] - box->lo[1]; y += s->wish.stride) {
            const char *row = zoid_values_row(&values, size, y, z);

            for (long x = 0; x < box->hi[0] - box->lo[0]; x += s->wish.stride, end += size)
                memcpy(end, row + (size_t)x * size, size);
        }
    return (size_t)(end - to);
}

/* Non-finite values are written like others. */
static enum zoid_status read_box(struct zoid_snapshots *s, const struct zoid_job *job, int field,
                                 const struct zoid_box *box, void *room)
{
    struct writing *w = &s->writing;
    const struct zoid_finite of = {.problem = s->problem, .field = field, .step = w->step};
    const enum zoid_status status = zoid_finite_read(&of, job, box, room);

    w->lost = w->lost || status == ZOID_CHECK_FAILED;
    return status == ZOID_CHECK_FAILED ? ZOID_OK : status;
}

/* A field is read straight into the stream's buffer if all points are wanted and there is room. */
static enum zoid_status take_whole(struct zoid_snapshots *s, const struct zoid_job *job, int f,
                                   void *room)
{
    const enum zoid_status status = read_box(s, job, s->field[f], &s->box, room);

    return status ? status : zoid_stream_filled(s->stream, field_bytes(s));
}

static enum zoid_status take_field(struct zoid_snapshots *s, const struct zoid_job *job, int f)
{
    struct writing *w = &s->writing;
    const int chain = s->grid.dims - 1;
    const long layers = layers_of(s), skip = layers * s->wish.stride;
    enum zoid_status status = ZOID_OK;
    void *room = NULL;

    if (s->stream)
        zoid_stream_begin(s->stream, w->offset[f], field_bytes(s), NULL);
    if (s->stream && s->wish.stride == 1 && zoid_ranks_here()->size == 1)
        room = zoid_stream_room(s->stream);
    if (room)
        return take_whole(s, job, f, room);
    for (long at = s->box.lo[chain]; at < s->box.hi[chain] && !status; at += skip) {
        const long end = layers == 1 ? at + 1 : at + skip;
        struct zoid_box box = s->box;

        box.lo[chain] = at;
        box.hi[chain] = end < box.hi[chain] ? end : box.hi[chain];
        status = read_box(s, job, s->field[f], &box, s->room);
        if (status || !s->stream)
            continue;
        if (s->wish.stride > 1)
            status = zoid_stream_put(s->stream, s->chosen, choose(s, &box, s->room, s->chosen));
        else
            status = zoid_stream_put(s->stream, s->room,
                                     (size_t)zoid_box_volume(&box) *
                                         zoid_op_point_bytes(s->problem->op));
    }
    return status;
}

static enum zoid_status add_field(struct zoid_snapshots *s, struct zoid_h5 *h5, int f)
{
    struct writing *w = &s->writing;
    static const char *const axes[] = {"x", "y", "z"};
    struct zoid_h5_dataset d = {
        .name = s->name[f], .axes = s->grid.dims, .element = zoid_element_of(s->grid.type)};
    enum zoid_status status;

    for (int a = 0; a < d.axes; a++)
        d.n[a] = s->grid.n[d.axes - 1 - a];
    status = zoid_h5_add(h5, &d, &w->offset[f]);
    for (int a = 0; a < d.axes && !status; a++) {
        /* The position of a slice is an attribute. */
        if (s->wish.slice >= 0 && a == s->wish.axis)
            continue;
        status = zoid_h5_scale(h5, axes[a], s->grid.n[a], s->grid.spacing[a]);
        if (!status)
            status = zoid_h5_attach(h5, d.name, d.axes - 1 - a, axes[a]);
    }
    return status;
}

static enum zoid_status put_attributes(const struct zoid_snapshots *s, struct zoid_h5 *h5,
                                       long step)
{
    const long slice[] = {s->wish.axis, s->wish.slice};
    enum zoid_status status = zoid_dump_describe(h5, s->problem, step, &s->wish.units);

    if (!status && s->wish.slice >= 0)
        status = zoid_h5_put_longs(h5, "", "slice", 2, slice);
    return status;
}

/* Number of bytes that may wait for the disk while the run goes on. */
static size_t ahead(const struct zoid_snapshots *s)
{
    const size_t all = field_bytes(s) * (size_t)s->grid.fields;

    return zoid_stream_bytes(all) <= s->wish.room ? all : 0;
}

/* Create the file without the values, for which it has datasets. */
static enum zoid_status make_h5(struct zoid_snapshots *s)
{
    struct writing *w = &s->writing;
    struct zoid_h5 *h5 = NULL;
    enum zoid_status status = zoid_h5_open(zoid_output_file(w->output), w->path, ZOID_H5_NEW, &h5);

    for (int f = 0; f < s->grid.fields && !status; f++)
        status = add_field(s, h5, f);
    if (!status)
        status = put_attributes(s, h5, w->step);
    return status ? (zoid_h5_close(&h5), status) : zoid_h5_close(&h5);
}

static enum zoid_status open_file(struct zoid_snapshots *s)
{
    struct writing *w = &s->writing;
    enum zoid_status status = zoid_output_open(w->path, &w->output);

    if (!status)
        status = make_h5(s);
    return status ? status : zoid_stream_into(s->stream, zoid_output_file(w->output), w->path);
}

static enum zoid_status make_room(struct zoid_snapshots *s)
{
    const int chain = s->grid.dims - 1;
    const long high = s->box.hi[chain] - s->box.lo[chain], layers = layers_of(s);
    size_t bytes = zoid_op_point_bytes(s->problem->op);

    for (int a = 0; a < chain; a++)
        bytes *= (size_t)(s->box.hi[a] - s->box.lo[a]);
    bytes *= (size_t)(layers == 1                      ? 1
                      : layers * s->wish.stride < high ? layers * s->wish.stride
                                                       : high);
    s->room = malloc(bytes);
    s->chosen = malloc(bytes);
    return s->room && s->chosen ? ZOID_OK : zoid_no_memory();
}

/* A disk is slow, so only the next snapshot waits for it. */
static enum zoid_status complete(void *snapshots)
{
    struct zoid_snapshots *s = snapshots;
    struct writing *w = &s->writing;
    enum zoid_status status = zoid_stream_end(s->stream);

    if (!status)
        status = zoid_output_commit(&w->output);
    return status ? status : zoid_snapshot_list_add(&s->list, w->step);
}

static void drop(struct writing *w)
{
    zoid_output_discard(&w->output);
    w->open = false;
}

enum zoid_status zoid_snapshots_finish(struct zoid_snapshots *s)
{
    enum zoid_status status;

    if (!s->writing.open)
        return ZOID_OK;
    status = zoid_ranks_agree(zoid_background_end(&s->writing.background));
    drop(&s->writing);
    return status;
}

struct zoid_background *zoid_snapshots_background(struct zoid_snapshots *s)
{
    return &s->writing.background;
}

enum zoid_status zoid_snapshots_write(struct zoid_snapshots *s, const struct zoid_job *job,
                                      double *bytes)
{
    struct writing *w = &s->writing;
    bool waits = ahead(s) == 0;
    enum zoid_status status = zoid_snapshots_finish(s);

    if (status)
        return status;
    zoid_ranks_broadcast(&waits, sizeof waits);
    w->step = zoid_job_steps(job);
    w->open = true;
    w->lost = false;
    zoid_folder_path(s->wish.folder, zoid_snapshot_file, w->step, w->path);
    if (zoid_ranks_here()->rank == 0)
        status = open_file(s);
    status = zoid_ranks_agree(status);
    for (int f = 0; f < s->grid.fields && !status; f++)
        status = take_field(s, job, f);
    *bytes = (double)field_bytes(s) * s->grid.fields;
    if (!status && s->stream)
        zoid_background_begin(&w->background);
    if (!status && (waits || w->lost))
        status = zoid_snapshots_finish(s);
    return status || !w->lost ? status : zoid_ranks_agree(ZOID_CHECK_FAILED);
}

/* ---- before and after a run ---------------------------------------------------------------- */

size_t zoid_snapshots_staging(const struct zoid_snapshot_wish *wish,
                              const struct zoid_problem *problem)
{
    struct zoid_snapshots s = {.wish = *wish, .problem = problem};

    return choose_fields(&s) || choose_points(&s) ? 0 : zoid_stream_bytes(ahead(&s));
}

enum zoid_status zoid_snapshots_open(const struct zoid_snapshot_wish *wish,
                                     const struct zoid_problem *problem,
                                     struct zoid_snapshots **snapshots)
{
    struct zoid_snapshots *s = calloc(1, sizeof *s);
    enum zoid_status status = s ? ZOID_OK : zoid_no_memory();

    if (status)
        return status;
    s->wish = *wish;
    s->problem = problem;
    zoid_background_open(&s->writing.background, complete, s);
    s->list =
        (struct zoid_snapshot_list){.folder = wish->folder, .grid = &s->grid, .dt = wish->units.dt};
    status = choose_fields(s);
    if (!status)
        status = choose_points(s);
    if (!status)
        status = make_room(s);
    if (!status && zoid_ranks_here()->rank == 0)
        status = zoid_stream_open(ahead(s), &s->stream);
    if (!status && zoid_ranks_here()->rank == 0)
        status = zoid_folder_make(wish->folder);
    if (!status && zoid_ranks_here()->rank == 0)
        status = zoid_snapshot_list_find(&s->list, wish->start);
    if (status)
        zoid_snapshots_close(&s);
    else
        *snapshots = s;
    return status;
}

void zoid_snapshots_close(struct zoid_snapshots **snapshots)
{
    struct zoid_snapshots *s = *snapshots;

    if (!s)
        return;
    zoid_background_close(&s->writing.background);
    drop(&s->writing);
    zoid_stream_close(&s->stream);
    free(s->room);
    free(s->chosen);
    zoid_folder_free(&s->list.listed);
    free(s);
    *snapshots = NULL;
}
