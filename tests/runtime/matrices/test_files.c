/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix files: the contents of both formats, messages for files that are not matrices, and
 * randomly damaged files, which are read or refused without a crash. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "runtime/matrices/file.h"
#include "runtime/matrices/real.h"
#include "runtime/random.h"
#include "runtime/zoid_advanced.h"
#include "tests/runtime/matrices/binary.h"
#include "tests/suite.h"

static char path[] = "/tmp/zoid-files-XXXXXX";

static void write_file(const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
    ck_assert_int_eq(fclose(file), 0);
}

static void write_text(const char *text)
{
    write_file(text, strlen(text));
}

/* ---- contents ----------------------------------------------------------------------------- */

enum { MOST = 5 };

struct dense {
    long row, n;
    double value[MOST][MOST];
};

static void put(void *into, long column, double value)
{
    struct dense *d = into;

    d->value[d->row][column] = value;
}

static struct dense dense_of(const struct zoid_matrix *m)
{
    struct dense d = {.n = zoid_matrix_about(m).n};

    ck_assert_int_le(d.n, MOST);
    for (d.row = 0; d.row < d.n; d.row++)
        zoid_matrix_row(m, d.row, put, &d);
    return d;
}

/* Compares the matrix in the file row by row. */
static void holds(bool sum, long n, int64_t entries, const double *value)
{
    struct zoid_matrix *m;
    struct dense d;

    ck_assert_msg(!zoid_matrix_read(path, sum, &m), "%s", zoid_error());
    ck_assert_int_eq(zoid_matrix_about(m).n, n);
    ck_assert_int_eq(zoid_matrix_about(m).entries, entries);
    d = dense_of(m);
    for (long i = 0; i < n * n; i++)
        ck_assert_msg(d.value[i / n][i % n] == value[i], "(%ld, %ld) is %g, not %g", i / n, i % n,
                      d.value[i / n][i % n], value[i]);
    zoid_matrix_destroy(&m);
}

START_TEST(coordinates)
{
    write_text("%%MatrixMarket matrix coordinate real general\n% a remark\n\n%\n3 3 4\n"
               "3 1 -1.5e2\n\n1 1 +2\r\n  2\t3   .25  \n1 3 4.D-1");
    holds(false, 3, 4, (double[]){2, 0, 0.4, 0, 0, 0.25, -150, 0, 0});
    write_text("%%matrixmarket MATRIX Coordinate Integer GENERAL\r\n2 2 1\r\n2 1 -7\r\n");
    holds(false, 2, 1, (double[]){0, 0, -7, 0});
    write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 2 3\n");
    holds(false, 3, 5, (double[]){1, 0, 2, 0, 0, 3, 2, 3, 0});
    write_text("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 5\n");
    holds(false, 2, 2, (double[]){0, -5, 5, 0});
    write_text("%%MatrixMarket matrix coordinate real general\n2 2 0\n");
    holds(false, 2, 0, (double[]){0, 0, 0, 0});
    write_text("%%MatrixMarket matrix coordinate real general\n2 2 5\n1 2 1e16\n1 1 1\n1 2 1\n"
               "1 2 -1e16\n1 1 2\n");
    holds(true, 2, 2, (double[]){3, 0, 0, 0});
}
END_TEST

START_TEST(arrays)
{
    write_text("%%MatrixMarket matrix array real general\n2 2\n1\n2\n0\n4\n");
    holds(false, 2, 3, (double[]){1, 0, 2, 4});
    write_text("%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n");
    holds(false, 3, 9, (double[]){1, 2, 3, 2, 4, 5, 3, 5, 6});
    write_text("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
    holds(false, 3, 6, (double[]){0, -1, -2, 1, 0, -3, 2, 3, 0});
    write_text("%%MatrixMarket matrix array real skew-symmetric\n1 1\n");
    holds(false, 1, 0, (double[]){0});
}
END_TEST

/* Numbers may have any length; a locale with a decimal comma changes nothing. */
START_TEST(long_numbers)
{
    char text[2000] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 0.";
    const size_t length = strlen(text);

    memset(text + length, '3', 1200);
    strcpy(text + length + 1200, "\n");
    setlocale(LC_ALL, "de_DE.UTF-8");
    write_text(text);
    holds(false, 1, 1, (double[]){1.0 / 3});
}
END_TEST

/* A few bytes that claim more rows than fit in this machine's memory, if that number is
 * representable. */
START_TEST(too_many_rows)
{
    struct zoid_matrix *m = NULL;
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    write_text("%%MatrixMarket matrix coordinate real general\n2147483647 2147483647 1\n1 1 1\n");
    if (memory > 24.0 * 2147483647)
        return;
    ck_assert_int_eq(zoid_matrix_read(path, false, &m), ZOID_DOES_NOT_FIT);
    ck_assert_ptr_null(m);
    ck_assert_msg(strstr(zoid_error(), "2147483647 rows take") != NULL, "%s", zoid_error());
}
END_TEST

/* Compressed in two parts, as a file that was appended to. */
START_TEST(compressed)
{
    static const char *const parts[] = {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 ",
                                        "1 3\n2 2 4\n"};
    char *bytes = NULL;
    size_t count;
    FILE *file;

    for (int i = 0; i < 2; i++) {
        gzFile z = gzopen(path, i ? "ab" : "wb");

        ck_assert_int_gt(gzputs(z, parts[i]), 0);
        ck_assert_int_eq(gzclose(z), Z_OK);
    }
    holds(false, 2, 2, (double[]){3, 0, 0, 4});
    file = fopen(path, "rb");
    bytes = calloc(1, 4096);
    count = fread(bytes, 1, 4096, file);
    fclose(file);
    write_file(bytes, count - 9);
    free(bytes);
    ck_assert_int_eq(zoid_matrix_read(path, false, &(struct zoid_matrix *){NULL}),
                     ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), "decompressed"), "%s", zoid_error());
}
END_TEST

