/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings, arrays, sources and receivers of a session. */
#define _GNU_SOURCE /* for asprintf */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/array_stage.h"
#include "runtime/io/npy.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/api/api.h"

enum { AXES = 4 }; /* of a zoid_array */

/* ---- values -------------------------------------------------------------------------------- */

static enum zoid_status check_settable(const struct zoid_session *s, const char *key)
{
    const struct zoid_setting *row = zoid_settings_find(key);

    if (s->state == ZOID_SESSION_NEW)
        return ZOID_OK;
    if (row && row->flags & ZOID_LATE && s->state == ZOID_SESSION_READY)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} is set before the session is planned; create another",
                     key);
}

enum zoid_status zoid_session_set_text(struct zoid_session *s, const char *key, const char *value)
{
    enum zoid_status status = check_settable(s, key);

    if (!status)
        status = zoid_settings_set(&s->settings, key, value);
    if (!status && !strcmp(key, "init") && s->restart.from)
        s->restart.stated = true;
    return status;
}

enum zoid_status zoid_session_set_int(struct zoid_session *s, const char *key, int64_t value)
{
    const struct zoid_setting *row = zoid_settings_find(key);
    char text[32];

    snprintf(text, sizeof text, "%" PRId64, value);
    if (row && row->type == &zoid_type_flag && (value == 0 || value == 1))
        strcpy(text, value ? "yes" : "no");
    return zoid_session_set_text(s, key, text);
}

/* Whole numbers are as good as integers. */
enum zoid_status zoid_session_set_real(struct zoid_session *s, const char *key, double value)
{
    const struct zoid_setting *row = zoid_settings_find(key);
    const bool whole = row && row->type->form == ZOID_FORM_WHOLE;
    char text[48];

    if (whole && value == trunc(value) && fabs(value) < 9e18)
        return zoid_session_set_int(s, key, (int64_t)value);
    zoid_setting_print_real(value, text, sizeof text);
    if (row && row->type == &zoid_type_seconds)
        snprintf(text + strlen(text), sizeof text - strlen(text), "s");
    return zoid_session_set_text(s, key, text);
}

enum zoid_status zoid_session_set_ints(struct zoid_session *s, const char *key, int n,
                                       const int64_t *values)
{
    char text[128] = "";
    size_t length = 0;

    for (int i = 0; i < n && length < sizeof text; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%" PRId64, i ? "x" : "",
                                   values[i]);
    return zoid_session_set_text(s, key, text);
}

enum zoid_status zoid_session_unset(struct zoid_session *s, const char *key)
{
    const struct zoid_setting *row = zoid_settings_find(key);
    enum zoid_status status = check_settable(s, key);

    if (status)
        return status;
    if (!row)
        return zoid_fail(ZOID_BAD_ARGUMENT, "there is no setting '%s'", key);
    return zoid_setting_reset(row, &s->settings);
}

/* The planner's choice, of keys that it decides about. */
static char *chosen(const struct zoid_graph *g, const char *key)
{
    const struct {
        const char *key;
        long value;
    } number[] = {
        {"block", g->block}, {"depth", g->depth}, {"lanes", g->lanes}, {"epoch", g->epoch}};
    char *text = NULL;

    if (!strcmp(key, "method"))
        return strdup(g->method->name);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (!strcmp(key, number[i].key) && asprintf(&text, "%ld", number[i].value) < 0)
            text = NULL;
    return text;
}

static char *param_text(const struct zoid_session *s, const char *key)
{
    const struct zoid_problem *p = &s->problem;
    const int i = p->op ? zoid_op_param(p->op, key) : -1;
    char text[48];

    if (i < 0)
        return NULL;
    zoid_setting_print_real(p->params.value[i], text, sizeof text);
    return strdup(text);
}

const char *zoid_session_get(struct zoid_session *s, const char *key)
{
    const struct zoid_setting *row = zoid_settings_find(key);
    char *text = s->state < ZOID_SESSION_PLANNED ? NULL : chosen(&s->plan->graph, key);

    if (!text && row && (row->fallback || zoid_setting_has(row, &s->settings)))
        text = zoid_setting_text(row, &s->settings);
    if (!text && !row)
        text = param_text(s, key);
    return text ? zoid_api_text(s, text) : NULL;
}

/* ---- arrays -------------------------------------------------------------------------------- */

enum zoid_status zoid_api_view(const struct zoid_array *a, const char *name,
                               struct zoid_array_view *view)
{
    int64_t stride = 0;
    bool packed = true;

    if (a->axes < 0 || a->axes > AXES)
        return zoid_fail(ZOID_BAD_ARGUMENT, "an array of %d axes; give at most %d", a->axes, AXES);
    *view = (struct zoid_array_view){.name = name,
                                     .element = zoid_npy_element(a->type),
                                     .axes = a->axes,
                                     .at = a->data,
                                     .device = a->device < 0 ? -1 : a->device};
    for (int i = 0; i < a->axes; i++)
        packed = packed && a->stride[i] == 0;
    for (int i = a->axes - 1; i >= 0; i--) {
        stride = i == a->axes - 1 ? view->element.size : stride * (long)a->shape[i + 1];
        if (i < ZOID_FILE_AXES) {
            view->n[i] = (long)a->shape[i];
            view->stride[i] = (long)(packed ? stride : a->stride[i]);
        }
    }
    return ZOID_OK;
}

