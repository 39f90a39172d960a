/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields from files: numbers of every kind, in any box, are read as written; anything else is
 * refused; and damaged headers do no harm. */
#include "runtime/io/input.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runtime/io/h5.h"
#include "runtime/io/npy.h"
#include "tests/suite.h"

enum { NX = 13, NY = 5, NZ = 3, N = NX * NY * NZ };

static const char pattern[] = "/tmp/zoid-test-input-XXXXXX";
static char folder[sizeof pattern];
static char path[64];
static struct zoid_problem problem;
static uint64_t state = 1;

static uint64_t any(void)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return state >> 33;
}

static void make_folder(void)
{
    memcpy(folder, pattern, sizeof folder);
    ck_assert_ptr_nonnull(mkdtemp(folder));
    problem = (struct zoid_problem){.op = zoid_op_find("wave", 3, 1, ZOID_F32), .n = {NX, NY, NZ}};
}

static void drop_folder(void)
{
    char command[80];

    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void name(const char *file)
{
    snprintf(path, sizeof path, "%s/%s", folder, file);
}

static void put_at(long offset, const void *bytes, size_t count)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0600);

    ck_assert_int_eq(pwrite(file, bytes, count, offset), (ssize_t)count);
    close(file);
}

/* Encodes values as an element type; floats if it has 4 bytes. */
static void encode(const struct zoid_element *e, const double *values, unsigned char *bytes)
{
    for (int i = 0; i < N; i++) {
        const float narrow = (float)values[i];
        const unsigned char byte = (unsigned char)values[i];
        const void *from = e->size == 8   ? (const void *)&values[i]
                           : e->size == 4 ? (const void *)&narrow
                                          : (const void *)&byte;

        for (int b = 0; b < e->size; b++)
            bytes[i * e->size + b] = ((const unsigned char *)from)[e->big ? e->size - 1 - b : b];
    }
}

static enum zoid_status open_input(const char *what, struct zoid_input **input)
{
    const struct zoid_input_wish wish = {.name = what, .field = "v2", .problem = &problem};

    *input = NULL;
    return zoid_input_open(&wish, input);
}

/* Reads random boxes of the input that `what` names, and compares them with the values. */
static void expect_values(const char *what, const double *values)
{
    struct zoid_input *in;

    ck_assert_msg(open_input(what, &in) == ZOID_OK, "%s", zoid_error());
    for (int turn = 0; turn < 50; turn++) {
        const long *n = problem.n;
        static double got[N];
        struct zoid_box box;
        long i = 0;

        for (int a = 0; a < ZOID_AXES; a++) {
            box.lo[a] = (long)(any() % (uint64_t)n[a]);
            box.hi[a] = box.lo[a] + 1 + (long)(any() % (uint64_t)(n[a] - box.lo[a]));
        }
        zoid_input_read(in, &box, got);
        for (long z = box.lo[2]; z < box.hi[2]; z++)
            for (long y = box.lo[1]; y < box.hi[1]; y++)
                for (long x = box.lo[0]; x < box.hi[0]; x++)
                    ck_assert(got[i++] == values[x + n[0] * (y + n[1] * z)]);
    }
    ck_assert_int_eq(zoid_input_status(in), ZOID_OK);
    zoid_input_close(&in);
    ck_assert_ptr_null(in);
}

/* Values exact in a float, or in a byte. */
static void some_values(double values[N])
{
    for (int i = 0; i < N; i++)
        values[i] = problem.op->type == ZOID_U8 ? (double)(any() % 2) : (double)any() / 256 - 1e5;
    for (int i = 0; i < N && problem.op->type != ZOID_U8; i++)
        values[i] = (double)(float)values[i];
}

static const char *const npy_headers[] = {
    "{'descr': '%s', 'fortran_order': False, 'shape': (3, 5, 13), }",
    "{\"shape\":(3,5,13),\"fortran_order\":False,\"descr\":\"%s\"}  ",
    "{ 'fortran_order' : False , 'shape' : ( 3 , 5 , 13 , ) , 'descr' : '%s' , }\n"};

static long put_npy(int version, const char *text)
{
    unsigned char start[12] = "\x93NUMPY";
    const long before = version == 1 ? 10 : 12, length = (long)strlen(text);

    start[6] = (unsigned char)version;
    start[8] = (unsigned char)(length & 255);
    start[9] = (unsigned char)(length >> 8);
    put_at(0, start, (size_t)before);
    put_at(before, text, (size_t)length);
    return before + length;
}

