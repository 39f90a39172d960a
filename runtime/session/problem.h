/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_SESSION_PROBLEM_H
#define ZOID_RUNTIME_SESSION_PROBLEM_H

#include "runtime/session/settings.h"

/* Return the number of dimensions in the settings; 0: not given. */
long zoid_problem_dims(const struct zoid_settings *settings);
/* Return the family in the settings, or else the first of `families` with their number of
 * dimensions, or else the first. */
const char *zoid_problem_family(const struct zoid_settings *settings, const char *const *families);

/* Find the family's variant that the settings name, and fill the problem. ZOID_BAD_ARGUMENT: there
 * is no such variant (the message lists those that exist), or as zoid_problem_check. *problem is
 * unchanged after a failure. */
enum zoid_status zoid_problem_make(const char *family, const struct zoid_settings *settings,
                                   struct zoid_problem *problem);
/* Set the problem's parameters again after the length of a step has changed. ZOID_BAD_ARGUMENT: as
 * zoid_problem_check. */
enum zoid_status zoid_problem_retime(const struct zoid_settings *settings,
                                     struct zoid_problem *problem);

#endif
