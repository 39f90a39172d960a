/* SPDX-License-Identifier: BSD-3-Clause */
/* SANITIZED: the build has a sanitizer. EFFORT(n): random cases of a test: fewer with a sanitizer,
 * which makes each several times slower. */
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
