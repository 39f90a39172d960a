/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/session/number.h"
#include "runtime/session/setting.h"
#include "runtime/session/shape.h"

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

static enum zoid_status set_real(const struct zoid_setting *row, const char *text, void *value)
{
    double v;
    enum zoid_status status = zoid_number_real(row->key, text, &v);

    if (!status && row->limits.above && !(v > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} %s; give more than 0", row->key, text,
                           row->limits.above);
    if (!status)
        *(double *)value = v;
    return status;
}

static void print_real(const struct zoid_setting *row, const void *value, FILE *out)
{
    const double v = *(const double *)value;
    char text[32];
    int digits = 15;

    (void)row;
    /* As few digits as tell it apart. */
    do
        snprintf(text, sizeof text, "%.*g", digits, v);
    while (strtod(text, NULL) != v && digits++ < 17);
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

const struct zoid_setting_type zoid_type_flag = {"flag", ZOID_FORM_FLAG, set_flag, print_flag,
                                                 NULL};
const struct zoid_setting_type zoid_type_count = {"count", ZOID_FORM_NUMBER, set_count, print_count,
                                                  NULL};
const struct zoid_setting_type zoid_type_unsigned = {"count", ZOID_FORM_NUMBER, set_unsigned,
                                                     print_unsigned, NULL};
const struct zoid_setting_type zoid_type_bytes = {"bytes", ZOID_FORM_NUMBER, set_bytes,
                                                  print_unsigned, NULL};
const struct zoid_setting_type zoid_type_real = {"real", ZOID_FORM_NUMBER, set_real, print_real,
                                                 NULL};
const struct zoid_setting_type zoid_type_seconds = {"seconds", ZOID_FORM_TEXT, set_seconds,
                                                    print_seconds, NULL};

/* ---- names --------------------------------------------------------------------------------- */

static const char *allowed(const struct zoid_setting *row, size_t i)
{
    return row->list ? row->list[i] : row->name(i);
}

/* Fails with a list of those that are allowed. */
static enum zoid_status find(const struct zoid_setting *row, const char *text)
{
    char list[256] = "";
    size_t n = 0;

    for (size_t i = 0; allowed(row, i); i++) {
        if (!strcmp(allowed(row, i), text))
            return ZOID_OK;
        if (n < sizeof list)
            n +=
                (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", allowed(row, i));
    }
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' does not exist; choose from %s", row->key, text,
                     list);
}

static enum zoid_status set_enum(const struct zoid_setting *row, const char *text, void *value)
{
    enum zoid_status status = find(row, text);
    int i = 0;

    while (!status && row->name((size_t)i) && strcmp(row->name((size_t)i), text) != 0)
        i++;
    if (!status)
        *(int *)value = i;
    return status;
}

static void print_enum(const struct zoid_setting *row, const void *value, FILE *out)
{
    fputs(row->name((size_t) * (const int *)value), out);
}

static enum zoid_status keep_text(const char *text, char **value)
{
    char *copy = strdup(text);

    if (!copy)
        return zoid_no_memory();
    free(*value);
    *value = copy;
    return ZOID_OK;
}

static void clear_text(void *value)
{
    free(*(char **)value);
    *(char **)value = NULL;
}

static void print_text(const struct zoid_setting *row, const void *value, FILE *out)
{
    const char *text = *(char *const *)value;

    (void)row;
    fputs(text ? text : "", out);
}

static enum zoid_status set_choice(const struct zoid_setting *row, const char *text, void *value)
{
    enum zoid_status status = find(row, text);

    return status ? status : keep_text(text, value);
}

/* Methods first, then what else they are called. */
static enum zoid_status no_method(const struct zoid_setting *row, const char *text)
{
    char list[512] = "";
    FILE *out = fmemopen(list, sizeof list, "w");

    if (out) {
        fputs("auto", out);
        for (size_t i = 0; zoid_methods[i]; i++)
            fprintf(out, ", %s", zoid_methods[i]->name);
        for (size_t i = 0; zoid_aliases[i].name; i++)
            fprintf(out, "%s%s", i ? ", " : "; or a published variant: ", zoid_aliases[i].name);
        fclose(out);
    }
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' does not exist; choose from %s", row->key, text,
                     list);
}

