/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/points.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/family.h"
#include "runtime/session/number.h"
#include "runtime/session/points_list.h"
#include "runtime/session/session.h"

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);

    return length > tail && !strcmp(text + length - tail, end);
}

/* Parses "FIELD@...": sets the field's index, and *rest to the text after @. Without @ the field is
 * the only one that allows points. */
static enum zoid_status read_field(const struct zoid_op *op, const char *option, const char *text,
                                   int *field, const char **rest)
{
    const char *at = strchr(text, '@');
    const size_t length = at ? (size_t)(at - text) : 0;
    char list[128] = "";

    for (int f = 0; f < op->nstate; f++) {
        const bool only = op->sources == 1u << f;

        if (!(op->sources >> f & 1))
            continue;
        if (at ? !strncmp(op->field[f], text, length) && !op->field[f][length] : only) {
            *field = f;
            *rest = at ? at + 1 : text;
            return ZOID_OK;
        }
        strcat(list, *list ? ", " : "");
        strcat(list, op->field[f]);
    }
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{%s} '%s' has none of the fields for it before an @; choose from %s", option,
                     text, list);
}

/* Parses comma-separated numbers, the first `dims` of which are lengths. Returns how many; -1: not
 * numbers, or more than `most`. */
static int read_numbers(const struct zoid_point_list *l, const char *option, const char *text,
                        int most, double *number)
{
    const int dims = l->problem->op->dims;
    char copy[256];
    char *rest = copy, *token;
    int n = 0;

    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return -1;
    while ((token = strsep(&rest, ","))) {
        token += strspn(token, " \t");
        token[strcspn(token, " \t")] = '\0';
        if (n == most ||
            (n < dims ? zoid_number_in_units(option, token, (enum zoid_dimension)(ZOID_LENGTH + n),
                                             &l->units, &number[n])
                      : zoid_number_real(option, token, &number[n])))
            return -1;
        n++;
    }
    return n;
}

/* ---- sources ------------------------------------------------------------------------------- */

static enum zoid_status no_source(const struct zoid_op *op, const char *text)
{
    static const char *const place[] = {"x", "x,y", "x,y,z"};

    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{source} '%s' is no source; give FIELD@%s[,AMPLITUDE]:ricker:F[,T0], "
                     "sine:F[,A], constant:Q or FILE.npy in its place, or a file with such lines",
                     text, place[op->dims - 1]);
}

/* Adds the source "[FIELD@]x,y,z[,AMPLITUDE]:SERIES". */
static enum zoid_status add_source(void *list, char *text)
{
    struct zoid_point_list *l = list;
    const struct zoid_op *op = l->problem->op;
    struct zoid_source source = {.field = 0};
    struct zoid_source_recipe recipe = {.amplitude = 1};
    double number[ZOID_AXES + 1], *numbers;
    const char *rest, *colon;
    char place[256];
    enum zoid_status status;
    long samples;
    int n;

    status = read_field(op, "source", text, &source.field, &rest);
    if (status)
        return status;
    colon = strchr(rest, ':');
    if (!colon || (size_t)(colon - rest) >= sizeof place)
        return no_source(op, text);
    snprintf(place, sizeof place, "%.*s", (int)(colon - rest), rest);
    n = read_numbers(l, "source", place, op->dims + 1, number);
    if (n < op->dims)
        return no_source(op, text);
    memcpy(source.at, number, (size_t)op->dims * sizeof *number);
    if (n > op->dims)
        recipe.amplitude = number[op->dims];
    status = zoid_point_series("source", colon + 1, &l->units, &recipe, &numbers, &samples);
    if (!status)
        status = zoid_point_list_source(l, &source, &recipe, numbers, samples);
    free(numbers);
    return status;
}

/* Adds a source, or if the text has no colon, the sources in the file that it names. */
static enum zoid_status add_sources(struct zoid_point_list *l, const char *text)
{
    char *copy = strdup(text);
    enum zoid_status status;

