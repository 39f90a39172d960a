/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/points_list.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/bytes.h"
#include "runtime/io/npy.h"
#include "runtime/session/number.h"
#include "runtime/session/output/stored.h"

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

/* Returns the values of a recipe without numbers at step t. */
static double value_of(const struct zoid_source_recipe *r, long t)
{
    const double x = acos(-1) * r->frequency * ((double)t - r->delay);

    if (r->frequency < 0)
        return r->amplitude * r->delay;
    if (r->sine)
        return r->amplitude * sin(2 * acos(-1) * r->frequency * (double)t);
    return r->amplitude * ((1 - 2 * x * x) * exp(-(x * x)));
}

double *zoid_point_series_make(const struct zoid_source_recipe *r, double factor,
                               const double *numbers, long samples)
{
    double *series = malloc((size_t)samples * sizeof *series + 1);

    for (long t = 0; series && t < samples; t++)
        series[t] = r->frequency != 0 ? value_of(r, t) : numbers[t] * factor * r->amplitude;
    return series;
}

enum zoid_status zoid_point_list_source(struct zoid_point_list *l, const struct zoid_source *source,
                                        const struct zoid_source_recipe *recipe,
                                        const double *numbers, long samples)
{
    const size_t n = l->points.sources;
    struct zoid_source_recipe own = *recipe;
    struct zoid_source s = *source;

    if (own.frequency < 0)
        own.delay *= l->factor;
    s.samples = own.frequency != 0 ? l->problem->start + l->problem->steps : samples;
    s.series = zoid_point_series_make(&own, l->factor, numbers, s.samples);
    if (!s.series || !grow((void **)&l->recipe, n, sizeof *recipe) ||
        !grow((void **)&l->source, n, sizeof *source)) {
        free((void *)s.series);
        return zoid_no_memory();
    }
    l->source[n] = s;
    l->recipe[n] = own;
    l->points.sources++;
    l->points.source = l->source;
    return ZOID_OK;
}

enum zoid_status zoid_point_list_receiver(struct zoid_point_list *l,
                                          const struct zoid_receiver *receiver)
{
    if (!grow((void **)&l->receiver, l->points.receivers, sizeof *receiver))
        return zoid_no_memory();
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
        return zoid_no_memory();
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

enum zoid_status zoid_point_check_frequency(const char *key,
                                            const struct zoid_source_recipe *recipe)
{
    const char *name = recipe->sine ? "sine" : "wavelet";

    if (!(recipe->frequency > 0))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s}: a %s of %g cycles a step; give more than 0", key,
                         name, recipe->frequency);
    /* Half a cycle in Hz times dt may be rounded up. */
    if (recipe->frequency > 0.5 + DBL_EPSILON)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s}: a %s of %g cycles a step, and steps resolve 0.5; give a unit, as "
                         "in 12Hz, or a shorter step",
                         key, name, recipe->frequency);
    return ZOID_OK;
}

/* Parses "F[,T0]" of a wavelet; the default T0 is 1 / F. Or "F[,A]" of a sine. */
static enum zoid_status wave_of(const char *key, const char *text, const struct zoid_units *units,
                                struct zoid_source_recipe *recipe)
{
    char copy[64];
    char *comma;
    double amplitude = 1;
    enum zoid_status status;

    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s}: '%s' has too many digits; write it shorter", key,
                         text);
    comma = strchr(copy, ',');
    if (comma)
        *comma = '\0';
    status = zoid_number_in_units(key, copy, ZOID_FREQUENCY, units, &recipe->frequency);
    if (!status)
        status = zoid_point_check_frequency(key, recipe);
    if (!status && comma && recipe->sine)
        status = zoid_number_real(key, comma + 1, &amplitude);
    else if (!status && comma)
        status = zoid_number_in_units(key, comma + 1, ZOID_DURATION, units, &recipe->delay);
    else if (!status && !recipe->sine)
        recipe->delay = 1 / recipe->frequency;
    recipe->amplitude *= amplitude;
    return status;
}

enum zoid_status zoid_point_series(const char *key, const char *text,
                                   const struct zoid_units *units,
                                   struct zoid_source_recipe *recipe, double **numbers,
                                   long *samples)
{
    static const char wavelet[] = "ricker:", sine[] = "sine:", constant[] = "constant:";
    long n[2];
    enum zoid_status status;

    *numbers = NULL;
    *samples = 0;
    if (!strncmp(text, wavelet, strlen(wavelet)))
        return wave_of(key, text + strlen(wavelet), units, recipe);
    if (!strncmp(text, sine, strlen(sine))) {
        recipe->sine = true;
        return wave_of(key, text + strlen(sine), units, recipe);
    }
    if (!strncmp(text, constant, strlen(constant))) {
        recipe->frequency = -1;
        return zoid_number_real(key, text + strlen(constant), &recipe->delay);
    }
    status = zoid_point_numbers(text, n, numbers);
    if (!status && n[1] != 1)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{%s}: %s has %ld x %ld values; a series has one for each step", key,
                           text, n[0], n[1]);
    *samples = status ? 0 : n[0];
    return status;
}

