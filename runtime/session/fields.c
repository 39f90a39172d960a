/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/fields_given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/traits.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/number.h"

/* ---- which fields ------------------------------------------------------------------------ */

static enum zoid_status no_field(const struct zoid_op *op, const char *option, const char *text,
                                 bool state)
{
    char list[200] = "";
    FILE *out = fmemopen(list, sizeof list, "w");
    const int first = state ? 0 : op->nstate, end = state ? op->nstate : op->nstate + op->ncoef;

    for (int f = first; out && f < end; f++)
        fprintf(out, "%s%s", f > first ? ", " : "", op->field[f]);
    if (out)
        fclose(out);
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s}: %s has no such %s; it has %s", option, text,
                     op->family, state ? "field" : "coefficient", *list ? list : "none");
}

/* Returns the field that FIELD=VALUE names, and its value; NULL, after zoid_fail: no such field. */
static struct zoid_given *find_field(struct zoid_fields *g, const char *option, const char *text,
                                     const char **value)
{
    const struct zoid_op *op = g->problem->op;
    const bool state = !strcmp(option, "init");
    const size_t length = (size_t)(strchr(text, '=') - text);

    for (int f = state ? 0 : op->nstate; f < (state ? op->nstate : op->nstate + op->ncoef); f++)
        if (strlen(op->field[f]) == length && !strncmp(op->field[f], text, length)) {
            *value = text + length + 1;
            return &g->field[f];
        }
    if (state && op->rotates && op->type != ZOID_U8 && length == 3 &&
        !strncmp(text, "u_t", length)) {
        *value = text + length + 1;
        return &g->rate;
    }
    no_field(op, option, text, state);
    return NULL;
}

static void drop(struct zoid_given *v)
{
    if (!v->borrowed)
        zoid_input_close(&v->input);
    *v = (struct zoid_given){.factor = v->factor, .speeds = v->speeds, .made = v->made};
}

/* Fields of bytes take whole numbers only. */
static enum zoid_status check_bytes(const struct zoid_op *op, const char *option,
                                    const struct zoid_field_shape *t)
{
    bool fit = t->kind != ZOID_GAUSSIAN && t->kind != ZOID_PLANE;

    for (int i = 0; i < t->numbers; i++)
        fit =
            fit && t->number[i] >= 0 && t->number[i] <= 255 && t->number[i] == trunc(t->number[i]);
    return fit || op->type != ZOID_U8
               ? ZOID_OK
               : zoid_fail(
                     ZOID_BAD_ARGUMENT,
                     "{%s}: fields of %s are bytes; give whole numbers from 0 to 255, or a file",
                     option, op->name);
}

static enum zoid_status take(struct zoid_fields *g, struct zoid_given *v, const char *option,
                             const char *text)
{
    const bool field = v >= g->field && v < g->field + ZOID_MAX_FIELDS;
    const char *name = v == &g->rate ? "u_t" : option;
    const struct zoid_input_wish wish = {.name = text,
                                         .field =
                                             field ? g->problem->op->field[v - g->field] : name,
                                         .problem = g->problem,
                                         .arrays = g->arrays};
    enum zoid_status status;

    drop(v);
    v->source = text;
    status = zoid_shape_read(option, text, &v->text);
    if (!status)
        status = check_bytes(g->problem->op, option, &v->text);
    if (!status && v->text.kind == ZOID_INPUT)
        status = zoid_input_open(&wish, &v->input);
    v->given = !status;
    return status;
}

/* Takes FIELD=VALUE. */
static enum zoid_status take_one(struct zoid_fields *g, const char *option, const char *text)
{
    const char *value;
    struct zoid_given *v = find_field(g, option, text, &value);

    return v ? take(g, v, option, value) : ZOID_BAD_ARGUMENT;
}

static enum zoid_status take_list(struct zoid_fields *g, const char *option,
                                  const struct zoid_setting_texts *list)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < list->n && !status; i++)
        status = take_one(g, option, list->text[i]);
    return status;
}

static enum zoid_status take_scales(struct zoid_fields *g)
{
    const struct zoid_setting_texts *list = &g->settings->scale;
    enum zoid_status status = ZOID_OK;
    const char *text;

