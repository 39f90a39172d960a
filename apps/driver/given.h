/* SPDX-License-Identifier: BSD-3-Clause */
/* Field sources on the command line: files, arrays, numbers, shapes, layers. */
#ifndef ZOID_APPS_DRIVER_GIVEN_H
#define ZOID_APPS_DRIVER_GIVEN_H

#include "apps/driver/options.h"
#include "runtime/session/shape.h"

/* Check --velocity, --dx and --dt. Call before the problem is made: with --velocity, dt is removed
 * from the operator parameters. ZOID_BAD_ARGUMENT: they do not go together. */
enum zoid_status zoid_given_step(struct zoid_options *options);

struct zoid_given;

/* Open the field sources of the options; without any, *given is unchanged. The problem and the
 * options' texts must outlive *given. Collective: all ranks fail together. ZOID_BAD_ARGUMENT: no
 * such field, or as zoid_input_open. */
enum zoid_status zoid_given_open(const struct zoid_options *options,
                                 const struct zoid_problem *problem, struct zoid_given **given);
void zoid_given_close(struct zoid_given **given);
/* Return whether a field has a source (`given` may be NULL), and the text of that option. */
bool zoid_given_has(const struct zoid_given *given, int field);
const char *zoid_given_source(const struct zoid_given *given, int field);
/* Let `initial` read these fields from their sources; it keeps `given` as its user data. */
void zoid_given_start(struct zoid_given *given, struct zoid_initial *initial);
/* Return the status of all reads so far. Collective. */
enum zoid_status zoid_given_status(const struct zoid_given *given);

/* Check all values with a source, each rank a part of them. Collective. ZOID_BAD_ARGUMENT: a value
 * is not finite or not allowed by the operator (the message has the index of the first one), or the
 * stability number exceeds 1 and the options do not force it. *stability: that number; NaN if the
 * operator does not define it. */
enum zoid_status zoid_given_check(const struct zoid_options *options,
                                  const struct zoid_given *given,
                                  const struct zoid_initial *initial, double *stability);

#endif
