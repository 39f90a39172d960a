/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/io/bytes.h"
#include "runtime/memory/layers.h"
#include "runtime/session/output/checkpoint_file.h"
#include "runtime/session/output/stream.h"

struct zoid_checkpoint_file {
    char *path;
    struct zoid_h5 *h5;
    int file;
    struct zoid_checkpoint about;
    double *number;                      /* the numbers that `about` points to, */
    struct zoid_checkpoint_first *first; /* and the description in the first format */
    /* Of the problem, after zoid_checkpoint_fields. */
    const struct zoid_problem *problem;
    long offset[ZOID_MAX_FIELDS], layer[ZOID_AXES * ZOID_SIDES];
    _Atomic int error; /* the last one of a box; 0: no failure */
};

/* ---- the description ----------------------------------------------------------------------- */

static const char kind[] = "zoid checkpoint 2", first_kind[] = "zoid checkpoint 1";
static const char sums_of[] = "sums/"; /* prefix of the name of a dataset */

struct zoid_h5_dataset zoid_checkpoint_dataset(const struct zoid_problem *p, int field)
{
    const struct zoid_op *op = p->op;
    struct zoid_h5_dataset d = {
        .name = op->field[field], .axes = op->dims, .element = zoid_element_of(op->type)};

    for (int a = 0; a < op->dims; a++)
        d.n[a] = p->n[op->dims - 1 - a];
    if (zoid_op_width(op) > 1)
        d.n[d.axes++] = zoid_op_width(op);
    return d;
}

bool zoid_checkpoint_layer(const struct zoid_problem *p, int i, struct zoid_checkpoint_layer *layer)
{
    const struct zoid_shape shape = zoid_problem_shape(p);
    const struct zoid_layers l = zoid_layers_of(p->op, &shape, &p->params, NULL);
    const int axis = i / ZOID_SIDES, side = i % ZOID_SIDES;
    struct zoid_layer_planes planes;

    if (axis >= shape.dims || !l.face[axis][side].there)
        return false;
    planes = zoid_layer_planes_of(&shape, &l, axis, side);
    *layer = (struct zoid_checkpoint_layer){.axis = axis,
                                            .side = side,
                                            .planes = planes.planes.hi - planes.planes.lo,
                                            .lo = planes.planes.lo,
                                            .bytes = zoid_layer_plane_bytes(&planes, p->op->type)};
    snprintf(layer->name, sizeof layer->name, "memory.%c%s", "xyz"[axis], side ? "high" : "low");
    layer->dataset =
        (struct zoid_h5_dataset){.axes = 3,
                                 .n = {layer->planes, ZOID_LAYER_VALUES, planes.n[0] * planes.n[1]},
                                 .element = zoid_element_of(p->op->type)};
    layer->dataset.name = layer->name;
    return true;
}

void zoid_checkpoint_sums(const char *of, char name[ZOID_CHECKPOINT_NAME])
{
    snprintf(name, ZOID_CHECKPOINT_NAME, "%s%s", sums_of, of);
}

enum zoid_status zoid_checkpoint_put(struct zoid_h5 *h5, const struct zoid_checkpoint *c)
{
    const long inside = c->coefficients;
    enum zoid_status status = zoid_h5_put_text(h5, "", "format", kind);

    if (!status)
        status = zoid_h5_put_text(h5, "", "version", zoid_version());
    if (!status)
        status = zoid_h5_put_text(h5, "", "operator", c->op);
    if (!status)
        status = zoid_h5_put_longs(h5, "", "size", ZOID_AXES, c->n);
    if (!status)
        status = zoid_h5_put_longs(h5, "", "step", 1, &c->step);
    if (!status)
        status = zoid_h5_put_longs(h5, "", "coefficients", 1, &inside);
    return status ? status : zoid_stored_put(h5, &c->settings);
}

static enum zoid_status get(struct zoid_h5 *h5, struct zoid_checkpoint *c)
{
    long inside = 0;
    enum zoid_status status = zoid_h5_get_text(h5, "", "operator", sizeof c->op, c->op);

    if (!status)
        status = zoid_h5_get_longs(h5, "", "size", ZOID_AXES, c->n);
    if (!status)
        status = zoid_h5_get_longs(h5, "", "step", 1, &c->step);
    if (!status)
        status = zoid_h5_get_longs(h5, "", "coefficients", 1, &inside);
    c->coefficients = inside != 0;
    return status;
}