/* Adds the view, or replaces the one with its name, which the list owns. */
static enum zoid_status keep_view(struct zoid_session *s, const struct zoid_array_view *view)
{
    struct zoid_array_views *list = &s->arrays;
    struct zoid_array_view *more;

    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->array[i].name, view->name)) {
            free((void *)list->array[i].name);
            list->array[i] = *view;
            return ZOID_OK;
        }
    more = realloc(list->array, (list->n + 1) * sizeof *more);
    if (!more)
        return zoid_no_memory();
    list->array = more;
    more[list->n++] = *view;
    return ZOID_OK;
}

void zoid_api_drop_arrays(struct zoid_session *s)
{
    for (size_t i = 0; i < s->arrays.n; i++)
        free((void *)s->arrays.array[i].name);
    free(s->arrays.array);
    s->arrays = (struct zoid_array_views){.n = 0};
}

static bool takes_arrays(const struct zoid_setting *row, const char *field)
{
    const struct zoid_setting_type *t = row->type;

    return field ? t == &zoid_type_fields || t == &zoid_type_init
                 : t == &zoid_type_value ||
                       (t == &zoid_type_path && row->group->bit == ZOID_GROUP_fields) ||
                       !strcmp(row->key, "vector");
}

static enum zoid_status check_device(const struct zoid_array *array, const char *key)
{
    char why[ZOID_STAGE_WHY];
    const enum zoid_status status = zoid_array_stage_check(array->device, array->data, why);

    return status ? zoid_fail(status, "{%s}: the array %s", key, why) : ZOID_OK;
}

enum zoid_status zoid_session_set_array(struct zoid_session *s, const char *key, const char *field,
                                        const struct zoid_array *array)
{
    const struct zoid_setting *row = zoid_settings_find(key);
    struct zoid_array_view view;
    char *name = NULL, *text = NULL;
    enum zoid_status status;

    if (!row)
        return zoid_fail(ZOID_BAD_ARGUMENT, "there is no setting '%s'", key);
    if (!takes_arrays(row, field))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} takes no array%s", key,
                         field ? " for a field" : " without a field");
    if (asprintf(&name, ZOID_ARRAY_NAME "%s", field ? field : key) < 0 ||
        asprintf(&text, "%s%s%s", field ? field : "", field ? "=" : "", name) < 0) {
        free(name);
        return zoid_no_memory();
    }
    status = zoid_api_view(array, name, &view);
    if (!status && array->device >= 0)
        status = check_device(array, key);
    if (!status)
        status = zoid_session_set_text(s, key, text);
    if (!status)
        status = keep_view(s, &view);
    if (status)
        free(name);
    free(text);
    return status;
}

/* ---- points -------------------------------------------------------------------------------- */

enum zoid_status zoid_session_add_source(struct zoid_session *s, const struct zoid_source_row *row)
{
    struct zoid_added_point p = {.field = (char *)row->field,
                                 .physical = row->physical,
                                 .recipe = {.amplitude = row->amplitude != 0 ? row->amplitude : 1,
                                            .frequency = row->series ? 0 : row->ricker,
                                            .delay = row->delay},
                                 .number = (double *)row->series,
                                 .samples = (long)row->samples};
    enum zoid_status status = check_settable(s, "source");

    if (status)
        return status;
    if (row->size < sizeof *row)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{source}: set size to sizeof(struct zoid_source_row)");
    if (!row->series && !(row->ricker > 0))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{source}: a wavelet of frequency %g; give more than 0",
                         row->ricker);
    memcpy(p.at, row->position, sizeof p.at);
    return zoid_added_source(&s->added, &p);
}

/* Returns the number of axes of the domain, as far as the settings say. */
static int dims_of(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;

    return s->problem.op ? s->problem.op->dims : k->size.axes > 1 ? k->size.axes : (int)k->dims;
}

enum zoid_status zoid_session_add_receivers(struct zoid_session *s, const char *field, int64_t n,
                                            const double *position, int physical)
{
    const int dims = dims_of(s);
    enum zoid_status status = check_settable(s, "receivers");

    if (!status && dims < 1)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{receivers} are added after {size} or {dims} is "
                                              "set, which says how many numbers a place has");
    for (int64_t i = 0; i < n && !status; i++) {
        struct zoid_added_point p = {.field = (char *)field, .physical = physical};

        memcpy(p.at, position + i * dims, (size_t)dims * sizeof *p.at);
        status = zoid_added_receiver(&s->added, &p);
    }
    return status;
}

enum zoid_status zoid_session_clear_points(struct zoid_session *s)
{
    enum zoid_status status = check_settable(s, "source");

    if (!status)
        status = zoid_setting_reset(zoid_settings_find("source"), &s->settings);
    if (!status)
        status = zoid_setting_reset(zoid_settings_find("receivers"), &s->settings);
    zoid_added_clear(&s->added);
    return status;
}

enum zoid_status zoid_session_set_matrix(struct zoid_session *s, const struct zoid_matrix *matrix)
{
    enum zoid_status status = check_settable(s, "matrix");

    if (!status)
        s->matrix = matrix;
    return status;
}

enum zoid_status zoid_session_restart(struct zoid_session *s, const char *path)
{
    enum zoid_status status = zoid_api_check(s, ZOID_SESSION_NEW, ZOID_SESSION_NEW);

    if (!status && s->restart.from)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{restart} is set; create another session");
    if (!status)
        status = zoid_settings_set(&s->settings, "restart", path);
    if (!status)
        status = zoid_ranks_start();
    return status ? status : zoid_restart_open(s);
}
