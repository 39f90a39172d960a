/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/shape.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/session/number.h"

static const struct {
    const char *name;
    int least, most; /* numbers */
    const char *numbers;
} shapes[] = {
    [ZOID_GAUSSIAN] = {"gaussian", 0, 1, "gaussian:WIDTH"},
    [ZOID_PLANE] = {"plane", 0, 2, "plane:WAVES,SPEED"},
    [ZOID_LAYERS] = {"layers", 1, ZOID_MAX_LAYERS, "layers:VALUE,VALUE,..."},
};

/* ZOID_NUMBER if it is no shape. */
static enum zoid_shape_kind shape_of(const char *value)
{
    for (int k = ZOID_GAUSSIAN; k <= ZOID_LAYERS; k++) {
        const size_t length = strlen(shapes[k].name);

        if (!strncmp(value, shapes[k].name, length) && (!value[length] || value[length] == ':'))
            return (enum zoid_shape_kind)k;
    }
    return ZOID_NUMBER;
}

bool zoid_shape_is(const char *value)
{
    return shape_of(value) != ZOID_NUMBER;
}

static enum zoid_status read_numbers(const char *key, const char *list,
                                     struct zoid_field_shape *shape)
{
    char *copy = strdup(list), *rest = copy, *item;
    enum zoid_status status = ZOID_OK;

    if (!copy)
        return zoid_no_memory();
    while (!status && (item = strsep(&rest, ","))) {
        if (shape->numbers == ZOID_MAX_LAYERS)
            status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s} has more than %d numbers; give a file", key,
                               ZOID_MAX_LAYERS);
        else
            status = zoid_number_real(key, item, &shape->number[shape->numbers]);
        shape->numbers++;
    }
    free(copy);
    return status;
}

static enum zoid_status read_shape(const char *key, const char *value,
                                   struct zoid_field_shape *shape)
{
    const char *colon = strchr(value, ':');
    enum zoid_status status = colon ? read_numbers(key, colon + 1, shape) : ZOID_OK;

    if (status)
        return status;
    if (shape->numbers >= shapes[shape->kind].least && shape->numbers <= shapes[shape->kind].most)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} has %d numbers; give it as %s", key, value,
                     shape->numbers, shapes[shape->kind].numbers);
}

/* A file whose name is a number is given with a slash: ./8. */
static bool is_number(const char *value)
{
    char *rest;

    strtod(value, &rest);
    return rest != value && !*rest;
}

enum zoid_status zoid_shape_read(const char *key, const char *value, struct zoid_field_shape *shape)
{
    *shape = (struct zoid_field_shape){.kind = shape_of(value)};
    if (shape->kind != ZOID_NUMBER)
        return read_shape(key, value, shape);
    shape->kind = is_number(value) ? ZOID_NUMBER : ZOID_INPUT;
    shape->numbers = shape->kind == ZOID_NUMBER;
    return shape->numbers ? zoid_number_real(key, value, &shape->number[0]) : ZOID_OK;
}
