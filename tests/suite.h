/* SPDX-License-Identifier: BSD-3-Clause */
/* Common frame of all Check test programs. */
#ifndef ZOID_TESTS_SUITE_H
#define ZOID_TESTS_SUITE_H

#include <stdlib.h>

#include "tests/check.h"
#include "tests/effort.h"

/* Runs the tests that `add` adds, each with a time limit in seconds of a normal run, and returns
 * the exit status. Fails if no test was run. */
static inline int run_suite(const char *name, double seconds, void (*add)(TCase *))
{
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int run, failed;

    tcase_set_timeout(tests, effort_limit(seconds));
    add(tests);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_ENV);
    run = srunner_ntests_run(runner);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return run > 0 && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Adds a loop over `kinds` cases. A quick run takes only a third of them, selected by `turn`; three
 * tests with consecutive turns cover all. */
static inline void add_over_kinds(TCase *tests, const TTest *test, int kinds, int turn)
{
    const int parts = effort_is_quick() ? 3 : 1, part = turn % parts;

    tcase_add_loop_test(tests, test, part * kinds / parts, (part + 1) * kinds / parts);
}

#endif
