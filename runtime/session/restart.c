/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/restart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/family.h"
#include "runtime/session/points_list.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"

/* ---- settings of the checkpoint ------------------------------------------------------------ */

/* Returns the part of a key after PREFIX., or NULL. */
static const char *after(const char *key, const char *prefix)
{
    const size_t length = strlen(prefix);

    return !strncmp(key, prefix, length) && key[length] == '.' ? key + length + 1 : NULL;
}

/* Returns the row of a key, also of one KEY.PART. NULL: parameters, and others without a row. */
static const struct zoid_setting *row_of(const char *key)
{
    char base[96];

    snprintf(base, sizeof base, "%.*s", (int)strcspn(key, "."), key);
    return zoid_settings_find(base);
}

static bool has_param(const struct zoid_settings *s, const char *name)
{
    for (int i = 0; i < s->nparams; i++)
        if (!strcmp(s->param[i].name, name))
            return true;
    return false;
}

/* Returns whether the checkpoint is of an operator that the program does not have, or that is not
 * the one which is set. */
static bool is_foreign(const struct zoid_session *s)
{
    const struct zoid_stored_value *then = zoid_stored_find(s->restart.then, "operator");
    const char *const *families = zoid_session_families(s);
    const char *now = s->settings.operator;
    size_t i = 0;

    while (then && families[i] && strcmp(families[i], then->text) != 0)
        i++;
    return then && (!families[i] || (now && strcmp(now, then->text) != 0));
}

/* Loads the file of the checkpoint's operator, unless another one has it. */
static enum zoid_status adopt_file(struct zoid_session *s)
{
    const struct zoid_stored_value *file = zoid_stored_find(s->restart.then, "load");
    const struct zoid_stored_value *family = zoid_stored_find(s->restart.then, "operator");
    char why[256];
    size_t i = 0;

    if (!file || !file->text || !family || s->families || zoid_family_next(family->text, &i) ||
        !zoid_settings_set(&s->settings, "load", file->text))
        return ZOID_OK;
    snprintf(why, sizeof why, "%s", zoid_error());
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the checkpoint %s is of the operator %s of a file that cannot be loaded now; "
                     "name one by {load}: %s",
                     zoid_checkpoint_name(s->restart.from), family->text, why);
}

/* Sets the size of as many axes as the domain has. */
static enum zoid_status adopt_size(struct zoid_session *s, const char *text)
{
    const struct zoid_stored_value *dims = zoid_stored_find(s->restart.then, "dims");
    const long axes = dims ? strtol(dims->text, NULL, 10) : 1;
    char *size = strdup(text), *end = size;
    enum zoid_status status;

    for (long a = 0; end && a < axes && (end = strchr(end + (a > 0), 'x')); a++)
        ;
    if (end)
        *end = '\0';
    status = size ? zoid_settings_set(&s->settings, "size", size) : zoid_no_memory();
    free(size);
    return status;
}

/* Sets KEY to FIELD=TEXT. */
static enum zoid_status adopt_field(struct zoid_session *s, const struct zoid_setting *row,
                                    const char *field, const char *text)
{
    const size_t room = strlen(field) + strlen(text) + 2;
    char *both = malloc(room);
    enum zoid_status status;

    if (!both)
        return zoid_no_memory();
    snprintf(both, room, "%s=%s", field, text);
    status = zoid_setting_set(row, both, &s->settings);
    free(both);
    return status;
}

/* Coefficients that are in the checkpoint need no source. */
static bool has_coefficients(const struct zoid_session *s)
{
    return zoid_checkpoint_about(s->restart.from)->coefficients;
}

static bool gives_coefficients(const struct zoid_setting *row)
{
    return row && (row->group->bit == ZOID_GROUP_fields || !strcmp(row->key, "rhs"));
}

/* Takes over a value unless it was set before. The initial state is in the checkpoint, so that its
 * files may be gone. */
