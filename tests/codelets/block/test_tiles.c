/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks are cut into tiles if a core's cache does not hold them, else left whole: tiles lean, so a
 * deep block of few rows would have many, each of them empty at most times. */
#include <stdlib.h>
#include <string.h>

#include "codelets/block/layout.h"
#include "codelets/block/scratch.h"
#include "codelets/cpu/run.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

enum { TIMES = 200 };

struct counting {
    enum zoid_isa isa;
    long sweeps;
};

static int sweep(void *self, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_segment *out)
{
    struct counting *c = self;

    c->sweeps++;
    return zoid_cpu.sweep(&c->isa, given, nout, out);
}

/* Number of sweeps of a block of a whole domain on a core with a cache of `cache` bytes. */
static long sweeps_with(const struct zoid_op *op, size_t cache)
{
    const long n[ZOID_AXES] = {200, 15, 10};
    const struct zoid_shape shape = zoid_op_shape(op, n);
    const struct zoid_layout layout = zoid_layout_make(op, n, zoid_layout_ghost(&shape));
    const size_t plane = zoid_layout_plane_bytes(&layout) * (size_t)op->nstate;
    const long planes = n[zoid_chain(&shape)];
    const struct zoid whole = zoid_domain(&shape, 0, TIMES);
    const struct zoid_view in = {.hi = planes}, out = {.t0 = TIMES, .t1 = TIMES, .hi = planes};
    const size_t bytes = (size_t)planes * plane;
    struct zoid_part part[] = {{.reads = true, .in = in, .capacity = planes},
                               {.writes = true, .out = out, .capacity = planes}};
    struct zoid_device device = zoid_cpu;
    struct counting counting = {.isa = zoid_isa_best()};
    const struct zoid_block_args run = {.op = op,
                                        .params = (const struct zoid_params[]){sample_params(op)},
                                        .shape = &shape,
                                        .layout = &layout,
                                        .zoid = whole,
                                        .region = whole,
                                        .nparts = 2,
                                        .part = part,
                                        .scratch = sample_memory(2 * bytes)};

    part[0].base = sample_memory(bytes);
    part[1].base = sample_memory(bytes);
    device.batch = device.abreast;
    device.cache = cache;
    device.sweep = sweep;
    zoid_run_block(&run, &device, &counting);
    free(part[0].base);
    free(part[1].base);
    free(run.scratch);
    return counting.sweeps;
}

START_TEST(only_what_a_cache_does_not_hold_is_cut)
{
    const struct zoid_op *op = zoid_op_find("heat", 2 + _i, 1, ZOID_F32);

    ck_assert_int_eq(sweeps_with(op, 1 << 20), TIMES);
    ck_assert_int_gt(sweeps_with(op, 1 << 10), TIMES);
}
END_TEST

/* ---- one step in place --------------------------------------------------------------------- */

/* Guard bytes around the scratch buffer. */
enum { GUARD = 1 << 16 };

/* A block of a whole domain: one step of the operator. */
struct one_time {
    const struct zoid_op *op;
    struct zoid_shape shape;
    struct zoid_layout layout;
    size_t bytes, scratch_bytes;
    char *before, *after, *slab, *scratch;
};

static struct one_time one_time_of(const struct zoid_op *op, const long n[ZOID_AXES])
{
    struct one_time b = {.op = op, .shape = zoid_op_shape(op, n)};
    uint64_t random = 20261126;
    size_t plane;

    b.layout = zoid_layout_make(op, n, zoid_layout_ghost(&b.shape));
    plane = zoid_layout_plane_bytes(&b.layout) * (size_t)op->nstate;
    b.bytes = (size_t)n[2] * plane;
    b.scratch_bytes = (size_t)zoid_scratch_planes(&b.shape, 0, zoid_cpu.abreast) * plane;
    b.before = sample_memory(b.bytes);
    b.after = sample_memory(b.bytes);
    b.slab = sample_memory(b.bytes);
    b.scratch = sample_memory(b.scratch_bytes + 2 * GUARD);
    for (size_t i = 0; i < b.bytes / sizeof(float); i++)
        ((float *)b.before)[i] = (float)sample_between(&random, 0, 1000);
    return b;
}

static void free_one_time(struct one_time *b)
{
    free(b->before);
    free(b->after);
    free(b->slab);
    free(b->scratch);
}

static void check_guards(const struct one_time *b)
{
    char *guard = sample_memory(GUARD);

    sample_poison(guard, GUARD);
    ck_assert(!memcmp(b->scratch, guard, GUARD));
    ck_assert(!memcmp(b->scratch + GUARD + b->scratch_bytes, guard, GUARD));
    free(guard);
}

