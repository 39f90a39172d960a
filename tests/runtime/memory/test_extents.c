/* SPDX-License-Identifier: BSD-3-Clause */
/* Extents of a file: no two share a byte, gaps are used again, and space goes back. */
#include <stdio.h>
#include <sys/stat.h>

#include "runtime/memory/extents.h"
#include "tests/suite.h"

enum { BLOCK = 4096, MOST = 12 };

static FILE *file;
static struct zoid_extents extents;

static void set_up(void)
{
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
    zoid_extents_init(&extents, fileno(file));
}

static void tear_down(void)
{
    zoid_extents_free(&extents);
    fclose(file);
}

static struct stat now(void)
{
    struct stat st;

    ck_assert_int_eq(fstat(fileno(file), &st), 0);
    return st;
}

static void take(struct zoid_extent *extent, uint64_t blocks)
{
    *extent = (struct zoid_extent){.bytes = blocks * BLOCK};
    ck_assert_int_eq(zoid_extents_take(&extents, extent), 0);
    ck_assert_int_ge(now().st_size, extent->base + (off_t)extent->bytes);
}

START_TEST(the_first_gap_that_is_large_enough)
{
    struct zoid_extent a, b, c, d, e;

    take(&a, 4);
    take(&b, 2);
    take(&c, 5);
    ck_assert_int_eq(a.base, 0);
    ck_assert_int_eq(b.base, 4 * BLOCK);
    ck_assert_int_eq(c.base, 6 * BLOCK);
    zoid_extents_give(&extents, &b);
    take(&d, 3);
    ck_assert_int_eq(d.base, 11 * BLOCK);
    take(&e, 2);
    ck_assert_int_eq(e.base, 4 * BLOCK);
}
END_TEST

START_TEST(space_goes_back)
{
    struct zoid_extent a, b, c;
    blkcnt_t before;

    take(&a, 64);
    take(&b, 64);
    take(&c, 64);
    before = now().st_blocks;
    zoid_extents_give(&extents, &b);
    ck_assert(!b.filled || now().st_blocks < before);
    ck_assert_int_eq(now().st_size, 192 * BLOCK);
    zoid_extents_give(&extents, &c);
    ck_assert_int_eq(now().st_size, 64 * BLOCK);
    zoid_extents_give(&extents, &a);
    ck_assert_int_eq(now().st_size, 0);
    ck_assert_int_eq(now().st_blocks, 0);
}
END_TEST

/* Larger than any file may be. */
START_TEST(nothing_is_taken_where_there_is_no_space)
{
    struct zoid_extent a, b = {.bytes = (uint64_t)INT64_MAX / BLOCK * BLOCK};

    take(&a, 1);
    ck_assert_int_ne(zoid_extents_take(&extents, &b), 0);
    ck_assert_ptr_eq(extents.first, &a);
    ck_assert_ptr_null(a.next);
    ck_assert_int_eq(now().st_size, BLOCK);
}
END_TEST

static void are_apart(const struct zoid_extent *extent)
{
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < i; j++)
            ck_assert(!extent[i].bytes || !extent[j].bytes ||
                      extent[i].base + (off_t)extent[i].bytes <= extent[j].base ||
                      extent[j].base + (off_t)extent[j].bytes <= extent[i].base);
}

START_TEST(no_two_share_a_byte)
{
    struct zoid_extent extent[MOST] = {{.bytes = 0}};
    unsigned seed = 1;

    for (int i = 0; i < effort(5000); i++) {
        struct zoid_extent *one = &extent[(seed >> 16) % MOST];

        if (one->bytes) {
            zoid_extents_give(&extents, one);
            one->bytes = 0;
        } else {
            take(one, 1 + (seed >> 24) % 9);
        }
        are_apart(extent);
        seed = seed * 1664525u + 1013904223u;
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_first_gap_that_is_large_enough);
    tcase_add_test(tests, space_goes_back);
    tcase_add_test(tests, nothing_is_taken_where_there_is_no_space);
    tcase_add_test(tests, no_two_share_a_byte);
}

int main(void)
{
    return run_suite("extents", 60, add);
}
