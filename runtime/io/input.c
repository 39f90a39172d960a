/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/array_chunks.h"
#include "runtime/io/bytes.h"
#include "runtime/io/file_format.h"
#include "runtime/io/h5.h"
#include "runtime/io/npy.h"
#include "runtime/io/segy.h"

struct zoid_input {
    char *called; /* the name as it was given */
    char *path;
    char *dataset; /* of HDF5; NULL: not named */
    const char *field;
    const struct zoid_problem *problem;
    bool fixed;
    int file; /* -1: the library reads it, or it is an array in memory */
    struct zoid_h5 *h5;
    const struct zoid_array_view *array; /* NULL: it is a file */
    struct zoid_array_chunks *chunks;    /* of an array in GPU memory, or NULL */
    struct zoid_element element;
    long first;            /* bytes before the first value */
    pthread_mutex_t mutex; /* of what follows: */
    struct zoid_failure failure;
};

/* ---- file and format --------------------------------------------------------------------- */

static bool exists(const char *path)
{
    struct stat about;

    return !stat(path, &about);
}

/* The names of files may have colons, too: the text after the last one is the name of a dataset if
 * there is no file of the whole name. */
static enum zoid_status split_name(const char *name, struct zoid_input *in)
{
    char *colon;

    in->called = strdup(name);
    in->path = strdup(name);
    if (!in->called || !in->path)
        return zoid_no_memory();
    colon = strrchr(in->path, ':');
    if (exists(name) || !colon || colon == in->path || !colon[1])
        return ZOID_OK;
    in->dataset = strdup(colon + 1);
    *colon = '\0';
    return in->dataset ? ZOID_OK : zoid_no_memory();
}

static enum zoid_status cannot_read(const char *called, int error)
{
    return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", called,
                     strerror(error));
}

static enum zoid_status open_file(struct zoid_input *in, long *length)
{
    struct stat about;

    in->file = open(in->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (in->file < 0 || fstat(in->file, &about))
        return cannot_read(in->called, errno);
    if (S_ISDIR(about.st_mode))
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s is a folder; name a file in it", in->called);
    if (!S_ISREG(about.st_mode))
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s is no regular file; name one", in->called);
    *length = (long)about.st_size;
    return ZOID_OK;
}

static bool begins_with(const struct zoid_input *in, const char *magic, size_t bytes)
{
    char first[8] = "";

    return pread(in->file, first, bytes, 0) == (ssize_t)bytes && !memcmp(first, magic, bytes);
}

/* A file that does not have the format of its extension is damaged, not raw. */
static enum zoid_file_format format_of(const struct zoid_input *in)
{
    const enum zoid_file_format named = zoid_file_format_of(in->path);

    if (named != ZOID_FORMAT_OTHERWISE)
        return named;
    if (begins_with(in, "\x93NUMPY", 6))
        return ZOID_FORMAT_NPY;
    return begins_with(in, "\x89HDF\r\n\x1a\n", 8) ? ZOID_FORMAT_H5 : ZOID_FORMAT_RAW;
}

/* ---- type and shape ---------------------------------------------------------------------- */

static long points_of(const struct zoid_problem *p)
{
    return p->n[0] * p->n[1] * p->n[2];
}

/* Floating point of either size is accepted. */
static enum zoid_status check_type(const struct zoid_input *in)
{
    const struct zoid_element *e = &in->element;
    const bool bytes = in->problem->op->type == ZOID_U8;

    if (bytes ? e->kind == 'u' && e->size == 1 : e->kind == 'f' && (e->size == 4 || e->size == 8))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s has values of another type; save it as %s", in->called,
                     bytes ? "u1, numbers of one byte" : "f4 or f8, floating-point numbers");
}

/* A text like "5x4x3", with the axes in order or reversed. */
static void list_axes(const long *n, int axes, bool reversed, char text[160])
{
    FILE *out = fmemopen(text, 160, "w");

    for (int a = 0; out && a < axes; a++)
        fprintf(out, "%s%ld", a ? "x" : "", n[reversed ? axes - 1 - a : a]);
    if (out)
        fclose(out);
}

/* `n` has the slowest axis first. */
static enum zoid_status check_shape(const struct zoid_input *in, const long *n, int axes)
{
    const struct zoid_problem *p = in->problem;
    const int dims = p->op->dims;
    bool same = axes == dims, turned = same;
    char has[160] = "", size[160] = "", domain[160] = "";