    if (!copy)
        return zoid_no_memory();
    status = strchr(text, ':') ? add_source(l, copy) : zoid_point_lines(text, add_source, l);
    free(copy);
    return status;
}

/* ---- receivers ----------------------------------------------------------------------------- */

/* Attributes that all receivers of an option share. */
struct adding {
    struct zoid_point_list *list;
    struct zoid_receiver receiver;
};

static enum zoid_status no_receivers(const struct adding *a, const char *text)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{receivers} '%s' is no place of %d numbers, no plane such as %c=8 or %c=8:4, "
                     "and no .npy or .csv file of places; give one",
                     text, a->list->problem->op->dims, "xyz"[a->list->problem->op->dims - 1],
                     "xyz"[a->list->problem->op->dims - 1]);
}

static enum zoid_status add_place(void *adding, char *line)
{
    struct adding *a = adding;
    const int dims = a->list->problem->op->dims;

    if (read_numbers(a->list, "receivers", line, dims, a->receiver.at) != dims)
        return no_receivers(a, line);
    return zoid_point_list_receiver(a->list, &a->receiver);
}

/* Converts a position from metres to points, if it is in metres. */
static enum zoid_status convert_place(const struct zoid_point_list *l, const char *key,
                                      bool physical, double at[ZOID_AXES])
{
    enum zoid_status status = ZOID_OK;

    for (int a = 0; physical && a < l->problem->op->dims && !status; a++)
        status =
            zoid_number_convert(key, (enum zoid_dimension)(ZOID_LENGTH + a), &l->units, &at[a]);
    return status;
}

/* Adds the positions in the rows of a NumPy file. */
static enum zoid_status add_rows(struct adding *a, const char *path)
{
    const int dims = a->list->problem->op->dims;
    double *values;
    long n[2];
    enum zoid_status status = zoid_point_numbers(path, n, &values);

    if (status)
        return status;
    if (n[1] != dims)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "%s has %ld numbers in a row; give the %d of a place, x first", path,
                           n[1], dims);
    for (long i = 0; i < n[0] && !status; i++) {
        memcpy(a->receiver.at, values + i * dims, (size_t)dims * sizeof *values);
        status = convert_place(a->list, "receivers", a->list->units.physical, a->receiver.at);
        if (!status)
            status = zoid_point_list_receiver(a->list, &a->receiver);
    }
    free(values);
    return status;
}

/* Adds all updated points of a plane, or every `every`th along both of its axes. */
static enum zoid_status add_plane(struct adding *a, int axis, double at, long every)
{
    const struct zoid_problem *p = a->list->problem;
    long first[ZOID_AXES], last[ZOID_AXES], i[ZOID_AXES];
    enum zoid_status status = ZOID_OK;

    for (int b = 0; b < ZOID_AXES; b++) {
        first[b] = last[b] = 0;
        if (b < p->op->dims && b != axis)
            zoid_points_range(p, a->receiver.field, b, &first[b], &last[b]);
    }
    for (i[2] = first[2]; i[2] <= last[2]; i[2] += every)
        for (i[1] = first[1]; i[1] <= last[1]; i[1] += every)
            for (i[0] = first[0]; i[0] <= last[0] && !status; i[0] += every) {
                for (int b = 0; b < ZOID_AXES; b++)
                    a->receiver.at[b] = b == axis ? at : (double)i[b];
                status = zoid_point_list_receiver(a->list, &a->receiver);
            }
    return status;
}

/* Adds the plane "z=8", or with a stride "z=8:4". */
static enum zoid_status read_plane(struct adding *a, const char *text)
{
    const char *axis = strchr("xyz", text[0]), *colon = strchr(text, ':');
    uint64_t every = 1;
    char number[64];
    double at;
    enum zoid_status status = ZOID_OK;

