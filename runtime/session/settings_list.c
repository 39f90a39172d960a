/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of settings for other programs. */
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/session/settings.h"

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *names_of(const struct zoid_setting *s)
{
    json_t *names = s->name ? json_array() : json_null();

    for (size_t i = 0; s->name && s->name(i); i++)
        json_array_append_new(names, json_string(s->name(i)));
    return names;
}

static json_t *flags_of(const struct zoid_setting *s)
{
    static const struct {
        unsigned flag;
        const char *name;
    } all[] = {{ZOID_SAME, "same"}, {ZOID_TOTAL, "total"}, {ZOID_FREE, "free"},
               {ZOID_LATE, "late"}, {ZOID_MANY, "many"},   {ZOID_ADVANCED, "advanced"}};
    json_t *flags = json_array();

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (s->flags & all[i].flag)
            json_array_append_new(flags, json_string(all[i].name));
    return flags;
}

static json_t *row_of(const struct zoid_setting *s)
{
    json_t *row =
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:o}", "key", s->key, "type",
                  s->type->name, "group", s->group->name, "default", text_or_null(s->fallback),
                  "names", names_of(s), "flags", flags_of(s), "value", text_or_null(s->value),
                  "doc", s->doc, "detail", text_or_null(s->detail));

    if (row && s->limits.least)
        json_object_set_new(row, "least", json_integer((json_int_t)s->limits.least));
    return row;
}

/* A parameter of the operators of the table, once. */
static json_t *param_of(const struct zoid_op *op, const struct zoid_param *param)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:s}", "key", param->name, "type", "real", "group",
                     "parameters", "operator", op->family, "default", param->value, "doc",
                     param->summary);
}

static bool first_of_family(size_t i)
{
    return i == 0 || strcmp(zoid_op_at(i - 1)->family, zoid_op_at(i)->family) != 0;
}

char *zoid_settings_make_json(void)
{
    json_t *all = json_array();
    const struct zoid_op *op;
    char *text;

    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++)
        /* Of a spelling and a row with one key, the row. */
        if (!(s->flags & ZOID_COMPOUND) || !zoid_settings_find(s->key))
            json_array_append_new(all, row_of(s));
    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        for (int p = 0; p < op->nparams && first_of_family(i); p++)
            json_array_append_new(all, param_of(op, &op->param[p]));
    text = json_dumps(all, JSON_INDENT(1));
    json_decref(all);
    return text;
}

/* ---- those that were set ------------------------------------------------------------------- */

static json_t *list_of(char *text)
{
    json_t *list = json_array();
    char *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        json_array_append_new(list, json_string(line));
    return list;
}

/* Takes over the canonical text. */
static json_t *value_of(const struct zoid_setting *s, char *text)
{
    json_t *value = NULL;

    if (!text)
        return NULL;
    if (s->type->form == ZOID_FORM_FLAG)
        value = json_boolean(!strcmp(text, "yes"));
    else if (s->type->form == ZOID_FORM_LIST)
        value = list_of(text);
    else if (s->type->form == ZOID_FORM_WHOLE || s->type->form == ZOID_FORM_REAL)
        value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!value)
        value = json_string(text);
    free(text);
    return value;
}

char *zoid_settings_given(const struct zoid_settings *settings)
{
    json_t *all = json_object();
    bool lost = !all;
    char *text;

    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++)
        if (zoid_setting_has(s, settings))
            lost |=
                json_object_set_new(all, s->key, value_of(s, zoid_setting_text(s, settings))) != 0;
    for (int i = 0; i < settings->nparams; i++)
        lost |= json_object_set_new(all, settings->param[i].name,
                                    json_real(settings->param[i].value)) != 0;
    text = lost ? NULL : json_dumps(all, 0);
    json_decref(all);
    return text;
}
