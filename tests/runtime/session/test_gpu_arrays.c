/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in GPU memory, in pieces by way of main memory, with a stand-in for the GPU: memory of
 * this process, and memcpy. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/array.h"
#include "codelets/threads/parallel.h"
#include "runtime/io/array_stage.h"
#include "runtime/io/input.h"
#include "runtime/zoid_session.h"
#include "tests/suite.h"

/* ---- the stand-in -------------------------------------------------------------------------- */

enum { BYTES = 1 << 16, MANY = 1 << 23, GPU = 2, MISSING = 100, BROKEN = 719 };

static char gpu[MANY], room[BYTES];
static size_t gpu_bytes = BYTES; /* of `gpu`, as far as copies may go */
static size_t limit;             /* of room */
static _Atomic int calls;        /* copies so far */
static int fail;                 /* the copy that fails, from 1 */

static bool is_in(const char *memory, const void *at, size_t bytes, size_t size)
{
    return (const char *)at >= memory && (const char *)at + bytes <= memory + size;
}

int zoid_cuda_array_open(int device, const void *memory, int *found)
{
    *found = is_in(gpu, memory, 0, gpu_bytes) ? GPU : -1;
    return device == GPU || device == GPU + 1 ? 0 : MISSING;
}

int zoid_cuda_array_copy(int device, const struct zoid_cuda_rows *r)
{
    const bool send = is_in(gpu, r->to, 0, gpu_bytes);
    const size_t to = (r->rows - 1) * r->to_row + r->bytes,
                 from = (r->rows - 1) * r->from_row + r->bytes;

    ck_assert_int_eq(device, GPU);
    ck_assert(r->bytes > 0 && r->rows > 0 && r->to_row >= r->bytes && r->from_row >= r->bytes);
    ck_assert(is_in(gpu, send ? r->to : r->from, send ? to : from, gpu_bytes));
    ck_assert(!limit || is_in(room, send ? r->from : r->to, send ? from : to, limit));
    if (++calls == fail)
        return BROKEN;
    for (size_t i = 0; i < r->rows; i++)
        memcpy((char *)r->to + i * r->to_row, (const char *)r->from + i * r->from_row, r->bytes);
    return 0;
}

/* ---- pieces -------------------------------------------------------------------------------- */

static uint64_t seed = 42;

static long up_to(long most)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (long)((seed >> 33) % (uint64_t)(most + 1));
}

/* An array of any order of axes, with gaps, negative strides, strides of zero, and windows that
 * overlap. */
static struct zoid_array_view any_array(bool overlaps)
{
    struct zoid_array_view v = {
        .element = {.kind = 'f', .size = up_to(1) ? 8 : 4}, .axes = (int)up_to(4), .device = GPU};
    long stride = v.element.size, first = 0;
    int order[ZOID_FILE_AXES];

    for (int a = 0; a < v.axes; a++) {
        const int b = (int)up_to(a);

        order[a] = order[b];
        order[b] = a;
    }
    for (int i = 0; i < v.axes; i++) {
        const int a = order[i];

        v.n[a] = 1 + up_to(5);
        stride += up_to(2) ? 0 : v.element.size * up_to(3);
        v.stride[a] = overlaps && up_to(3) == 0 ? v.element.size * up_to(2) : stride;
        v.stride[a] *= up_to(2) ? 1 : -1;
        stride *= v.n[a];
        first += v.stride[a] < 0 ? (1 - v.n[a]) * v.stride[a] : 0;
    }
    v.at = gpu + first;
    return v;
}

static long values_of(const struct zoid_array_view *v)
{
    long n = 1;

    for (int a = 0; a < v->axes; a++)
        n *= v->n[a];
    return n;
}

/* Address of value i, the last axis fastest. */
static char *address(const struct zoid_array_view *v, long i)
{
    const char *at = v->at;

    for (int a = v->axes - 1; a >= 0; a--) {
        at += i % v->n[a] * v->stride[a];
        i /= v->n[a];
    }
    return (char *)at;
}

