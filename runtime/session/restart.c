/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/restart.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/family.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"

/* ---- settings of the checkpoint ------------------------------------------------------------ */

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
    const char *param = zoid_store_part(v->key, "parameters"), *part = strchr(v->key, '.');
    const struct zoid_setting *row = zoid_store_row(v->key);

    if (!v->text || !strcmp(v->key, "load") || zoid_store_part(v->key, "init") ||
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
        fields += zoid_store_part(then->value[i].key, "init") != NULL;
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

/* ---- the problem --------------------------------------------------------------------------- */

/* Positions the problem, its state and its record at the checkpoint. */
static enum zoid_status go_on(struct zoid_session *s)
{
    struct zoid_checkpoint_file *from = s->restart.from;
    const struct zoid_checkpoint *then = zoid_checkpoint_about(from);
    struct zoid_problem *p = &s->problem;
    enum zoid_status status = zoid_restart_check(s);

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
