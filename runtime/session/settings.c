/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/settings.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/band.h"
#include "runtime/error.h"
#include "runtime/machine/rates.h"
#include "runtime/plan/alias.h"
#include "runtime/plan/ranks.h"
#include "runtime/session/number.h"

/* ---- names of values ----------------------------------------------------------------------- */

#define NAMES(list, ...)                                           \
    static const char *list(size_t i)                              \
    {                                                              \
        static const char *const names[] = {__VA_ARGS__};          \
                                                                   \
        return i < sizeof names / sizeof *names ? names[i] : NULL; \
    }
#define NAMES_OF(list, kind, most, name_of)          \
    static const char *list(size_t i)                \
    {                                                \
        return i < (most) ? name_of((kind)i) : NULL; \
    }

NAMES(init_at, [ZOID_INIT_RANDOM] = "random", [ZOID_INIT_ZERO] = "zero",
      [ZOID_INIT_POINT] = "point", [ZOID_INIT_HOT] = "hot")
NAMES(solver_at, [ZOID_JACOBI] = "jacobi", [ZOID_SOR] = "sor", [ZOID_RBSOR] = "rbsor",
      [ZOID_MLSOR] = "mlsor", [ZOID_SSOR] = "ssor")
NAMES(duplicates_at, "refuse", "sum")
NAMES(reorder_at, "none", "rcm")
NAMES(overlap_at, "on", "off")
NAMES(units_at, "grid", "physical")
NAMES(mean_at, [ZOID_HARMONIC] = "harmonic", [ZOID_ARITHMETIC] = "arithmetic")
NAMES_OF(type_at, enum zoid_type, ZOID_TYPES, zoid_type_name)
NAMES_OF(boundary_at, enum zoid_boundary, ZOID_BOUNDARIES, zoid_boundary_name)
NAMES_OF(traversal_at, enum zoid_traversal, ZOID_TRAVERSALS, zoid_traversal_name)
NAMES_OF(format_at, enum zoid_format, ZOID_FORMATS, zoid_format_name)
NAMES_OF(balance_at, enum zoid_balance, ZOID_BALANCES, zoid_balance_name)
NAMES_OF(exchange_at, enum zoid_exchange, ZOID_EXCHANGE_JOINED + 1, zoid_exchange_name)

static const char *rates_at(size_t i)
{
    return zoid_rates_uses[i];
}

/* The i-th different family of the operators. */
static const char *family_at(size_t i)
{
    const struct zoid_op *op, *before = NULL;

    for (size_t o = 0; (op = zoid_op_at(o)); before = op, o++)
        if ((!before || strcmp(before->family, op->family) != 0) && !i--)
            return op->family;
    return NULL;
}

/* ---- spellings ----------------------------------------------------------------------------- */

/* Sets a row that shares the text of a spelling, whose key messages name. */
static enum zoid_status set_part(const struct zoid_setting *row, const char *key, const char *text,
                                 struct zoid_settings *s)
{
    struct zoid_setting part = *zoid_settings_find(key);

    part.key = row->key;
    return zoid_setting_set(&part, text, s);
}

/* A size is what follows the last colon and starts with a digit: folders may have colons too. */
static enum zoid_status set_disk(const struct zoid_setting *row, const char *text, void *settings)
{
    struct zoid_settings *s = settings;
    const char *colon = strrchr(text, ':');
    const bool sized = colon && isdigit((unsigned char)colon[1]);
    char *folder = sized ? strndup(text, (size_t)(colon - text)) : strdup(text);
    enum zoid_status status = ZOID_OK;

    if (!folder)
        return zoid_no_memory();
    if (!*folder)
        status =
            zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' names no folder; name one", row->key, text);
    s->disk_mem = 0;
    s->has_disk_mem = false;
    if (!status && sized)
        status = set_part(row, "disk_mem", colon + 1, s);
    if (!status)
        status = zoid_settings_set(s, "disk", folder);
    free(folder);
    return status;
}

/* Sets a row from the text up to its first colon; *colon: that, or NULL. */
static enum zoid_status set_first(const struct zoid_setting *row, const char *key, const char *text,
                                  struct zoid_settings *s, const char **colon)
{
    char *first;
    enum zoid_status status;

    *colon = strchr(text, ':');
    first = *colon ? strndup(text, (size_t)(*colon - text)) : strdup(text);
    if (!first)
        return zoid_no_memory();
    status = set_part(row, key, first, s);
    free(first);
    return status;
}

