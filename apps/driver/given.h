/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields that the command line gives: from files, or as a number, a shape, layers. */
#ifndef ZOID_APPS_DRIVER_GIVEN_H
#define ZOID_APPS_DRIVER_GIVEN_H

#include "apps/driver/options.h"
#include "runtime/session/shape.h"

/* Before the problem is made: what is a parameter of one operator is an option of others here. */
enum zoid_status zoid_given_step(struct zoid_options *options);

struct zoid_given;

/* What the options say of the problem's fields; NULL where they give none. The problem and the
 * options' texts stay as long as it is open. ZOID_BAD_ARGUMENT: there is no such field, or as
 * zoid_input_open; of several ranks all call it, and fail together. */
enum zoid_status zoid_given_open(const struct zoid_options *options,
                                 const struct zoid_problem *problem, struct zoid_given **given);
void zoid_given_close(struct zoid_given **given);
/* Whether it is given, and the option's text that does. */
bool zoid_given_has(const struct zoid_given *given, int field);
const char *zoid_given_source(const struct zoid_given *given, int field);
/* From now on these fields of the initial state are the given ones. */
void zoid_given_start(struct zoid_given *given, struct zoid_initial *initial);
/* Whether all that was read so far could be read. */
enum zoid_status zoid_given_status(const struct zoid_given *given);

/* Looks at all given values, of several ranks each at a part: ZOID_BAD_ARGUMENT, with the index of
 * the first, where one is not finite or not what the operator takes, or where the stability number
 * is beyond 1, unless the options force it. *stability: that number; NaN: the operator has none. */
enum zoid_status zoid_given_check(const struct zoid_options *options,
                                  const struct zoid_given *given,
                                  const struct zoid_initial *initial, double *stability);

#endif