static enum zoid_status set_method(const struct zoid_setting *row, const char *text, void *value)
{
    const struct zoid_method *method = zoid_method_find(text);
    const struct zoid_alias *alias = zoid_alias_find(text);

    if (!method && !alias && strcmp(text, "auto") != 0)
        return no_method(row, text);
    return keep_text(method ? method->name : alias ? alias->name : text, value);
}

const struct zoid_setting_type zoid_type_enum = {"enum", ZOID_FORM_TEXT, set_enum, print_enum,
                                                 NULL};
const struct zoid_setting_type zoid_type_choice = {"enum", ZOID_FORM_TEXT, set_choice, print_text,
                                                   clear_text};
const struct zoid_setting_type zoid_type_method = {"enum", ZOID_FORM_TEXT, set_method, print_text,
                                                   clear_text};

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

static enum zoid_status set_real_or(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_real_or v = {.automatic = !strcmp(text, "auto")};
    enum zoid_status status = v.automatic ? ZOID_OK : set_real(row, text, &v.value);

    if (!status)
        *(struct zoid_setting_real_or *)value = v;
    return status;
}

static void print_real_or(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_real_or *v = value;

    if (v->automatic)
        fputs("auto", out);
    else
        print_real(row, &v->value, out);
}

const struct zoid_setting_type zoid_type_or_COUNT = {"count or auto", ZOID_FORM_NUMBER,
                                                     set_count_or, print_count_or, NULL};
const struct zoid_setting_type zoid_type_or_REAL = {"real or auto", ZOID_FORM_NUMBER, set_real_or,
                                                    print_real_or, NULL};

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

    (void)row;
    fprintf(out, "%c=%ld", axis_names[v->axis], v->at);
}

static enum zoid_status set_boundary(const struct zoid_setting *row, const char *text,
                                     unsigned char *boundary)
{
    int i = 0;
    enum zoid_status status = set_enum(row, text, &i);

    *boundary = (unsigned char)i;
    return status;
}

/* NAME for all faces, or as in x-=NAME for one. */
static enum zoid_status set_face(const struct zoid_setting *row, const char *item,
                                 struct zoid_setting_faces *v)
{
    const char *equals = strchr(item, '='), *axis, *side;
    unsigned char boundary = 0;
    enum zoid_status status;

    if (!equals) {
        status = set_boundary(row, item, &boundary);
        if (!status)
            memset(v->face, boundary, sizeof v->face);
        return status;
    }
    axis = equals - item == 2 ? strchr(axis_names, item[0]) : NULL;
    side = axis ? strchr(side_names, item[1]) : NULL;
    if (!side)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{%s} '%s' names no face; they are x-, x+, y-, y+, z- and z+, as in z-=neumann",
            row->key, item);
    status = set_boundary(row, equals + 1, &boundary);
    if (status)
        return status;
    v->face[axis - axis_names][side - side_names] = boundary;
    v->named = axis - axis_names >= v->named ? (int)(axis - axis_names) + 1 : v->named;
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

const struct zoid_setting_type zoid_type_axes = {"axes", ZOID_FORM_TEXT, set_axes, print_axes,
                                                 NULL};
const struct zoid_setting_type zoid_type_slice = {"slice", ZOID_FORM_TEXT, set_slice, print_slice,
                                                  NULL};
const struct zoid_setting_type zoid_type_faces = {"faces", ZOID_FORM_TEXT, set_faces, print_faces,
                                                  NULL};

/* ---- texts --------------------------------------------------------------------------------- */

static enum zoid_status set_path(const struct zoid_setting *row, const char *text, void *value)
{
    if (!*text)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '' names no file; name one", row->key);
    return keep_text(text, value);
}

static enum zoid_status set_text(const struct zoid_setting *row, const char *text, void *value)
{
    (void)row;
    return keep_text(text, value);
}

/* A number, a shape, or an input. */
static enum zoid_status set_value(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_field_shape shape;
    enum zoid_status status;

    if (!*text)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} names no file; name one", row->key);
    status = zoid_shape_read(row->key, text, &shape);
    return status ? status : keep_text(text, value);
}

const struct zoid_setting_type zoid_type_path = {"path", ZOID_FORM_TEXT, set_path, print_text,
                                                 clear_text};