START_TEST(pieces_have_the_values_of_any_layout_in_order)
{
    for (int turn = 0; turn < 3000; turn++) {
        const struct zoid_array_view v = any_array(true);
        const long all = values_of(&v);
        struct zoid_array_stage s;
        long done = 0;

        for (size_t i = 0; i < BYTES; i++)
            gpu[i] = (char)up_to(255);
        limit = (size_t)(v.element.size * (1 + up_to(60)));
        zoid_array_stage_begin(&s, &v, room, limit);
        while (zoid_array_stage_next(&s)) {
            const long n = values_of(&s.piece);

            memset(room, 0, limit);
            ck_assert_int_eq(zoid_array_stage_bring(&s), ZOID_OK);
            for (long i = 0; i < n; i++)
                ck_assert_mem_eq(address(&s.piece, i), address(&v, done + i),
                                 (size_t)v.element.size);
            done += n;
        }
        ck_assert_int_eq(done, all);
        ck_assert(!zoid_array_stage_next(&s) || v.axes > 0);
    }
}
END_TEST

START_TEST(pieces_are_sent_to_their_values_and_nowhere_else)
{
    for (int turn = 0; turn < 3000; turn++) {
        const struct zoid_array_view v = any_array(false);
        struct zoid_array_stage s;
        static char want[BYTES];
        long done = 0;

        memset(gpu, 1, BYTES);
        memset(want, 1, BYTES);
        limit = (size_t)(v.element.size * (1 + up_to(60)));
        zoid_array_stage_begin(&s, &v, room, limit);
        while (zoid_array_stage_next(&s)) {
            for (long i = 0; i < values_of(&s.piece); i++, done++) {
                const char value[8] = {(char)done, 3, 5, 7, 9, 11, 13, (char)(done >> 8)};

                memcpy(address(&s.piece, i), value, (size_t)v.element.size);
                memcpy(want + (address(&v, done) - gpu), value, (size_t)v.element.size);
            }
            ck_assert_int_eq(zoid_array_stage_send(&s), ZOID_OK);
        }
        ck_assert_int_eq(done, values_of(&v));
        ck_assert_mem_eq(gpu, want, BYTES);
    }
}
END_TEST

/* ---- chunks -------------------------------------------------------------------------------- */

/* An array of doubles that is larger than a chunk, in the order of axes, reversed with gaps, or
 * transposed. */
static struct zoid_array_view large_array(const long *n, int layout)
{
    struct zoid_array_view v = {.name = ZOID_ARRAY_NAME "large",
                                .element = {.kind = 'f', .size = layout ? 4 : 8},
                                .axes = 3,
                                .at = gpu,
                                .device = GPU};
    long stride = v.element.size;

    for (int i = 0; i < 3; i++) {
        const int a = layout == 2 ? i : 2 - i;

        v.n[a] = n[2 - a];
        v.stride[a] = stride;
        stride *= v.n[a];
    }
    if (layout == 1) {
        v.stride[0] += 8;
        v.at += (v.n[1] - 1) * v.stride[1];
        v.stride[1] = -v.stride[1];
    }
    return v;
}

static double value_there(const struct zoid_array_view *v, long x, long y, long z)
{
    const char *at = v->at + z * v->stride[0] + y * v->stride[1] + x * v->stride[2];
    float narrow;
    double wide;

    memcpy(&narrow, at, sizeof narrow);
    memcpy(&wide, at, sizeof wide);
    return v->element.size == 4 ? (double)narrow : wide;
}

/* Boxes that threads read at the same time. */
struct reads {
    struct zoid_array_view array;
    struct zoid_input *input;
    const long *n;
    struct zoid_box box[64];
};

static void read_box(void *arg, int thread, long i)
{
    const struct reads *r = arg;
    const struct zoid_box *b = &r->box[i];
    double *values = malloc((size_t)zoid_box_volume(b) * sizeof *values), *next = values;

    (void)thread;
    ck_assert_ptr_nonnull(values);
    zoid_input_read(r->input, b, values);
    for (long z = b->lo[2]; z < b->hi[2]; z++)
        for (long y = b->lo[1]; y < b->hi[1]; y++)
            for (long x = b->lo[0]; x < b->hi[0]; x++)
                ck_assert(*next++ == value_there(&r->array, x, y, z));
    free(values);
}

static void draw_boxes(struct reads *r)
{
    for (int i = 0; i < 64; i++)
        for (int a = 0; a < 3; a++) {
            const long width = 1 + up_to(up_to(1) ? zoid_min(r->n[a], 60) - 1 : r->n[a] - 1);

            r->box[i].lo[a] = up_to(r->n[a] - width);
            r->box[i].hi[a] = r->box[i].lo[a] + width;
        }
}

