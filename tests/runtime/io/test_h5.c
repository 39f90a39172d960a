/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files: values written are read back, a dataset's offset points to its values, and files that
 * are not HDF5 are refused by name. Nothing to test in a build without HDF5. */
#define _GNU_SOURCE /* for O_TMPFILE */
#include "runtime/io/h5.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"

enum { NZ = 5, NY = 7, NX = 301, N = NZ * NY * NX };

static const char pattern[] = "/tmp/zoid-test-h5-XXXXXX";
static char path[sizeof pattern];
static const struct zoid_element f64 = {.kind = 'f', .size = 8}, f32 = {.kind = 'f', .size = 4};

static void name_file(void)
{
    int file;

    memcpy(path, pattern, sizeof path);
    file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void drop_file(void)
{
    unlink(path);
}

static struct zoid_h5 *open_as(enum zoid_h5_use use)
{
    struct zoid_h5 *file = NULL;

    ck_assert_msg(zoid_h5_open(path, "a.h5", use, &file) == ZOID_OK, "%s", zoid_error());
    return file;
}

static void close_file(struct zoid_h5 **file)
{
    ck_assert_msg(zoid_h5_close(file) == ZOID_OK, "%s", zoid_error());
    ck_assert_ptr_null(*file);
}

static long add(struct zoid_h5 *file, const char *name, struct zoid_element element)
{
    const struct zoid_h5_dataset d = {
        .name = name, .axes = 3, .n = {NZ, NY, NX}, .element = element};
    long offset = -1;

    ck_assert_msg(zoid_h5_add(file, &d, &offset) == ZOID_OK, "%s", zoid_error());
    return offset;
}

static void put_at(long offset, const void *values, size_t bytes)
{
    const int file = open(path, O_WRONLY);

    ck_assert_int_eq(pwrite(file, values, bytes, offset), (ssize_t)bytes);
    close(file);
}

START_TEST(values_are_at_the_offset)
{
    static double u[N], back[NY * NX];
    static float v[N];
    struct zoid_h5 *file = open_as(ZOID_H5_NEW);
    const long at_u = add(file, "u", f64), at_v = add(file, "model/v2", f32);
    struct zoid_h5_dataset d;
    struct zoid_h5_part part = {.lo = {3}, .hi = {4, NY, NX}, .element = f64};

    ck_assert_int_eq(at_u % 4096, 0);
    ck_assert_int_eq(at_v % 4096, 0);
    for (int i = 0; i < N; i++)
        u[i] = i * 0.5, v[i] = (float)(-i);
    put_at(at_u, u, sizeof u);
    close_file(&file);
    put_at(at_v, v, sizeof v); /* closed or not */

    file = open_as(ZOID_H5_READ);
    ck_assert_int_eq(zoid_h5_count(file), 2);
    ck_assert_int_eq(zoid_h5_at(file, 0, &d), ZOID_OK);
    ck_assert_str_eq(d.name, "model/v2");
    ck_assert(d.axes == 3 && d.n[0] == NZ && d.n[1] == NY && d.n[2] == NX);
    ck_assert(d.element.kind == 'f' && d.element.size == 4 && !d.element.big && !d.scale);
    ck_assert_int_eq(d.offset, at_v);
    ck_assert_int_eq(zoid_h5_find(file, "u", &d), ZOID_OK);
    ck_assert_int_eq(d.offset, at_u);
    ck_assert_int_eq(zoid_h5_read(file, "u", &part, back), ZOID_OK);
    ck_assert_mem_eq(back, u + 3 * NY * NX, sizeof back);
    ck_assert_int_eq(zoid_h5_read(file, "model/v2", &part, back), ZOID_OK);
    for (int i = 0; i < NY * NX; i++)
        ck_assert(back[i] == (double)v[3 * NY * NX + i]);
    close_file(&file);
}
END_TEST

START_TEST(attributes_come_out_again)
{
    static const long three[] = {1, -2, 1L << 60};
    static const double one = 0.1;
    struct zoid_h5 *file = open_as(ZOID_H5_NEW);
    long longs[3];
    double real;
    char text[8];

    add(file, "u", f64);
    ck_assert_int_eq(zoid_h5_put_longs(file, "", "n", 3, three), ZOID_OK);
    ck_assert_int_eq(zoid_h5_put_doubles(file, "u", "dx", 1, &one), ZOID_OK);
    ck_assert_int_eq(zoid_h5_put_text(file, "u", "what", "wave"), ZOID_OK);
    close_file(&file);
    file = open_as(ZOID_H5_CHANGE);
    ck_assert_int_eq(zoid_h5_put_text(file, "u", "what", "a wave"), ZOID_OK);
    close_file(&file);

    file = open_as(ZOID_H5_READ);
    ck_assert_int_eq(zoid_h5_get_longs(file, "", "n", 3, longs), ZOID_OK);
    ck_assert_mem_eq(longs, three, sizeof three);
    ck_assert_int_eq(zoid_h5_get_doubles(file, "u", "dx", 1, &real), ZOID_OK);
    ck_assert(real == one);
    ck_assert_int_eq(zoid_h5_get_text(file, "u", "what", sizeof text, text), ZOID_OK);
    ck_assert_str_eq(text, "a wave");
    ck_assert(zoid_h5_has(file, "", "n") && !zoid_h5_has(file, "", "m"));
    ck_assert(!zoid_h5_has(file, "u", "n") && !zoid_h5_has(file, "w", "n"));
    /* Wrong number of values, wrong kind, no room, missing. */
    ck_assert_int_eq(zoid_h5_get_longs(file, "", "n", 2, longs), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_h5_get_longs(file, "u", "dx", 1, longs), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_h5_get_text(file, "u", "what", 6, text), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_h5_get_text(file, "u", "dx", sizeof text, text), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_h5_get_text(file, "w", "what", sizeof text, text), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "w of a.h5") && strstr(zoid_error(), "what"));
    close_file(&file);
}
END_TEST

