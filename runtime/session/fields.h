/* SPDX-License-Identifier: BSD-3-Clause */
/* Field sources: files, arrays, numbers, shapes, layers. */
#ifndef ZOID_RUNTIME_SESSION_FIELDS_H
#define ZOID_RUNTIME_SESSION_FIELDS_H

#include "runtime/session/settings.h"
#include "runtime/session/shape.h"

struct zoid_array_views;
struct zoid_fields;

/* All of it must outlive the fields. */
struct zoid_fields_wish {
    const struct zoid_settings *settings;
    const struct zoid_array_views *arrays; /* arrays that may be named in place of files; or NULL */
    const char *rhs;                       /* a coefficient as FIELD=VALUE, or NULL */
    const struct zoid_problem *problem;
};

/* ZOID_BAD_ARGUMENT: velocity is given without dx and dt. */
enum zoid_status zoid_fields_check_step(const struct zoid_settings *settings);
/* Open the field sources of the settings; without any, *fields is unchanged. Collective: all ranks
 * fail together. ZOID_BAD_ARGUMENT: no such field, or as zoid_input_open. */
enum zoid_status zoid_fields_open(const struct zoid_fields_wish *wish, struct zoid_fields **fields);
void zoid_fields_close(struct zoid_fields **fields);
/* Return whether the settings have a kappa of which the operator's coefficients are made. */
bool zoid_fields_kappa(const struct zoid_settings *settings, const struct zoid_op *op);
/* Return whether a field has a source (`fields` may be NULL), and the text of that setting. */
bool zoid_fields_has(const struct zoid_fields *fields, int field);
const char *zoid_fields_source(const struct zoid_fields *fields, int field);
/* Let `initial` read these fields from their sources; it keeps `fields` as its user data. */
void zoid_fields_start(struct zoid_fields *fields, struct zoid_initial *initial);
/* Return the status of all reads so far. Collective. */
enum zoid_status zoid_fields_status(const struct zoid_fields *fields);

/* Check all values with a source, each rank a part of them. Collective. ZOID_BAD_ARGUMENT: a value
 * is not finite or not allowed by the operator (the message has the index of the first one), or the
 * stability number exceeds 1 and the settings do not force it. *stability: that number; NaN if the
 * operator does not define it. */
enum zoid_status zoid_fields_check(const struct zoid_settings *settings,
                                   const struct zoid_fields *fields,
                                   const struct zoid_initial *initial, double *stability);
/* Find the largest speed of waves of the coefficients that `initial` makes, each rank that of a
 * part. Collective; for operators that define it. */
enum zoid_status zoid_fields_speed(const struct zoid_fields *fields,
                                   const struct zoid_initial *initial, double *speed);

#endif