static void fill_gpu(void)
{
    for (size_t i = 0; i < MANY / sizeof(float); i++) {
        const float value = (float)up_to(1 << 20);

        memcpy(gpu + i * sizeof value, &value, sizeof value);
    }
}

/* Chunks are of planes, of rows, and of pieces of rows. */
START_TEST(boxes_of_large_arrays_have_their_values)
{
    static const long sizes[][3] = {{7, 13, 5001}, {41, 1000, 9}, {70001, 3, 2}, {131072, 2, 2}};

    gpu_bytes = MANY;
    limit = 0;
    fill_gpu();
    for (int i = 0; i < 12; i++) {
        struct reads r = {.n = sizes[i / 3], .array = large_array(sizes[i / 3], i % 3)};
        const struct zoid_problem problem = {.op = zoid_op_find("heat", 3, 1, ZOID_F32),
                                             .n = {r.n[0], r.n[1], r.n[2]}};
        const struct zoid_array_views views = {.n = 1, .array = &r.array};
        const struct zoid_input_wish wish = {
            .name = r.array.name, .field = "u", .problem = &problem, .arrays = &views};

        ck_assert_msg(!zoid_input_open(&wish, &r.input), "%s", zoid_error());
        for (int round = 0; round < 2; round++) {
            draw_boxes(&r);
            zoid_parallel(i % 3 + 1, 64, read_box, &r);
            ck_assert_int_eq(zoid_input_status(r.input), ZOID_OK);
            fill_gpu();
        }
        zoid_input_close(&r.input);
    }
}
END_TEST

static int calls_for(const struct zoid_array_view *v)
{
    struct zoid_array_stage s;

    calls = 0;
    limit = BYTES;
    zoid_array_stage_begin(&s, v, room, limit);
    while (zoid_array_stage_next(&s))
        ck_assert_int_eq(zoid_array_stage_bring(&s), ZOID_OK);
    return calls;
}

START_TEST(contiguous_spans_are_one_copy_and_equal_distances_too)
{
    struct zoid_array_view v = {.element = {.kind = 'f', .size = 4},
                                .axes = 3,
                                .n = {5, 6, 7},
                                .stride = {168, 28, 4},
                                .at = gpu,
                                .device = GPU};

    ck_assert_int_eq(calls_for(&v), 1);
    v.stride[1] = -28; /* backwards */
    v.at = gpu + 5 * 28;
    ck_assert_int_eq(calls_for(&v), 1);
    v = (struct zoid_array_view){v.name, v.element, 3, {5, 6, 7}, {4, 20, 120}, gpu, GPU};
    ck_assert_int_eq(calls_for(&v), 1); /* transposed */
    v.stride[1] = 24;                   /* rows with gaps in planes without */
    v.stride[2] = 144;
    ck_assert_int_eq(calls_for(&v), 1);
    v.stride[2] = 200; /* and with */
    ck_assert_int_eq(calls_for(&v), 7);
    v.n[2] = 0;
    ck_assert_int_eq(calls_for(&v), 0);
}
END_TEST

/* ---- sessions ------------------------------------------------------------------------------ */

enum { NX = 23, NY = 17, POINTS = NX * NY };

static void must(enum zoid_status status)
{
    ck_assert_msg(!status, "%d %s", status, zoid_error());
}

static struct zoid_session *begin(void)
{
    const int64_t size[] = {NX, NY};
    struct zoid_session *s = NULL;

    limit = 0;
    must(zoid_session_create(&s));
    must(zoid_session_set_text(s, "operator", "heat"));
    must(zoid_session_set_ints(s, "size", 2, size));
    return s;
}

/* Rows backwards, of doubles of the other byte order, every second of a wider array. */
static struct zoid_array odd_array(void)
{
    return (struct zoid_array){.type = ">f8",
                               .axes = 2,
                               .device = GPU,
                               .shape = {NY, NX},
                               .stride = {-400, 16},
                               .data = gpu + (NY - 1) * 400};
}

static char *odd_at(int i)
{
    return gpu + (NY - 1 - i / NX) * 400 + i % NX * 16;
}

