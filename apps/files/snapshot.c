/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "apps/files/folder.h"
#include "apps/files/h5.h"
#include "apps/files/output.h"
#include "apps/files/stream.h"
#include "apps/files/xdmf.h"
#include "runtime/ranks/ranks.h"

static const char file[] = "snapshot";

/* One on its way to the disk. */
struct writing {
    struct zoid_output *output; /* the first rank's, as is what follows */
    struct zoid_h5 *h5;
    long offset[ZOID_MAX_FIELDS];
    long step;
    bool open; /* on all ranks: it is not whole yet */
    char path[PATH_MAX];
};

struct zoid_snapshots {
    struct zoid_snapshot_wish wish;
    const struct zoid_problem *problem;
    struct zoid_box box; /* that points are taken from */
    int field[ZOID_MAX_FIELDS];
    const char *name[ZOID_MAX_FIELDS];
    struct zoid_xdmf_grid grid;
    double dt;
    struct zoid_folder listed;
    struct writing writing;
    struct zoid_stream *stream; /* the first rank's */
    char *room, *chosen;        /* layers as they are read, and what is kept of them */
};

/* ---- what there is to write -------------------------------------------------------------- */

static enum zoid_status no_field(const struct zoid_op *op, const char *name, int length)
{
    char list[256] = "";
    size_t n = 0;

    for (int f = 0; f < op->nstate && n < sizeof list; f++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", f ? ", " : "", op->field[f]);
    return zoid_fail(ZOID_BAD_ARGUMENT, "--snapshot: %s has no state field '%.*s'; it has %s",
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
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--slice %c=%ld is beyond the domain of %ldx%ldx%ld points; give a plane "
                         "that it has",
                         "xyz"[axis], s -> wish.slice, p->n[0], p->n[1], p->n[2]);
    if (s->wish.slice >= 0) {
        s->box.lo[axis] = s->wish.slice;
        s->box.hi[axis] = s->wish.slice + 1;
    }
    s->grid.dims = p->op->dims;
    s->grid.type = p->op->type;
    for (int a = 0; a < ZOID_AXES; a++) {
        s->grid.n[a] = (s->box.hi[a] - s->box.lo[a] + s->wish.stride - 1) / s->wish.stride;
        s->grid.origin[a] = (double)s->box.lo[a];
        s->grid.spacing[a] = (double)s->wish.stride;
    }
    return ZOID_OK;
}

/* ---- the list ------------------------------------------------------------------------------ */

/* Whether a file has what is written now. */
static bool alike(const struct zoid_snapshots *s, long step)
{
    char path[PATH_MAX];
    struct zoid_h5 *h5 = NULL;
    bool same;

    zoid_folder_path(s->wish.folder, file, step, path);
    same = !zoid_h5_open(path, path, ZOID_H5_READ, &h5);
    for (int f = 0; f < s->grid.fields && same; f++) {
        struct zoid_h5_dataset d;

        same = !zoid_h5_find(h5, s->name[f], &d) && d.axes == s->grid.dims;
        for (int a = 0; same && a < d.axes; a++)
            same = d.n[a] == s->grid.n[d.axes - 1 - a];
    }
    zoid_h5_close(&h5);
    return same;
}

/* A run that goes on lists what was written before it, up to where it begins. */
static enum zoid_status find_earlier(struct zoid_snapshots *s)
{
    struct zoid_folder all;
    bool room = true;
    enum zoid_status status = zoid_folder_list(s->wish.folder, file, &all);

    for (size_t i = all.n; i-- > 0 && s->wish.start > 0;)
        if (room && all.step[i] <= s->wish.start && alike(s, all.step[i]))
            room = zoid_folder_add(&s->listed, all.step[i]);
    zoid_folder_free(&all);
    return room || status ? status : zoid_fail(ZOID_RESOURCE, "out of memory");
}

/* Of one axis there is nothing that ParaView would draw. */
static enum zoid_status write_list(const struct zoid_snapshots *s)
{
    char path[PATH_MAX], name[NAME_MAX];
    struct zoid_output *output;
    enum zoid_status status;
    FILE *out;

    if (s->grid.dims == 1)
        return ZOID_OK;
    (void)!snprintf(path, sizeof path, "%s/snapshots.xmf", s->wish.folder);
    status = zoid_output_open(path, &output);
    if (status)
        return status;
    out = zoid_output_stream(output);
    zoid_xdmf_begin(out);
    for (size_t i = 0; i < s->listed.n; i++) {
        zoid_folder_name(file, s->listed.step[i], name);
        zoid_xdmf_add(
            &s->grid,
            &(struct zoid_xdmf_time){.time = (double)s->listed.step[i] * s->dt, .file = name}, out);
    }
    zoid_xdmf_end(out);
    return zoid_output_commit(&output);
}

/* ---- a snapshot ---------------------------------------------------------------------------- */

static size_t field_bytes(const struct zoid_snapshots *s)
{
    return (size_t)s->grid.n[0] * (size_t)s->grid.n[1] * (size_t)s->grid.n[2] *
           zoid_op_point_bytes(s->problem->op);
}

/* Layers of the slowest axis that are taken at a time. */
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

/* Every so many points of a box, packed, to `to`; the bytes of them. */
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

static enum zoid_status take_field(struct zoid_snapshots *s, const struct zoid_job *job, int f)
{
    struct writing *w = &s->writing;
    const int chain = s->grid.dims - 1;
    const long layers = layers_of(s), skip = layers * s->wish.stride;
    enum zoid_status status = ZOID_OK;