static enum zoid_status set_snapshot(const struct zoid_setting *row, const char *text,
                                     void *settings)
{
    struct zoid_settings *s = settings;
    const char *colon;
    enum zoid_status status = set_first(row, "snapshot_every", text, s, &colon);

    if (!status && colon && !colon[1])
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{%s} '%s' names no field; name some, or leave the colon away", row->key,
                           text);
    if (status || colon)
        return status ? status : set_part(row, "snapshot_fields", colon + 1, s);
    free(s->snapshot_fields);
    s->snapshot_fields = NULL;
    s->has_snapshot_fields = false;
    return ZOID_OK;
}

static enum zoid_status set_split_at(const struct zoid_setting *row, const char *text,
                                     void *settings)
{
    struct zoid_settings *s = settings;
    const char *colon;
    const enum zoid_status status = set_first(row, "split_at", text, s, &colon);

    s->split_stay = s->has_split_stay = colon && !strcmp(colon, ":stay");
    if (status || !colon || s->split_stay)
        return status;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{%s} '%s': only :stay may follow the planes; use that, or nothing", row->key,
                     text);
}

static const struct zoid_setting_type spelling_split_at = {"text", ZOID_FORM_TEXT, set_split_at,
                                                           NULL,   NULL,           0},
                                      spelling_disk = {"text", ZOID_FORM_TEXT, set_disk,
                                                       NULL,   NULL,           0},
                                      spelling_snapshot = {"text", ZOID_FORM_TEXT, set_snapshot,
                                                           NULL,   NULL,           0};

/* ---- parameters of operators --------------------------------------------------------------- */

static enum zoid_status set_param(const struct zoid_setting *row, const char *text, void *settings)
{
    struct zoid_settings *s = settings;
    struct zoid_setting_param param = {.name = row->key};
    enum zoid_status status = zoid_number_real(row->key, text, &param.value);
    int i = 0;

    while (i < s->nparams && strcmp(s->param[i].name, row->key) != 0)
        i++;
    if (!status && i == ZOID_MAX_PARAMS)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{%s} is one parameter too many, no operator has more than %d; drop "
                           "those of other operators",
                           row->key, ZOID_MAX_PARAMS);
    if (status)
        return status;
    s->param[i] = param;
    s->nparams += i == s->nparams;
    return ZOID_OK;
}

static const struct zoid_setting_type type_param = {"real", ZOID_FORM_REAL, set_param,
                                                    NULL,   NULL,           0};

struct zoid_setting zoid_settings_param(const char *name, const char *doc)
{
    return (struct zoid_setting){.key = name,
                                 .type = &type_param,
                                 .group = &zoid_group_parameters,
                                 .flags = ZOID_SAME,
                                 .value = "X",
                                 .doc = doc,
                                 .has = SIZE_MAX};
}

/* ---- the table ----------------------------------------------------------------------------- */

#define GROUP(group, title) \
    const struct zoid_setting_group zoid_group_##group = {#group, title, ZOID_GROUP_##group};
ZOID_SETTING_GROUPS(GROUP)

#define ZOID_SETTING(key, TYPE, group, fallback, limits, flags, ...) ZOID_SETTING_SOUND(key, flags)
#define ZOID_SPELLING(...)
#include "runtime/session/settings.def"
#undef ZOID_SETTING
#undef ZOID_SPELLING

const struct zoid_setting zoid_settings_table[] = {
#define ZOID_SETTING(key, TYPE, ...) ZOID_SETTING_ROW(struct zoid_settings, key, TYPE, __VA_ARGS__)
#define ZOID_SPELLING(key, group, value, doc, detail) \
    {#key,                                            \
     &spelling_##key,                                 \
     NULL,                                            \
     NULL,                                            \
     &zoid_group_##group,                             \
     NULL,                                            \
     ZOID_LIMITS_ANY,                                 \
     ZOID_FREE | ZOID_COMPOUND,                       \
     value,                                           \
     doc,                                             \
     detail,                                          \
     0,                                               \
     SIZE_MAX},
#include "runtime/session/settings.def"
#undef ZOID_SETTING
#undef ZOID_SPELLING
    {.key = NULL},
};

enum { ROWS = sizeof zoid_settings_table / sizeof *zoid_settings_table - 1 };

static bool same_key(const char *key, const char *text)
{
    for (; *key && (*key == *text || (*key == '_' && *text == '-')); key++, text++)
        ;
    return !*key && !*text;
}