START_TEST(sessions_take_and_fill_them)
{
    const struct zoid_array odd = odd_array();
    float u[POINTS], want[POINTS];
    struct zoid_array host = {.type = "<f4", .axes = 2, .device = -1, .shape = {NY, NX}, .data = u};
    struct zoid_session *s = begin();

    memset(gpu, 0, BYTES);
    for (int i = 0; i < POINTS; i++) {
        union {
            double value;
            uint64_t bits;
        } v = {.value = u[i] = (float)up_to(1000) / 8};

        v.bits = __builtin_bswap64(v.bits);
        memcpy(odd_at(i), &v, sizeof v);
    }
    must(zoid_session_set_array(s, "init", "u", &host));
    must(zoid_session_run(s));
    host.data = want;
    must(zoid_session_read(s, "u", NULL, NULL, &host));
    zoid_session_destroy(&s);

    s = begin();
    calls = 0;
    must(zoid_session_set_array(s, "init", "u", &odd));
    must(zoid_session_set_int(s, "check", 1));
    must(zoid_session_run(s));
    ck_assert_int_gt(calls, 0);
    memset(gpu, 0, BYTES);
    must(zoid_session_read(s, "u", NULL, NULL, &odd));
    for (int i = 0; i < POINTS; i++) {
        union {
            double value;
            uint64_t bits;
        } v;

        memcpy(&v, odd_at(i), sizeof v);
        v.bits = __builtin_bswap64(v.bits);
        ck_assert(v.value == (double)want[i]);
    }
    /* A copy that fails leaves no state. */
    calls = 0;
    fail = 1;
    ck_assert_int_eq(zoid_session_read(s, "u", NULL, NULL, &odd), ZOID_RESOURCE);
    ck_assert(strstr(zoid_error(), "GPU 2: CUDA: "));
    zoid_session_destroy(&s);
    s = begin();
    must(zoid_session_set_array(s, "init", "u", &odd));
    calls = 0;
    ck_assert_int_eq(zoid_session_start(s), ZOID_RESOURCE);
    zoid_session_destroy(&s);
    fail = 0;
}
END_TEST

/* The check and the start copy chunks, however few values they read at a time. */
START_TEST(large_arrays_are_copied_in_few_calls)
{
    const int64_t size[] = {1000, 1000};
    const struct zoid_array array = {
        .type = "<f4", .axes = 2, .device = GPU, .shape = {1000, 1000}, .data = gpu};
    struct zoid_session *s = begin();

    gpu_bytes = MANY;
    memset(gpu, 0, MANY);
    must(zoid_session_set_ints(s, "size", 2, size));
    must(zoid_session_set_array(s, "init", "u", &array));
    calls = 0;
    must(zoid_session_start(s));
    ck_assert_int_ge(calls, 16);
    ck_assert_int_le(calls, 3 * 16);
    calls = 0;
    must(zoid_session_read(s, "u", NULL, NULL, &array));
    ck_assert_int_eq(calls, 4);
    zoid_session_destroy(&s);
}
END_TEST

START_TEST(gpus_that_are_not_there_are_refused_by_key)
{
    struct zoid_array array = odd_array();
    struct zoid_session *s = begin();

    array.device = GPU + 5;
    ck_assert_int_eq(zoid_session_set_array(s, "init", "u", &array), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error_key(), "init");
    ck_assert(strstr(zoid_error(), "init: the array is in the memory of GPU 7: CUDA: "));
    array.device = GPU + 1;
    ck_assert_int_eq(zoid_session_set_array(s, "init", "u", &array), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "in the memory of GPU 2, not of GPU 3"));
    array.device = GPU;
    array.data = room;
    ck_assert_int_eq(zoid_session_set_array(s, "init", "u", &array), ZOID_BAD_ARGUMENT);
    ck_assert(strstr(zoid_error(), "not in the memory of GPU 2"));
    must(zoid_session_start(s));
    ck_assert_int_eq(zoid_session_read(s, "u", NULL, NULL, &array), ZOID_BAD_ARGUMENT);
    zoid_session_destroy(&s);
}
END_TEST

static void add_all(TCase *tests)
{
    tcase_add_test(tests, pieces_have_the_values_of_any_layout_in_order);
    tcase_add_test(tests, pieces_are_sent_to_their_values_and_nowhere_else);
    tcase_add_test(tests, boxes_of_large_arrays_have_their_values);
    tcase_add_test(tests, contiguous_spans_are_one_copy_and_equal_distances_too);
    tcase_add_test(tests, sessions_take_and_fill_them);
    tcase_add_test(tests, large_arrays_are_copied_in_few_calls);
    tcase_add_test(tests, gpus_that_are_not_there_are_refused_by_key);
}

int main(void)
{
    return run_suite("arrays of GPUs", 120, add_all);
}
