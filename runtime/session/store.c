/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/layer.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/session/points_list.h"

/* ---- values -------------------------------------------------------------------------------- */

enum zoid_status zoid_store_text(struct zoid_stored *stored, const char *key, const char *text)
{
    return zoid_stored_add(stored, key, ZOID_STORED_TEXT, text, NULL);
}

enum zoid_status zoid_store_whole(struct zoid_stored *stored, const char *key, uint64_t value)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, value);
    return zoid_stored_add(stored, key, ZOID_STORED_WHOLE, text, NULL);
}

enum zoid_status zoid_store_real(struct zoid_stored *stored, const char *key, double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.17g", value);
    return zoid_stored_add(stored, key, ZOID_STORED_REAL, text, NULL);
}

const char *zoid_store_part(const char *key, const char *prefix)
{
    const size_t length = strlen(prefix);

    return !strncmp(key, prefix, length) && key[length] == '.' ? key + length + 1 : NULL;
}

const struct zoid_setting *zoid_store_row(const char *key)
{
    char base[96];

    snprintf(base, sizeof base, "%.*s", (int)strcspn(key, "."), key);
    return zoid_settings_find(base);
}

void zoid_store_param_key(const char *name, char key[96])
{
    snprintf(key, 96, "%s%s", zoid_settings_find(name) ? "" : "parameters.", name);
}

/* ---- the problem --------------------------------------------------------------------------- */

static enum zoid_status store_size(const struct zoid_problem *p, struct zoid_stored *stored)
{
    char text[80];

    snprintf(text, sizeof text, "%ldx%ldx%ld", p->n[0], p->n[1], p->n[2]);
    return zoid_stored_add(stored, "size", ZOID_STORED_AXES, text, NULL);
}

static enum zoid_status store_faces(const struct zoid_problem *p, struct zoid_stored *stored)
{
    char text[160] = "";
    size_t n = 0;

    for (int i = 0; i < p->op->dims * ZOID_SIDES; i++)
        n += (size_t)snprintf(
            text + n, sizeof text - n, "%s%c%c=%s", i ? "," : "", "xyz"[i / ZOID_SIDES],
            "-+"[i % ZOID_SIDES],
            zoid_boundary_name((enum zoid_boundary)p->face[i / ZOID_SIDES][i % ZOID_SIDES]));
    return zoid_store_text(stored, "boundary", text);
}

/* The speed is stored as it was given, if it was. */
static enum zoid_status store_pml(const struct zoid_params *params, struct zoid_stored *stored)
{
    enum zoid_status status = zoid_store_whole(stored, "pml_points", (uint64_t)params->pml.points);

    if (!status)
        status = zoid_store_real(stored, "pml_reflection", zoid_layer_reflection(params));
    return status ? status : zoid_store_real(stored, "pml_shift", params->pml.shift);
}

enum zoid_status zoid_store_problem(const struct zoid_problem *p, struct zoid_stored *stored)
{
    const struct zoid_op *op = p->op;
    enum zoid_status status = zoid_store_whole(stored, "dims", (uint64_t)op->dims);

    if (!status)
        status = zoid_store_whole(stored, "radius", (uint64_t)op->radius);
    if (!status)
        status = zoid_store_text(stored, "type", zoid_type_name(op->type));
    if (!status)
        status = store_size(p, stored);
    if (!status && !op->own_edges)
        status = store_faces(p, stored);
    if (!status && zoid_problem_absorbs(p))
        status = zoid_store_whole(stored, "absorb_points", (uint64_t)p->params.absorb.points);
    if (!status && zoid_problem_absorbs(p))
        status = zoid_store_real(stored, "absorb_reflection", p->params.absorb.reflection);
    if (!status && zoid_problem_remembers(p))
        status = store_pml(&p->params, stored);
    for (int i = 0; i < op->nparams && !status; i++) {
        char key[96];

        zoid_store_param_key(op->param[i].name, key);
        if (!zoid_stored_find(stored, key))
            status = zoid_store_real(stored, key, p->params.value[i]);
    }
    return status;
}

/* ---- fields -------------------------------------------------------------------------------- */

static int find_field(const struct zoid_op *op, const char *name, size_t length)
{
    int f = 0;

    while (f < op->nstate + op->ncoef && !(op->field[f] && strlen(op->field[f]) == length &&
                                           !strncmp(op->field[f], name, length)))
        f++;
    return f < op->nstate + op->ncoef ? f : -1;
}

/* Stores FIELD=VALUE as KEY.FIELD. */
static enum zoid_status store_field(struct zoid_session *s, const char *key, const char *text,
                                    const struct zoid_stored *then, struct zoid_stored *stored)
{
    const struct zoid_op *op = s->initial.problem->op;
    const size_t length = strcspn(text, "=");
    const char *value = text + length + 1;
    const int f = find_field(op, text, length);
    const bool state = f >= 0 && f < op->nstate && !strcmp(key, "init");
    const struct zoid_stored_value *old;
    uint64_t sum = 0;
    char name[96];
    enum zoid_status status = ZOID_OK;

    snprintf(name, sizeof name, "%s.%.*s", key, (int)length, text);
    old = then ? zoid_stored_find(then, name) : NULL;
    /* The values are read if there is no checkpoint, or it names another file. */
    if (state && (!then || (old && old->summed && old->text && strcmp(old->text, value) != 0)))
        status = zoid_checkpoint_source(&s->initial, f, &sum);
    else if (old && old->summed)
        sum = old->sum;
    return status ? status
                  : zoid_stored_add(stored, name, ZOID_STORED_TEXT, value, sum ? &sum : NULL);
}

