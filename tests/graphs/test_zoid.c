/* SPDX-License-Identifier: BSD-3-Clause */
/* Geometry against counting points one by one. */
#include <stdlib.h>
#include <string.h>

#include "graphs/volume.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { CASES = 3000, EXTENT = 9 };

/* Mostly legal, sometimes empty at the start; drifts empty others later. */
static struct zoid random_zoid(uint64_t *seed, int dims, int movers)
{
    struct zoid z = {.t0 = case_between(seed, -3, 3)};

    z.t1 = z.t0 + case_between(seed, 0, 6);
    for (int a = 0; a < ZOID_AXES; a++) {
        struct zoid_face *f = &z.dim[a];

        f->hi = 1;
        if (a >= dims)
            continue;
        f->lo = case_between(seed, -EXTENT, EXTENT);
        f->hi = f->lo + case_between(seed, -1, EXTENT);
        if (a < movers) {
            f->dlo = (int)case_between(seed, -3, 3);
            f->dhi = (int)case_between(seed, -3, 3);
        }
    }
    return z;
}

static bool has(const struct zoid *z, long t, const long p[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (p[a] < z->dim[a].lo + z->dim[a].dlo * (t - z->t0) ||
            p[a] >= z->dim[a].hi + z->dim[a].dhi * (t - z->t0))
            return false;
    return true;
}

static bool in_box(const struct zoid_box *b, const long p[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (p[a] < b->lo[a] || p[a] >= b->hi[a])
            return false;
    return true;
}

/* Counts the points of both zoids at t one by one; clears *agree if the boxes differ. */
static long common_at(const struct zoid *a, const struct zoid *b, long t, bool *agree)
{
    struct zoid_box own = zoid_box_at(a, t), clipped = zoid_clipped_at(a, b, t);
    long margin = 2 * EXTENT + 3 * 12, count = 0, lo[ZOID_AXES], hi[ZOID_AXES];

    /* Axes on which both are [0, 1) need no margin. */
    for (int i = 0; i < ZOID_AXES; i++) {
        bool flat = a->dim[i].hi == 1 && a->dim[i].lo == 0 && b->dim[i].hi == 1;

        lo[i] = flat ? 0 : -margin > own.lo[i] - 1 ? -margin : own.lo[i] - 1;
        hi[i] = flat ? 1 : margin < own.hi[i] + 1 ? margin : own.hi[i] + 1;
    }
    for (long z = lo[2]; z < hi[2]; z++)
        for (long y = lo[1]; y < hi[1]; y++)
            for (long x = lo[0]; x < hi[0]; x++) {
                long p[ZOID_AXES] = {x, y, z};
                bool both = has(a, t, p) && has(b, t, p);

                *agree = *agree && in_box(&own, p) == has(a, t, p) && in_box(&clipped, p) == both;
                count += both;
            }
    *agree = *agree && zoid_box_volume(&clipped) == count && zoid_box_empty(&clipped) == !count;
    for (int i = 0; i < ZOID_AXES; i++)
        *agree = *agree && clipped.lo[i] <= clipped.hi[i];
    return count;
}

START_TEST(points_one_by_one)
{
    uint64_t seed = (uint64_t)_i;
    int dims = _i % 3 + 1;

    for (int i = 0; i < CASES / dims / dims; i++) {
        int movers = (int)case_between(&seed, 0, dims);
        struct zoid a = random_zoid(&seed, dims, movers), b = random_zoid(&seed, dims, movers);
        long volume = 0, shared = 0, t;
        bool agree = true;

        for (t = a.t0 + 1; t <= a.t1; t++) {
            long common = common_at(&a, &b, t, &agree);

            volume += common;
            shared += t > b.t0 && t <= b.t1 ? common : 0;
        }
        ck_assert_msg(agree, "case %d: boxes", i);
        ck_assert_msg(zoid_volume(&a, &b) == volume, "case %d: volume %ld, not %ld", i,
                      zoid_volume(&a, &b), volume);
        ck_assert_msg(zoid_common_volume(&a, &b) == shared, "case %d: common volume %ld, not %ld",
                      i, zoid_common_volume(&a, &b), shared);
        ck_assert_int_eq(zoid_common_volume(&b, &a), shared);
    }
}
END_TEST

/* Extents and times like those of real domains: the cost must not depend on the number of
 * planes. */
START_TEST(large_volumes)
{
    struct zoid lean = {.t0 = 5, .t1 = 1000005}, region = {.t0 = 0};

    for (int a = 0; a < ZOID_AXES; a++)
        lean.dim[a].hi = region.dim[a].hi = 1000;
    region.dim[2].hi = 1000000;
    lean.dim[2] = (struct zoid_face){0, 1000000, -1, -1};
    /* 999999 + 999998 + ... + 0 planes. */
    ck_assert_int_eq(zoid_volume(&lean, &region), 1000000L * (1000000L * 999999L / 2));
}
END_TEST

START_TEST(no_points_no_volume)
{
    struct zoid_box none = {.lo = {0, 5, 0}, .hi = {4, 5, 4}},
                    back = {.lo = {0, 5, 7}, .hi = {4, 1, 3}};
    struct zoid_box some = {.lo = {0, 0, 0}, .hi = {9, 9, 9}}, both;
    struct zoid still = {.t0 = 3, .t1 = 3, .dim = {{0, 4, 0, 0}, {0, 4, 0, 0}, {0, 4, 0, 0}}};

    ck_assert(zoid_box_empty(&none) && zoid_box_empty(&back) && !zoid_box_empty(&some));
    /* Two inverted ranges must not make a positive product. */
    ck_assert_int_eq(zoid_box_volume(&back), 0);
    ck_assert_int_eq(zoid_box_volume(&none), 0);
    ck_assert_int_eq(zoid_box_volume(&some), 729);
    both = zoid_box_intersect(&back, &some);
    ck_assert(zoid_box_empty(&both));
    ck_assert_int_eq(zoid_volume(&still, &still), 0);
    still.t1 = 2;
    ck_assert_int_eq(zoid_volume(&still, &still), 0);
}
END_TEST

START_TEST(domain_and_reach)
{
    struct zoid_shape shape = {
        .dims = 2,
        .n = {7, 9, 55},
        .stages = 3,
        .reach = {{{1, 2, 90}, {3, 0, 90}}, {{0, 1, 0}, {0, 4, 0}}, {{5}, {5}}}};
    struct zoid z = zoid_domain(&shape, 4, 8);
    long lo, hi;

    ck_assert_int_eq(z.t0, 4);
    ck_assert_int_eq(z.t1, 8);
    /* An axis beyond dims is [0, 1), whatever n is there. */
    ck_assert_int_eq(zoid_volume(&z, &z), 7 * 9 * 4);
    zoid_chain_reach(&shape, &lo, &hi);
    ck_assert_int_eq(lo, 2);
    ck_assert_int_eq(hi, 4);
    shape.stages = 1;
    zoid_chain_reach(&shape, &lo, &hi);
    ck_assert_int_eq(hi, 0);
    /* A mirror makes the reach as long inwards as it is across the face; a bare face does not. */
    shape.face[1][ZOID_LOW] = ZOID_BARE;
    zoid_chain_reach(&shape, &lo, &hi);
    ck_assert(lo == 2 && hi == 0);
    shape.face[1][ZOID_LOW] = ZOID_NEUMANN;
    zoid_chain_reach(&shape, &lo, &hi);
    ck_assert(lo == 2 && hi == 2);
}
END_TEST

/* Position of index i on a row with mirrored, periodic or clamped ends, by walking step by step. */
static long walk(const struct zoid_shape *s, long i)
{
    long at = 0, n = s->n[0], way = i < 0 ? -1 : 1;
    bool mirrored = zoid_face_mirrored(s, 0, i < 0 ? ZOID_LOW : ZOID_HIGH);

    if (s->face[0][i < 0 ? ZOID_LOW : ZOID_HIGH] == ZOID_BARE && (i < 0 || i >= n))
        return i < 0 ? 0 : n - 1;
    for (long steps = labs(i); steps > 0; steps--) {
        if (mirrored && (at + way < 0 || at + way >= n))
            way = -way;
        at += n == 1 ? 0 : way;
        if (!mirrored && (at < 0 || at >= n))
            at -= way * n;
    }
    return at;
}

START_TEST(folds)
{
    static const unsigned char faces[][ZOID_SIDES] = {
        {ZOID_NEUMANN, ZOID_NEUMANN},   {ZOID_PERIODIC, ZOID_PERIODIC}, {ZOID_NEUMANN, ZOID_SPONGE},
        {ZOID_DIRICHLET, ZOID_NEUMANN}, {ZOID_BARE, ZOID_BARE},         {ZOID_NEUMANN, ZOID_BARE},
        {ZOID_ODD, ZOID_ODD},           {ZOID_ODD, ZOID_NEUMANN},       {ZOID_SPONGE, ZOID_ODD}};
    struct zoid_shape s = {.dims = 1, .stages = 1};

    memcpy(s.face[0], faces[_i], sizeof faces[_i]);
    for (s.n[0] = 1; s.n[0] < 8; s.n[0]++)
        for (long i = -30; i < 30; i++) {
            bool inside = i >= 0 && i < s.n[0];
            bool open = inside || zoid_face_open(&s, 0, i < 0 ? ZOID_LOW : ZOID_HIGH);

            ck_assert_int_eq(zoid_fold(&s, 0, i), open ? walk(&s, i) : i);
        }
}
END_TEST

/* The sign turns each time that an index is mirrored at a free face: 4 points, indices -8 to 10. */
START_TEST(turns)
{
    static const struct {
        unsigned char face[ZOID_SIDES];
        const char *signs;
    } all[] = {{{ZOID_NEUMANN, ZOID_NEUMANN}, "+++++++++++++++++++"},
               {{ZOID_PERIODIC, ZOID_PERIODIC}, "+++++++++++++++++++"},
               {{ZOID_ODD, ZOID_NEUMANN}, "++------+++++++----"},
               {{ZOID_ODD, ZOID_ODD}, "--+++---++++---+++-"}};
    struct zoid_shape s = {.dims = 1, .n = {4, 1, 1}, .stages = 1};

    memcpy(s.face[0], all[_i].face, sizeof s.face[0]);
    for (long i = -8; i <= 10; i++)
        ck_assert_int_eq(zoid_fold_turns(&s, 0, i), all[_i].signs[i + 8] == '-');
    s.n[0] = 1;
    ck_assert_int_eq(zoid_fold_turns(&s, 0, -3), s.face[0][ZOID_LOW] == ZOID_ODD);
    ck_assert_int_eq(zoid_fold_turns(&s, 0, 3), s.face[0][ZOID_HIGH] == ZOID_ODD);
}
END_TEST

/* All planes that a plane is computed from lie within the chain's reach. */
START_TEST(mirrors_are_within_reach)
{
    uint64_t seed = 77;

    for (int i = 0; i < CASES; i++) {
        struct zoid_shape s = case_shape(&seed);
        int chain = zoid_chain(&s), stage = (int)case_between(&seed, 0, s.stages - 1);
        const struct zoid_reach *reach = &s.reach[stage];
        long lo, hi, n = s.n[chain], plane = case_between(&seed, 0, n - 1);

        zoid_chain_reach(&s, &lo, &hi);
        for (long z = plane - reach->lo[chain]; z <= plane + reach->hi[chain]; z++) {
            long from = s.face[chain][ZOID_LOW] == ZOID_PERIODIC ? z : zoid_fold(&s, chain, z);

            ck_assert_msg(from >= plane - lo && from <= plane + hi,
                          "case %d: plane %ld of %ld reads %ld for %ld", i, plane, n, from, z);
        }
    }
}
END_TEST

START_TEST(views)
{
    struct zoid_view v = {.t0 = 8, .t1 = 10, .lo = 20, .hi = 23, .drift = -2, .advance = 3};

    ck_assert(zoid_view_has(&v, 8, 20) && zoid_view_has(&v, 8, 22) && !zoid_view_has(&v, 8, 23));
    ck_assert(zoid_view_has(&v, 10, 16) && !zoid_view_has(&v, 10, 15) &&
              !zoid_view_has(&v, 10, 19));
    ck_assert(!zoid_view_has(&v, 7, 22) && !zoid_view_has(&v, 11, 14));
    ck_assert_int_eq(zoid_view_slot(&v, 8, 20), 0);
    ck_assert_int_eq(zoid_view_slot(&v, 9, 18), 3);
    ck_assert_int_eq(zoid_view_slot(&v, 10, 18), 8);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, points_one_by_one, 0, 6);
    tcase_add_test(tests, large_volumes);
    tcase_add_test(tests, no_points_no_volume);
    tcase_add_test(tests, domain_and_reach);
    tcase_add_loop_test(tests, folds, 0, 9);
    tcase_add_loop_test(tests, turns, 0, 4);
    tcase_add_test(tests, mirrors_are_within_reach);
    tcase_add_test(tests, views);
}

int main(void)
{
    return run_suite("zoid", 120, add);
}