    for (int a = 0; same && a < axes; a++)
        same = n[a] == p->n[dims - 1 - a];
    if (same)
        return ZOID_OK;
    for (int a = 0; turned && a < axes; a++)
        turned = n[a] == p->n[a];
    axes = axes < ZOID_FILE_AXES ? axes : ZOID_FILE_AXES;
    list_axes(n, axes, false, has);
    list_axes(n, axes, true, size);
    list_axes(p->n, dims, true, domain);
    if (turned || axes != dims)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has the shape %s, and the domain, whose slowest axis comes first, %s; "
                         "%s",
                         in->called, has, domain,
                         turned ? "save its transpose" : "save an array of as many axes");
    if (in->fixed)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has the shape %s, and what it is for %s; give another file",
                         in->called, has, domain);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has the shape %s, and the domain %s; give {size=%s} or another file",
                     in->called, has, domain, size);
}

static enum zoid_status check_length(const struct zoid_input *in, long length, bool exactly)
{
    const long should = in->first + points_of(in->problem) * in->element.size;

    if (exactly ? length == should : length >= should)
        return ZOID_OK;
    return zoid_fail(
        ZOID_BAD_ARGUMENT,
        "%s has %ld bytes, and %ld are %ld points of %d bytes%s; let it have one value "
        "for each point of the domain",
        in->called, length, should, points_of(in->problem), in->element.size,
        in->first ? " behind its header" : "");
}

static enum zoid_status open_npy(struct zoid_input *in, long length)
{
    struct zoid_npy npy;
    enum zoid_status status = zoid_npy_read(in->file, in->called, &npy);

    if (status)
        return status;
    in->element = npy.element;
    in->first = npy.first;
    status = check_type(in);
    if (!status && npy.fortran)
        status =
            zoid_fail(ZOID_BAD_ARGUMENT,
                      "%s is in Fortran's order; save numpy.ascontiguousarray of it", in->called);
    if (!status)
        status = check_shape(in, npy.n, npy.axes);
    return status ? status : check_length(in, length, false);
}

/* ---- HDF5 -------------------------------------------------------------------------------- */

/* The only dataset that is not the coordinates of an axis. */
static enum zoid_status only_dataset(struct zoid_input *in, struct zoid_h5_dataset *d)
{
    struct zoid_h5_dataset each;
    long found = 0;
    enum zoid_status status = ZOID_OK;

    for (long i = 0; i < zoid_h5_count(in->h5) && !status; i++) {
        status = zoid_h5_at(in->h5, i, &each);
        if (!status && !each.scale) {
            found++;
            *d = each;
        }
    }
    if (status || found == 1)
        return status;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has no dataset %s and %ld others; name one as in %s:DATASET", in->called,
                     in->field, found, in->called);
}

static enum zoid_status find_dataset(struct zoid_input *in, struct zoid_h5_dataset *d)
{
    enum zoid_status status;

    if (in->dataset)
        return zoid_h5_find(in->h5, in->dataset, d);
    status = zoid_h5_find(in->h5, in->field, d);
    if (status)
        status = only_dataset(in, d);
    if (!status && !(in->dataset = strdup(d->name)))
        status = zoid_no_memory();
    return status;
}

/* Contiguous datasets are read without the library. */
static enum zoid_status open_h5(struct zoid_input *in, long length)
{
    struct zoid_h5_dataset d;
    enum zoid_status status = zoid_h5_open(in->path, in->called, ZOID_H5_READ, &in->h5);

    if (!status)
        status = find_dataset(in, &d);
    if (status)
        return status;
    in->element = d.element;
    status = check_type(in);
    if (!status)
        status = check_shape(in, d.n, d.axes);
    if (status || d.offset < 0)
        return status;
    in->first = d.offset;
    zoid_h5_close(&in->h5);
    return check_length(in, length, false);
}

/* Reads come from a copy with x fastest. */
static enum zoid_status open_segy(struct zoid_input *in)
{
    int turned = -1;
    enum zoid_status status;

    in->element = (struct zoid_element){.kind = 'f', .size = 4};
    status = check_type(in);
    if (!status)
        status = zoid_segy_turn(in->path, in->called, in->problem, &turned);
    if (status)
        return status;
    close(in->file);
    in->file = turned;
    return ZOID_OK;
}

/* ---- opening ----------------------------------------------------------------------------- */

