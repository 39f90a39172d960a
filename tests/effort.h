/* SPDX-License-Identifier: BSD-3-Clause */
/* How many random cases a test draws: ZOID_EFFORT is quick (a tenth, and some kinds of cases in
 * turns), normal or long (ten times as many). Without it a build with a sanitizer, which makes each
 * case several times slower, is quick, and any other one normal. */
#ifndef ZOID_TESTS_EFFORT_H
#define ZOID_TESTS_EFFORT_H

#include <stdbool.h>

/* Whether the build has a sanitizer. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Returns the number of cases to draw, where a normal run draws `cases`; at least three of them. */
int effort(int cases);
/* Returns how many of each kind, where a normal run draws `cases` of all kinds together; at least
 * one. */
int effort_each(int cases, int kinds);
bool effort_is_quick(void);
/* Returns the time limit of a test whose limit is `seconds` in a normal run. */
double effort_limit(double seconds);

#endif
