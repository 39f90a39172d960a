/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/problem.h"

#include <string.h>

#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/session/family.h"
#include "runtime/session/fields.h"
#include "runtime/session/number.h"

static const struct zoid_op *find_variant(const char *family, const long wanted[ZOID_TRAITS])
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_family_next(family, &i));) {
        int same = 0;

        for (int t = 0; t < ZOID_TRAITS; t++)
            same += zoid_trait_of(op, (enum zoid_trait)t) == wanted[t];
        if (same == ZOID_TRAITS)
            break;
    }
    return op;
}

static enum zoid_status no_variant(const char *family, const long wanted[ZOID_TRAITS])
{
    static const char *const option[ZOID_TRAITS] = {
        [ZOID_DIMS] = "dims", [ZOID_RADIUS] = "radius", [ZOID_TYPE] = "type"};
    const char *const one[] = {family, NULL};
    char list[320] = "";
    FILE *text = fmemopen(list, sizeof list, "w");

    if (!text)
        return zoid_no_memory();
    for (int t = 0; t < ZOID_TRAITS; t++) {
        fprintf(text, "%s" ZOID_KEY("%s") " ", t ? ", " : "", option[t]);
        zoid_trait_list(one, (enum zoid_trait)t, " ", text);
    }
    fclose(text);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s does not exist with %ld dimensions, radius %ld and type %s; there are %s",
                     family, wanted[ZOID_DIMS], wanted[ZOID_RADIUS],
                     zoid_type_name((enum zoid_type)wanted[ZOID_TYPE]), list);
}

/* Return the family's largest and smallest value of a trait. */
static long most(const char *family, enum zoid_trait trait)
{
    const struct zoid_op *op;
    long most = 0;

    for (size_t i = 0; (op = zoid_family_next(family, &i));)
        most = zoid_trait_of(op, trait) > most ? zoid_trait_of(op, trait) : most;
    return most;
}

static long least(const char *family, enum zoid_trait trait)
{
    const struct zoid_op *op;
    long least = most(family, trait);

    for (size_t i = 0; (op = zoid_family_next(family, &i));)
        least = zoid_trait_of(op, trait) < least ? zoid_trait_of(op, trait) : least;
    return least;
}

long zoid_problem_dims(const struct zoid_settings *s)
{
    return s->size.axes > 1 ? s->size.axes : s->dims;
}

const char *zoid_problem_family(const struct zoid_settings *s, const char *const *families)
{
    const long dims = zoid_problem_dims(s);
    const struct zoid_op *op;

    if (s->operator)
        return s->operator;
    for (size_t f = 0; families[f] && dims; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));)
            if (op->dims == dims)
                return families[f];
    return families[0];
}

/* Sets the traits: those of the settings, or else the family's defaults. */
static void want(const char *family, const struct zoid_settings *s, long wanted[ZOID_TRAITS])
{
    size_t first = 0;

    wanted[ZOID_DIMS] = zoid_problem_dims(s);
    if (!wanted[ZOID_DIMS])
        wanted[ZOID_DIMS] = most(family, ZOID_DIMS);
    wanted[ZOID_RADIUS] = s->radius ? s->radius : least(family, ZOID_RADIUS);
    wanted[ZOID_TYPE] = s->type;
    if (!s->has_type)
        wanted[ZOID_TYPE] = zoid_trait_of(zoid_family_next(family, &first), ZOID_TYPE);
}

static enum zoid_status set_param(struct zoid_problem *p, const char *name, double value)
{
    const int at = zoid_op_param(p->op, name);

    if (at < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no %s; drop {%s}", p->op->family, name, name);
    p->params.value[at] = value;
    return ZOID_OK;
}

/* Takes parameters whose key has a row of its own: they are settings of another group, too. An
 * operator's dt is that of points whose distance is 1. */
static void take_rows(const struct zoid_settings *s, struct zoid_problem *p)
{
    for (int i = 0; i < p->op->nparams; i++) {
        const struct zoid_setting *row = zoid_settings_find(p->op->param[i].name);
        const void *value = row ? (const char *)s + row->at : NULL;

        if (!row || !zoid_setting_has(row, s))
            continue;
        if (value == &s->dt)
            p->params.value[i] = s->dt.value / p->params.spacing[0];
        else if (row->type == &zoid_type_real || row->type == &zoid_type_length)
            p->params.value[i] = *(const double *)value;
        else if (!((const struct zoid_setting_real_or *)value)->automatic)
            p->params.value[i] = ((const struct zoid_setting_real_or *)value)->value;
    }
}

/* Sets lambda by kappa. A checkpoint has both. */
static enum zoid_status take_kappa(const struct zoid_settings *s, struct zoid_problem *p)
{
    const int at = zoid_op_param(p->op, "lambda");
    const double h = p->params.spacing[0];
    double lambda;
    enum zoid_status status;