START_TEST(axes_have_coordinates)
{
    static const char *const axis[] = {"z", "y", "x"};
    static const long n[] = {NZ, NY, NX};
    struct zoid_h5 *file = open_as(ZOID_H5_NEW);
    const struct zoid_h5_part part = {.lo = {2}, .hi = {3}, .element = f64};
    struct zoid_h5_dataset d;
    double at;

    add(file, "u", f64);
    add(file, "v", f32);
    for (int a = 0; a < 3; a++) {
        ck_assert_int_eq(zoid_h5_scale(file, axis[a], n[a], 12.5), ZOID_OK);
        ck_assert_int_eq(zoid_h5_scale(file, axis[a], n[a], 12.5), ZOID_OK);
        ck_assert_int_eq(zoid_h5_attach(file, "u", a, axis[a]), ZOID_OK);
        ck_assert_int_eq(zoid_h5_attach(file, "v", a, axis[a]), ZOID_OK);
    }
    close_file(&file);
    file = open_as(ZOID_H5_READ);
    ck_assert_int_eq(zoid_h5_count(file), 5);
    ck_assert_int_eq(zoid_h5_find(file, "y", &d), ZOID_OK);
    ck_assert(d.scale && d.axes == 1 && d.n[0] == NY);
    ck_assert_int_eq(zoid_h5_find(file, "u", &d), ZOID_OK);
    ck_assert(!d.scale);
    ck_assert_int_eq(zoid_h5_read(file, "y", &part, &at), ZOID_OK);
    ck_assert(at == 25);
    close_file(&file);
}
END_TEST

/* A file without a name, as output files have until they are complete. */
START_TEST(a_file_needs_no_name)
{
    const int unnamed = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    const struct zoid_h5_part part = {.hi = {NZ, NY, NX}, .element = f64};
    static double u[N], back[N];
    struct zoid_h5 *file = NULL;
    char name[40];

    if (unnamed < 0) /* not every file system supports it */
        return;
    snprintf(name, sizeof name, "/proc/self/fd/%d", unnamed);
    ck_assert_int_eq(zoid_h5_open(name, "a.h5", ZOID_H5_NEW, &file), ZOID_OK);
    add(file, "u", f64);
    u[N - 1] = 7;
    ck_assert_int_eq(zoid_h5_write(file, "u", &part, u), ZOID_OK);
    close_file(&file);
    ck_assert_int_eq(zoid_h5_open(name, "a.h5", ZOID_H5_READ, &file), ZOID_OK);
    ck_assert_int_eq(zoid_h5_read(file, "u", &part, back), ZOID_OK);
    ck_assert_mem_eq(u, back, sizeof u);
    close_file(&file);
    close(unnamed);
}
END_TEST

static void refuse(const char *name, enum zoid_status expected, const char *says)
{
    struct zoid_h5 *file = NULL;

    ck_assert_int_eq(zoid_h5_open(name, name, ZOID_H5_READ, &file), expected);
    ck_assert_ptr_null(file);
    ck_assert_msg(strstr(zoid_error(), says) && strstr(zoid_error(), name), "%s", zoid_error());
}

START_TEST(what_is_no_such_file_is_refused)
{
    static const char text[] = "this is no HDF5, but it has some bytes";
    struct zoid_h5 *file;
    struct zoid_h5_dataset d;

    put_at(0, text, sizeof text);
    refuse(path, ZOID_BAD_ARGUMENT, "no HDF5");
    refuse("/tmp", ZOID_BAD_ARGUMENT, "folder");
    refuse("/tmp/zoid/is/not/here.h5", ZOID_RESOURCE, "No such file");
    file = open_as(ZOID_H5_NEW);
    add(file, "u", f64);
    add(file, "w", f32);
    close_file(&file);
    file = open_as(ZOID_H5_READ);
    ck_assert_int_eq(zoid_h5_find(file, "v2", &d), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "a.h5 has no dataset v2; it has u, w"));
    close_file(&file);
    for (long length = 4096; length >= 0; length -= 1024) {
        ck_assert_int_eq(truncate(path, length), 0);
        refuse(path, ZOID_BAD_ARGUMENT, "damaged");
    }
}
END_TEST

/* The algorithm's test vector for empty input. */
START_TEST(sums_are_those_of_xxh3)
{
    ck_assert(zoid_h5_sum("", 0) == UINT64_C(0x2d06800538d394c2));
    ck_assert(zoid_h5_sum("a", 1) != zoid_h5_sum("b", 1));
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, name_file, drop_file);
    tcase_add_test(tests, values_are_at_the_offset);
    tcase_add_test(tests, attributes_come_out_again);
    tcase_add_test(tests, axes_have_coordinates);
    tcase_add_test(tests, a_file_needs_no_name);
    tcase_add_test(tests, what_is_no_such_file_is_refused);
    tcase_add_test(tests, sums_are_those_of_xxh3);
}

int main(void)
{
    return zoid_h5_version() ? run_suite("h5", 60, add_tests) : 77;
}