static enum zoid_status adopt(struct zoid_session *s, const struct zoid_settings *before,
                              const struct zoid_stored_value *v)
{
    const char *param = after(v->key, "parameters"), *part = strchr(v->key, '.');
    const struct zoid_setting *row = row_of(v->key);

    if (!v->text || !strcmp(v->key, "load") || after(v->key, "init") ||
        (has_coefficients(s) && gives_coefficients(row)))
        return ZOID_OK;
    if (param)
        return has_param(before, param) ? ZOID_OK : zoid_settings_set(&s->settings, param, v->text);
    if (!row)
        return zoid_fail(ZOID_RESOURCE,
                         "the checkpoint has the setting %s, which this version does not know; go "
                         "on with the version that wrote it",
                         v->key);
    if (zoid_setting_has(row, before))
        return ZOID_OK;
    if (!strcmp(v->key, "size"))
        return adopt_size(s, v->text);
    if (!part || row->type == &zoid_type_lines)
        return zoid_setting_set(row, v->text, &s->settings);
    return adopt_field(s, row, part + 1, v->text);
}

/* Returns whether the initial state is set as the checkpoint has it. */
static bool init_alike(const struct zoid_setting_init *init, const struct zoid_stored *then)
{
    const struct zoid_stored_value *kind = zoid_stored_find(then, "init");
    const char *now = init->all ? init->all : zoid_init_name((enum zoid_init)init->kind);
    int fields = 0;

    for (long i = 0; i < then->values; i++)
        fields += after(then->value[i].key, "init") != NULL;
    if (!kind || strcmp(kind->text, now) != 0 || fields != init->fields.n)
        return false;
    for (int i = 0; i < init->fields.n; i++) {
        const char *text = init->fields.text[i];
        const struct zoid_stored_value *v;
        char key[96];

        snprintf(key, sizeof key, "init.%.*s", (int)strcspn(text, "="), text);
        v = zoid_stored_find(then, key);
        if (!v || strcmp(v->text, text + strcspn(text, "=") + 1) != 0)
            return false;
    }
    return true;
}

static enum zoid_status adopt_all(struct zoid_session *s)
{
    const struct zoid_settings before = s->settings; /* settings that were set; it owns nothing */
    const struct zoid_stored *then = s->restart.then;
    enum zoid_status status = adopt_file(s);

    if (status)
        return status;
    /* That it is another operator is said when the problem is known. */
    if (is_foreign(s))
        return ZOID_OK;
    s->restart.stated = before.has_init && !init_alike(&before.init, then);
    for (long i = 0; i < then->values && !status; i++)
        status = adopt(s, &before, &then->value[i]);
    if (!s->restart.stated)
        zoid_settings_forget_state(&s->settings);
    return status;
}

/* ---- the checkpoint ------------------------------------------------------------------------ */

static enum zoid_status open_checkpoint(const struct zoid_session *s,
                                        struct zoid_checkpoint_file **file)
{
    char path[PATH_MAX] = "";
    enum zoid_status status = ZOID_OK;

    if (zoid_ranks_here()->rank == 0)
        status = zoid_checkpoint_find(s->name, s->settings.restart, path);
    status = zoid_ranks_agree(status);
    if (status)
        return status;
    zoid_ranks_broadcast(path, sizeof path);
    return zoid_ranks_agree(zoid_checkpoint_open(path, file));
}

enum zoid_status zoid_restart_open(struct zoid_session *s)
{
    struct zoid_restart *r = &s->restart;
    const struct zoid_checkpoint *about;
    enum zoid_status status = ZOID_OK;

    if (!s->settings.restart)
        return ZOID_OK;
    status = open_checkpoint(s, &r->from);
    if (status)
        return status;
    about = zoid_checkpoint_about(r->from);
    r->then = &about->settings;
    if (about->first) {
        status = zoid_restart_translate(about, &r->translated);
        r->then = &r->translated;
    }
    return status ? status : adopt_all(s);
}

void zoid_restart_close(struct zoid_restart *restart)
{
    zoid_checkpoint_close(&restart->from);
    zoid_stored_free(&restart->translated);
    zoid_stored_free(&restart->about.settings);
    *restart = (struct zoid_restart){.from = NULL};
}