    if (s->has_mean && !zoid_fields_kappa(s, p->op))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{mean} is one of {kappa} at faces, and %s; drop it",
                         s->has_kappa ? "the operator has none" : "there is no kappa");
    if (!s->has_kappa)
        return ZOID_OK;
    if (!zoid_fields_kappa(s, p->op) && (at < 0 || !p->op->constants))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no lambda of second differences to be made of {kappa}; drop it",
                         p->op->family);
    if (!s->has_dt)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{kappa} needs the length of a step; give {dt=T}, above 0");
    if (zoid_fields_kappa(s, p->op))
        return ZOID_OK;
    status = zoid_number_real("kappa", s->kappa, &lambda);
    if (status)
        return status;
    lambda = lambda * s->dt.value / (h * h);
    for (int i = 0; i < s->nparams && !s->dt.automatic; i++)
        if (!strcmp(s->param[i].name, "lambda") && s->param[i].value != lambda)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{kappa} makes lambda %.17g, and {lambda=%.17g} says otherwise; drop "
                             "one",
                             lambda, s->param[i].value);
    p->params.value[at] = lambda;
    return ZOID_OK;
}

static enum zoid_status set_params(const struct zoid_settings *s, struct zoid_problem *p)
{
    enum zoid_status status = ZOID_OK;

    p->params = zoid_op_defaults(p->op);
    p->params.absorb.points = s->absorb_points;
    p->params.absorb.reflection = s->absorb_reflection;
    p->params.speed = 0; /* until its coefficients are known */
    p->params.pml.points = s->pml_points;
    p->params.pml.reflection = s->pml_reflection;
    p->params.pml.speed = s->pml_speed * (s->has_dt ? s->dt.value : 1) / (s->has_dx ? s->dx : 1);
    zoid_settings_spacing(s, p->params.spacing);
    take_rows(s, p);
    for (int i = 0; i < s->nparams && !status; i++)
        status = set_param(p, s->param[i].name, s->param[i].value);
    return status ? status : take_kappa(s, p);
}

/* Refuses settings of layers that the faces do not have. */
static enum zoid_status check_layers(const struct zoid_settings *s, const struct zoid_problem *p)
{
    const struct {
        bool set, matches; /* of a layer that matches */
        const char *key;
    } of[] = {{s->has_absorb_points, false, "absorb_points"},
              {s->has_absorb_reflection, false, "absorb_reflection"},
              {s->has_pml_points, true, "pml_points"},
              {s->has_pml_reflection, true, "pml_reflection"},
              {s->has_pml_shift, true, "pml_shift"},
              {s->has_pml_speed, true, "pml_speed"}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (of[i].set && !of[i].matches && !zoid_problem_absorbs(p))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "no face absorbs; give {boundary=absorb}, or drop {%s}", of[i].key);
        if (of[i].set && of[i].matches && !zoid_problem_remembers(p))
            return zoid_fail(ZOID_BAD_ARGUMENT, "no face is pml; give {boundary=pml}, or drop {%s}",
                             of[i].key);
    }
    return ZOID_OK;
}

static enum zoid_status set_faces(const struct zoid_settings *s, struct zoid_problem *p)
{
    if (s->has_boundary && p->op->own_edges)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has edges of its own and takes no boundary; drop {boundary}",
                         p->op->family);
    if (s->boundary.named > p->op->dims)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{boundary} names a face along %c, and the domain has %d dimensions; name "
                         "faces that it has",
                         "xyz"[s->boundary.named - 1], p -> op -> dims);
    memcpy(p->face, s->boundary.face, (size_t)p->op->dims * sizeof p->face[0]);
    return check_layers(s, p);
}

enum zoid_status zoid_problem_make(const char *family, const struct zoid_settings *s,
                                   struct zoid_problem *problem)
{
    struct zoid_problem p = {.steps = s->steps};
    enum zoid_status status;
    long wanted[ZOID_TRAITS];

    want(family, s, wanted);
    if (s->dims && s->dims != wanted[ZOID_DIMS])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{size} names %d axes and {dims} says %ld; let them agree", s->size.axes,
                         s->dims);
    p.op = find_variant(family, wanted);
    if (!p.op)
        return no_variant(family, wanted);
    for (int a = 0; a < ZOID_AXES; a++)
        p.n[a] = a >= p.op->dims ? 1 : s->size.axes == 1 ? s->size.n[0] : s->size.n[a];
    status = set_params(s, &p);
    if (!status && s->dt.automatic && !s->velocity && !s->has_kappa &&
        zoid_op_param(p.op, "dt") < 0)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "{dt=auto} is the longest stable step of {velocity}, {kappa} or of an "
                           "operator with a dt; give one of them, or a number");
    if (!status)
        status = set_faces(s, &p);
    if (!status)
        status = zoid_problem_check(&p);
    if (!status)
        *problem = p;
    return status;
}

enum zoid_status zoid_problem_retime(const struct zoid_settings *s, struct zoid_problem *problem)
{
    const enum zoid_status status = set_params(s, problem);

    return status ? status : zoid_problem_check(problem);
}
