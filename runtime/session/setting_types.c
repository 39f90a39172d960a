/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/session/number.h"
#include "runtime/session/setting.h"

/* ---- flags and numbers --------------------------------------------------------------------- */

static enum zoid_status set_flag(const struct zoid_setting *row, const char *text, void *value)
{
    if (text && strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is neither yes nor no", row->key, text);
    *(bool *)value = !text || !strcmp(text, "yes");
    return ZOID_OK;
}

static void print_flag(const struct zoid_setting *row, const void *value, FILE *out)
{
    (void)row;
    fputs(*(const bool *)value ? "yes" : "no", out);
}

static struct zoid_number_range range_of(const struct zoid_setting *row, uint64_t most)
{
    return (struct zoid_number_range){.least = row->limits.least,
                                      .most = row->limits.most < most ? row->limits.most : most};
}

static enum zoid_status set_count(const struct zoid_setting *row, const char *text, void *value)
{
    uint64_t v = 0;
    enum zoid_status status = zoid_number_count(row->key, text, range_of(row, LONG_MAX), &v);

    if (!status)
        *(long *)value = (long)v;
    return status;
}

static void print_count(const struct zoid_setting *row, const void *value, FILE *out)
{
    (void)row;
    fprintf(out, "%ld", *(const long *)value);
}

static enum zoid_status set_unsigned(const struct zoid_setting *row, const char *text, void *value)
{
    return zoid_number_count(row->key, text, range_of(row, UINT64_MAX), value);
}

static enum zoid_status set_bytes(const struct zoid_setting *row, const char *text, void *value)
{
    return zoid_number_bytes(row->key, text, range_of(row, UINT64_MAX), value);
}

static void print_unsigned(const struct zoid_setting *row, const void *value, FILE *out)
{
    (void)row;
    fprintf(out, "%" PRIu64, *(const uint64_t *)value);
}

/* Sets a number that `status` says was read. */
static enum zoid_status set_read(const struct zoid_setting *row, const char *text,
                                 enum zoid_status status, double v, void *value)
{
    if (!status && row->limits.above && !(v > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} %s; give more than 0", row->key, text,
                           row->limits.above);
    if (!status)
        *(double *)value = v;
    return status;
}

static enum zoid_status set_real(const struct zoid_setting *row, const char *text, void *value)
{
    double v = 0;
    const enum zoid_status status = zoid_number_real(row->key, text, &v);

    return set_read(row, text, status, v, value);
}

/* Sets a number in m or s; it may have a unit. */
static enum zoid_status set_physical(const struct zoid_setting *row, const char *text,
                                     enum zoid_dimension dimension, void *value)
{
    const struct zoid_units si = {.h = {1}, .dt = 1};
    double v = 0;
    const enum zoid_status status = zoid_number_in_units(row->key, text, dimension, &si, &v);

