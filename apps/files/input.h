/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of numbers that a program takes: NAME.npy of NumPy's (floating-point, in C's order), or
 * NAME.raw, values of the operator's type and nothing else. In either x is fastest. */
#ifndef ZOID_APPS_FILES_INPUT_H
#define ZOID_APPS_FILES_INPUT_H

#include "runtime/zoid.h"

struct zoid_input;

/* Whether the text ends like the name of such a file. */
bool zoid_input_named(const char *text);
/* One value for each of the problem's points, or where these have several, so many. ZOID_RESOURCE:
 * it cannot be read; ZOID_BAD_ARGUMENT: it has another type, or another number of points, or a
 * value that the operator's type does not hold as a finite number. */
enum zoid_status zoid_input_open(const char *path, const struct zoid_problem *problem,
                                 struct zoid_input **input);
/* Accepts NULL in *input. */
void zoid_input_close(struct zoid_input **input);
/* A zoid_box_fn; user is the input. Values are rounded once. */
void zoid_input_box(void *input, int field, const struct zoid_box *box,
                    const struct zoid_values *to);

#endif
