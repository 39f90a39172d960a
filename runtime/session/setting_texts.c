/* SPDX-License-Identifier: BSD-3-Clause */
/* Types whose values are names and texts; setting_types.c has the others. */
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/place.h"
#include "runtime/session/setting.h"
#include "runtime/session/shape.h"

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

/* NAME for all kinds of workers, or as in gpus=NAME for one. */
static enum zoid_status set_kind_of(const struct zoid_setting *row, const char *item,
                                    struct zoid_setting_by_kind *v)
{
    const char *equals = strchr(item, '=');
    bool any = false;
    int i = 0;
    enum zoid_status status = set_enum(row, equals ? equals + 1 : item, &i);

    for (int k = 0; k < ZOID_ANY && !status; k++) {
        const char *kind = zoid_places[k]->name;

        if (equals && (strncmp(kind, item, (size_t)(equals - item)) != 0 || kind[equals - item]))
            continue;
        any = v->named[k] = true;
        v->of[k] = i;
    }
    if (status || any)
        return status;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{%s} '%s' names no workers; they are cores and gpus, as in gpus=%s", row->key,
                     item, equals + 1);
}

static enum zoid_status set_by_kind(const struct zoid_setting *row, const char *text, void *value)
{
    struct zoid_setting_by_kind v = {.named = {false}};
    char *list = strdup(text), *rest = list, *item;
    enum zoid_status status = ZOID_OK;

    if (!list)
        return zoid_no_memory();
    while (!status && (item = strsep(&rest, ",")))
        status = set_kind_of(row, item, &v);
    free(list);
    if (!status)
        *(struct zoid_setting_by_kind *)value = v;
    return status;
}

static void print_by_kind(const struct zoid_setting *row, const void *value, FILE *out)
{
    const struct zoid_setting_by_kind *v = value;
    const char *between = "";
    bool alike = true;

    for (int k = 1; k < ZOID_ANY; k++)
        alike &= v->of[k] == v->of[0] && v->named[k] == v->named[0];
    if (alike)
        print_enum(row, v->of, out);
    for (int k = 0; k < ZOID_ANY && !alike; k++)
        if (v->named[k]) {
            fprintf(out, "%s%s=%s", between, zoid_places[k]->name, row->name((size_t)v->of[k]));
            between = ",";
        }
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

const struct zoid_setting_type zoid_type_enum = {"enum",     ZOID_FORM_TEXT, set_enum,
                                                 print_enum, NULL,           sizeof(int)};
const struct zoid_setting_type zoid_type_by_kind = {
    "kinds", ZOID_FORM_TEXT, set_by_kind, print_by_kind, NULL, sizeof(struct zoid_setting_by_kind)};
const struct zoid_setting_type zoid_type_choice = {"enum",     ZOID_FORM_TEXT, set_choice,
                                                   print_text, clear_text,     0};
const struct zoid_setting_type zoid_type_method = {"enum",     ZOID_FORM_TEXT, set_method,
                                                   print_text, clear_text,     0};

/* ---- texts --------------------------------------------------------------------------------- */

static enum zoid_status set_path(const struct zoid_setting *row, const char *text, void *value)
{
    if (!*text)
        return zoid_fail(ZOID_BAD_ARGUMENT, ZOID_NO_FILE, row->key);
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

const struct zoid_setting_type zoid_type_path = {"path",     ZOID_FORM_TEXT, set_path,
                                                 print_text, clear_text,     0};
const struct zoid_setting_type zoid_type_text = {"text",     ZOID_FORM_TEXT, set_text,
                                                 print_text, clear_text,     0};
const struct zoid_setting_type zoid_type_value = {"value",    ZOID_FORM_TEXT, set_value,
                                                  print_text, clear_text,     0};

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
    if (texts->n == ZOID_MAX_GIVEN)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} is there more than %d times; give each field once", row->key,
                         ZOID_MAX_GIVEN);
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

/* Shared objects, which are loaded at once: names of operators and of their parameters may follow.
 */
static enum zoid_status set_operators(const struct zoid_setting *row, const char *text, void *value)
{
    enum zoid_status status;

    if (!*text)
        return zoid_fail(ZOID_BAD_ARGUMENT, ZOID_NO_FILE, row->key);
    status = zoid_operators_load(text);
    return status ? status : add_text(text, value);
}

const struct zoid_setting_type zoid_type_fields = {"fields",    ZOID_FORM_LIST, set_fields,
                                                   print_texts, clear_texts,    0};
const struct zoid_setting_type zoid_type_lines = {"list",      ZOID_FORM_LIST, set_lines,
                                                  print_texts, clear_texts,    0};
const struct zoid_setting_type zoid_type_operators = {"path",      ZOID_FORM_LIST, set_operators,
                                                      print_texts, clear_texts,    0};

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

const struct zoid_setting_type zoid_type_init = {"init",     ZOID_FORM_LIST, set_init,
                                                 print_init, clear_init,     0};
const struct zoid_setting_type zoid_type_init_kind = {"enum",     ZOID_FORM_TEXT, set_kind,
                                                      print_init, clear_init,     0};