static enum zoid_status store_fields(struct zoid_session *s, const char *key,
                                     const struct zoid_setting_texts *texts,
                                     const struct zoid_stored *then, struct zoid_stored *stored)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < texts->n && !status; i++)
        status = store_field(s, key, texts->text[i], then, stored);
    return status;
}

/* A state that is read from a checkpoint began as that says. */
static enum zoid_status copy_init(const struct zoid_stored *then, struct zoid_stored *stored)
{
    enum zoid_status status = ZOID_OK;

    for (long i = 0; i < then->values && !status; i++) {
        const struct zoid_stored_value *v = &then->value[i];

        if (!strncmp(v->key, "init", 4) && (!v->key[4] || v->key[4] == '.'))
            status = zoid_stored_add(stored, v->key, v->kind, v->text, v->summed ? &v->sum : NULL);
    }
    return status;
}

static enum zoid_status store_init(struct zoid_session *s, const struct zoid_stored *then,
                                   struct zoid_stored *stored)
{
    const struct zoid_setting_init *init = &s->settings.init;
    enum zoid_status status = zoid_store_whole(stored, "seed", s->settings.seed);

    if (!status && then && !s->restart.stated)
        return copy_init(then, stored);
    if (!status)
        status = zoid_store_text(
            stored, "init", init->all ? init->all : zoid_init_name((enum zoid_init)init->kind));
    return status ? status : store_fields(s, "init", &init->fields, then, stored);
}

static enum zoid_status store_coefficients(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct zoid_op *op = s->initial.problem->op;
    uint64_t sum = 0;
    enum zoid_status status = ZOID_OK;

    if (!s->settings.coefficient.n && !s->settings.velocity && !s->settings.vp && !s->rhs &&
        !zoid_fields_kappa(&s->settings, op))
        return ZOID_OK;
    for (int f = op->nstate; f < op->nstate + op->ncoef && !status; f++)
        status = zoid_checkpoint_source(&s->initial, f, &sum);
    return status ? status : zoid_stored_add(stored, "coefficients", ZOID_STORED_TEXT, NULL, &sum);
}

/* ---- all ----------------------------------------------------------------------------------- */

enum zoid_stored_kind zoid_store_kind(const struct zoid_setting *row, const char *text)
{
    switch (row->type->form) {
    case ZOID_FORM_WHOLE:
        return text[strspn(text, "0123456789")] ? ZOID_STORED_TEXT : ZOID_STORED_WHOLE;
    case ZOID_FORM_REAL:
        return !strcmp(text, "auto") ? ZOID_STORED_TEXT : ZOID_STORED_REAL;
    case ZOID_FORM_AXES:
        return ZOID_STORED_AXES;
    default:
        return ZOID_STORED_TEXT;
    }
}

/* Stores other settings that are set, of the engine and of fields. */
static enum zoid_status store_rest(struct zoid_session *s, struct zoid_stored *stored)
{
    const unsigned groups = ZOID_GROUP_fields | s->engine->groups;
    enum zoid_status status = ZOID_OK;

    for (const struct zoid_setting *row = zoid_settings_table; row->key && !status; row++) {
        char *text;

        if (!(row->group->bit & groups) || !(row->flags & (ZOID_SAME | ZOID_TOTAL)) ||
            row->type->form == ZOID_FORM_LIST || !zoid_setting_has(row, &s->settings) ||
            zoid_stored_find(stored, row->key))
            continue;
        text = zoid_setting_text(row, &s->settings);
        status = text ? zoid_stored_add(stored, row->key, zoid_store_kind(row, text), text, NULL)
                      : zoid_no_memory();
        free(text);
    }
    return status;
}

enum zoid_status zoid_store_session(struct zoid_session *s, const struct zoid_stored *then,
                                    struct zoid_stored *stored)
{
    const struct zoid_settings *k = &s->settings;
    enum zoid_status status = zoid_store_whole(stored, "steps", (uint64_t)k->steps);

    /* An operator's dt depends on both. */
    if (!status && k->has_dx)
        status = zoid_store_real(stored, "dx", k->dx);
    if (!status && k->has_dy)
        status = zoid_store_real(stored, "dy", k->dy);
    if (!status && k->has_dz)
        status = zoid_store_real(stored, "dz", k->dz);
    if (!status && k->has_dt)
        status = zoid_store_real(stored, "dt", k->dt.value);
    if (!status && k->has_pml_speed)
        status = zoid_store_real(stored, "pml_speed", k->pml_speed);
    if (!status)
        status = s->engine->store(s, stored);
    if (!status)
        status = store_init(s, then, stored);
    if (!status)
        status = store_fields(s, "coefficient", &k->coefficient, then, stored);
    if (!status)
        status = store_fields(s, "scale", &k->scale, then, stored);
    if (!status)
        status = store_coefficients(s, stored);
    if (!status)
        status = store_rest(s, stored);
    if (!status)
        status = zoid_run_tables_store(&s->tables, s->problem.op, stored);
    if (!status)
        status = zoid_held_store(&s->held, stored);
    if (!status && s->points)
        status = zoid_point_list_store(s->points, stored);
    return status;
}
