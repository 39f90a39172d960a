/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/about.h"

#include <jansson.h>

static void put(json_t *object, const char *key, json_t *value, bool *lost)
{
    *lost |= json_object_set_new(object, key, value) != 0;
}

static json_t *names_of(const struct zoid_op *op, int first, int end, bool *lost)
{
    json_t *list = json_array();

    for (int f = first; f < end; f++)
        *lost |= json_array_append_new(list, json_string(op->field[f])) != 0;
    return list;
}

static json_t *boundaries_of(const struct zoid_op *op, bool *lost)
{
    json_t *list = json_array();

    for (int b = 0; b < ZOID_BOUNDARIES && !op->own_edges; b++)
        if (zoid_op_allows(op, (enum zoid_boundary)b))
            *lost |= json_array_append_new(
                         list, json_string(zoid_boundary_name((enum zoid_boundary)b))) != 0;
    return list;
}

static json_t *params_of(const struct zoid_op *op, bool *lost)
{
    json_t *all = json_object();

    for (int i = 0; i < op->nparams; i++) {
        const struct zoid_param *p = &op->param[i];
        json_t *one = json_object();

        put(one, "default", json_real(p->value), lost);
        put(one, "summary", json_string(p->summary), lost);
        put(all, p->name, one, lost);
    }
    return all;
}

/* Returns the properties of a variant that do not depend on the machine. */
static json_t *variant_of(const struct zoid_op *op, bool *lost)
{
    json_t *o = json_object();

    put(o, "operator", json_string(op->family), lost);
    put(o, "dims", json_integer(op->dims), lost);
    put(o, "radius", json_integer(op->radius), lost);
    put(o, "type", json_string(zoid_type_name(op->type)), lost);
    put(o, "fields", names_of(op, 0, op->nstate, lost), lost);
    put(o, "coefficients", names_of(op, op->nstate, op->nstate + op->ncoef, lost), lost);
    return o;
}

/* Takes ownership of the value. The caller frees the text. */
static char *text_of(json_t *value, bool lost)
{
    char *text = lost ? NULL : json_dumps(value, JSON_REAL_PRECISION(17));

    json_decref(value);
    return text;
}

char *zoid_about_operators(void)
{
    json_t *list = json_array();
    const struct zoid_op *op;
    bool lost = false;

    for (size_t i = 0; (op = zoid_op_at(i)); i++) {
        json_t *o = variant_of(op, &lost);

        put(o, "boundaries", boundaries_of(op, &lost), &lost);
        put(o, "params", params_of(op, &lost), &lost);
        put(o, "points", json_boolean(op->sources), &lost);
        lost |= json_array_append_new(list, o) != 0;
    }
    return text_of(list, lost);
}

char *zoid_about_problem(const struct zoid_problem *p, long end)
{
    const struct zoid_points *points = p->points;
    bool lost = false;
    json_t *o = variant_of(p->op, &lost), *size = json_array(), *params = json_object();

    for (int a = 0; a < p->op->dims; a++)
        lost |= json_array_append_new(size, json_integer(p->n[a])) != 0;
    for (int i = 0; i < p->op->nparams; i++)
        put(params, p->op->param[i].name, json_real(p->params.value[i]), &lost);
    put(o, "size", size, &lost);
    put(o, "params", params, &lost);
    put(o, "start", json_integer(p->start), &lost);
    put(o, "steps", json_integer(end), &lost);
    put(o, "receivers", json_integer(points ? (json_int_t)points->receivers : 0), &lost);
    return text_of(o, lost);
}
