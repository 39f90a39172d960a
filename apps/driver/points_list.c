/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/points_list.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/bytes.h"
#include "runtime/io/npy.h"
#include "runtime/session/number.h"

static enum zoid_status no_memory(void)
{
    return zoid_no_memory();
}

/* Makes room for one more element in an array of n. */
static bool grow(void **array, size_t n, size_t size)
{
    void *more;

    /* Capacity is a power of two: double it when it is full. */
    if (n & (n - 1))
        return true;
    more = realloc(*array, (n ? 2 * n : 1) * size);
    if (more)
        *array = more;
    return more;
}

enum zoid_status zoid_point_list_source(struct zoid_point_list *l, const struct zoid_source *source)
{
    if (!grow((void **)&l->source, l->points.sources, sizeof *source)) {
        free((void *)source->series);
        return no_memory();
    }
    l->source[l->points.sources++] = *source;
    l->points.source = l->source;
    return ZOID_OK;
}

enum zoid_status zoid_point_list_receiver(struct zoid_point_list *l,
                                          const struct zoid_receiver *receiver)
{
    if (!grow((void **)&l->receiver, l->points.receivers, sizeof *receiver))
        return no_memory();
    l->receiver[l->points.receivers++] = *receiver;
    l->points.receiver = l->receiver;
    return ZOID_OK;
}

/* ---- numbers of a file ------------------------------------------------------------------- */

static enum zoid_status cannot_read(const char *path)
{
    return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", path, strerror(errno));
}

static enum zoid_status check_array(const char *path, const struct zoid_npy *npy)
{
    const struct zoid_element *e = &npy->element;

    if (e->kind != 'f' || e->big || (e->size != 4 && e->size != 8))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no values of type f4 or f8 in this machine's byte order; save it "
                         "with astype('f8')",
                         path);
    if (npy->axes < 1 || npy->axes > 2 || (npy->fortran && npy->axes == 2))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has %d axes%s; save an array of one axis or two, in C's order", path,
                         npy->axes, npy->fortran ? " in Fortran's order" : "");
    return ZOID_OK;
}

/* Reads the values of an open file, from offset npy->first on. */
static enum zoid_status read_values(int file, const char *path, const struct zoid_npy *npy,
                                    size_t count, double *values)
{
    const size_t size = (size_t)npy->element.size;
    char *from = (char *)values + count * (sizeof *values - size);
    const ssize_t have = zoid_bytes_read(file, from, count * size, npy->first);

    if (have < 0)
        return cannot_read(path);
    if (have != (ssize_t)(count * size))
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s ends before its last value; save it again", path);
    /* f4 values are at the end of the buffer; convert them in place, in ascending order. */
    for (size_t i = 0; i < count && size == sizeof(float); i++) {
        float value;

        memcpy(&value, from + i * size, size);
        values[i] = (double)value;
    }
    return ZOID_OK;
}

static enum zoid_status read_array(int file, const char *path, long n[2], double **values)
{
    struct zoid_npy npy;
    struct stat about;
    enum zoid_status status = zoid_npy_read(file, path, &npy);
    double *room;

    if (!status)
        status = check_array(path, &npy);
    if (status)
        return status;
    n[0] = npy.n[0];
    n[1] = npy.axes > 1 ? npy.n[1] : 1;
    /* Check the file's size before allocating. */
    if (fstat(file, &about) ||
        (double)n[0] * (double)n[1] * npy.element.size > (double)about.st_size)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s ends before its last value; save it again", path);
    room = malloc((size_t)(n[0] * n[1]) * sizeof *room + 1);
    if (!room)
        return no_memory();
    status = read_values(file, path, &npy, (size_t)(n[0] * n[1]), room);
    if (status)
        free(room);
    else
        *values = room;
    return status;
}

enum zoid_status zoid_point_numbers(const char *path, long n[2], double **values)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum zoid_status status;

    if (file < 0)
        return cannot_read(path);
    status = read_array(file, path, n, values);
    close(file);
    return status;
}

/* ---- lines of a file ---------------------------------------------------------------------- */

enum zoid_status zoid_point_lines(const char *path, zoid_line_fn *line, void *user)
{
    static const char blank[] = " \t\r\n";
    FILE *in = fopen(path, "re");
    enum zoid_status status = ZOID_OK;
    char *text = NULL;
    size_t room = 0;

    if (!in)
        return cannot_read(path);
    errno = 0;
    while (!status && getline(&text, &room, in) >= 0) {
        char *first = text + strspn(text, blank), *end = text + strcspn(text, "#");

        while (end > first && strchr(blank, end[-1]))
            end--;
        *end = '\0';
        if (end > first)
            status = line(user, first);
    }
    if (!status && ferror(in))
        status = cannot_read(path);
    free(text);
    fclose(in);
    return status;
}

/* ---- series ------------------------------------------------------------------------------- */

/* Parses "F[,T0]"; the default T0 is 1 / F. */
static enum zoid_status ricker_of(const char *text, double *frequency, double *delay)
{
    char copy[64];
    char *comma;
    enum zoid_status status;

    snprintf(copy, sizeof copy, "%s", text);
    comma = strchr(copy, ',');
    if (comma)
        *comma = '\0';
    status = zoid_number_real("source", copy, frequency);
    if (!status && !(*frequency > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{source}: a wavelet of %g cycles a step; give more than 0", *frequency);
    if (!status && comma)
        return zoid_number_real("source", comma + 1, delay);
    if (!status)
        *delay = 1 / *frequency;
    return status;
}

static enum zoid_status make_ricker(const char *text, double amplitude, struct zoid_source *source)
{
    double frequency, delay, *series = NULL;
    enum zoid_status status = ricker_of(text, &frequency, &delay);

    if (!status && !(series = malloc((size_t)source->samples * sizeof *series + 1)))
        status = no_memory();
    for (long t = 0; !status && t < source->samples; t++) {
        const double r = acos(-1) * frequency * ((double)t - delay);

        series[t] = amplitude * ((1 - 2 * r * r) * exp(-(r * r)));
    }
    source->series = series;
    return status;
}

enum zoid_status zoid_point_series(const struct zoid_problem *problem, const char *text,
                                   double amplitude, struct zoid_source *source)
{
    static const char wavelet[] = "ricker:";
    double *series;
    long n[2];
    enum zoid_status status;

    source->samples = problem->start + problem->steps;
    if (!strncmp(text, wavelet, strlen(wavelet)))
        return make_ricker(text + strlen(wavelet), amplitude, source);
    status = zoid_point_numbers(text, n, &series);
    if (!status && n[1] != 1) {
        free(series);
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "%s has %ld x %ld values; a source takes one for each step", text, n[0],
                           n[1]);
    }
    if (status)
        return status;
    for (long t = 0; t < n[0]; t++)
        series[t] *= amplitude;
    source->samples = n[0];
    source->series = series;
    return ZOID_OK;
}
