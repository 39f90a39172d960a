/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters: the lists in operator rows are consistent, and ranges are enforced. */
#include <float.h>
#include <string.h>

#include "codelets/op.h"
#include "codelets/op/range.h"
#include "tests/suite.h"

static const struct zoid_param
    any = {.name = "any", .least = -INFINITY, .most = INFINITY},
    closed = {.name = "closed", .least = -1, .most = 2.5},
    open = {.name = "open", .least = -1, .most = 2.5, .above = true, .below = true},
    from = {.name = "from", .value = 1, .least = 1, .most = INFINITY},
    until = {.name = "until", .least = -INFINITY, .most = 7, .below = true};

START_TEST(rows)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++) {
        const struct zoid_params defaults = zoid_op_defaults(op);

        ck_assert_int_ge(op->nparams, 0);
        ck_assert_int_le(op->nparams, ZOID_MAX_PARAMS);
        for (int p = 0; p < op->nparams; p++) {
            ck_assert_uint_eq(strspn(op->param[p].name, letters), strlen(op->param[p].name));
            ck_assert_str_ne(op->param[p].summary, "");
            ck_assert(zoid_param_allows(&op->param[p], op->param[p].value));
            ck_assert(defaults.value[p] == op->param[p].value);
            ck_assert_int_eq(zoid_op_param(op, op->param[p].name), p);
        }
        ck_assert_int_eq(zoid_op_param(op, "no such parameter"), -1);
    }
}
END_TEST

START_TEST(ranges)
{
    ck_assert(zoid_param_allows(&any, -DBL_MAX) && zoid_param_allows(&any, DBL_MAX));
    ck_assert(!zoid_param_allows(&any, INFINITY) && !zoid_param_allows(&any, -INFINITY));
    ck_assert(!zoid_param_allows(&any, NAN) && !zoid_param_allows(&closed, NAN));
    ck_assert(zoid_param_allows(&closed, -1) && zoid_param_allows(&closed, 2.5));
    ck_assert(!zoid_param_allows(&closed, -1.01) && !zoid_param_allows(&closed, 2.51));
    ck_assert(!zoid_param_allows(&open, -1) && !zoid_param_allows(&open, 2.5));
    ck_assert(zoid_param_allows(&open, -0.99) && zoid_param_allows(&open, 2.49));
    ck_assert(zoid_param_allows(&from, 1) && !zoid_param_allows(&from, 0));
    ck_assert(zoid_param_allows(&until, -1e300) && !zoid_param_allows(&until, 7));
}
END_TEST

START_TEST(words)
{
    static const struct {
        const struct zoid_param *param;
        const char *text;
    } said[] = {{&any, "any number"},
                {&closed, "at least -1, at most 2.5"},
                {&open, "above -1, below 2.5"},
                {&from, "at least 1"},
                {&until, "below 7"}};
    char text[96];

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        zoid_param_range(said[i].param, text, sizeof text);
        ck_assert_str_eq(text, said[i].text);
    }
    zoid_param_range(&closed, text, 9);
    ck_assert_str_eq(text, "at least");
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, rows);
    tcase_add_test(tests, ranges);
    tcase_add_test(tests, words);
}

int main(void)
{
    return run_suite("params", 60, add);
}
