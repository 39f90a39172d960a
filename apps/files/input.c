/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct zoid_input {
    const char *path;
    const struct zoid_problem *problem;
    char *bytes;          /* of the file, mapped */
    size_t length, first; /* all of them, and before the first value */
    enum zoid_type type;
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length > tail && !strcmp(text + length - tail, end);
}

bool zoid_input_named(const char *text)
{
    return ends_with(text, ".npy") || ends_with(text, ".raw");
}

static enum zoid_status cannot_read(const char *path)
{
    return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", path, strerror(errno));
}

static enum zoid_status map(const char *path, struct zoid_input *in)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    enum zoid_status status = ZOID_OK;

    if (file < 0)
        return cannot_read(path);
    if (fstat(file, &about)) {
        status = cannot_read(path);
    } else if (!S_ISREG(about.st_mode) || about.st_size == 0) {
        status = zoid_fail(ZOID_RESOURCE, "%s is no file with numbers in it; name another", path);
    } else {
        in->length = (size_t)about.st_size;
        in->bytes = mmap(NULL, in->length, PROT_READ, MAP_PRIVATE, file, 0);
        if (in->bytes == MAP_FAILED)
            in->bytes = NULL, status = cannot_read(path);
    }
    close(file);
    return status;
}

/* ---- NumPy's header ---------------------------------------------------------------------- */

static enum zoid_status no_array(const struct zoid_input *in)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s is no array of numpy.save with f4 or f8 values in C's order and this "
                     "machine's byte order; save it as one",
                     in->path);
}

/* What follows a key of the header's dictionary; NULL: it has none. */
static const char *entry(const char *header, const char *key)
{
    const char *at = strstr(header, key);

    return at ? at + strlen(key) : NULL;
}

/* "(3, 4, 5)", the slowest axis first, and after the axes the values of a point; of one value that
 * may be missing. */
static enum zoid_status compare_shape(const struct zoid_input *in, const char *shape)
{
    const struct zoid_problem *p = in->problem;
    const long width = zoid_op_width(p->op);
    bool same = true;
    char *rest;

    for (int a = p->op->dims - 1; a >= 0; a--) {
        same = same && strtol(shape, &rest, 10) == p->n[a] && rest != shape;
        shape = rest + (*rest == ',');
    }
    if (shape[strspn(shape, " ")] != ')' || width > 1) {
        same = same && strtol(shape, &rest, 10) == width && rest != shape;
        shape = rest + (*rest == ',');
    }
    if (same && shape[strspn(shape, " ")] == ')')
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has other points than the domain, which has %ld x %ld x %ld, with %ld "
                     "values each; its shape names them from the slowest axis to x, then values",
                     in->path, p->n[0], p->n[1], p->n[2], width);
}

static enum zoid_status read_header(struct zoid_input *in)
{
    static const char magic[] = "\x93NUMPY";
    const unsigned char *b = (const unsigned char *)in->bytes;
    const size_t before = in->length > 7 && b[6] > 1 ? 12 : 10;
    char header[1024] = "";
    const char *type, *order, *shape;
    size_t length;

    if (in->length < before || memcmp(b, magic, 6) != 0)
        return no_array(in);
    length = b[8] + 256u * b[9] + (before == 12 ? 65536u * b[10] : 0);
    in->first = before + length;
    if (in->first > in->length || length >= sizeof header)
        return no_array(in);
    memcpy(header, in->bytes + before, length);
    type = entry(header, "'descr': ");
    order = entry(header, "'fortran_order': ");
    shape = entry(header, "'shape': (");
    if (!type || !order || !shape || strncmp(order, "False", 5) != 0 ||
        (strncmp(type, "'<f4'", 5) != 0 && strncmp(type, "'<f8'", 5) != 0))
        return no_array(in);
    in->type = type[3] == '4' ? ZOID_F32 : ZOID_F64;
    return compare_shape(in, shape);
}

/* ---- values ------------------------------------------------------------------------------ */

static size_t values_of(const struct zoid_problem *p)
{
    return (size_t)(p->n[0] * p->n[1] * p->n[2] * zoid_op_width(p->op));
}

/* Values from number `first` on, as the operator's type has them. */
static void take(const struct zoid_input *in, size_t first, size_t count, void *to)
{
    const enum zoid_type type = in->problem->op->type;
    const char *from = in->bytes + in->first + first * zoid_type_size(in->type);

    if (type == in->type) {
        memcpy(to, from, count * zoid_type_size(type));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        zoid_f32 f32;
        zoid_f64 f64;

        if (type == ZOID_F32) {
            memcpy(&f64, from + i * sizeof f64, sizeof f64);
            ((zoid_f32 *)to)[i] = (zoid_f32)f64;
        } else {
            memcpy(&f32, from + i * sizeof f32, sizeof f32);
            ((zoid_f64 *)to)[i] = (zoid_f64)f32;
        }
    }
}

static enum zoid_status check_values(const struct zoid_input *in)
{
    enum { SOME = 1024 };
    const size_t values = values_of(in->problem);
    const bool f32 = in->problem->op->type == ZOID_F32;
    double some[SOME];

    for (size_t first = 0; first < values; first += SOME) {
        const size_t count = values - first < SOME ? values - first : SOME;

        take(in, first, count, some);
        for (size_t i = 0; i < count; i++)
            if (!isfinite(f32 ? (double)((const zoid_f32 *)some)[i] : some[i]))
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "value %zu of %s is no finite number of type %s; correct it",
                                 first + i, in->path, zoid_type_name(in->problem->op->type));
    }
    return ZOID_OK;
}

static enum zoid_status check_length(const struct zoid_input *in)
{
    const size_t should = in->first + values_of(in->problem) * zoid_type_size(in->type);

    if (in->length == should)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has %zu bytes, and %zu are %zu values of type %s; let it have one value "
                     "for each point of the domain",
                     in->path, in->length, should, values_of(in->problem),
                     zoid_type_name(in->type));
}

enum zoid_status zoid_input_open(const char *path, const struct zoid_problem *problem,
                                 struct zoid_input **input)
{
    struct zoid_input *in = calloc(1, sizeof *in);
    enum zoid_status status;

    if (!in)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    *in = (struct zoid_input){.path = path, .problem = problem, .type = problem->op->type};
    status = map(path, in);
    if (!status && ends_with(path, ".npy"))
        status = read_header(in);
    if (!status)
        status = check_length(in);
    if (!status)
        status = check_values(in);
    if (status)
        zoid_input_close(&in);
    else
        *input = in;
    return status;
}

void zoid_input_close(struct zoid_input **input)
{
    if (!*input)
        return;
    if ((*input)->bytes)
        munmap((*input)->bytes, (*input)->length);
    free(*input);
    *input = NULL;
}

void zoid_input_box(void *input, int field, const struct zoid_box *box,
                    const struct zoid_values *to)
{
    const struct zoid_input *in = input;
    const long *n = in->problem->n, *lo = box->lo;
    const size_t size = zoid_op_point_bytes(in->problem->op);
    const long width = zoid_op_width(in->problem->op);

    (void)field;
    for (long z = lo[2]; z < box->hi[2]; z++)
        for (long y = lo[1]; y < box->hi[1]; y++)
            take(in, (size_t)(((z * n[1] + y) * n[0] + lo[0]) * width),
                 (size_t)((box->hi[0] - lo[0]) * width),
                 zoid_values_row(to, size, y - lo[1], z - lo[2]));
}