static enum zoid_status get_first_format(struct zoid_h5 *h5, struct zoid_checkpoint_first *c)
{
    static const char program[] = "program"; /* if a program had more settings than options */
    long seed = 0, source = 0;
    enum zoid_status status = zoid_h5_get_text(h5, "", "options", sizeof c->options, c->options);

    if (!status && zoid_h5_has(h5, "", program))
        status = zoid_h5_get_text(h5, "", program, sizeof c->program, c->program);
    if (!status)
        status = zoid_h5_get_longs(h5, "", "faces", ZOID_AXES * ZOID_SIDES, c->face);
    if (!status)
        status = zoid_h5_get_doubles(h5, "", "parameters", ZOID_MAX_PARAMS, c->param);
    if (!status)
        status = zoid_h5_get_longs(h5, "", "init", 1, &c->init);
    if (!status)
        status = zoid_h5_get_longs(h5, "", "seed", 1, &seed);
    if (!status)
        status = zoid_h5_get_longs(h5, "", "source", 1, &source);
    c->seed = (uint64_t)seed;
    c->source = (uint64_t)source;
    return status;
}

/* Adds a table of settings, or takes the engine's own numbers. */
static enum zoid_status get_table(struct zoid_checkpoint_file *f, const struct zoid_h5_dataset *d)
{
    static const char tables[] = ZOID_CHECKPOINT_TABLES;
    const long columns = d->axes > 1 ? d->n[1] : 1;
    const struct zoid_h5_part all = {.hi = {d->n[0], columns},
                                     .element = {.kind = 'f', .size = sizeof(double)}};
    const bool own = !strcmp(d->name, ZOID_CHECKPOINT_OWN);
    double *number;
    enum zoid_status status;

    if (d->axes > 2 || (!own && strncmp(d->name, tables, strlen(tables)) != 0))
        return ZOID_OK;
    number = calloc((size_t)(d->n[0] * columns) + 1, sizeof *number);
    status = number ? zoid_h5_read(f->h5, d->name, &all, number) : zoid_no_memory();
    if (own) {
        f->about.numbers = d->n[0];
        f->about.number = f->number = number;
        return status;
    }
    if (!status)
        status = zoid_stored_add_table(&f->about.settings, d->name + strlen(tables), d->n[0],
                                       columns, number);
    free(number);
    return status;
}

static enum zoid_status get_tables(struct zoid_checkpoint_file *f)
{
    struct zoid_h5_dataset d;
    enum zoid_status status = ZOID_OK;

    for (long i = 0; i < zoid_h5_count(f->h5) && !status; i++) {
        status = zoid_h5_at(f->h5, i, &d);
        if (!status)
            status = get_table(f, &d);
    }
    return status;
}

static enum zoid_status get_first(struct zoid_checkpoint_file *f)
{
    f->about.first = f->first = calloc(1, sizeof *f->first);
    return f->first ? get_first_format(f->h5, f->first) : zoid_no_memory();
}

static enum zoid_status get_all(struct zoid_checkpoint_file *f)
{
    char format[64] = "";
    long whole = 0;
    enum zoid_status status = zoid_h5_open(f->path, f->path, ZOID_H5_READ, &f->h5);

    if (!status)
        status = zoid_h5_get_text(f->h5, "", "format", sizeof format, format);
    if (!status && strcmp(format, kind) != 0 && strcmp(format, first_kind) != 0)
        status =
            zoid_fail(ZOID_RESOURCE, "%s is a '%s', and should be a '%s'", f->path, format, kind);
    if (!status)
        status = zoid_h5_get_longs(f->h5, "", ZOID_CHECKPOINT_COMPLETE, 1, &whole);
    if (!status)
        status = get(f->h5, &f->about);
    if (!status)
        status =
            strcmp(format, kind) != 0 ? get_first(f) : zoid_stored_get(f->h5, &f->about.settings);
    return status ? status : get_tables(f);
}

/* ---- opening and verifying ----------------------------------------------------------------- */

enum zoid_status zoid_checkpoint_open(const char *path, struct zoid_checkpoint_file **file)
{
    struct zoid_checkpoint_file *f = calloc(1, sizeof *f);
    enum zoid_status status = ZOID_OK;