/* ---- tables -------------------------------------------------------------------------------- */

/* Columns of the tables; those of positions come first. */
enum { FIELD, X, RECEIVER_COLUMNS = X + ZOID_AXES };
enum { RECIPE = RECEIVER_COLUMNS, SOURCE_COLUMNS = RECIPE + ZOID_RECIPE_COLUMNS };
enum { AMPLITUDE, FREQUENCY, DELAY };

static const char sources_name[] = "sources", receivers_name[] = "receivers";

/* A sine has NAN for a delay. */
void zoid_point_recipe_store(const struct zoid_source_recipe *recipe,
                             double row[ZOID_RECIPE_COLUMNS])
{
    row[AMPLITUDE] = recipe->amplitude;
    row[FREQUENCY] = recipe->frequency;
    row[DELAY] = recipe->sine ? (double)NAN : recipe->delay;
}

struct zoid_source_recipe zoid_point_recipe_load(const double row[ZOID_RECIPE_COLUMNS])
{
    const bool sine = isnan(row[DELAY]);

    return (struct zoid_source_recipe){row[AMPLITUDE], row[FREQUENCY], sine ? 0 : row[DELAY], sine};
}

static void series_name(size_t i, char name[32])
{
    snprintf(name, 32, "series.%zu", i);
}

static enum zoid_status store_sources(const struct zoid_point_list *l, struct zoid_stored *stored)
{
    const size_t n = l->points.sources;
    double *table = malloc(n * SOURCE_COLUMNS * sizeof *table + 1), *row = table;
    enum zoid_status status = table ? ZOID_OK : zoid_no_memory();

    for (size_t i = 0; i < n && !status; i++, row += SOURCE_COLUMNS) {
        char name[32];

        row[FIELD] = l->source[i].field;
        memcpy(row + X, l->source[i].at, sizeof l->source[i].at);
        zoid_point_recipe_store(&l->recipe[i], row + RECIPE);
        series_name(i, name);
        if (l->recipe[i].frequency == 0)
            status =
                zoid_stored_add_table(stored, name, l->source[i].samples, 1, l->source[i].series);
    }
    if (!status && n)
        status = zoid_stored_add_table(stored, sources_name, (long)n, SOURCE_COLUMNS, table);
    free(table);
    return status;
}

static enum zoid_status store_receivers(const struct zoid_point_list *l, struct zoid_stored *stored)
{
    const size_t n = l->points.receivers;
    double *table = malloc(n * RECEIVER_COLUMNS * sizeof *table + 1), *row = table;
    enum zoid_status status = table ? ZOID_OK : zoid_no_memory();

    for (size_t i = 0; i < n && !status; i++, row += RECEIVER_COLUMNS) {
        row[FIELD] = l->receiver[i].field;
        memcpy(row + X, l->receiver[i].at, sizeof l->receiver[i].at);
    }
    if (!status && n)
        status = zoid_stored_add_table(stored, receivers_name, (long)n, RECEIVER_COLUMNS, table);
    free(table);
    return status;
}

enum zoid_status zoid_point_list_store(const struct zoid_point_list *l, struct zoid_stored *stored)
{
    enum zoid_status status = store_sources(l, stored);

    return status ? status : store_receivers(l, stored);
}

enum zoid_status zoid_point_list_load_sources(struct zoid_point_list *l,
                                              const struct zoid_stored *stored)
{
    const struct zoid_stored_table *t = zoid_stored_find_table(stored, sources_name);
    enum zoid_status status = ZOID_OK;

    for (long i = 0; t && t->columns == SOURCE_COLUMNS && i < t->rows && !status; i++) {
        const double *row = t->number + i * SOURCE_COLUMNS;
        struct zoid_source source = {.field = (int)row[FIELD]};
        struct zoid_source_recipe recipe = zoid_point_recipe_load(row + RECIPE);
        const struct zoid_stored_table *series;
        char name[32];

        memcpy(source.at, row + X, sizeof source.at);
        series_name((size_t)i, name);
        series = zoid_stored_find_table(stored, name);
        /* The numbers of a series are stored with their amplitude. */
        if (recipe.frequency == 0)
            recipe.amplitude = 1;
        status = zoid_point_list_source(l, &source, &recipe, series ? series->number : NULL,
                                        series ? series->rows : 0);
        if (!status)
            l->recipe[i].amplitude = row[RECIPE + AMPLITUDE];
    }
    return status;
}

enum zoid_status zoid_point_list_load_receivers(struct zoid_point_list *l,
                                                const struct zoid_stored *stored)
{
    const struct zoid_stored_table *t = zoid_stored_find_table(stored, receivers_name);
    enum zoid_status status = ZOID_OK;

    for (long i = 0; t && t->columns == RECEIVER_COLUMNS && i < t->rows && !status; i++) {
        const double *row = t->number + i * RECEIVER_COLUMNS;
        struct zoid_receiver receiver = {.field = (int)row[FIELD]};

        memcpy(receiver.at, row + X, sizeof receiver.at);
        status = zoid_point_list_receiver(l, &receiver);
    }
    return status;
}
