/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of the first format: options as texts, as programs up to 0.1 wrote them. */
#define _GNU_SOURCE /* for strchrnul */
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/session/restart.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"

/* A line OPTION=VALUE, in a copy. */
struct line {
    char key[64];
    const char *value; /* NULL: none */
};

/* ---- lines --------------------------------------------------------------------------------- */

/* Writes whole numbers in full: they could have the suffixes K, M, G and T, powers of 1024. */
static void expand(const char *text, char *to)
{
    static const char suffixes[] = "KMGT";

    while (*text) {
        char *rest = (char *)text;
        const unsigned long long v = *text >= '0' && *text <= '9' ? strtoull(text, &rest, 10) : 0;
        const char *suffix = rest > text && *rest ? strchr(suffixes, *rest) : NULL;

        if (rest == text) {
            *to++ = *text++;
            continue;
        }
        to += sprintf(to, "%llu", suffix ? v << 10 * (suffix - suffixes + 1) : v);
        text = rest + (suffix != NULL);
    }
    *to = '\0';
}

static bool is_whole(const struct zoid_setting *row)
{
    return row->type == &zoid_type_count || row->type == &zoid_type_unsigned ||
           row->type == &zoid_type_axes;
}

/* Stores a value by its row, in canonical form. */
static enum zoid_status store_value(const struct zoid_setting *row, const char *key,
                                    const char *text, struct zoid_stored *stored)
{
    struct zoid_settings scratch = {.nparams = 0};
    char *plain = malloc(8 * strlen(text) + 32), *canonical = NULL;
    enum zoid_status status = plain ? ZOID_OK : zoid_no_memory();

    if (!status) {
        strcpy(plain, text);
        if (is_whole(row))
            expand(text, plain);
        status = zoid_setting_set(row, plain, &scratch);
    }
    if (!status)
        canonical = zoid_setting_text(row, &scratch);
    if (!status)
        status = canonical ? zoid_stored_add(stored, key, zoid_store_kind(row, canonical),
                                             canonical, NULL)
                           : zoid_no_memory();
    free(canonical);
    free(plain);
    zoid_settings_close(&scratch);
    return status;
}

/* Stores FIELD=VALUE as KEY.FIELD. */
static enum zoid_status store_field(const struct line *l, struct zoid_stored *stored)
{
    const size_t length = strcspn(l->value, "=");
    char key[96];

    snprintf(key, sizeof key, "%s.%.*s", l->key, (int)length, l->value);
    return zoid_store_text(stored, key, l->value + length + (l->value[length] == '='));
}

/* Stores one of several lines as KEY.N. */
static enum zoid_status store_line(const struct line *l, struct zoid_stored *stored)
{
    char key[96];
    int n = 0;

    do
        snprintf(key, sizeof key, "%s.%d", l->key, n++);
    while (zoid_stored_find(stored, key));
    return zoid_store_text(stored, key, l->value);
}

/* Stores the checksum of a file, whose name is among the options. */
static enum zoid_status store_sum(const char *key, uint64_t sum, struct zoid_stored *stored)
{
    for (long i = 0; i < stored->values; i++)
        if (!strcmp(stored->value[i].key, key)) {
            stored->value[i].summed = true;
            stored->value[i].sum = sum;
            return ZOID_OK;
        }
    return zoid_stored_add(stored, key, ZOID_STORED_TEXT, NULL, &sum);
}

/* An option of the command line. Those of the operator and the domain are known from elsewhere. */
static enum zoid_status take_option(const struct line *l, struct zoid_stored *stored)
{
    const struct zoid_setting *row = zoid_settings_find(l->key);

    if (!row || zoid_stored_find(stored, l->key))
        return ZOID_OK;
    if (row->type == &zoid_type_fields)
        return store_field(l, stored);
    if (row->type == &zoid_type_lines)
        return store_line(l, stored);
    return store_value(row, l->key, l->value ? l->value : "yes", stored);
}

