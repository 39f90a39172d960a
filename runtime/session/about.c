/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/about.h"

#include <jansson.h>
#include <string.h>

#include "runtime/boundary.h"
#include "runtime/io/formats.h"
#include "runtime/machine/facts.h"

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

static json_t *tables_of(const struct zoid_op *op, bool *lost)
{
    json_t *all = json_array();

    for (int i = 0; i < op->ntables; i++)
        *lost |= json_array_append_new(all, json_string(op->table[i].name)) != 0;
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

/* Takes ownership of the value; `flags` are of jansson. The caller frees the text. */
static char *text_with(json_t *value, size_t flags, bool lost)
{
    char *text = lost ? NULL : json_dumps(value, JSON_REAL_PRECISION(17) | flags);

    json_decref(value);
    return text;
}

static char *text_of(json_t *value, bool lost)
{
    return text_with(value, 0, lost);
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
        put(o, "tables", tables_of(op, &lost), &lost);
        lost |= json_array_append_new(list, o) != 0;
    }
    return text_of(list, lost);
}

/* ---- the machine --------------------------------------------------------------------------- */

struct machine {
    json_t *all;
    bool lost;
};

static json_t *words_of(const char *text, bool *lost)
{
    json_t *list = json_array();

    for (size_t n; *text; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        *lost |= json_array_append_new(list, json_stringn(text, n)) != 0;
    }
    return list;
}

static json_t *value_of(const struct zoid_fact *fact, bool *lost)
{
    json_t *cache;

    switch (fact->kind) {
    case ZOID_FACT_WORDS:
        return words_of(fact->text, lost);
    case ZOID_FACT_NUMBER:
        return json_integer((json_int_t)fact->number);
    case ZOID_FACT_CACHE:
        cache = json_object();
        put(cache, "bytes", json_integer((json_int_t)fact->number), lost);
        put(cache, "cores", json_integer(fact->cores), lost);
        return cache;
    default:
        return json_string(fact->text);
    }
}

/* Returns the object that a fact belongs to, of the name before a dot, and its own name there. */
static json_t *group_of(json_t *all, const struct zoid_fact *fact, const char **name, bool *lost)
{
    const bool missing = fact->kind == ZOID_FACT_MISSING;
    const char *dot = missing ? NULL : strchr(fact->key, '.');
    char group[16] = "missing";
    json_t *in;

    *name = dot ? dot + 1 : fact->key;
    if (!dot && !missing)
        return all;
    if (dot)
        snprintf(group, sizeof group, "%.*s", (int)(dot - fact->key), fact->key);
    in = json_object_get(all, group);
    if (!in)
        put(all, group, in = json_object(), lost);
    return in;
}

static void put_fact(void *user, const struct zoid_fact *fact)
{
    struct machine *m = user;
    const char *name;
    json_t *in = group_of(m->all, fact, &name, &m->lost);

    put(in, name, value_of(fact, &m->lost), &m->lost);
}

char *zoid_about_machine(const struct zoid_machine *machine)
{
    struct machine m = {.all = json_object()};

    put(m.all, "missing", json_object(), &m.lost);
    zoid_machine_facts(machine, put_fact, &m);
    zoid_format_facts(put_fact, &m);
    return text_with(m.all, JSON_INDENT(1), m.lost);
}

/* ---- a problem ----------------------------------------------------------------------------- */

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
