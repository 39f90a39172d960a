/* SPDX-License-Identifier: BSD-3-Clause */
/* How many random cases a test tries: fewer where a sanitizer makes each take several times as
 * long. */
#ifndef ZOID_TESTS_EFFORT_H
#define ZOID_TESTS_EFFORT_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define EFFORT(cases) ((cases) / 10)
#else
#define EFFORT(cases) (cases)
#endif

#endif