    if (!axis || axis - "xyz" >= a->list->problem->op->dims)
        return no_receivers(a, text);
    snprintf(number, sizeof number, "%.*s", (int)(colon ? colon - text - 2 : 60), text + 2);
    status = zoid_number_in_units("receivers", number,
                                  (enum zoid_dimension)(ZOID_LENGTH + (axis - "xyz")),
                                  &a->list->units, &at);
    if (!status && colon)
        status = zoid_number_count("receivers", colon + 1,
                                   (struct zoid_number_range){.least = 1, .most = 1 << 30}, &every);
    return status ? status : add_plane(a, (int)(axis - "xyz"), at, (long)every);
}

static enum zoid_status add_receivers(struct zoid_point_list *l, const char *text)
{
    struct adding a = {.list = l};
    const char *rest;
    char *copy;
    enum zoid_status status =
        read_field(l->problem->op, "receivers", text, &a.receiver.field, &rest);

    if (status)
        return status;
    if (ends_with(rest, ".npy"))
        return add_rows(&a, rest);
    if (ends_with(rest, ".csv"))
        return zoid_point_lines(rest, add_place, &a);
    if (rest[0] && rest[1] == '=')
        return read_plane(&a, rest);
    copy = strdup(rest);
    status = copy ? add_place(&a, copy) : zoid_no_memory();
    free(copy);
    return status;
}

/* ---- added as numbers ---------------------------------------------------------------------- */

static enum zoid_status append(struct zoid_added_point **list, size_t *n,
                               const struct zoid_added_point *point)
{
    struct zoid_added_point *more = realloc(*list, (*n + 1) * sizeof *more), copy = *point;

    if (!more)
        return zoid_no_memory();
    *list = more;
    copy.field = point->field ? strdup(point->field) : NULL;
    copy.number = point->number ? malloc((size_t)point->samples * sizeof *copy.number + 1) : NULL;
    if ((point->field && !copy.field) || (point->number && !copy.number)) {
        free(copy.field);
        free(copy.number);
        return zoid_no_memory();
    }
    if (copy.number)
        memcpy(copy.number, point->number, (size_t)point->samples * sizeof *copy.number);
    more[(*n)++] = copy;
    return ZOID_OK;
}

enum zoid_status zoid_added_source(struct zoid_added_points *a, const struct zoid_added_point *p)
{
    return append(&a->source, &a->sources, p);
}

enum zoid_status zoid_added_receiver(struct zoid_added_points *a, const struct zoid_added_point *p)
{
    return append(&a->receiver, &a->receivers, p);
}

void zoid_added_clear(struct zoid_added_points *a)
{
    for (size_t i = 0; i < a->sources; i++) {
        free(a->source[i].field);
        free(a->source[i].number);
    }
    for (size_t i = 0; i < a->receivers; i++)
        free(a->receiver[i].field);
    free(a->source);
    free(a->receiver);
    *a = (struct zoid_added_points){.sources = 0};
}

/* Finds the field of a point by its name. */
static enum zoid_status find_field(const struct zoid_op *op, const char *key,
                                   const struct zoid_added_point *p, int *field)
{
    const char *rest;
    char text[96] = "";

    if (p->field)
        snprintf(text, sizeof text, "%s@", p->field);
    return read_field(op, key, text, field, &rest);
}

static enum zoid_status take_source(struct zoid_point_list *l, const struct zoid_added_point *p)
{
    struct zoid_source source = {.at = {p->at[0], p->at[1], p->at[2]}};
    struct zoid_source_recipe recipe = p->recipe;
    const bool wavelet = recipe.frequency > 0;
    enum zoid_status status = find_field(l->problem->op, "source", p, &source.field);

    if (!status)
        status = convert_place(l, "source", p->physical, source.at);
    if (!status && p->physical && wavelet)
        status = zoid_number_convert("source", ZOID_FREQUENCY, &l->units, &recipe.frequency);
    if (!status && p->physical && wavelet)
        status = zoid_number_convert("source", ZOID_DURATION, &l->units, &recipe.delay);
    if (!status && wavelet)
        status = zoid_point_check_frequency("source", &recipe);
    if (wavelet && recipe.delay == 0)
        recipe.delay = 1 / recipe.frequency;
    return status ? status : zoid_point_list_source(l, &source, &recipe, p->number, p->samples);
}