/* ---- contradictions ------------------------------------------------------------------------ */

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
    const char *name = after(now->key, "parameters");
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
    const struct zoid_setting *row = row_of(now->key);
    const char *param = after(now->key, "parameters");
    char is[160], was[160];

    if (!strcmp(now->key, "coefficients") || !strcmp(now->key, "load") ||
        after(now->key, "coefficient") || after(now->key, "scale") ||
        (row && row->flags & ZOID_TOTAL) || (row && row->group->bit == ZOID_GROUP_fields) ||
        is_length_alone(stored, now->key) || (summed && !strcmp(now->key, "rhs")) ||
        (then && alike(then, now)))
        return ZOID_OK;
    if (after(now->key, "init"))
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
                                 after(now->table[i].name, "table")  ? "table"
                                 : after(now->table[i].name, "held") ? "held"
                                                                     : "source");
    return status ? status : check_table(path, r, "sources", "source");
}

/* Compares lists of texts of the first format. */
static enum zoid_status check_lines(const char *path, const struct zoid_stored *then,
                                    const char *key, const struct zoid_setting_texts *now)
{
    int n = 0;

    for (long i = 0; i < then->values; i++)
        if (after(then->value[i].key, key)) {
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

static enum zoid_status check_all(struct zoid_session *s)
{
    const struct zoid_restart *r = &s->restart;
    const struct zoid_checkpoint *about = zoid_checkpoint_about(r->from);
    const struct zoid_stored *then = r->then, *now = &r->about.settings;
    const char *path = zoid_checkpoint_name(r->from);
    enum zoid_status status = check_family(path, about, then, s->initial.problem->op);

    if (!status)
        status = check_text(path, then, now, s->initial.problem->op);

    for (long i = 0; i < then->values && !status; i++) {
        const struct zoid_setting *row = row_of(then->value[i].key);

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

/* ---- the problem --------------------------------------------------------------------------- */

/* Positions the problem, its state and its record at the checkpoint. */
static enum zoid_status go_on(struct zoid_session *s)
{
    struct zoid_checkpoint_file *from = s->restart.from;
    const struct zoid_checkpoint *then = zoid_checkpoint_about(from);
    struct zoid_problem *p = &s->problem;
    enum zoid_status status = check_all(s);

    if (!status && p->steps < then->step)
        status = zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{steps=%ld} contradicts the checkpoint %s, which is of step %ld; give at least that",
            p->steps, zoid_checkpoint_name(from), then->step);
    if (!status)
        status = zoid_checkpoint_fields(from, s->initial.problem);
    p->start = then->step;
    p->steps -= then->step;
    if (!status)
        status = zoid_record_begin_with(p, then->number, then->numbers, &s->record);
    s->initial.state = zoid_checkpoint_box;
    s->initial.of = from;
    s->initial.memory = zoid_problem_remembers(p) ? zoid_checkpoint_memory : NULL;
    if (then->coefficients) {
        s->initial.coefficients = zoid_checkpoint_box;
        s->initial.user = from;
    }
    return status;
}

enum zoid_status zoid_restart_describe(struct zoid_session *s)
{
    struct zoid_restart *r = &s->restart;

    if (r->about.settings.values)
        return ZOID_OK;
    r->about = zoid_checkpoint_of(s->initial.problem);
    r->about.coefficients = s->settings.checkpoint_coefficients;
    return zoid_store_session(s, r->then, &r->about.settings);
}

/* An initial state that is set as the checkpoint has it is read from there. */
static void compare_init(struct zoid_session *s)
{
    struct zoid_restart *r = &s->restart;

    if (r->stated && init_alike(&s->settings.init, r->then)) {
        r->stated = false;
        zoid_settings_forget_state(&s->settings);
    }
}

enum zoid_status zoid_restart_problem(struct zoid_session *s)
{
    struct zoid_restart *r = &s->restart;
    enum zoid_status status;

    if (!s->settings.checkpoint && !r->from)
        return ZOID_OK;
    if (r->from)
        compare_init(s);
    /* Later checkpoints have no other source of coefficients than this one. */
    if (r->from && has_coefficients(s) && !s->fields)
        s->settings.checkpoint_coefficients = true;
    status = zoid_restart_describe(s);
    return status || !r->from ? status : go_on(s);
}