START_TEST(arrays_of_numpy_hold_their_values)
{
    static const struct {
        const char *name;
        struct zoid_element element;
    } kinds[] = {{"<f4", {'f', 4, false}}, {">f4", {'f', 4, true}},  {"<f8", {'f', 8, false}},
                 {">f8", {'f', 8, true}},  {"=f8", {'f', 8, false}}, {"|u1", {'u', 1, false}}};
    static double values[N];
    static unsigned char bytes[N * 8];
    char text[128];

    name("v.npy");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int version = 1; version <= 3; version++)
            for (int h = 0; h < 3; h++) {
                long first;

                problem.op = kinds[k].element.kind == 'u' ? zoid_op_find("life3d", 3, 1, ZOID_U8)
                                                          : zoid_op_find("wave", 3, 1, ZOID_F64);
                unlink(path);
                snprintf(text, sizeof text, npy_headers[h], kinds[k].name);
                first = put_npy(version, text);
                some_values(values);
                encode(&kinds[k].element, values, bytes);
                put_at(first, bytes, (size_t)(N * kinds[k].element.size));
                expect_values(path, values);
            }
}
END_TEST

START_TEST(headers_come_out_again)
{
    for (int axes = 0; axes <= ZOID_FILE_AXES; axes++) {
        struct zoid_npy npy = {.element = {'f', 8, false}, .axes = axes}, back;
        char header[ZOID_NPY_HEADER];
        size_t length;
        int file;

        for (int a = 0; a < axes; a++)
            npy.n[a] = (long)(any() << (any() % 30));
        length = zoid_npy_header(&npy, header);
        ck_assert(length > 0 && length % 64 == 0);
        name("h.npy");
        unlink(path);
        put_at(0, header, length);
        file = open(path, O_RDONLY);
        ck_assert_msg(zoid_npy_read(file, path, &back) == ZOID_OK, "%s", zoid_error());
        close(file);
        ck_assert(back.first == (long)length && back.axes == axes && !back.fortran);
        ck_assert(back.element.kind == 'f' && back.element.size == 8 && !back.element.big);
        for (int a = 0; a < axes; a++)
            ck_assert_int_eq(back.n[a], npy.n[a]);
    }
}
END_TEST

START_TEST(raw_values_are_the_operators)
{
    static double values[N];
    static unsigned char bytes[N * 8];
    const struct zoid_element element = {'f', 4, false};
    struct zoid_input *in;

    name("v.raw");
    some_values(values);
    encode(&element, values, bytes);
    put_at(0, bytes, N * 4);
    expect_values(path, values);
    problem.op = zoid_op_find("wave", 3, 1, ZOID_F64);
    ck_assert_int_eq(open_input(path, &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "bytes") && strstr(zoid_error(), path));
    /* The file is truncated while it is read. */
    problem.op = zoid_op_find("wave", 3, 1, ZOID_F32);
    ck_assert_int_eq(open_input(path, &in), ZOID_OK);
    ck_assert_int_eq(truncate(path, N * 4 - 1), 0);
    zoid_input_read(in, &(struct zoid_box){.hi = {NX, NY, NZ}}, values);
    ck_assert(values[N - 1] == 0);
    ck_assert_int_eq(zoid_input_status(in), ZOID_RESOURCE);
    ck_assert(strstr(zoid_error(), "shorter"));
    zoid_input_close(&in);
}
END_TEST

/* Writes a dataset with these values; returns the open file, which the caller closes. */
static void put_h5(const char *dataset, const struct zoid_element *element, const double *values,
                   enum zoid_h5_use use)
{
    static unsigned char bytes[N * 8];
    const struct zoid_h5_dataset d = {
        .name = dataset, .axes = 3, .n = {NZ, NY, NX}, .element = *element};
    struct zoid_h5 *file;
    long offset;

    ck_assert_int_eq(zoid_h5_open(path, path, use, &file), ZOID_OK);
    ck_assert_int_eq(zoid_h5_add(file, &d, &offset), ZOID_OK);
    ck_assert_int_eq(zoid_h5_scale(file, "z", NZ, 1), ZOID_OK);
    ck_assert_int_eq(zoid_h5_attach(file, dataset, 0, "z"), ZOID_OK);
    encode(element, values, bytes);
    put_at(offset, bytes, (size_t)(N * element->size));
    ck_assert_int_eq(zoid_h5_close(&file), ZOID_OK);
}

START_TEST(datasets_are_found)
{
    static double u[N], v[N];
    const struct zoid_element f8 = {'f', 8, false}, f4 = {'f', 4, false}, i8 = {'i', 8, false};
    struct zoid_input *in;
    char text[96];

    if (!zoid_h5_version())
        return;
    some_values(u);
    some_values(v);
    name("m:odel"); /* recognised by its first bytes */
    put_h5("speed", &f8, u, ZOID_H5_NEW);
    expect_values(path, u); /* the only dataset */
    put_h5("also/speed", &f4, v, ZOID_H5_CHANGE);
    ck_assert_int_eq(open_input(path, &in), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), "no dataset v2 and 2 others"), "%s", zoid_error());
    snprintf(text, sizeof text, "%s:also/speed", path);
    expect_values(text, v);
    put_h5("v2", &f4, v, ZOID_H5_CHANGE);
    expect_values(path, v); /* the dataset of the field's name */
    put_h5("count", &i8, v, ZOID_H5_CHANGE);
    snprintf(text, sizeof text, "%s:count", path);
    ck_assert_int_eq(open_input(text, &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "another type") && strstr(zoid_error(), text));
    snprintf(text, sizeof text, "%s:z", path);
    ck_assert_int_eq(open_input(text, &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "shape 3"));
    snprintf(text, sizeof text, "%s:none", path);
    ck_assert_int_eq(open_input(text, &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "no dataset none; it has also/speed, count, speed, v2, z"));
}
END_TEST