    if (!f || !(f->path = strdup(path))) {
        free(f);
        return zoid_no_memory();
    }
    f->file = open(path, O_RDONLY | O_CLOEXEC);
    if (f->file < 0)
        status = zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another checkpoint", path,
                           strerror(errno));
    if (!status && get_all(f)) {
        struct zoid_failure failure = {.status = ZOID_OK};

        /* A file that is no checkpoint is no bad argument where others may be one. */
        zoid_failure_keep(&failure, ZOID_RESOURCE);
        status = zoid_failure_raise(&failure);
    }
    if (status)
        zoid_checkpoint_close(&f);
    else
        *file = f;
    return status;
}

void zoid_checkpoint_close(struct zoid_checkpoint_file **file)
{
    struct zoid_checkpoint_file *f = *file;

    if (!f)
        return;
    if (f->file >= 0)
        close(f->file);
    zoid_h5_close(&f->h5);
    zoid_stored_free(&f->about.settings);
    free(f->first);
    free(f->number);
    free(f->path);
    free(f);
    *file = NULL;
}

const char *zoid_checkpoint_name(const struct zoid_checkpoint_file *file)
{
    return file->path;
}

const struct zoid_checkpoint *zoid_checkpoint_about(const struct zoid_checkpoint_file *file)
{
    return &file->about;
}

/* Read `count` bytes. Returns an errno value or 0; the end of the file before them is an error. */
static int read_all(int file, char *to, size_t count, long at)
{
    const ssize_t have = zoid_bytes_read(file, to, count, at);

    if (have < 0)
        return errno;
    return have == (ssize_t)count ? 0 : ENODATA;
}

static enum zoid_status verify_bytes(const struct zoid_checkpoint_file *f,
                                     const struct zoid_h5_dataset *d, const uint64_t *sums,
                                     char *room)
{
    size_t left = (size_t)d->element.size;

    for (int a = 0; a < d->axes; a++)
        left *= (size_t)d->n[a];
    for (long at = d->offset, i = 0; left; i++) {
        const size_t n = left < ZOID_STREAM_SUMMED ? left : ZOID_STREAM_SUMMED;
        const int error = read_all(f->file, room, n, at);

        if (error)
            return zoid_fail(ZOID_RESOURCE, "%s: %s cannot be read: %s", f->path, d->name,
                             strerror(error));
        if (zoid_h5_sum(room, n) != sums[i])
            return zoid_fail(ZOID_RESOURCE, "%s is damaged: %s has other bytes, in MiB %ld",
                             f->path, d->name, i);
        left -= n;
        at += (long)n;
    }
    return ZOID_OK;
}

/* Verify a dataset by its checksums. */
static enum zoid_status verify_dataset(struct zoid_checkpoint_file *f,
                                       const struct zoid_h5_dataset *d, char *room)
{
    struct zoid_h5_part all = {.element = {.kind = 'u', .size = sizeof(uint64_t)}};
    struct zoid_h5_dataset s;
    char name[ZOID_CHECKPOINT_NAME];
    uint64_t *sums;
    enum zoid_status status;

    zoid_checkpoint_sums(d->name, name);
    status = zoid_h5_find(f->h5, name, &s);
    if (status)
        return status;
    all.hi[0] = s.n[0];
    sums = calloc((size_t)s.n[0] + 1, sizeof *sums);
    if (!sums)
        return zoid_no_memory();
    status = zoid_h5_read(f->h5, name, &all, sums);
    if (!status)
        status = verify_bytes(f, d, sums, room);
    free(sums);
    return status;
}

enum zoid_status zoid_checkpoint_verify(struct zoid_checkpoint_file *f)
{
    char *room = malloc(ZOID_STREAM_SUMMED);
    enum zoid_status status = room ? ZOID_OK : zoid_no_memory();
    struct zoid_h5_dataset d;

    for (long i = 0; i < zoid_h5_count(f->h5) && !status; i++) {
        status = zoid_h5_at(f->h5, i, &d);
        if (!status && strncmp(d.name, sums_of, strlen(sums_of)) != 0)
            status = verify_dataset(f, &d, room);
    }
    free(room);
    return status;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool alike(const struct zoid_h5_dataset *a, const struct zoid_h5_dataset *b)
{
    return a->axes == b->axes && !memcmp(a->n, b->n, (size_t)a->axes * sizeof *a->n) &&
           a->element.kind == b->element.kind && a->element.size == b->element.size &&
           !a->element.big && a->offset >= 0;
}

/* Find the memory of the layer at face i, if there is one. */
static enum zoid_status find_layer(struct zoid_checkpoint_file *f, int i)
{
    struct zoid_checkpoint_layer layer;
    struct zoid_h5_dataset d;
    enum zoid_status status;

