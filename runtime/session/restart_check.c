/* SPDX-License-Identifier: BSD-3-Clause */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/session/restart.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"

static enum zoid_status contradicts(const char *path, const char *key, const char *now,
                                    const char *then)
{
    return zoid_fail(
        ZOID_BAD_ARGUMENT,
        "{%s=%s} contradicts the checkpoint %s, which has %s; drop it, or start without {restart}",
        key, now, path, then);
}

static enum zoid_status not_begun_with(const char *path, const char *key)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{%s} is not what the checkpoint %s was begun with; drop it, or start without "
                     "{restart}",
                     key, path);
}

static enum zoid_status of_another(const char *path)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the checkpoint %s is of another program, or of another version of this one; "
                     "use that, or start without {restart}",
                     path);
}

/* Writes a value for people. */
static void show(const struct zoid_stored_value *v, char *text, size_t room)
{
    if (!v)
        snprintf(text, room, "none");
    else if (v->summed)
        snprintf(text, room, "a file with the sum %016" PRIx64, v->sum);
    else if (v->kind == ZOID_STORED_REAL)
        zoid_setting_print_real(strtod(v->text, NULL), text, room);
    else
        snprintf(text, room, "%s", v->text);
}

static bool alike(const struct zoid_stored_value *a, const struct zoid_stored_value *b)
{
    if (a->summed || b->summed)
        return a->summed && b->summed && a->sum == b->sum;
    if (a->kind == ZOID_STORED_REAL || b->kind == ZOID_STORED_REAL)
        return strtod(a->text, NULL) == strtod(b->text, NULL);
    return !strcmp(a->text, b->text);
}

/* Coefficients may be in the checkpoint, whatever gave them. */
static enum zoid_status check_coefficients(const char *path, const struct zoid_checkpoint *about,
                                           const struct zoid_stored_value *then,
                                           const struct zoid_stored_value *now)
{
    const uint64_t was = then ? then->sum : 0, is = now ? now->sum : 0;

    if (was == is || about->coefficients)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the coefficients have the sum %016" PRIx64 ", and those of the checkpoint %s "
                     "had %016" PRIx64 "; give the files and options that it was begun with",
                     is, path, was);
}

/* Returns whether a distance that the checkpoint lacks changes no result: they are all the same. */
static bool is_length_alone(const struct zoid_stored *then, const char *key)
{
    return !strcmp(key, "dx") && !zoid_stored_find(then, "dx") && !zoid_stored_find(then, "dy") &&
           !zoid_stored_find(then, "dz");
}

/* Returns whether a parameter that the checkpoint lacks has its default: it came later than the
 * checkpoint. */
static bool is_new(const struct zoid_op *op, const struct zoid_stored *then,
                   const struct zoid_stored_value *now)
{
    const char *name = zoid_store_part(now->key, "parameters");
    const int i = name ? zoid_op_param(op, name) : -1;

    return i >= 0 && !zoid_stored_find(then, now->key) &&
           strtod(now->text, NULL) == op->param[i].value;
}

/* Compares a value that the session has. Values that fields were given are compared by the
 * coefficients' checksum, if `summed` with the right-hand side among them. */
static enum zoid_status check_value(const char *path, const struct zoid_stored *stored,
                                    const struct zoid_stored_value *now, bool summed)
{
    const struct zoid_stored_value *then = zoid_stored_find(stored, now->key);
    const struct zoid_setting *row = zoid_store_row(now->key);
    const char *param = zoid_store_part(now->key, "parameters");
    char is[160], was[160];

    if (!strcmp(now->key, "coefficients") || !strcmp(now->key, "load") ||
        zoid_store_part(now->key, "coefficient") || zoid_store_part(now->key, "scale") ||
        (row && row->flags & ZOID_TOTAL) || (row && row->group->bit == ZOID_GROUP_fields) ||
        is_length_alone(stored, now->key) || (summed && !strcmp(now->key, "rhs")) ||
        (then && alike(then, now)))
        return ZOID_OK;
    if (zoid_store_part(now->key, "init"))
        return not_begun_with(path, "init");
    show(now, is, sizeof is);
    show(then, was, sizeof was);
    return contradicts(path, param ? param : now->key, is, was);
}