    for (int i = 0; i < list->n && !status; i++) {
        struct zoid_given *v = find_field(g, "scale", list->text[i], &text);

        status = v ? zoid_number_real("scale", text, &v->factor) : ZOID_BAD_ARGUMENT;
        if (!status && !v->given)
            status = zoid_fail(ZOID_BAD_ARGUMENT,
                               "{scale=%s} multiplies what is given; give that by {coefficient}",
                               list->text[i]);
    }
    return status;
}

static enum zoid_status take_velocity(struct zoid_fields *g)
{
    const struct zoid_op *op = g->problem->op;

    if (!g->settings->velocity)
        return ZOID_OK;
    for (int f = op->nstate; f < op->nstate + op->ncoef; f++)
        if (!strcmp(op->field[f], "v2")) {
            if (g->field[f].given)
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "{velocity} and {coefficient} both give v2; drop one");
            g->field[f].speeds = true;
            return take(g, &g->field[f], "velocity", g->settings->velocity);
        }
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no v2 to be made of speeds; drop {velocity}",
                     op->family);
}

/* Takes speeds and density, of which rho, lambda and mu are made. */
static enum zoid_status take_medium(struct zoid_fields *g)
{
    static const char *const option[] = {"vp", "vs", "density"};
    static const char *const made[] = {"rho", "lambda", "mu"};
    const struct zoid_settings *s = g->settings;
    const char *const text[] = {s->vp, s->vs, s->density};
    const struct zoid_op *op = g->problem->op;
    enum zoid_status status = ZOID_OK;
    int found = 0;

    if (!s->vp && !s->vs && !s->density)
        return ZOID_OK;
    if (!s->vp || !s->vs || !s->density)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{vp}, {vs} and {density} go together; give all three, or none");
    for (int i = 0; i < 3; i++)
        for (int f = op->nstate; f < op->nstate + op->ncoef; f++)
            if (!strcmp(op->field[f], made[i])) {
                if (g->field[f].given)
                    return zoid_fail(
                        ZOID_BAD_ARGUMENT,
                        "{vp}, {vs}, {density} and {coefficient} all give %s; drop one", made[i]);
                g->field[f].made = made[i];
                g->field[f].given = true;
                g->field[f].source = "vp, vs, density";
                found++;
            }
    if (found < 3)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has no rho, lambda and mu to be made of {vp}, {vs} and {density}; drop "
            "them",
            op->family);
    for (int i = 0; i < 3 && !status; i++)
        status = take(g, &g->medium[i], option[i], text[i]);
    return status;
}

/* Takes kappa, of which kx, ky and kz are made. Other operators have it as a parameter. */
static enum zoid_status take_kappa(struct zoid_fields *g)
{
    static const char *const made[] = {"kx", "ky", "kz"};
    const struct zoid_op *op = g->problem->op;

    if (!zoid_fields_kappa(g->settings, op))
        return ZOID_OK;
    for (int a = 0; a < op->dims; a++) {
        struct zoid_given *v = &g->field[op->nstate + a];

        if (v->given)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{kappa} and {coefficient} both give %s; drop one",
                             made[a]);
        v->made = made[a];
        v->given = true;
        v->source = "kappa";
    }
    return take(g, &g->kappa, "kappa", g->settings->kappa);
}

/* Takes the rate of u in time: the field of the previous step is u less a step of it. */
static enum zoid_status take_rate(struct zoid_fields *g)
{
    if (!g->rate.given)
        return ZOID_OK;
    if (g->field[1].given)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{init=u_t=%s} makes %s, which has a source, too; drop one",
                         g->rate.source, g->problem->op->field[1]);
    if (!g->settings->has_dt)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{init=u_t=%s} needs the length of a step; give {dt=T}, above 0",
                         g->rate.source);
    g->field[1] = (struct zoid_given){
        .given = true, .made = "u_t", .source = "u, u_t", .factor = g->field[1].factor};
    return ZOID_OK;
}

/* If only the first of two rotating fields has a source, the state is at rest: the field of the
 * previous step is the same. */
static enum zoid_status take_state(struct zoid_fields *g)
{
    const struct zoid_op *op = g->problem->op;
    enum zoid_status status = ZOID_OK;