    if (!zoid_checkpoint_layer(f->problem, i, &layer))
        return ZOID_OK;
    status = zoid_h5_find(f->h5, layer.name, &d);
    if (!status && !alike(&d, &layer.dataset))
        status = zoid_fail(ZOID_RESOURCE, "%s: %s has another shape or type than %s has", f->path,
                           layer.name, f->problem->op->name);
    if (!status)
        f->layer[i] = d.offset;
    return status;
}

void zoid_checkpoint_memory(void *file, int axis, int side, long plane, void *values)
{
    struct zoid_checkpoint_file *f = file;
    const int i = axis * ZOID_SIDES + side;
    struct zoid_checkpoint_layer layer;
    int error = EINVAL;

    if (zoid_checkpoint_layer(f->problem, i, &layer))
        error = read_all(f->file, values, layer.bytes,
                         f->layer[i] + (plane - layer.lo) * (long)layer.bytes);
    if (error)
        f->error = error;
}

enum zoid_status zoid_checkpoint_fields(struct zoid_checkpoint_file *f,
                                        const struct zoid_problem *p)
{
    const int fields = zoid_checkpoint_count(p->op, f->about.coefficients);
    enum zoid_status status = ZOID_OK;

    f->problem = p;
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES && !status; i++)
        status = find_layer(f, i);
    for (int i = 0; i < fields && !status; i++) {
        const struct zoid_h5_dataset wanted = zoid_checkpoint_dataset(p, i);
        struct zoid_h5_dataset d;

        status = zoid_h5_find(f->h5, wanted.name, &d);
        if (!status && !alike(&d, &wanted))
            status = zoid_fail(ZOID_RESOURCE, "%s: %s has another shape or type than %s has",
                               f->path, wanted.name, p->op->name);
        if (!status)
            f->offset[i] = d.offset;
    }
    return status;
}

/* Read the bytes from the first point of a box's layer to its last one, and copy the box's rows out
 * of them. */
static int read_layer(const struct zoid_checkpoint_file *f, int field, const struct zoid_box *box,
                      const struct zoid_values *to, char *room)
{
    const long *n = f->problem->n;
    const size_t size = zoid_op_point_bytes(f->problem->op);
    const size_t row = (size_t)(box->hi[0] - box->lo[0]) * size;
    const size_t rows = (size_t)(box->hi[1] - box->lo[1]), pitch = (size_t)n[0] * size;
    const long first = (box->lo[2] * n[1] + box->lo[1]) * n[0] + box->lo[0];
    const int error =
        read_all(f->file, room, (rows - 1) * pitch + row, f->offset[field] + first * (long)size);

    for (size_t y = 0; y < rows && !error; y++)
        memcpy(zoid_values_row(to, size, (long)y, 0), room + y * pitch, row);
    return error;
}

void zoid_checkpoint_box(void *file, int field, const struct zoid_box *box,
                         const struct zoid_values *to)
{
    struct zoid_checkpoint_file *f = file;
    const size_t size = zoid_op_point_bytes(f->problem->op);
    char *room;
    int error;

    if (zoid_box_empty(box))
        return;
    room = malloc((size_t)(box->hi[1] - box->lo[1]) * (size_t)f->problem->n[0] * size);
    error = room ? 0 : ENOMEM;
    for (long z = box->lo[2]; z < box->hi[2] && !error; z++) {
        struct zoid_box layer = *box;
        struct zoid_values at = *to;

        layer.lo[2] = z;
        layer.hi[2] = z + 1;
        at.at = zoid_values_row(to, size, 0, z - box->lo[2]);
        error = read_layer(f, field, &layer, &at, room);
    }
    free(room);
    if (error)
        f->error = error;
}

enum zoid_status zoid_checkpoint_status(const struct zoid_checkpoint_file *f)
{
    if (!f->error)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "%s cannot be read: %s; restart from another checkpoint",
                     f->path, strerror(f->error));
}