static enum zoid_status open_input(const char *name, struct zoid_input *in)
{
    long length = 0;
    enum zoid_file_format format;
    enum zoid_status status = split_name(name, in);

    if (!status)
        status = open_file(in, &length);
    if (status)
        return status;
    format = format_of(in);
    if (format != ZOID_FORMAT_H5 && in->dataset)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s is no HDF5 and has no datasets; drop ':%s'",
                         in->path, in->dataset);
    if (format == ZOID_FORMAT_NPY)
        return open_npy(in, length);
    if (format == ZOID_FORMAT_H5)
        return open_h5(in, length);
    if (format == ZOID_FORMAT_SEGY)
        return open_segy(in);
    in->element = zoid_element_of(in->problem->op->type);
    return check_length(in, length, true);
}

static enum zoid_status open_array(const char *name, struct zoid_input *in)
{
    enum zoid_status status;

    in->called = strdup(name);
    in->element = in->array->element;
    status = in->called ? check_type(in) : zoid_no_memory();
    if (!status)
        status = check_shape(in, in->array->n, in->array->axes);
    if (!status && in->array->device >= 0 && !(in->chunks = zoid_array_chunks_open(in->array)))
        status = zoid_no_memory();
    return status;
}

enum zoid_status zoid_input_open(const struct zoid_input_wish *wish, struct zoid_input **input)
{
    struct zoid_input *in = calloc(1, sizeof *in);
    enum zoid_status status;

    if (!in)
        return zoid_no_memory();
    if (!strncmp(wish->name, ZOID_ARRAY_NAME, strlen(ZOID_ARRAY_NAME)) &&
        !zoid_array_view_find(wish->arrays, wish->name)) {
        free(in);
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s was an array of the program that began; give it again", wish->name);
    }
    in->field = wish->field;
    in->problem = wish->problem;
    in->fixed = wish->fixed;
    in->array = zoid_array_view_find(wish->arrays, wish->name);
    in->file = -1;
    pthread_mutex_init(&in->mutex, NULL);
    status = in->array ? open_array(wish->name, in) : open_input(wish->name, in);
    if (status)
        zoid_input_close(&in);
    else
        *input = in;
    return status;
}

const struct zoid_problem *zoid_input_problem(const struct zoid_input *in)
{
    return in->problem;
}

void zoid_input_close(struct zoid_input **input)
{
    struct zoid_input *in = *input;

    if (!in)
        return;
    if (in->file >= 0)
        close(in->file);
    zoid_h5_close(&in->h5);
    zoid_array_chunks_close(&in->chunks);
    pthread_mutex_destroy(&in->mutex);
    free(in->dataset);
    free(in->path);
    free(in->called);
    free(in);
    *input = NULL;
}

/* ---- values ------------------------------------------------------------------------------ */

static void keep_failure(struct zoid_input *in, enum zoid_status status)
{
    pthread_mutex_lock(&in->mutex);
    zoid_failure_keep(&in->failure, status);
    pthread_mutex_unlock(&in->mutex);
}

enum zoid_status zoid_input_status(struct zoid_input *in)
{
    if (in->chunks)
        zoid_array_chunks_drop(in->chunks);
    return zoid_failure_raise(&in->failure);
}

/* Convert a value from its bytes. */
static double value_of(const struct zoid_element *e, const unsigned char *at)
{
    union {
        uint32_t bits32;
        uint64_t bits64;
        zoid_f32 f32;
        zoid_f64 f64;
    } v;

    if (e->size == 1)
        return *at;
    if (e->size == 4) {
        memcpy(&v.bits32, at, sizeof v.bits32);
        v.bits32 = e->big ? __builtin_bswap32(v.bits32) : v.bits32;
        return (double)v.f32;
    }
    memcpy(&v.bits64, at, sizeof v.bits64);
    v.bits64 = e->big ? __builtin_bswap64(v.bits64) : v.bits64;
    return v.f64;
}

/* Convert in place: the file's bytes are at the beginning of the doubles, so the last value is the
 * first. */
static void widen(const struct zoid_element *e, double *values, long count)
{
    const unsigned char *from = (const unsigned char *)values;

    for (long i = count - 1; i >= 0; i--)
        values[i] = value_of(e, from + i * e->size);
}

