/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of every program of Check tests. */
#ifndef ZOID_TESTS_SUITE_H
#define ZOID_TESTS_SUITE_H

#include <stdlib.h>

#include "tests/check.h"
#include "tests/effort.h"

/* Runs what `add` adds, each of it for so many seconds at most, and returns the program's status. A
 * suite that runs nothing has failed. */
static inline int run_suite(const char *name, double seconds, void (*add)(TCase *))
{
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int run, failed;

    tcase_set_timeout(tests, seconds);
    add(tests);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    run = srunner_ntests_run(runner);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return run > 0 && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Adds a loop over `kinds` of something. Sanitized runs take long to start: there a test takes a
 * third of them, which its turn says: three tests together take all. */
static inline void add_over_kinds(TCase *tests, const TTest *test, int kinds, int turn)
{
    const int parts = SANITIZED ? 3 : 1, part = turn % parts;

    tcase_add_loop_test(tests, test, part * kinds / parts, (part + 1) * kinds / parts);
}

#endif