    return set_read(row, text, status, v, value);
}

static enum zoid_status set_length(const struct zoid_setting *row, const char *text, void *value)
{
    return set_physical(row, text, ZOID_LENGTH, value);
}

static enum zoid_status set_duration(const struct zoid_setting *row, const char *text, void *value)
{
    return set_physical(row, text, ZOID_DURATION, value);
}

void zoid_setting_print_real(double value, char *text, size_t room)
{
    int digits = 15;

    do
        snprintf(text, room, "%.*g", digits, value);
    while (strtod(text, NULL) != value && digits++ < 17);
}

static void print_real(const struct zoid_setting *row, const void *value, FILE *out)
{
    char text[32];

    (void)row;
    zoid_setting_print_real(*(const double *)value, text, sizeof text);
    fputs(text, out);
}

static enum zoid_status set_seconds(const struct zoid_setting *row, const char *text, void *value)
{
    return zoid_number_time(row->key, text, value);
}

static void print_seconds(const struct zoid_setting *row, const void *value, FILE *out)
{
    print_real(row, value, out);
    fputc('s', out);
}

const struct zoid_setting_type zoid_type_flag = {"flag",     ZOID_FORM_FLAG, set_flag,
                                                 print_flag, NULL,           sizeof(bool)};
const struct zoid_setting_type zoid_type_count = {"count", ZOID_FORM_WHOLE, set_count, print_count,
                                                  NULL,    sizeof(long)};
const struct zoid_setting_type zoid_type_unsigned = {
    "count", ZOID_FORM_WHOLE, set_unsigned, print_unsigned, NULL, sizeof(uint64_t)};
const struct zoid_setting_type zoid_type_bytes = {
    "bytes", ZOID_FORM_WHOLE, set_bytes, print_unsigned, NULL, sizeof(uint64_t)};
const struct zoid_setting_type zoid_type_real = {"real",     ZOID_FORM_REAL, set_real,
                                                 print_real, NULL,           sizeof(double)};
const struct zoid_setting_type zoid_type_length = {"real",     ZOID_FORM_REAL, set_length,
                                                   print_real, NULL,           sizeof(double)};
const struct zoid_setting_type zoid_type_seconds = {"seconds",     ZOID_FORM_TEXT, set_seconds,
                                                    print_seconds, NULL,           sizeof(double)};

/* ---- a number, or auto --------------------------------------------------------------------- */

static enum zoid_status set_count_or(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_count_or v = {.automatic = !strcmp(text, "auto")};
    enum zoid_status status = v.automatic ? ZOID_OK : set_count(row, text, &v.value);

    if (!status)
        *(struct zoid_setting_count_or *)value = v;
    return status;
}

static void print_count_or(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_count_or *v = value;

    if (v->automatic)
        fputs("auto", out);
    else
        print_count(row, &v->value, out);
}

/* Sets `auto`, or a number by `set`. */
static enum zoid_status set_or(const struct zoid_setting *row, const char *text,
                               enum zoid_status (*set)(const struct zoid_setting *row,
                                                       const char *text, void *value),
                               void *value)
{
    struct zoid_setting_real_or v = {.automatic = !strcmp(text, "auto")};
    enum zoid_status status = v.automatic ? ZOID_OK : set(row, text, &v.value);

    if (!status)
        *(struct zoid_setting_real_or *)value = v;
    return status;
}

static enum zoid_status set_real_or(const struct zoid_setting *row, const char *text, void *value)
{
    return set_or(row, text, set_real, value);
}

static enum zoid_status set_duration_or(const struct zoid_setting *row, const char *text,
                                        void *value)
{
    return set_or(row, text, set_duration, value);
}

static void print_real_or(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_real_or *v = value;

    if (v->automatic)
        fputs("auto", out);
    else
        print_real(row, &v->value, out);
}

const struct zoid_setting_type zoid_type_or_COUNT = {"count or auto",
                                                     ZOID_FORM_WHOLE,
                                                     set_count_or,
                                                     print_count_or,
                                                     NULL,
                                                     sizeof(struct zoid_setting_count_or)};
const struct zoid_setting_type zoid_type_or_REAL = {
    "real or auto", ZOID_FORM_REAL, set_real_or,
    print_real_or,  NULL,           sizeof(struct zoid_setting_real_or)};
const struct zoid_setting_type zoid_type_or_DURATION = {
    "real or auto", ZOID_FORM_REAL, set_duration_or,
    print_real_or,  NULL,           sizeof(struct zoid_setting_real_or)};

/* ---- parts of the domain ------------------------------------------------------------------- */

static enum zoid_status set_axes(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_axes v = {.axes = 0};
    enum zoid_status status = zoid_number_axes(row->key, text, v.n, &v.axes);

    if (!status)
        *(struct zoid_setting_axes *)value = v;
    return status;
}

static void print_axes(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_axes *v = value;

    (void)row;
    for (int a = 0; a < v->axes; a++)
        fprintf(out, "%s%ld", a ? "x" : "", v->n[a]);
}

static const char axis_names[] = "xyz", side_names[] = "-+";

static enum zoid_status set_slice(const struct zoid_setting *row, const char *text, void *value)
{
    const char *axis = *text ? strchr(axis_names, *text) : NULL;
    uint64_t at = 0;
    enum zoid_status status;

