/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's files whose rows are sorted, which are used in place. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "codelets/band/band.h"
#include "runtime/matrices/file.h"
#include "runtime/zoid_advanced.h"
#include "tests/runtime/matrices/binary.h"
#include "tests/suite.h"

static char path[] = "/tmp/zoid-petsc-XXXXXX";

/* Rows of a band that is clipped to the matrix; every fifth row is empty. */
enum { LONG = 1500, LOWER = 2, UPPER = 3 };

static long first_of(long i)
{
    return i > LOWER ? i - LOWER : 0;
}

static long end_of(long i)
{
    return i % 5 == 4 ? first_of(i) : i + UPPER < LONG ? i + UPPER + 1 : LONG;
}

static double value_of(long i, long j)
{
    return (double)(i * LONG + j) / 7;
}

/* A file of these rows; *entries is set to the number of entries. */
static struct binary *long_sample(size_t integer, long *entries)
{
    struct binary *b = calloc(1, sizeof *b + LONG * (LOWER + UPPER + 2) * 16);

    ck_assert_ptr_nonnull(b);
    b->integer = integer;
    *entries = 0;
    for (long i = 0; i < LONG; i++)
        *entries += end_of(i) - first_of(i);
    add_integer(b, 1211216), add_integer(b, LONG), add_integer(b, LONG), add_integer(b, *entries);
    for (long i = 0; i < LONG; i++)
        add_integer(b, end_of(i) - first_of(i));
    for (long i = 0; i < LONG; i++)
        for (long j = first_of(i); j < end_of(i); j++)
            add_integer(b, j);
    for (long i = 0; i < LONG; i++)
        for (long j = first_of(i); j < end_of(i); j++)
            add_real(b, value_of(i, j));
    return b;
}

static void write_binary(const struct binary *b)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(b->bytes, 1, b->count, file), b->count);
    ck_assert_int_eq(fclose(file), 0);
}

struct seen {
    long i, next;
};

static void expect(void *into, long column, double value)
{
    struct seen *s = into;

    ck_assert_int_eq(column, s->next++);
    ck_assert(value == value_of(s->i, column));
}

/* Sorted rows are mapped rather than copied, and stay valid for the matrix's lifetime, also when
 * the file is unlinked. For a bad value far into the file the message has its byte offset. */
START_TEST(rows_come_from_the_file)
{
    const size_t integer = _i ? 8 : 4;
    long entries;
    struct binary *b = long_sample(integer, &entries);
    struct zoid_matrix *m = NULL;
    struct zoid_matrix_about about;
    char words[64];

    write_binary(b);
    ck_assert_msg(!zoid_matrix_read(path, false, &m), "%s", zoid_error());
    ck_assert_int_eq(unlink(path), 0);
    ck_assert(!m->start && !m->column && !m->value);
    about = zoid_matrix_about(m);
    ck_assert(about.n == LONG && about.entries == entries && about.lower == LOWER &&
              about.upper == UPPER && about.longest == LOWER + 1 + UPPER);
    for (long i = 0; i < LONG; i++) {
        struct seen s = {i, first_of(i)};

        zoid_matrix_row(m, i, expect, &s);
        ck_assert_int_eq(s.next, end_of(i));
    }
    zoid_matrix_destroy(&m);
    b->count -= 800;
    snprintf(words, sizeof words, "byte %zu: a value", b->count);
    add_real(b, -INFINITY);
    b->count += 792;
    write_binary(b);
    ck_assert_int_eq(zoid_matrix_read(path, false, &m), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
    free(b);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, rows_come_from_the_file, 0, 2);
}

int main(void)
{
    const int file = mkstemp(path);
    int status;

    if (file < 0)
        return EXIT_FAILURE;
    close(file);
    status = run_suite("petsc", 60, add);
    unlink(path);
    return status;
}