const struct zoid_setting_type zoid_type_text = {"text", ZOID_FORM_TEXT, set_text, print_text,
                                                 clear_text};
const struct zoid_setting_type zoid_type_value = {"value", ZOID_FORM_TEXT, set_value, print_text,
                                                  clear_text};

/* ---- lists of texts ------------------------------------------------------------------------ */

static enum zoid_status add_text(const char *text, struct zoid_setting_texts *texts)
{
    char **more = realloc(texts->text, (size_t)(texts->n + 1) * sizeof *more);
    char *copy = strdup(text);

    if (more)
        texts->text = more;
    if (!more || !copy) {
        free(copy);
        return zoid_no_memory();
    }
    texts->text[texts->n++] = copy;
    return ZOID_OK;
}

static void clear_texts(void *value)
{
    struct zoid_setting_texts *texts = value;

    for (int i = 0; i < texts->n; i++)
        free(texts->text[i]);
    free(texts->text);
    *texts = (struct zoid_setting_texts){.n = 0};
}

static void print_texts(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_texts *texts = value;

    (void)row;
    for (int i = 0; i < texts->n; i++)
        fprintf(out, "%s%s", i ? "\n" : "", texts->text[i]);
}

/* FIELD=VALUE. */
static enum zoid_status set_fields(const struct zoid_setting *row, const char *text, void *value)
{
    const char *equals = strchr(text, '=');
    struct zoid_setting_texts *texts = value;

    if (!equals || equals == text || !equals[1])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} '%s' names no field with a value; give it as in {%s=%s}", row->key,
                         text, row->key, row->limits.like);
    if (texts->n == 2 * ZOID_MAX_FIELDS)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} is there more than %d times; give each field once", row->key,
                         2 * ZOID_MAX_FIELDS);
    return add_text(text, texts);
}

static enum zoid_status set_lines(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_texts *texts = value;

    if (texts->n == ZOID_MOST_TEXTS)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} is given more than %d times; put them into a file", row->key,
                         ZOID_MOST_TEXTS);
    return add_text(text, texts);
}

const struct zoid_setting_type zoid_type_fields = {"fields", ZOID_FORM_LIST, set_fields,
                                                   print_texts, clear_texts};
const struct zoid_setting_type zoid_type_lines = {"list", ZOID_FORM_LIST, set_lines, print_texts,
                                                  clear_texts};

/* ---- initial states ------------------------------------------------------------------------ */

static enum zoid_status set_kind(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_init *v = value;
    int kind;
    enum zoid_status status = set_enum(row, text, &kind);

    if (status)
        return status;
    v->kind = kind;
    v->named = true;
    clear_text(&v->all);
    return ZOID_OK;
}

static enum zoid_status set_shape(const struct zoid_setting *row, const char *text,
                                  struct zoid_setting_init *v)
{
    struct zoid_field_shape shape;
    enum zoid_status status = zoid_shape_read(row->key, text, &shape);

    if (!status)
        status = keep_text(text, &v->all);
    if (status)
        return status;
    v->kind = ZOID_INIT_ZERO;
    v->named = true;
    return ZOID_OK;
}

/* Fields that are not given are zeros, rather than random, unless that was asked for. */
static enum zoid_status set_init(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_init *v = value;
    enum zoid_status status;

    if (zoid_shape_is(text))
        return set_shape(row, text, v);
    if (!strchr(text, '='))
        return set_kind(row, text, v);
    status = set_fields(row, text, &v->fields);
    if (!status && !v->named)
        v->kind = ZOID_INIT_ZERO;
    return status;
}

static void print_init(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_init *v = value;

    fputs(v->all ? v->all : row->name((size_t)v->kind), out);
    fputs(v->fields.n ? "\n" : "", out);
    print_texts(row, &v->fields, out);
}

static void clear_init(void *value)
{
    struct zoid_setting_init *v = value;

    clear_text(&v->all);
    clear_texts(&v->fields);
    *v = (struct zoid_setting_init){.kind = 0};
}

const struct zoid_setting_type zoid_type_init = {"init", ZOID_FORM_LIST, set_init, print_init,
                                                 clear_init};
const struct zoid_setting_type zoid_type_init_kind = {"enum", ZOID_FORM_TEXT, set_kind, print_init,
                                                      clear_init};
