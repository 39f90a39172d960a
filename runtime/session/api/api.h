/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of the interface for programs, runtime/zoid_session.h. */
#ifndef ZOID_RUNTIME_SESSION_API_API_H
#define ZOID_RUNTIME_SESSION_API_API_H

#include "runtime/session/session.h"
#include "runtime/zoid_session.h"

/* ZOID_BAD_ARGUMENT: the session is not in a state from `first` to `last`. */
enum zoid_status zoid_api_check(const struct zoid_session *session, int first, int last);
/* Check that the session has begun, and fill it again if it went back. */
enum zoid_status zoid_api_ready(struct zoid_session *session);
/* Describe the array as a view named `name`, which the result borrows. ZOID_BAD_ARGUMENT: too many
 * axes. */
enum zoid_status zoid_api_view(const struct zoid_array *array, const char *name,
                               struct zoid_array_view *view);
/* Give the session a text that it owns, and return it. */
const char *zoid_api_text(struct zoid_session *session, char *text);
/* Print a plan that fits, a line; `out` is a FILE. */
void zoid_api_print_plan(void *out, const struct zoid_plan *plan);
/* Release the arrays and their names. */
void zoid_api_drop_arrays(struct zoid_session *session);

#endif
