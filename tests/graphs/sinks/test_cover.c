/* SPDX-License-Identifier: BSD-3-Clause */
/* The prover's sets of points against a bitmap of all points. */
#include <stdlib.h>
#include <string.h>

#include "graphs/sinks/prove_cover.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { SIDE = 7, ROUNDS = 300, BOXES = 25 };

typedef bool map[SIDE][SIDE][SIDE];

static struct zoid_box random_box(uint64_t *seed)
{
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        box.lo[a] = case_between(seed, 0, SIDE - 1);
        box.hi[a] = case_between(seed, box.lo[a], SIDE);
    }
    return box;
}

static bool in(const struct zoid_box *b, long x, long y, long z)
{
    return x >= b->lo[0] && x < b->hi[0] && y >= b->lo[1] && y < b->hi[1] && z >= b->lo[2] &&
           z < b->hi[2];
}

/* Compares a set of boxes with the bitmap; boxes are disjoint, so a point is in at most one. */
static void check_set(const struct zoid_boxes *set, map want)
{
    bool agree = true;

    for (long z = 0; z < SIDE; z++)
        for (long y = 0; y < SIDE; y++)
            for (long x = 0; x < SIDE; x++) {
                int times = 0;

                for (size_t i = 0; i < set->count; i++)
                    times += in(&set->box[i], x, y, z);
                agree = agree && times == want[z][y][x];
            }
    ck_assert(agree);
    for (size_t i = 0; i < set->count; i++)
        ck_assert(!zoid_box_empty(&set->box[i]));
}

/* Sets the points of a box to `value`; returns in *before how many of them were set, and in *all
 * how many points of the bitmap are set now. */
static void paint(map m, const struct zoid_box *b, bool value, long *before, long *all)
{
    *before = *all = 0;
    for (long z = 0; z < SIDE; z++)
        for (long y = 0; y < SIDE; y++)
            for (long x = 0; x < SIDE; x++) {
                *before += in(b, x, y, z) && m[z][y][x];
                if (in(b, x, y, z))
                    m[z][y][x] = value;
                *all += m[z][y][x];
            }
}

START_TEST(covers_grow)
{
    uint64_t seed = (uint64_t)_i;
    struct zoid_boxes scratch = {.count = 0};

    for (int round = 0; round < ROUNDS; round++) {
        struct zoid_cover cover = {.volume = 0};
        map m;

        memset(m, 0, sizeof m);
        for (int i = 0; i < BOXES; i++) {
            struct zoid_box box = random_box(&seed), again, common;
            long before, all;

            ck_assert_int_eq(zoid_cover_add(&cover, _i, &box, &scratch, &again), 0);
            common = zoid_box_intersect(&again, &box);
            paint(m, &box, true, &before, &all);
            ck_assert_int_eq(cover.volume, all);
            ck_assert_int_eq(zoid_box_empty(&again), before == 0);
            ck_assert_int_eq(zoid_box_volume(&common), zoid_box_volume(&again));
            check_set(&cover.set, m);
        }
        for (size_t i = 1; i < cover.set.count; i++)
            ck_assert_int_le(cover.set.box[i - 1].lo[_i], cover.set.box[i].lo[_i]);
        zoid_cover_free(&cover);
        ck_assert_uint_eq(cover.set.count, 0);
    }
    zoid_boxes_free(&scratch);
}
END_TEST

START_TEST(boxes_are_cut)
{
    uint64_t seed = 99;

    for (int round = 0; round < ROUNDS; round++) {
        struct zoid_box all = {.lo = {0}, .hi = {SIDE, SIDE, SIDE}};
        struct zoid_boxes set = {.count = 0};
        long before, left;
        map m;

        memset(m, 0, sizeof m);
        ck_assert_int_eq(zoid_boxes_push(&set, &all), 0);
        paint(m, &all, true, &before, &left);
        for (int i = 0; i < 6; i++) {
            struct zoid_box hole = random_box(&seed);

            ck_assert_int_eq(zoid_boxes_cut(&set, &hole), 0);
            paint(m, &hole, false, &before, &left);
            check_set(&set, m);
        }
        zoid_boxes_free(&set);
    }
}
END_TEST

START_TEST(boxes_within)
{
    uint64_t seed = 7;

    for (int i = 0; i < 20000; i++) {
        struct zoid_box a = random_box(&seed), b = random_box(&seed);
        struct zoid_box both = zoid_box_intersect(&a, &b);

        ck_assert(zoid_box_meets(&a, &b) == (zoid_box_volume(&both) > 0));
        ck_assert(zoid_box_within(&a, &b) == (zoid_box_volume(&both) == zoid_box_volume(&a)));
    }
}
END_TEST

/* Added in order, a hundred thousand slices always merge into one box; in two sweeps, into one at
 * the end. */
START_TEST(slices_merge)
{
    struct zoid_cover cover = {.volume = 0};
    struct zoid_boxes scratch = {.count = 0};
    struct zoid_box slice = {.hi = {4, 4, 0}}, again;

    for (int sweep = 0; sweep < 2; sweep++)
        for (long z = sweep; z < 2000; z += 2) {
            slice.lo[2] = z;
            slice.hi[2] = z + 1;
            ck_assert_int_eq(zoid_cover_add(&cover, 2, &slice, &scratch, &again), 0);
            ck_assert(zoid_box_empty(&again));
        }
    for (long z = 2000; z < 100000; z++) {
        ck_assert_uint_eq(cover.set.count, 1);
        slice.lo[2] = z;
        slice.hi[2] = z + 1;
        ck_assert_int_eq(zoid_cover_add(&cover, 2, &slice, &scratch, &again), 0);
    }
    ck_assert_uint_eq(cover.set.count, 1);
    ck_assert_int_eq(cover.volume, 16 * 100000);
    zoid_cover_free(&cover);
    zoid_boxes_free(&scratch);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, covers_grow, 0, ZOID_AXES);
    tcase_add_test(tests, boxes_are_cut);
    tcase_add_test(tests, boxes_within);
    tcase_add_test(tests, slices_merge);
}

int main(void)
{
    return run_suite("cover", 120, add);
}
