/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this is a sanitized build, and how many random cases a test tries: fewer where a
 * sanitizer makes each take several times as long. */
#ifndef ZOID_TESTS_EFFORT_H
#define ZOID_TESTS_EFFORT_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { SANITIZED = 1 };
#define EFFORT(cases) ((cases) / 10)
#else
enum { SANITIZED = 0 };
#define EFFORT(cases) (cases)
#endif

#endif
