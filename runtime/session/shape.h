/* SPDX-License-Identifier: BSD-3-Clause */
/* The value of a field as text: a number, a shape with numbers, or an input (a file or an array).
 */
#ifndef ZOID_RUNTIME_SESSION_SHAPE_H
#define ZOID_RUNTIME_SESSION_SHAPE_H

#include <stdbool.h>

#include "runtime/zoid.h"

enum zoid_shape_kind { ZOID_NUMBER, ZOID_GAUSSIAN, ZOID_PLANE, ZOID_LAYERS, ZOID_INPUT };
enum { ZOID_MAX_LAYERS = 64 };

struct zoid_field_shape {
    enum zoid_shape_kind kind;
    int numbers; /* that are set below; an INPUT has 0 */
    double number[ZOID_MAX_LAYERS];
};

/* Reads a value of the setting `key`: a number, a shape, or else the text of an input.
 * ZOID_BAD_ARGUMENT: a shape with numbers that it does not take; ZOID_RESOURCE: out of memory.
 * *shape is undefined then. */
enum zoid_status zoid_shape_read(const char *key, const char *value,
                                 struct zoid_field_shape *shape);
/* Returns whether the value names a shape, with numbers or without, which all fields may have: a
 * plain number does not. */
bool zoid_shape_is(const char *value);

#endif
