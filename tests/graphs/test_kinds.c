/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of kinds: each has all names and codes that messages, plans and pictures need, without
 * duplicates. */
#include <stdlib.h>
#include <string.h>

#include "graphs/kinds.h"
#include "tests/check.h"

START_TEST(each_kind_has_names_and_a_colour_of_its_own)
{
    for (int k = 0; k < ZOID_KINDS; k++) {
        const struct zoid_kind_type *kind = &zoid_kinds[k];

        ck_assert_msg(kind->one && kind->several && kind->colour, "kind %d", k);
        for (int other = 0; other < k; other++) {
            ck_assert_str_ne(kind->one, zoid_kinds[other].one);
            ck_assert_str_ne(kind->several, zoid_kinds[other].several);
            ck_assert_str_ne(kind->colour, zoid_kinds[other].colour);
        }
    }
}
END_TEST

/* Data that are never written come from the load, and their home is that of the state. */
START_TEST(constant_data_are_at_home_with_the_state)
{
    for (int k = 0; k < ZOID_KINDS; k++)
        if (zoid_kinds[k].constant)
            ck_assert_int_eq(zoid_kinds[k].home, zoid_kinds[ZOID_SLAB].home);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kinds");
    TCase *c = tcase_create("kinds");
    SRunner *runner = srunner_create(s);
    int failed;

    tcase_add_test(c, each_kind_has_names_and_a_colour_of_its_own);
    tcase_add_test(c, constant_data_are_at_home_with_the_state);
    suite_add_tcase(s, c);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
