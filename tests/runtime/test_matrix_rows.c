/* SPDX-License-Identifier: BSD-3-Clause */
/* Invalid rows are refused, with messages that name them. */
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "runtime/zoid_session.h"
#include "tests/suite.h"

static void refused(enum zoid_status status, const char *words)
{
    ck_assert_int_eq(status, ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
}

START_TEST(rows_that_are_none)
{
    int64_t start[] = {0, 2, 3};
    int32_t column[] = {1, 0, 1};
    double value[] = {1, 2, 3};
    struct zoid_csr csr = {2, start, column, false, value, ZOID_F64};
    struct zoid_matrix *m = NULL;

    ck_assert(!zoid_matrix_create(&csr, &m));
    ck_assert_int_eq(zoid_matrix_about(m).entries, 3);
    ck_assert_int_eq(zoid_matrix_about(m).upper, 1);
    ck_assert_int_eq(zoid_matrix_about(m).lower, 0);
    zoid_matrix_destroy(&m);
    column[0] = 0;
    refused(zoid_matrix_create(&csr, &m), "row 0 of the matrix has column 0 twice");
    column[0] = 2;
    refused(zoid_matrix_create(&csr, &m), "columns are 0 to 1");
    column[0] = -1;
    refused(zoid_matrix_create(&csr, &m), "column -1");
    column[0] = 1;
    /* Entries beyond the arrays are not read. */
    start[1] = 4;
    refused(zoid_matrix_create(&csr, &m), "ends before it begins");
    start[0] = 1;
    refused(zoid_matrix_create(&csr, &m), "begins with entry 1");
    csr.n = 0;
    refused(zoid_matrix_create(&csr, &m), "at least 1");
    ck_assert_ptr_null(m);
}
END_TEST

/* Rows made by a callback: in row 1 the columns are in any order they are given. */
static void made(const void *columns, long i, zoid_entry_fn *put, void *into)
{
    const long *column = columns;

    put(into, i == 1 ? column[0] : i, 1);
    if (i == 1)
        put(into, column[1], 2);
}

START_TEST(rows_that_are_made_out_of_order)
{
    static const long wrong[][2] = {{1, 1}, {2, 0}, {0, 3}, {-1, 0}};
    const long right[] = {0, 2};
    struct zoid_matrix_rows rows = {3, made, right};
    struct zoid_matrix *m = NULL;

    ck_assert(!zoid_matrix_from_rows(&rows, &m));
    ck_assert_int_eq(zoid_matrix_about(m).entries, 4);
    ck_assert_int_eq(zoid_matrix_about(m).longest, 2);
    ck_assert_int_eq(zoid_matrix_about(m).lower, 1);
    ck_assert_int_eq(zoid_matrix_about(m).upper, 1);
    zoid_matrix_destroy(&m);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        rows.user = wrong[i];
        refused(zoid_matrix_from_rows(&rows, &m), "row 1 of the matrix has columns that do not");
        ck_assert_ptr_null(m);
    }
    rows.n = 0;
    refused(zoid_matrix_from_rows(&rows, &m), "at least 1");
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, rows_that_are_none);
    tcase_add_test(tests, rows_that_are_made_out_of_order);
}

int main(void)
{
    return run_suite("matrix_rows", 60, add);
}