/* The initial state: a kind, or a shape of all fields, and fields. */
static enum zoid_status take_init(const struct line *l, struct zoid_stored *stored)
{
    if (strcmp(l->key, "init") != 0 || !l->value)
        return ZOID_OK;
    return strchr(l->value, '=')     ? store_field(l, stored)
           : zoid_shape_is(l->value) ? zoid_store_text(stored, "init", l->value)
                                     : ZOID_OK;
}

/* A line of the program's own settings, defaults included. */
static enum zoid_status take_own(const struct line *l, struct zoid_stored *stored)
{
    static const char summed[] = "a file with the sum ";
    const struct zoid_setting *row = zoid_settings_find(l->key);
    const bool off = !strcmp(l->value, "none") || !strcmp(l->value, "no") || !strcmp(l->value, "0");

    if (!strncmp(l->value, summed, strlen(summed)))
        return store_sum(l->key, strtoull(l->value + strlen(summed), NULL, 16), stored);
    if (!row || zoid_stored_find(stored, l->key) || (off && strcmp(l->key, "reorder") != 0))
        return ZOID_OK;
    return store_value(row, l->key, l->value, stored);
}

static enum zoid_status each_line(const char *text,
                                  enum zoid_status (*take)(const struct line *line,
                                                           struct zoid_stored *stored),
                                  struct zoid_stored *stored)
{
    char *copy = strdup(text), *rest = copy, *line;
    enum zoid_status status = copy ? ZOID_OK : zoid_no_memory();

    while (!status && (line = strsep(&rest, "\n"))) {
        struct line l = {.value = strchr(line, '=')};

        if (!*line)
            continue;
        snprintf(l.key, sizeof l.key, "%.*s", (int)(strchrnul(line, '=') - line), line);
        for (char *c = l.key; *c; c++)
            *c = *c == '-' ? '_' : *c;
        l.value = l.value ? l.value + 1 : NULL;
        status = take(&l, stored);
    }
    free(copy);
    return status;
}

/* ---- the description ----------------------------------------------------------------------- */

/* Matrices have an operator of their own, whose name ends with its type. */
static enum zoid_status take_operator(const struct zoid_checkpoint *about, bool solves,
                                      struct zoid_stored *stored)
{
    struct zoid_problem p = {.n = {about->n[0], about->n[1], about->n[2]}};
    const char *type = strrchr(about->op, '_');
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; (p.op = zoid_op_at(i)) && strcmp(p.op->name, about->op) != 0; i++)
        ;
    if (!p.op)
        return zoid_store_text(stored, "type", type ? type + 1 : "f64");
    for (int i = 0; i < ZOID_AXES * ZOID_SIDES; i++)
        p.face[i / ZOID_SIDES][i % ZOID_SIDES] = (unsigned char)about->first->face[i];
    memcpy(p.params.value, about->first->param,
           (size_t)p.op->nparams * sizeof *about->first->param);
    if (!solves)
        status = zoid_store_text(stored, "operator", p.op->family);
    return status ? status : zoid_store_problem(&p, stored);
}

enum zoid_status zoid_restart_translate(const struct zoid_checkpoint *about,
                                        struct zoid_stored *stored)
{
    const struct zoid_checkpoint_first *first = about->first;
    const bool solves = strstr(first->program, "solver=");
    enum zoid_status status = take_operator(about, solves, stored);

    if (!status)
        status = zoid_store_whole(stored, "seed", first->seed);
    if (!status)
        status = each_line(first->options, take_init, stored);
    if (!status && !zoid_stored_find(stored, "init"))
        status = zoid_store_text(stored, "init", zoid_init_name((enum zoid_init)first->init));
    if (!status)
        status = each_line(first->options, take_option, stored);
    if (!status)
        status = each_line(first->program, take_own, stored);
    if (!status && first->source)
        status = zoid_stored_add(stored, "coefficients", ZOID_STORED_TEXT, NULL, &first->source);
    return status;
}