/* Compares the texts of operators that are not Zoid's own. */
static enum zoid_status check_text(const char *path, const struct zoid_stored *then,
                                   const struct zoid_stored *now, const struct zoid_op *op)
{
    const struct zoid_stored_value *was = zoid_stored_find(then, "load");
    const struct zoid_stored_value *is = zoid_stored_find(now, "load");

    if ((was ? was->sum : 0) == (is ? is->sum : 0))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the text of operator %s has the hash %016" PRIx64 ", and that of the "
                     "checkpoint %s had %016" PRIx64 "; {load} the operator that it was begun with",
                     op->family, is ? is->sum : 0, path, was ? was->sum : 0);
}

/* Compares a table of sources or receivers. Receivers may be added to a run without receivers. */
static enum zoid_status check_table(const char *path, const struct zoid_restart *r,
                                    const char *name, const char *key)
{
    const struct zoid_stored_table *then = zoid_stored_find_table(r->then, name);
    const struct zoid_stored_table *now = zoid_stored_find_table(&r->about.settings, name);
    const long was = then ? then->rows : 0, is = now ? now->rows : 0;
    const size_t bytes =
        then && now ? (size_t)(then->rows * then->columns) * sizeof *then->number : 0;

    /* In the first format they are texts, which were compared. */
    if (r->then == &r->translated || (was == 0 && !strcmp(key, "receivers")))
        return ZOID_OK;
    if (was != is ||
        (was && (then->columns != now->columns || memcmp(then->number, now->number, bytes) != 0)))
        return not_begun_with(path, key);
    return ZOID_OK;
}

static enum zoid_status check_tables(const char *path, const struct zoid_restart *r)
{
    const struct zoid_stored *now = &r->about.settings;
    enum zoid_status status = check_table(path, r, "receivers", "receivers");

    for (long i = 0; i < now->tables && !status; i++)
        if (strcmp(now->table[i].name, "receivers") != 0)
            status = check_table(path, r, now->table[i].name,
                                 zoid_store_part(now->table[i].name, "table")  ? "table"
                                 : zoid_store_part(now->table[i].name, "held") ? "held"
                                                                               : "source");
    return status ? status : check_table(path, r, "sources", "source");
}

/* Compares lists of texts of the first format. */
static enum zoid_status check_lines(const char *path, const struct zoid_stored *then,
                                    const char *key, const struct zoid_setting_texts *now)
{
    int n = 0;

    for (long i = 0; i < then->values; i++)
        if (zoid_store_part(then->value[i].key, key)) {
            if (n >= now->n || strcmp(now->text[n], then->value[i].text) != 0)
                return not_begun_with(path, key);
            n++;
        }
    return n < now->n && (n || strcmp(key, "receivers") != 0) ? not_begun_with(path, key) : ZOID_OK;
}

/* Names the operators, if the family is not the same. */
static enum zoid_status check_family(const char *path, const struct zoid_checkpoint *about,
                                     const struct zoid_stored *then, const struct zoid_op *op)
{
    const struct zoid_stored_value *family = zoid_stored_find(then, "operator");

    if (!family || !strcmp(family->text, op->family))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s is not the operator of the checkpoint %s, which has %s; use the program "
                     "and options for that",
                     op->name, path, about->op);
}

enum zoid_status zoid_restart_check(const struct zoid_session *s)
{
    const struct zoid_restart *r = &s->restart;
    const struct zoid_checkpoint *about = zoid_checkpoint_about(r->from);
    const struct zoid_stored *then = r->then, *now = &r->about.settings;
    const char *path = zoid_checkpoint_name(r->from);
    enum zoid_status status = check_family(path, about, then, s->initial.problem->op);

    if (!status)
        status = check_text(path, then, now, s->initial.problem->op);

    for (long i = 0; i < then->values && !status; i++) {
        const struct zoid_setting *row = zoid_store_row(then->value[i].key);

        if (!zoid_stored_find(now, then->value[i].key) && row && row->flags & ZOID_SAME &&
            row->type->form != ZOID_FORM_LIST &&
            !(about->coefficients && row->group->bit == ZOID_GROUP_fields))
            status = of_another(path);
    }
    for (long i = 0; i < now->values && !status; i++)
        if (!is_new(s->initial.problem->op, then, &now->value[i]))
            status = check_value(path, then, &now->value[i], zoid_stored_find(now, "coefficients"));
    if (!status && about->first)
        status = check_lines(path, then, "source", &s->settings.source);
    if (!status && about->first)
        status = check_lines(path, then, "receivers", &s->settings.receivers);
    if (!status)
        status = check_tables(path, r);
    return status ? status
                  : check_coefficients(path, about, zoid_stored_find(then, "coefficients"),
                                       zoid_stored_find(now, "coefficients"));
}