    status = take_list(g, "init", &g->settings->init.fields);
    if (!status)
        status = take_rate(g);
    for (int f = 0; f < op->nstate && g->settings->init.all && !status; f++)
        if (!g->field[f].given)
            status = take(g, &g->field[f], "init", g->settings->init.all);
    if (!status && op->rotates && g->field[0].given && !g->field[1].given) {
        g->field[1] = g->field[0];
        g->field[1].borrowed = true;
    }
    g->field[1].age = op->rotates ? 1 : 0;
    return status;
}

static enum zoid_status take_all(struct zoid_fields *g, const char *rhs)
{
    enum zoid_status status = take_state(g);

    if (!status)
        status = take_list(g, "coefficient", &g->settings->coefficient);
    if (!status && rhs)
        status = take_one(g, "coefficient", rhs);
    if (!status)
        status = take_velocity(g);
    if (!status)
        status = take_medium(g);
    if (!status)
        status = take_kappa(g);
    return status ? status : take_scales(g);
}

/* Fields with several values per point can be set by their operator only. */
static enum zoid_status check_plain(const struct zoid_problem *p)
{
    return zoid_op_plain(p->op) ? ZOID_OK
                                : zoid_fail(ZOID_BAD_ARGUMENT,
                                            "fields of %s are no numbers of points; drop what "
                                            "gives them",
                                            p->op->name);
}

static bool none_given(const struct zoid_fields_wish *wish)
{
    const struct zoid_settings *s = wish->settings;

    return !zoid_fields_kappa(s, wish->problem->op) && !s->init.all && !s->velocity && !s->vp &&
           !s->vs && !s->density && !wish->rhs && !s->init.fields.n && !s->coefficient.n &&
           !s->scale.n;
}

enum zoid_status zoid_fields_open(const struct zoid_fields_wish *wish, struct zoid_fields **fields)
{
    enum zoid_status status = ZOID_OK;
    struct zoid_fields *g;

    if (none_given(wish))
        return ZOID_OK;
    g = calloc(1, sizeof *g);
    if (!g) {
        status = zoid_no_memory();
    } else {
        g->problem = wish->problem;
        g->settings = wish->settings;
        g->arrays = wish->arrays;
        for (int f = 0; f < ZOID_MAX_FIELDS; f++)
            g->field[f].factor = 1;
        status = check_plain(wish->problem);
        if (!status)
            status = take_all(g, wish->rhs);
    }
    status = zoid_ranks_agree(status);
    if (status)
        zoid_fields_close(&g);
    else
        *fields = g;
    return status;
}

void zoid_fields_close(struct zoid_fields **fields)
{
    if (!*fields)
        return;
    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        drop(&(*fields)->field[f]);
    for (int i = 0; i < 3; i++)
        drop(&(*fields)->medium[i]);
    drop(&(*fields)->kappa);
    drop(&(*fields)->rate);
    free(*fields);
    *fields = NULL;
}

enum zoid_status zoid_fields_status(const struct zoid_fields *g)
{
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < ZOID_MAX_FIELDS && !status; f++)
        if (g->field[f].input)
            status = zoid_input_status(g->field[f].input);
    for (int i = 0; i < 3 && !status; i++)
        if (g->medium[i].input)
            status = zoid_input_status(g->medium[i].input);
    if (!status && g->kappa.input)
        status = zoid_input_status(g->kappa.input);
    if (!status && g->rate.input)
        status = zoid_input_status(g->rate.input);
    return zoid_ranks_agree(status);
}

bool zoid_fields_kappa(const struct zoid_settings *s, const struct zoid_op *op)
{
    return s->kappa && op->ncoef >= op->dims && !strcmp(op->field[op->nstate], "kx");
}

bool zoid_fields_has(const struct zoid_fields *g, int field)
{
    return g && g->field[field].given;
}

const char *zoid_fields_source(const struct zoid_fields *g, int field)
{
    return g->field[field].source;
}

enum zoid_status zoid_fields_check_step(const struct zoid_settings *s)
{
    if (s->velocity && (!(s->dx > 0) || !(s->dt.value > 0)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{velocity} needs the distance of two points and the "
                                            "length of a step; give {dx=H} {dt=T}, both above 0");
    return ZOID_OK;
}
