/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/family.h"
#include "apps/driver/points_list.h"
#include "runtime/error.h"
#include "runtime/points.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/number.h"

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

/* Parses comma-separated numbers. Returns how many; -1: not numbers, or more than `most`. */
static int read_numbers(const char *option, const char *text, int most, double *number)
{
    char copy[256];
    char *rest = copy, *token;
    int n = 0;

    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return -1;
    while ((token = strsep(&rest, ","))) {
        token += strspn(token, " \t");
        token[strcspn(token, " \t")] = '\0';
        if (n == most || zoid_number_real(option, token, &number[n]))
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
                     "{source} '%s' is no source; give FIELD@%s[,AMPLITUDE]:ricker:F[,T0] or "
                     "FIELD@%s[,AMPLITUDE]:FILE.npy, or a file with such lines",
                     text, place[op->dims - 1], place[op->dims - 1]);
}

/* Adds the source "[FIELD@]x,y,z[,AMPLITUDE]:SERIES". */
static enum zoid_status add_source(void *list, char *text)
{
    struct zoid_point_list *l = list;
    const struct zoid_op *op = l->problem->op;
    struct zoid_source source = {.field = 0};
    double number[ZOID_AXES + 1];
    const char *rest, *colon;
    char place[256];
    enum zoid_status status;
    int n;

    status = read_field(op, "source", text, &source.field, &rest);
    if (status)
        return status;
    colon = strchr(rest, ':');
    if (!colon || (size_t)(colon - rest) >= sizeof place)
        return no_source(op, text);
    snprintf(place, sizeof place, "%.*s", (int)(colon - rest), rest);
    n = read_numbers("source", place, op->dims + 1, number);
    if (n < op->dims)
        return no_source(op, text);
    memcpy(source.at, number, (size_t)op->dims * sizeof *number);
    status = zoid_point_series(l->problem, colon + 1, n > op->dims ? number[op->dims] : 1, &source);
    return status ? status : zoid_point_list_source(l, &source);
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

    if (read_numbers("receivers", line, dims, a->receiver.at) != dims)
        return no_receivers(a, line);
    return zoid_point_list_receiver(a->list, &a->receiver);
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
    status = zoid_number_real("receivers", number, &at);
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

/* ---- both ---------------------------------------------------------------------------------- */

static enum zoid_status fill_list(const struct zoid_options *o, struct zoid_problem *problem,
                                  struct zoid_point_list *l)
{
    enum zoid_status status = ZOID_OK;

    l->problem = problem;
    if (!problem->op->sources)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no sources and receivers; drop {source} and {receivers}",
                         problem->op->family);
    for (int i = 0; i < o->sources.n && !status; i++)
        status = add_sources(l, o->sources.text[i]);
    for (int i = 0; i < o->receivers.n && !status; i++)
        status = add_receivers(l, o->receivers.text[i]);
    if (status)
        return status;
    problem->points = &l->points;
    return zoid_problem_check(problem);
}

enum zoid_status zoid_point_list_open(const struct zoid_options *o, struct zoid_problem *problem,
                                      struct zoid_point_list **list)
{
    struct zoid_point_list *l;
    enum zoid_status status;

    if (!o->receivers.n && o->record)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{record=%s} has nothing to record; give {receivers} as well", o->record);
    if (!o->sources.n && !o->receivers.n)
        return ZOID_OK;
    l = calloc(1, sizeof *l);
    status = l ? fill_list(o, problem, l) : zoid_no_memory();
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
    free(l->receiver);
    free(l);
    *list = NULL;
}