static enum zoid_status take_receiver(struct zoid_point_list *l, const struct zoid_added_point *p)
{
    struct zoid_receiver receiver = {.at = {p->at[0], p->at[1], p->at[2]}};
    enum zoid_status status = find_field(l->problem->op, "receivers", p, &receiver.field);

    if (!status)
        status = convert_place(l, "receivers", p->physical, receiver.at);
    return status ? status : zoid_point_list_receiver(l, &receiver);
}

/* ---- both ---------------------------------------------------------------------------------- */

static bool stored(const struct zoid_session *s, const char *table)
{
    return s->restart.then && zoid_stored_find_table(s->restart.then, table);
}

static bool has_sources(const struct zoid_session *s)
{
    return s->settings.source.n || s->added.sources || stored(s, "sources");
}

static bool has_receivers(const struct zoid_session *s)
{
    return s->settings.receivers.n || s->added.receivers || stored(s, "receivers");
}

static enum zoid_status fill_list(struct zoid_session *session, struct zoid_point_list *l)
{
    const struct zoid_settings *s = &session->settings;
    const struct zoid_added_points *added = &session->added;
    struct zoid_problem *problem = &session->problem;
    enum zoid_status status = ZOID_OK;

    l->problem = problem;
    l->units = zoid_settings_units(s);
    l->factor = s->per_second ? l->units.dt : 1;
    if (!problem->op->sources)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no sources and receivers; drop {source} and {receivers}",
                         problem->op->family);
    for (int i = 0; i < s->source.n && !status; i++)
        status = add_sources(l, s->source.text[i]);
    for (size_t i = 0; i < added->sources && !status; i++)
        status = take_source(l, &added->source[i]);
    l->factor = 1; /* checkpoints have products */
    if (!status && l->points.sources == 0 && stored(session, "sources"))
        status = zoid_point_list_load_sources(l, session->restart.then);
    for (int i = 0; i < s->receivers.n && !status; i++)
        status = add_receivers(l, s->receivers.text[i]);
    for (size_t i = 0; i < added->receivers && !status; i++)
        status = take_receiver(l, &added->receiver[i]);
    if (!status && l->points.receivers == 0 && stored(session, "receivers"))
        status = zoid_point_list_load_receivers(l, session->restart.then);
    if (status)
        return status;
    problem->points = &l->points;
    return zoid_problem_check(problem);
}

enum zoid_status zoid_point_list_open(struct zoid_session *s, struct zoid_point_list **list)
{
    struct zoid_point_list *l;
    enum zoid_status status;

    if (!has_receivers(s) && s->settings.record)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{record=%s} has nothing to record; give {receivers} as well",
                         s->settings.record);
    if (s->settings.per_second && !(s->settings.source.n || s->added.sources))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{per_second} is about what sources add, and none is given; drop it");
    if (s->settings.per_second && !(s->settings.dt.value > 0))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{per_second} needs the length of a step; give {dt=T}, above 0");
    if (!has_sources(s) && !has_receivers(s))
        return ZOID_OK;
    l = calloc(1, sizeof *l);
    status = l ? fill_list(s, l) : zoid_no_memory();
    status = zoid_ranks_agree(status);
    if (status)
        zoid_point_list_close(&l);
    else
        *list = l;
    return status;
}

void zoid_point_list_close(struct zoid_point_list **list)
{
    struct zoid_point_list *l = *list;

    if (!l)
        return;
    for (size_t i = 0; i < l->points.sources; i++)
        free((void *)l->source[i].series);
    free(l->source);
    free(l->recipe);
    free(l->receiver);
    free(l);
    *list = NULL;
}