/* Runs it, in the slab or from one slab into another; returns the number of sweeps. */
static long run_one_time(const struct one_time *b, bool in_place, size_t cache)
{
    const long planes = b->shape.n[2];
    const struct zoid whole = zoid_domain(&b->shape, 0, 1);
    const struct zoid_view in = {.hi = planes}, out = {.t0 = 1, .t1 = 1, .hi = planes};
    const struct zoid_part own = {
        .reads = true, .writes = true, .in = in, .out = out, .capacity = planes, .base = b->slab};
    const struct zoid_part from = {.reads = true, .in = in, .capacity = planes, .base = b->before};
    const struct zoid_part to = {.writes = true, .out = out, .capacity = planes, .base = b->after};
    struct zoid_part part[2] = {in_place ? own : from, to};
    struct zoid_device device = zoid_cpu;
    struct counting counting = {.isa = zoid_isa_best()};

    memcpy(b->slab, b->before, b->bytes);
    sample_poison(b->scratch, b->scratch_bytes + 2 * GUARD);
    device.batch = device.abreast;
    device.cache = cache;
    device.sweep = sweep;
    zoid_run_block(
        &(struct zoid_block_args){.op = b->op,
                                  .params = (const struct zoid_params[]){sample_params(b->op)},
                                  .shape = &b->shape,
                                  .layout = &b->layout,
                                  .zoid = whole,
                                  .region = whole,
                                  .nparts = in_place ? 1 : 2,
                                  .part = part,
                                  .scratch = b->scratch + GUARD},
        &device, &counting);
    check_guards(b);
    return counting.sweeps;
}

static void check_same(const struct one_time *b)
{
    const struct zoid_layout *l = &b->layout;

    for (long z = 0; z < b->shape.n[2]; z++)
        for (long y = 0; y < b->shape.n[1]; y++) {
            const size_t at = (size_t)(z * l->plane + zoid_layout_at(l, 0, y)) * sizeof(float);

            ck_assert_msg(
                !memcmp(b->slab + at, b->after + at, (size_t)b->shape.n[0] * sizeof(float)),
                "row %ld of plane %ld", y, z);
        }
}

/* Tiles of rows, the last possibly lower than its halo, give the same result as whole planes.
 * Blocks stay whole if a cache holds the ring buffer, or if the ring, whose slots are pairs of
 * planes, or the waiting rows would not fit. */
START_TEST(rows_of_a_single_time_are_cut)
{
    static const long rows[] = {9, 33, 34, 35, 64, 65, 100}, planes[] = {2, 9, 40, 200};
    const int radius = 1 + _i;
    const struct zoid_op *op = zoid_op_find("heat", 3, radius, ZOID_F32);
    long cut = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows * 4; i++) {
        const long n[ZOID_AXES] = {37, rows[i / 4], planes[i % 4]};
        const long height = 8 * radius, pairs = (n[2] + 1) / 2;
        struct one_time b = one_time_of(op, n);
        long swept, whole;

        run_one_time(&b, false, 0);
        whole = run_one_time(&b, true, 1 << 24);
        check_same(&b);
        swept = run_one_time(&b, true, 1 << 10);
        check_same(&b);
        ck_assert(whole >= pairs && whole <= n[2]);
        if (n[1] > height && n[1] >= (radius + 3) / 2 * height &&
            n[2] * radius <= 2 * radius * n[1]) {
            ck_assert_int_eq(swept, (n[1] + height - 1) / height * pairs);
            cut++;
        } else {
            ck_assert_int_eq(swept, whole);
        }
        free_one_time(&b);
    }
    ck_assert_int_gt(cut, 3);
}
END_TEST

/* Row pitch in elements of planes for cores with `ways`-way caches. */
static long pitch_of(const char *family, int radius, long x, int ways)
{
    const struct zoid_op *op = zoid_op_find(family, 3, radius, ZOID_F32);
    const long n[ZOID_AXES] = {x, 60, 40};
    struct zoid_layout layout;

    ck_assert_ptr_nonnull(op);
    layout = zoid_layout_make(op, n, 0);
    zoid_layout_loosen(&layout, op, ways);
    ck_assert_int_ge(layout.plane, layout.pitch * n[1]);
    ck_assert_int_eq(layout.pitch % 32, 0);
    return layout.pitch;
}

/* Every second row of 2 KiB maps to the same lines of a first-level cache. A point of radius 4
 * reads five such rows and four such planes. */
START_TEST(rows_are_further_apart_where_a_cache_has_few_ways)
{
    static const char *const families[] = {"heat", "wave"};

    for (int f = 0; f < 2; f++) {
        ck_assert_int_eq(zoid_layout_ways(32 << 10), 8);
        ck_assert_int_eq(pitch_of(families[f], 4, 512, 8), 544);
        ck_assert_int_eq(pitch_of(families[f], 4, 512, 12), 512);
        ck_assert_int_eq(pitch_of(families[f], 4, 512, 0), 512);
        ck_assert_int_eq(pitch_of(families[f], 1, 512, 8), 512);
        ck_assert_int_eq(pitch_of(families[f], 4, 544, 8), 544);
        /* Rows of whole pages keep their pitch. */
        ck_assert_int_eq(pitch_of(families[f], 4, 1024, 8), 1056);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, rows_are_further_apart_where_a_cache_has_few_ways);
    tcase_add_loop_test(tests, rows_of_a_single_time_are_cut, 0, 4);
    tcase_add_loop_test(tests, only_what_a_cache_does_not_hold_is_cut, 0, 2);
}

int main(void)
{
    return run_suite("tiles", 60, add);
}