/* ---- files that are not matrices
 * -------------------------------------------------------------- */

#define HEAD "%%MatrixMarket matrix coordinate real "
static const struct {
    const char *text;
    int line;
    const char *words;
} broken[] = {
    {"", 1, "begins neither"},
    {"1 1 1\n", 1, "begins neither"},
    {"%%MatrixMarket", 1, "'' is none"},
    {"%%MatrixMarkets matrix coordinate real general\n", 1, "'%%MatrixMarkets' is none"},
    {"%%MatrixMarket vector coordinate real general\n", 1, "'vector' is none"},
    {"%%MatrixMarket matrix coordinate complex general\n", 1, "'complex' is none"},
    {"%%MatrixMarket matrix coordinate pattern general\n", 1, "'pattern' is none"},
    {"%%MatrixMarket matrix coordinate real hermitian\n", 1, "'hermitian' is none"},
    {HEAD "general more\n", 1, "text after the header"},
    {HEAD "general\n", 1, "three sizes"},
    {HEAD "general\n2 2\n", 2, "three sizes"},
    {HEAD "general\n2 2 1 1\n", 2, "three sizes"},
    {HEAD "general\n2 2 -1\n", 2, "three sizes"},
    {HEAD "general\n2 2 99999999999999999999\n", 2, "three sizes"},
    {HEAD "general\n2 3 1\n", 2, "only square"},
    {HEAD "general\n0 0 0\n", 2, "0 rows"},
    {HEAD "general\n9999999999 9999999999 0\n", 2, "9999999999 rows"},
    {HEAD "general\n% x\n2 2 1\n% y\n1 1 1\n", 4, "a row, a column and a value"},
    {HEAD "general\n2 2 1\n1 1\n", 3, "a row, a column and a value"},
    {HEAD "general\n2 2 1\n1.0 1 1\n", 3, "a row, a column and a value"},
    {HEAD "general\n2 2 1\n1 1 x\n", 3, "'x' is no real number"},
    {HEAD "general\n2 2 1\n1 1 0x10\n", 3, "'0x10' is no real number"},
    {HEAD "general\n2 2 1\n1 1 nan\n", 3, "'nan' is no real number"},
    {HEAD "general\n2 2 1\n1 1 1e400\n", 3, "no finite number"},
    {HEAD "general\n2 2 1\n1 1 1 1\n", 3, "text after the entry"},
    {HEAD "general\n2 2 1\n1 1 1 % x\n", 3, "text after the entry"},
    {HEAD "general\n2 2 1\n0 1 1\n", 3, "row 0, column 1"},
    {HEAD "general\n2 2 1\n1 3 1\n", 3, "row 1, column 3"},
    {HEAD "general\n2 2 1\n\n1 1 1\n2 2 2\n", 5, "more than the 1 entries"},
    {HEAD "general\n2 2 3\n1 1 1\n2 2 2\n", 4, "after 2 of 3 entries"},
    {HEAD "general\n2 2 3\n1 1 1\n\n2 2 2\n1 1 1\n", 6, "row 1, column 1 is there twice"},
    {HEAD "symmetric\n2 2 1\n1 2 1\n", 3, "above the diagonal of a symmetric"},
    {HEAD "skew-symmetric\n2 2 1\n1 2 1\n", 3, "above the diagonal of a skew-symmetric"},
    {HEAD "skew-symmetric\n2 2 1\n2 2 1\n", 3, "on the diagonal of a skew-symmetric"},
    {HEAD "symmetric\n2 2 2\n2 1 1\n2 1 1\n", 4, "twice"},
    {"%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", 3, "no integer"},
    {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", 5, "after 3 of 4 entries"},
    {"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", 4, "more than the 1 entries"},
    {"%%MatrixMarket matrix array real general\n1 1\n1 1\n", 3, "text after the entry"},
    {"%%MatrixMarket matrix array real general\n1 1 1\n1\n", 2, "two sizes"}};
enum { BROKEN = sizeof broken / sizeof *broken };

START_TEST(refusals_name_the_line)
{
    struct zoid_matrix *m = NULL;
    char line[32];

    snprintf(line, sizeof line, "line %d:", broken[_i].line);
    write_text(broken[_i].text);
    ck_assert_int_eq(zoid_matrix_read(path, false, &m), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), broken[_i].words), "%s, without '%s'", zoid_error(),
                  broken[_i].words);
    ck_assert_msg(strstr(zoid_error(), line), "%s, without '%s'", zoid_error(), line);
    ck_assert_ptr_null(m);
}
END_TEST

