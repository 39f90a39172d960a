/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/problem.h"

#include <string.h>

#include "apps/driver/family.h"
#include "runtime/error.h"

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

long zoid_problem_dims(const struct zoid_options *o)
{
    return o->axes > 1 ? o->axes : o->dims;
}

const char *zoid_problem_family(const struct zoid_options *o, const char *const *families)
{
    const long dims = zoid_problem_dims(o);
    const struct zoid_op *op;

    if (o->family)
        return o->family;
    for (size_t f = 0; families[f] && dims; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));)
            if (op->dims == dims)
                return families[f];
    return families[0];
}

/* Sets the traits: those of the options, or else the family's defaults. */
static void want(const char *family, const struct zoid_options *o, long wanted[ZOID_TRAITS])
{
    size_t first = 0;

    wanted[ZOID_DIMS] = zoid_problem_dims(o);
    if (!wanted[ZOID_DIMS])
        wanted[ZOID_DIMS] = most(family, ZOID_DIMS);
    wanted[ZOID_RADIUS] = o->radius ? o->radius : least(family, ZOID_RADIUS);
    wanted[ZOID_TYPE] = (long)o->type;
    if (o->type == ZOID_TYPES)
        wanted[ZOID_TYPE] = zoid_trait_of(zoid_family_next(family, &first), ZOID_TYPE);
}

static enum zoid_status set_params(const struct zoid_options *o, struct zoid_problem *p)
{
    p->params = zoid_op_defaults(p->op);
    for (int i = 0; i < o->nparams; i++) {
        const char *name = o->param[i].name;
        const int at = zoid_op_param(p->op, name);

        if (at < 0)
            return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no %s; drop {%s}", p->op->family, name,
                             name);
        p->params.value[at] = o->param[i].value;
    }
    return ZOID_OK;
}

static enum zoid_status set_faces(const struct zoid_options *o, struct zoid_problem *p)
{
    if (o->bounded && p->op->own_edges)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has edges of its own and takes no boundary; drop {boundary}",
                         p->op->family);
    if (o->faces_named > p->op->dims)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{boundary} names a face along %c, and the domain has %d dimensions; name "
                         "faces that it has",
                         "xyz"[o->faces_named - 1], p -> op -> dims);
    memcpy(p->face, o->face, (size_t)p->op->dims * sizeof p->face[0]);
    return ZOID_OK;
}

enum zoid_status zoid_problem_make(const char *family, const struct zoid_options *o,
                                   struct zoid_problem *problem)
{
    struct zoid_problem p = {.steps = o->steps};
    enum zoid_status status;
    long wanted[ZOID_TRAITS];

    want(family, o, wanted);
    if (o->dims && o->dims != wanted[ZOID_DIMS])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{size} names %d axes and {dims} says %ld; let them agree", o->axes,
                         o->dims);
    p.op = find_variant(family, wanted);
    if (!p.op)
        return no_variant(family, wanted);
    for (int a = 0; a < ZOID_AXES; a++)
        p.n[a] = a >= p.op->dims ? 1 : o->axes == 1 ? o->size[0] : o->size[a];
    status = set_params(o, &p);
    if (!status)
        status = set_faces(o, &p);
    if (!status)
        status = zoid_problem_check(&p);
    if (!status)
        *problem = p;
    return status;
}
