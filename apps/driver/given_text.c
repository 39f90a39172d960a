/* SPDX-License-Identifier: BSD-3-Clause */
/* What options say of fields, as text: which field, and what it is given as. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/family.h"
#include "apps/driver/given.h"
#include "runtime/session/number.h"

#define AT(member) offsetof(struct zoid_options, member)

static const struct {
    const char *name;
    int least, most; /* numbers */
    const char *numbers;
} shapes[] = {
    [ZOID_GAUSSIAN] = {"gaussian", 0, 1, "gaussian:WIDTH"},
    [ZOID_PLANE] = {"plane", 0, 2, "plane:WAVES,SPEED"},
    [ZOID_LAYERS] = {"layers", 1, ZOID_MAX_LAYERS, "layers:VALUE,VALUE,..."},
};

/* ---- a value ----------------------------------------------------------------------------- */

/* NUMBER: it is no shape. */
static enum zoid_shape_kind shape_of(const char *value)
{
    for (int k = ZOID_GAUSSIAN; k <= ZOID_LAYERS; k++) {
        const size_t length = strlen(shapes[k].name);

        if (!strncmp(value, shapes[k].name, length) && (!value[length] || value[length] == ':'))
            return (enum zoid_shape_kind)k;
    }
    return ZOID_NUMBER;
}

/* Whether the value names a shape, with numbers or without, which all fields may have. */
static bool names_shape(const char *value)
{
    return shape_of(value) != ZOID_NUMBER;
}

static enum zoid_status read_numbers(const char *option, const char *list,
                                     struct zoid_given_text *text)
{
    char *copy = strdup(list), *rest = copy, *item;
    enum zoid_status status = ZOID_OK;

    if (!copy)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    while (!status && (item = strsep(&rest, ","))) {
        if (text->numbers == ZOID_MAX_LAYERS)
            status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s} has more than %d numbers; give a file",
                               option, ZOID_MAX_LAYERS);
        else
            status = zoid_number_real(option, item, &text->number[text->numbers]);
        text->numbers++;
    }
    free(copy);
    return status;
}

static enum zoid_status read_shape(const char *option, const char *value,
                                   struct zoid_given_text *text)
{
    const char *colon = strchr(value, ':');
    enum zoid_status status = colon ? read_numbers(option, colon + 1, text) : ZOID_OK;

    if (status)
        return status;
    if (text->numbers >= shapes[text->kind].least && text->numbers <= shapes[text->kind].most)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} has %d numbers; give it as %s", option, value,
                     text->numbers, shapes[text->kind].numbers);
}

/* A file may be called like a number where its name has a slash in it. */
static bool is_number(const char *value)
{
    char *rest;

    strtod(value, &rest);
    return rest != value && !*rest;
}

enum zoid_status zoid_given_read(const char *option, const char *value,
                                 struct zoid_given_text *text)
{
    *text = (struct zoid_given_text){.kind = shape_of(value)};
    if (text->kind != ZOID_NUMBER)
        return read_shape(option, value, text);
    text->kind = is_number(value) ? ZOID_NUMBER : ZOID_INPUT;
    text->numbers = text->kind == ZOID_NUMBER;
    return text->numbers ? zoid_number_real(option, value, &text->number[0]) : ZOID_OK;
}

/* ---- the options ------------------------------------------------------------------------- */

static enum zoid_status add(const struct zoid_option *option, const char *value,
                            struct zoid_given_list *list)
{
    const char *equals = strchr(value, '=');

    if (!equals || equals == value || !equals[1])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} '%s' names no field with a value; give it as in {%s=%s}",
                         option->name, value, option->name, option->arg);
    if (list->n == ZOID_MAX_GIVEN)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} is there more than %d times; give each field once", option->name,
                         ZOID_MAX_GIVEN);
    list->text[list->n++] = value;
    return ZOID_OK;
}

static enum zoid_status read_coefficient(const struct zoid_option *option, const char *value,
                                         void *into)
{
    return add(option, value, &((struct zoid_options *)into)->given.coefficients);
}

static enum zoid_status read_scale(const struct zoid_option *option, const char *value, void *into)
{
    return add(option, value, &((struct zoid_options *)into)->given.scales);
}

static enum zoid_status read_length(const struct zoid_option *option, const char *value, void *into)
{
    double length;
    enum zoid_status status = zoid_number_real(option->name, value, &length);