    if (s->stream)
        zoid_stream_begin(s->stream, w->offset[f], field_bytes(s), NULL);
    for (long at = s->box.lo[chain]; at < s->box.hi[chain] && !status; at += skip) {
        const long end = layers == 1 ? at + 1 : at + skip;
        struct zoid_box box = s->box;
        struct zoid_values values;

        box.lo[chain] = at;
        box.hi[chain] = end < box.hi[chain] ? end : box.hi[chain];
        values = zoid_values_packed(&box, s->room);
        status = zoid_job_read(job, s->field[f], &box, &values);
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

static enum zoid_status add_field(struct zoid_snapshots *s, int f)
{
    struct writing *w = &s->writing;
    static const char *const axes[] = {"x", "y", "z"};
    struct zoid_h5_dataset d = {
        .name = s->name[f], .axes = s->grid.dims, .element = zoid_element_of(s->grid.type)};
    enum zoid_status status;

    for (int a = 0; a < d.axes; a++)
        d.n[a] = s->grid.n[d.axes - 1 - a];
    status = zoid_h5_add(w->h5, &d, &w->offset[f]);
    for (int a = 0; a < d.axes && !status; a++) {
        /* A slice is where its attribute says. */
        if (s->wish.slice >= 0 && a == s->wish.axis)
            continue;
        status = zoid_h5_scale(w->h5, axes[a], s->grid.n[a], s->grid.spacing[a]);
        if (!status)
            status = zoid_h5_attach(w->h5, d.name, d.axes - 1 - a, axes[a]);
    }
    return status;
}

static enum zoid_status put_attributes(const struct zoid_snapshots *s, struct zoid_h5 *h5,
                                       long step)
{
    const double time = (double)step * s->dt;
    const long slice[] = {s->wish.axis, s->wish.slice};
    enum zoid_status status = zoid_h5_put_text(h5, "", "operator", s->problem->op->name);

    if (!status)
        status = zoid_h5_put_longs(h5, "", "step", 1, &step);
    if (!status)
        status = zoid_h5_put_doubles(h5, "", "time", 1, &time);
    if (!status)
        status = zoid_h5_put_doubles(h5, "", "dt", 1, &s->dt);
    if (!status && s->wish.slice >= 0)
        status = zoid_h5_put_longs(h5, "", "slice", 2, slice);
    return status;
}

/* What may be on its way while the run goes on. */
static size_t ahead(const struct zoid_snapshots *s)
{
    const size_t all = field_bytes(s) * (size_t)s->grid.fields;

    return zoid_stream_bytes(all) <= s->wish.room ? all : 0;
}

static enum zoid_status open_file(struct zoid_snapshots *s)
{
    struct writing *w = &s->writing;
    enum zoid_status status = zoid_output_open(w->path, &w->output);

    if (!status)
        status = zoid_h5_open(zoid_output_file(w->output), w->path, ZOID_H5_NEW, &w->h5);
    for (int f = 0; f < s->grid.fields && !status; f++)
        status = add_field(s, f);
    if (!status)
        status = put_attributes(s, w->h5, w->step);
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
    return s->room && s->chosen ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
}

static void drop(struct writing *w)
{
    zoid_h5_close(&w->h5);
    zoid_output_discard(&w->output);
    w->open = false;
}

/* On the first rank. */
static enum zoid_status complete(struct zoid_snapshots *s)
{
    struct writing *w = &s->writing;
    enum zoid_status status = zoid_stream_end(s->stream);

    if (!status)
        status = zoid_h5_close(&w->h5);
    if (!status)
        status = zoid_output_commit(&w->output);
    if (!status && !zoid_folder_add(&s->listed, w->step))
        status = zoid_fail(ZOID_RESOURCE, "out of memory");
    return status ? status : write_list(s);
}

enum zoid_status zoid_snapshots_finish(struct zoid_snapshots *s)
{
    enum zoid_status status = ZOID_OK;

    if (!s->writing.open)
        return ZOID_OK;
    if (zoid_ranks_here()->rank == 0)
        status = complete(s);
    status = zoid_ranks_agree(status);
    drop(&s->writing);
    return status;
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
    zoid_folder_path(s->wish.folder, file, w->step, w->path);
    if (zoid_ranks_here()->rank == 0)
        status = open_file(s);
    status = zoid_ranks_agree(status);
    for (int f = 0; f < s->grid.fields && !status; f++)
        status = take_field(s, job, f);
    *bytes = (double)field_bytes(s) * s->grid.fields;
    return status || !waits ? status : zoid_snapshots_finish(s);
}

/* ---- before and after a run ---------------------------------------------------------------- */

enum zoid_status zoid_snapshots_open(const struct zoid_snapshot_wish *wish,
                                     const struct zoid_problem *problem,
                                     struct zoid_snapshots **snapshots)
{
    struct zoid_snapshots *s = calloc(1, sizeof *s);
    const int dt = zoid_op_param(problem->op, "dt");
    enum zoid_status status = s ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");

    if (status)
        return status;
    s->wish = *wish;
    s->problem = problem;
    s->dt = dt >= 0 ? problem->params.value[dt] : 1;
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
        status = find_earlier(s);
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
    zoid_stream_close(&s->stream);
    drop(&s->writing);
    free(s->room);
    free(s->chosen);
    zoid_folder_free(&s->listed);
    free(s);
    *snapshots = NULL;
}