START_TEST(files_that_are_not_there)
{
    struct zoid_matrix *m = NULL;

    ck_assert_int_eq(zoid_matrix_read("/nowhere/at.mtx", false, &m), ZOID_RESOURCE);
    ck_assert_int_eq(zoid_matrix_read("/tmp", false, &m), ZOID_RESOURCE);
    ck_assert_ptr_null(m);
}
END_TEST

/* ---- PETSc's format
 * ---------------------------------------------------------------------------- */

/* Three rows of 2, 0 and 2 entries, one of them out of order. */
static struct binary sample(size_t integer)
{
    static const int64_t integers[] = {1211216, 3, 3, 4, 2, 0, 2, 2, 0, 1, 2};
    struct binary b = {.integer = integer};

    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        add_integer(&b, integers[i]);
    for (int i = 0; i < 4; i++)
        add_real(&b, 1.5 + i);
    return b;
}

static void refused(const struct binary *b, const char *words)
{
    struct zoid_matrix *m = NULL;

    write_file(b->bytes, b->count);
    ck_assert_int_eq(zoid_matrix_read(path, false, &m), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), words), "%s, without '%s'", zoid_error(), words);
}

/* Expects a refusal with integer i replaced. */
static void changed(size_t integer, size_t i, int64_t value, const char *words)
{
    struct binary b = sample(integer);
    const size_t count = b.count;

    b.count = i * integer;
    add_integer(&b, value);
    b.count = count;
    refused(&b, words);
}

START_TEST(binary_files)
{
    const size_t integer = _i ? 8 : 4;
    struct binary b = sample(integer);
    char words[64];

    write_file(b.bytes, b.count);
    holds(false, 3, 4, (double[]){2.5, 0, 1.5, 0, 0, 0, 0, 3.5, 4.5});
    changed(integer, 2, 4, "only square");
    changed(integer, 3, -1, "dense");
    changed(integer, 3, 1 << 20, "more entries than the file has room for");
    changed(integer, 1, -3, "only square");
    changed(integer, 4, -2, "fewer entries than none");
    changed(integer, 6, 1, "fewer entries than the header says");
    changed(integer, 4, 5, "more than there are");
    snprintf(words, sizeof words, "byte %zu: a column", 8 * integer);
    changed(integer, 8, 3, words);
    snprintf(words, sizeof words, "byte %zu: row 2, column 1", 10 * integer);
    changed(integer, 10, 1, words);
    b.count -= 8;
    add_real(&b, NAN);
    refused(&b, "no finite number");
    b.count -= 1;
    refused(&b, "indices of");
    b.count = 9;
    refused(&b, "ends in the header");
}
END_TEST

/* ---- numbers ------------------------------------------------------------------------------- */

static void same(const char *text)
{
    double value = 0, should = strtod(text, NULL);
    const char *after = zoid_real_read(text, text + strlen(text), &value);

    ck_assert_msg(after == text + strlen(text), "of %s is left '%s'", text, after ? after : text);
    ck_assert_msg(!memcmp(&value, &should, sizeof value), "%s is %a, not %a", text, value, should);
}

/* Equal to the C library's result to the last bit, also next to the midpoint of two doubles. */
START_TEST(numbers_are_rounded_once)
{
    static const char *const some[] = {"0",
                                       "-0",
                                       "-0.0e5",
                                       "1e-400",
                                       "1e999",
                                       "9007199254740993",
                                       "9007199254740992.9999999999999",
                                       "9007199254740993.0000000000000000000000000001",
                                       "4.9e-324",
                                       "2.4703282292062327e-324",
                                       "123456789012345678901234567890",
                                       "0.000000000000000000000000000000000000012345",
                                       "1.7976931348623157e308",
                                       "00012.5",
                                       "5.",
                                       ".5"};
    char text[64];

    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        same(some[i]);
    for (uint64_t i = 0; i < 50000; i++) {
        const uint64_t random = zoid_splitmix64(i);
        double value;

        memcpy(&value, &random, sizeof value);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, i % 2 ? "%.17g" : "%.16e", value);
        same(text);
        snprintf(text, sizeof text, "%.*f", (int)(i % 20), zoid_random(i) * 1000);
        same(text);
        snprintf(text, sizeof text, "%llu.5", (unsigned long long)(random >> (10 + i % 3)));
        same(text);
    }
}
END_TEST

