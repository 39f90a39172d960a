/* SPDX-License-Identifier: BSD-3-Clause */
/* Check without its record of every assertion that passes. Each record is a write to a file that
 * tells where a test crashed: millions of writes, a fifth of the tests' time. A debugger tells the
 * same. */
#ifndef ZOID_TESTS_CHECK_H
#define ZOID_TESTS_CHECK_H

#include <check.h>

#define _mark_point(file, line) ((void)0)

#endif