static void refused(const char *header, const char *says)
{
    struct zoid_input *in;
    long first;

    name("bad.npy");
    unlink(path);
    first = put_npy(1, header);
    ck_assert_int_eq(truncate(path, first + N * 8), 0);
    ck_assert_int_eq(open_input(path, &in), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_null(in);
    ck_assert_msg(strstr(zoid_error(), says) && strstr(zoid_error(), path), "%s", zoid_error());
}

START_TEST(what_is_no_field_is_refused)
{
    struct zoid_input *in;
    char text[96];

    refused("{'descr': '<f8', 'shape': (3, 5, 13), }", "lacks an entry");
    refused("{'descr': '<f8', 'fortran_order': False}", "lacks an entry");
    refused("{'descr': '<f8', 'fortran_order': Yes, 'shape': (3, 5, 13)}", "damaged");
    refused("", "damaged");
    refused("{'descr': '<f8', 'fortran_order': True, 'shape': (3, 5, 13)}", "Fortran");
    refused("{'descr': '<i8', 'fortran_order': False, 'shape': (3, 5, 13)}", "f4 or f8");
    refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3, 5, 13)}", "f4 or f8");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (13, 5, 3)}", "transpose");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (5, 3, 13)}", "size=13x3x5");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (195,)}", "as many axes");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", "as many axes");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 5, -13)}", "damaged");
    refused("{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999999999, 5, 13)}",
            "damaged");
    ck_assert_int_eq(open_input(folder, &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "is a folder"));
    ck_assert_int_eq(open_input("/dev/zero", &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "no regular file"));
    name("none.npy");
    ck_assert_int_eq(open_input(path, &in), ZOID_RESOURCE);
    name("bad.npy");
    snprintf(text, sizeof text, "%s:u", path);
    ck_assert_int_eq(open_input(text, &in), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "drop ':u'"));
    ck_assert_int_eq(truncate(path, 90), 0);
    ck_assert_int_eq(open_input(path, &in), ZOID_BAD_ARGUMENT);
}
END_TEST

/* Opens a file after some bytes of its header were changed, or its end was cut off. */
static void open_damaged(const unsigned char *whole, long length, long header)
{
    struct zoid_input *in;
    static double values[N];

    for (int turn = 0; turn < effort(300); turn++) {
        unsigned char byte;

        unlink(path);
        put_at(0, whole, (size_t)(any() % 4 ? length : (long)(any() % (uint64_t)length)));
        for (int hits = 1 + (int)(any() % 3); hits > 0; hits--) {
            byte = (unsigned char)any();
            put_at((long)(any() % (uint64_t)header), &byte, 1);
        }
        if (open_input(path, &in))
            continue; /* refused: an accepted end */
        zoid_input_read(in, &(struct zoid_box){.hi = {NX, NY, NZ}}, values);
        zoid_input_close(&in);
    }
}

static long read_whole(unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "r");
    const size_t length = fread(bytes, 1, room, file);

    fclose(file);
    return (long)length;
}

START_TEST(damaged_files_do_no_harm)
{
    static unsigned char whole[1 << 16];
    static double u[N];
    const struct zoid_element f4 = {'f', 4, false};
    char text[128];
    long first;

    name("whole.npy");
    snprintf(text, sizeof text, npy_headers[0], "<f4");
    first = put_npy(1, text);
    ck_assert_int_eq(truncate(path, first + N * 4), 0);
    open_damaged(whole, read_whole(whole, sizeof whole), first);
    if (!zoid_h5_version())
        return;
    name("whole.h5");
    put_h5("v2", &f4, u, ZOID_H5_NEW);
    open_damaged(whole, read_whole(whole, sizeof whole), 2048);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_checked_fixture(tests, make_folder, drop_folder);
    tcase_add_test(tests, arrays_of_numpy_hold_their_values);
    tcase_add_test(tests, headers_come_out_again);
    tcase_add_test(tests, raw_values_are_the_operators);
    tcase_add_test(tests, datasets_are_found);
    tcase_add_test(tests, what_is_no_field_is_refused);
    tcase_add_test(tests, damaged_files_do_no_harm);
}

int main(void)
{
    return run_suite("input", 120, add_tests);
}
