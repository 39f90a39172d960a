/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What the variants of a family differ in. */
enum { DIMS, RADIUS, TYPE, TRAITS };

static long trait(const struct zoid_op *op, int which)
{
    switch (which) {
    case DIMS:
        return op->dims;
    case RADIUS:
        return op->radius;
    default:
        return op->type;
    }
}

/* The variants of a family, one after another from *i on. */
static const struct zoid_op *next_variant(const char *family, size_t *i)
{
    const struct zoid_op *op;

    while ((op = zoid_op_at((*i)++)) && strcmp(op->family, family))
        ;
    return op;
}

static const struct zoid_op *find_variant(const char *family, const long wanted[TRAITS])
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = next_variant(family, &i));)
        if (op->dims == wanted[DIMS] && op->radius == wanted[RADIUS] &&
            (long)op->type == wanted[TYPE])
            break;
    return op;
}

static bool seen_before(const char *family, const struct zoid_op *op, int which)
{
    const struct zoid_op *other;

    for (size_t i = 0; (other = next_variant(family, &i)) != op;)
        if (trait(other, which) == trait(op, which))
            return true;
    return false;
}

static void list_trait(FILE *text, const char *family, int which)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = next_variant(family, &i));) {
        if (seen_before(family, op, which))
            continue;
        if (which == TYPE)
            fprintf(text, " %s", zoid_type_name(op->type));
        else
            fprintf(text, " %ld", trait(op, which));
    }
}

static enum zoid_status no_variant(const char *family, const long wanted[TRAITS])
{
    char list[320] = "";
    FILE *text = fmemopen(list, sizeof list, "w");

    if (!text)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    fprintf(text, "--dims");
    list_trait(text, family, DIMS);
    fprintf(text, ", --radius");
    list_trait(text, family, RADIUS);
    fprintf(text, ", --type");
    list_trait(text, family, TYPE);
    fclose(text);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s does not exist with %ld dimensions, radius %ld and type %s; there are %s",
                     family, wanted[DIMS], wanted[RADIUS],
                     zoid_type_name((enum zoid_type)wanted[TYPE]), list);
}

static long most_dims(const char *family)
{
    const struct zoid_op *op;
    long most = 0;

    for (size_t i = 0; (op = next_variant(family, &i));)
        most = op->dims > most ? op->dims : most;
    return most;
}

static long dims_of(const char *family, const struct zoid_options *o)
{
    if (o->dims)
        return o->dims;
    return o->axes > 1 ? o->axes : most_dims(family);
}

/* Rounded to the type once, so it must survive that. */
static enum zoid_status set_lambda(const struct zoid_options *o, struct zoid_problem *p)
{
    p->params = p->op->defaults;
    if (isnan(o->lambda))
        return ZOID_OK;
    if (p->op->type == ZOID_F32 && fabs(o->lambda) > (double)FLT_MAX)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--lambda %g is too large for f32; give a smaller one or --type f64",
                         o->lambda);
    p->params.lambda = o->lambda;
    return ZOID_OK;
}

enum zoid_status zoid_problem_make(const char *family, const struct zoid_options *o,
                                   struct zoid_problem *problem)
{
    const long wanted[TRAITS] = {
        [DIMS] = dims_of(family, o), [RADIUS] = o->radius, [TYPE] = (long)o->type};
    struct zoid_problem p = {.op = find_variant(family, wanted), .steps = o->steps};
    enum zoid_status status;

    if (o->axes > 1 && o->axes != wanted[DIMS])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--size names %d axes and --dims says %ld; let them agree", o->axes,
                         wanted[DIMS]);
    if (!p.op)
        return no_variant(family, wanted);
    for (int a = 0; a < ZOID_AXES; a++)
        p.n[a] = a >= p.op->dims ? 1 : o->axes == 1 ? o->size[0] : o->size[a];
    status = set_lambda(o, &p);
    if (!status)
        *problem = p;
    return status;
}