static void read_row(struct zoid_input *in, long first, long count, double *values)
{
    const size_t bytes = (size_t)(count * in->element.size);
    const ssize_t have =
        zoid_bytes_read(in->file, values, bytes, in->first + first * in->element.size);

    if (have != (ssize_t)bytes) {
        keep_failure(in, have < 0 ? cannot_read(in->called, errno)
                                  : zoid_fail(ZOID_RESOURCE,
                                              "%s has become shorter; let it be while it is read",
                                              in->called));
        memset(values, 0, (size_t)count * sizeof *values);
        return;
    }
    widen(&in->element, values, count);
}

/* Converts a view of three axes, whose strides may be any, to rows that are `row` values apart, and
 * planes that are `plane` apart. */
static void read_values(const struct zoid_array_view *v, long row, long plane, double *to)
{
    for (long z = 0; z < v->n[0]; z++)
        for (long y = 0; y < v->n[1]; y++)
            for (long x = 0; x < v->n[2]; x++)
                to[z * plane + y * row + x] =
                    value_of(&v->element, (const unsigned char *)v->at + z * v->stride[0] +
                                              y * v->stride[1] + x * v->stride[2]);
}

static void read_memory(const struct zoid_input *in, const struct zoid_box *box, double *values)
{
    const int axes = in->array->axes;
    const long row = box->hi[0] - box->lo[0], plane = row * (box->hi[1] - box->lo[1]);
    struct zoid_array_view part = *in->array;

    part.axes = ZOID_AXES;
    for (int a = 0; a < ZOID_AXES; a++) {
        const int here = ZOID_AXES - 1 - a;

        part.n[here] = box->hi[a] - box->lo[a];
        part.stride[here] = a < axes ? in->array->stride[axes - 1 - a] : 0;
        part.at += box->lo[a] * part.stride[here];
    }
    read_values(&part, row, plane, values);
}

/* Goes to the lowest point of a box, x first, that is not in parts up to this one. Returns false if
 * there is none. */
static bool after(const struct zoid_box *box, const struct zoid_array_part *part,
                  struct zoid_box *rest)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        rest->lo[a] = part->box.hi[a];
        if (rest->lo[a] < box->hi[a])
            return true;
        rest->lo[a] = box->lo[a];
    }
    return false;
}

static void read_chunks(struct zoid_input *in, const struct zoid_box *box, double *values)
{
    const long row = box->hi[0] - box->lo[0], plane = row * (box->hi[1] - box->lo[1]);
    struct zoid_box rest = *box;
    struct zoid_array_part part;
    enum zoid_status status;

    do {
        const long x = rest.lo[0] - box->lo[0], y = rest.lo[1] - box->lo[1];

        status = zoid_array_chunks_take(in->chunks, &rest, &part);
        if (status)
            break;
        read_values(&part.values, row, plane,
                    values + (rest.lo[2] - box->lo[2]) * plane + y * row + x);
        zoid_array_chunks_release(in->chunks, &part);
    } while (after(box, &part, &rest));
    if (!status)
        return;
    keep_failure(in, status);
    memset(values, 0, (size_t)zoid_box_volume(box) * sizeof *values);
}

static void read_dataset(struct zoid_input *in, const struct zoid_box *box, double *values)
{
    const int dims = in->problem->op->dims;
    const bool bytes = in->element.kind == 'u';
    struct zoid_h5_part part = {.element = {.kind = bytes ? 'u' : 'f', .size = bytes ? 1 : 8}};
    long count = 1;
    enum zoid_status status;

    for (int a = 0; a < dims; a++) {
        part.lo[a] = box->lo[dims - 1 - a];
        part.hi[a] = box->hi[dims - 1 - a];
        count *= part.hi[a] - part.lo[a];
    }
    status = zoid_h5_read(in->h5, in->dataset, &part, values);
    if (status) {
        keep_failure(in, status);
        memset(values, 0, (size_t)count * sizeof *values);
    } else if (bytes) {
        widen(&part.element, values, count);
    }
}

void zoid_input_read(struct zoid_input *in, const struct zoid_box *box, double *values)
{
    const long *n = in->problem->n, *lo = box->lo, count = box->hi[0] - lo[0];

    if (in->chunks)
        read_chunks(in, box, values);
    else if (in->array)
        read_memory(in, box, values);
    else if (in->h5)
        read_dataset(in, box, values);
    if (in->array || in->h5)
        return;
    for (long z = lo[2]; z < box->hi[2]; z++)
        for (long y = lo[1]; y < box->hi[1]; y++, values += count)
            read_row(in, (z * n[1] + y) * n[0] + lo[0], count, values);
}