    if (!status && !(length > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} is no length; give more than 0",
                           option->name, value);
    if (!status)
        *(double *)((char *)into + option->at) = length;
    return status;
}

enum zoid_status zoid_given_init(struct zoid_options *o, const char *value, bool *taken)
{
    static const struct zoid_option init = {.name = "init", .arg = "u=FILE"};

    *taken = strchr(value, '=') || names_shape(value);
    if (!*taken)
        return ZOID_OK;
    if (names_shape(value)) {
        struct zoid_given_text text;

        o->given.all = value;
        o->init = ZOID_INIT_ZERO;
        o->given.kind_named = true;
        return zoid_given_read("init", value, &text);
    }
    /* What is not given is nothing, rather than random, unless that was asked for. */
    if (!o->given.kind_named)
        o->init = ZOID_INIT_ZERO;
    return add(&init, value, &o->given.state);
}

/* --dt may already be there, as the parameter of an operator. */
static bool has_param(const char *const *families, const char *name)
{
    const struct zoid_op *op;

    for (size_t f = 0; families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));)
            if (zoid_op_param(op, name) >= 0)
                return true;
    return false;
}

/* Whether any of the families has a coefficient of that name; NULL: any at all. */
static bool any_field(const char *const *families, const char *field)
{
    const struct zoid_op *op;

    for (size_t f = 0; families[f]; f++)
        for (size_t i = 0; (op = zoid_family_next(families[f], &i));)
            for (int c = op->nstate; c < op->nstate + op->ncoef; c++)
                if (op->field[c] && (!field || !strcmp(op->field[c], field)))
                    return true;
    return false;
}

const struct zoid_option *zoid_options_given(const char *const *families)
{
    static const struct zoid_option coefficient[] = {
        {.name = "coefficient",
         .arg = "v2=FILE[:DATASET]|X",
         .doc = "a coefficient: one value for each point from a file (HDF5, .npy, raw), one number "
                "for all, or layers:X,Y,... along the last axis; once for each [as --init has it]",
         .read = read_coefficient},
        {.name = "scale",
         .arg = "v2=X",
         .doc = "multiply what a file, a number or layers give for that field [1]",
         .read = read_scale}};
    static const struct zoid_option velocity[] = {
        {.name = "velocity",
         .arg = "FILE[:DATASET]|X",
         .doc = "speeds of waves in place of v2, which is (speed * dt / dx)^2",
         .read = zoid_read_path,
         .at = AT(given.velocity)},
        {.name = "dx",
         .arg = "H",
         .doc = "distance of two points, for --velocity",
         .read = read_length,
         .at = AT(given.dx)},
        {.name = "dt",
         .arg = "T",
         .doc = "length of a step in time, for --velocity",
         .read = read_length,
         .at = AT(given.dt)}};
    static const struct zoid_option force = {.name = "force",
                                             .doc = "run although the stability number is beyond 1",
                                             .read = zoid_read_flag,
                                             .at = AT(given.force)};
    static struct zoid_option rows[8];
    int n = 0;

    memset(rows, 0, sizeof rows);
    if (any_field(families, NULL))
        for (size_t i = 0; i < sizeof coefficient / sizeof *coefficient; i++)
            rows[n++] = coefficient[i];
    if (any_field(families, "v2"))
        for (size_t i = 0; i < sizeof velocity / sizeof *velocity; i++)
            if (!has_param(families, velocity[i].name))
                rows[n++] = velocity[i];
    rows[n++] = force;
    return rows;
}

enum zoid_status zoid_given_step(struct zoid_options *o)
{
    struct zoid_given_options *g = &o->given;
    int kept = 0;

    for (int i = 0; i < o->nparams && g->velocity; i++)
        if (strcmp(o->param[i].name, "dt") != 0)
            o->param[kept++] = o->param[i];
        else
            g->dt = o->param[i].value;
    o->nparams = g->velocity ? kept : o->nparams;
    if (g->velocity && (!(g->dx > 0) || !(g->dt > 0)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{velocity} needs the distance of two points and the "
                                            "length of a step; give {dx=H} {dt=T}, both above 0");
    if (!g->velocity && (g->dx > 0 || g->dt > 0))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{dx} and {dt} are for {velocity}; give that or drop them");
    return ZOID_OK;
}