const struct zoid_setting *zoid_settings_find(const char *key)
{
    for (size_t i = 0; i < ROWS; i++)
        if (same_key(zoid_settings_table[i].key, key) &&
            !(zoid_settings_table[i].flags & ZOID_COMPOUND))
            return &zoid_settings_table[i];
    return NULL;
}

enum zoid_status zoid_settings_open(struct zoid_settings *settings)
{
    *settings = (struct zoid_settings){.nparams = 0};
    return zoid_setting_defaults(zoid_settings_table, ROWS, settings);
}

void zoid_settings_close(struct zoid_settings *settings)
{
    zoid_setting_clear(zoid_settings_table, ROWS, settings);
}

/* Returns the name of a parameter as an operator has it, or NULL. */
static const char *find_param(const char *key)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        for (int p = 0; p < op->nparams; p++)
            if (same_key(op->param[p].name, key))
                return op->param[p].name;
    return NULL;
}

enum zoid_status zoid_settings_set(struct zoid_settings *settings, const char *key,
                                   const char *text)
{
    const struct zoid_setting *row = zoid_settings_find(key);
    const char *name = row ? NULL : find_param(key);
    const struct zoid_setting param = zoid_settings_param(name, NULL);

    if (!row && !name)
        return zoid_fail(ZOID_BAD_ARGUMENT, "there is no setting '%s'", key);
    return zoid_setting_set(row ? row : &param, text, settings);
}

void zoid_settings_forget_state(struct zoid_settings *settings)
{
    const int kind = settings->init.kind;
    const bool named = settings->init.named;

    zoid_type_init.clear(&settings->init);
    settings->init.kind = kind;
    settings->init.named = named;
}

struct zoid_units zoid_settings_units(const struct zoid_settings *s)
{
    return (struct zoid_units){.h = {s->dx, s->has_dy ? s->dy : s->dx, s->has_dz ? s->dz : s->dx},
                               .dt = s->dt.value,
                               .physical = s->units};
}

void zoid_settings_spacing(const struct zoid_settings *s, double spacing[ZOID_AXES])
{
    const struct zoid_units units = zoid_settings_units(s);

    for (int a = 0; a < ZOID_AXES; a++)
        spacing[a] = units.h[a] > 0 ? units.h[a] : 1;
}

const char *zoid_init_name(enum zoid_init kind)
{
    return init_at(kind);
}

const char *zoid_solver_name(enum zoid_solver solver)
{
    return solver_at(solver);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool *has_of(const struct zoid_setting *row, void *object)
{
    return row->has == SIZE_MAX ? NULL : (bool *)((char *)object + row->has);
}

enum zoid_status zoid_setting_set(const struct zoid_setting *row, const char *text, void *object)
{
    enum zoid_status status = row->type->set(row, text, (char *)object + row->at);

    if (!status && has_of(row, object))
        *has_of(row, object) = true;
    return status;
}

bool zoid_setting_has(const struct zoid_setting *row, const void *object)
{
    const bool *has = has_of(row, (void *)object);

    return has && *has;
}

char *zoid_setting_text(const struct zoid_setting *row, const void *object)
{
    char *text = NULL;
    size_t length;
    FILE *out = row->type->print ? open_memstream(&text, &length) : NULL;

    if (!out)
        return NULL;
    row->type->print(row, (const char *)object + row->at, out);
    fclose(out);
    return text;
}

enum zoid_status zoid_setting_defaults(const struct zoid_setting *rows, size_t n, void *object)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < n && !status; i++)
        if (rows[i].fallback)
            status = rows[i].type->set(&rows[i], rows[i].fallback, (char *)object + rows[i].at);
    return status;
}

void zoid_setting_clear(const struct zoid_setting *rows, size_t n, void *object)
{
    for (size_t i = 0; i < n; i++) {
        if (rows[i].type->clear)
            rows[i].type->clear((char *)object + rows[i].at);
        if (has_of(&rows[i], object))
            *has_of(&rows[i], object) = false;
    }
}

enum zoid_status zoid_setting_reset(const struct zoid_setting *row, void *object)
{
    static const char zeros[64];
    void *value = (char *)object + row->at;

    if (row->type->clear)
        row->type->clear(value);
    else
        memcpy(value, zeros, row->type->size);
    if (has_of(row, object))
        *has_of(row, object) = false;
    return row->fallback ? row->type->set(row, row->fallback, value) : ZOID_OK;
}