START_TEST(what_is_no_number)
{
    static const char *const some[] = {"", "-", "+", ".", "e5", "x", "-.e1", "inf", "nan"};
    static const char *const tails[] = {"1x", "1e", "1e+", "1d-", "1.5.2", "1-2"};
    double value;

    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        ck_assert_ptr_null(zoid_real_read(some[i], some[i] + strlen(some[i]), &value));
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        const char *end = tails[i] + strlen(tails[i]), *after;

        after = zoid_real_read(tails[i], end, &value);
        ck_assert(after && after < end);
    }
}
END_TEST

/* ---- random damage
 * ----------------------------------------------------------------------------- */

static uint64_t turn;

static size_t any(size_t n)
{
    return (size_t)(zoid_splitmix64(turn++) % n);
}

static void break_bytes(unsigned char *bytes, size_t *count, size_t room)
{
    static const unsigned char likely[] = "0123456789 \n\r\t.-+eED%x\xff";

    for (size_t n = 1 + any(4); n > 0 && *count > 0; n--) {
        const size_t at = any(*count);

        switch (any(4)) {
        case 0:
            bytes[at] = likely[any(sizeof likely - 1)];
            break;
        case 1:
            bytes[at] = (unsigned char)any(256);
            break;
        case 2:
            memmove(bytes + at, bytes + at + 1, *count - at - 1);
            --*count;
            break;
        default:
            if (*count == room)
                break;
            memmove(bytes + at + 1, bytes + at, *count - at);
            bytes[at] = likely[any(sizeof likely - 1)];
            ++*count;
        }
    }
    if (any(8) == 0)
        *count = any(*count + 1);
}

/* An intact file of a format, to be damaged. */
static size_t whole(size_t sort, unsigned char *bytes)
{
    static const char *const texts[] = {
        HEAD "general\n% x\n5 5 4\n1 1 1.5\n2 3 -2e3\n5 5 4\n4 5 1\n",
        HEAD "symmetric\n4 4 3\n1 1 1\n3 1 2\n4 2 3\n",
        "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
        "%%MatrixMarket matrix coordinate integer general\r\n3 3 2\r\n1 2 3\r\n3 1 -4\r\n"};
    const size_t count = sizeof texts / sizeof *texts;
    struct binary b;

    if (sort % (count + 2) < count) {
        strcpy((char *)bytes, texts[sort % (count + 2)]);
        return strlen((char *)bytes);
    }
    b = sample(sort % (count + 2) == count ? 4 : 8);
    memcpy(bytes, b.bytes, b.count);
    return b.count;
}

START_TEST(broken_files)
{
    enum { ROOM = 2048 };
    unsigned char bytes[ROOM + 1];

    for (int i = 0; i < effort(4000); i++) {
        struct zoid_matrix *m = NULL;
        size_t count = whole((size_t)i, bytes);
        enum zoid_status status;

        break_bytes(bytes, &count, ROOM);
        write_file(bytes, count);
        status = zoid_matrix_read(path, any(2), &m);
        ck_assert_msg(status == ZOID_OK || status == ZOID_BAD_ARGUMENT || status == ZOID_RESOURCE,
                      "file %d: %d, %s", i, status, zoid_error());
        ck_assert(!status == (m != NULL));
        ck_assert(!status || strlen(zoid_error()) > 10);
        zoid_matrix_destroy(&m);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, coordinates);
    tcase_add_test(tests, arrays);
    tcase_add_test(tests, long_numbers);
    tcase_add_test(tests, too_many_rows);
    tcase_add_test(tests, compressed);
    tcase_add_loop_test(tests, refusals_name_the_line, 0, BROKEN);
    tcase_add_test(tests, files_that_are_not_there);
    tcase_add_loop_test(tests, binary_files, 0, 2);
    tcase_add_test(tests, numbers_are_rounded_once);
    tcase_add_test(tests, what_is_no_number);
    tcase_add_test(tests, broken_files);
}

int main(void)
{
    const int file = mkstemp(path);
    int failed;

    if (file < 0)
        return EXIT_FAILURE;
    close(file);
    failed = run_suite("files", 60, add);
    unlink(path);
    return failed;
}
