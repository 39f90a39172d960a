/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is, as JSON for programs in other languages. The caller frees texts; NULL: there is no
 * memory. */
#ifndef ZOID_APPS_SIMPLE_ABOUT_H
#define ZOID_APPS_SIMPLE_ABOUT_H

#include "runtime/zoid.h"

/* An array of all variants of the table; what a variant has zoid_simple_operators says. */
char *zoid_about_operators(void);
/* A problem, as zoid_simple_about says, with the step that it ends with. */
char *zoid_about_problem(const struct zoid_problem *problem, long end);

#endif