    if (!axis || text[1] != '=')
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is no plane; give one like z=100", row->key,
                         text);
    if (text[2] && text[strlen(text) - 1] == 'm') {
        const struct zoid_units metre = {.h = {1}};
        struct zoid_setting_slice v = {.axis = (int)(axis - axis_names), .at = -1};

        status = zoid_number_in_units(row->key, text + 2, ZOID_LENGTH, &metre, &v.metres);
        if (!status)
            *(struct zoid_setting_slice *)value = v;
        return status;
    }
    status =
        zoid_number_count(row->key, text + 2, (struct zoid_number_range){.most = LONG_MAX}, &at);
    if (!status)
        *(struct zoid_setting_slice *)value =
            (struct zoid_setting_slice){.axis = (int)(axis - axis_names), .at = (long)at};
    return status;
}

static void print_slice(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_slice *v = value;

    fprintf(out, "%c=", axis_names[v->axis]);
    if (v->at >= 0) {
        fprintf(out, "%ld", v->at);
    } else {
        print_real(row, &v->metres, out);
        fputc('m', out);
    }
}

static enum zoid_status set_boundary(const struct zoid_setting *row, const char *text,
                                     unsigned char *boundary)
{
    int i = 0;
    enum zoid_status status = zoid_type_enum.set(row, text, &i);

    *boundary = (unsigned char)i;
    return status;
}

bool zoid_setting_face(const char *text, size_t length, int *axis, int *side)
{
    const char *a = length == 2 ? strchr(axis_names, text[0]) : NULL;
    const char *s = a ? strchr(side_names, text[1]) : NULL;

    if (!s)
        return false;
    *axis = (int)(a - axis_names);
    *side = (int)(s - side_names);
    return true;
}

/* NAME for all faces, or as in x-=NAME for one. */
static enum zoid_status set_face(const struct zoid_setting *row, const char *item,
                                 struct zoid_setting_faces *v)
{
    const char *equals = strchr(item, '=');
    int axis, side;
    unsigned char boundary = 0;
    enum zoid_status status;

    if (!equals) {
        status = set_boundary(row, item, &boundary);
        if (!status)
            memset(v->face, boundary, sizeof v->face);
        return status;
    }
    if (!zoid_setting_face(item, (size_t)(equals - item), &axis, &side))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{%s} '%s' names no face; they are x-, x+, y-, y+, z- and z+, as in z-=neumann",
            row->key, item);
    status = set_boundary(row, equals + 1, &boundary);
    if (status)
        return status;
    v->face[axis][side] = boundary;
    v->named = axis >= v->named ? axis + 1 : v->named;
    return ZOID_OK;
}

static enum zoid_status set_faces(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_faces v = {.named = 0};
    char *list = strdup(text), *rest = list, *item;
    enum zoid_status status = ZOID_OK;

    if (!list)
        return zoid_no_memory();
    while (!status && (item = strsep(&rest, ",")))
        status = set_face(row, item, &v);
    free(list);
    if (!status)
        *(struct zoid_setting_faces *)value = v;
    return status;
}

static void print_faces(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_faces *v = value;

    for (int a = 0; a < ZOID_AXES; a++)
        for (int s = 0; s < ZOID_SIDES; s++)
            fprintf(out, "%s%c%c=%s", a || s ? "," : "", axis_names[a], side_names[s],
                    row->name(v->face[a][s]));
}

const struct zoid_setting_type zoid_type_axes = {
    "axes", ZOID_FORM_AXES, set_axes, print_axes, NULL, sizeof(struct zoid_setting_axes)};
const struct zoid_setting_type zoid_type_slice = {
    "slice", ZOID_FORM_TEXT, set_slice, print_slice, NULL, sizeof(struct zoid_setting_slice)};
const struct zoid_setting_type zoid_type_faces = {
    "faces", ZOID_FORM_TEXT, set_faces, print_faces, NULL, sizeof(struct zoid_setting_faces)};
