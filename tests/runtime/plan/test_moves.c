/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that plans predict to move: on which links, of which sizes, and when they are unknown. */
#include "graphs/method.h"
#include "runtime/plan/moves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/plan/budget.h"
#include "tests/graphs/cases.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

static const struct zoid_moves_run whole = {.end = 0};

/* Bytes of all 16 slabs. */
static double domain_of(const struct zoid_plan *p)
{
    return 16 * (double)zoid_budget_datum_bytes(p, ZOID_SLAB);
}

/* Eight passes of fixed slabs, in rounds of two lanes. */
START_TEST(ways_of_places)
{
    static const struct {
        double link, disk;
    } rounds[PLACES] = {
        [CORES_AND_DISK] = {0, 4}, [GPU] = {1, 0}, [GPU_STREAMS] = {4, 0}, [GPU_AND_DISK] = {4, 4}};

    for (int place = 0; place < PLACES; place++) {
        const struct setting s = setting_of((enum place)place, &zoid_trapezoid);
        const struct zoid_plan p = plan_of(&s);
        const struct zoid_traffic got = zoid_plan_moves(&p, &whole);
        const double link = rounds[place].link * domain_of(&p);
        const double disk = rounds[place].disk * domain_of(&p);

        ck_assert_msg(got.h2d == link && got.d2h == link && got.p2p == 0 && got.disk_read == disk &&
                          got.disk_write == disk,
                      "%d: %g %g %g %g %g", place, got.h2d, got.d2h, got.p2p, got.disk_read,
                      got.disk_write);
    }
}
END_TEST

/* Slabs reloaded for every leaf that needs them are not predicted. */
START_TEST(blocks_that_swap)
{
    const struct setting s = setting_of(GPU_AND_DISK, &zoid_recursive);
    const struct zoid_plan p = plan_of(&s);
    const struct zoid_traffic swaps = zoid_plan_moves(&p, &whole);

    ck_assert(isnan(swaps.h2d) && isnan(swaps.d2h) && isnan(swaps.p2p));
    ck_assert(swaps.disk_read >= domain_of(&p) && swaps.disk_write >= domain_of(&p));
}
END_TEST

START_TEST(too_many_blocks)
{
    struct setting s = setting_of(GPU_STREAMS, &zoid_leaning);
    struct zoid_plan p;

    s.steps = 1000000000;
    p = plan_of(&s);
    ck_assert(isnan(zoid_plan_moves(&p, &whole).h2d));
    ck_assert(isnan(zoid_plan_moves(&p, &whole).disk_write));
}
END_TEST

static double twice(const void *plan, const struct zoid_datum *datum)
{
    return 2 * (double)zoid_budget_datum_bytes(plan, datum->kind);
}

/* A run stopped after half of its passes has moved half, of data at their actual sizes. */
START_TEST(runs)
{
    const struct setting s = setting_of(GPU_STREAMS, &zoid_trapezoid);
    const struct zoid_plan p = plan_of(&s);
    const struct zoid_moves_run half = {.end = 32}, large = {.bytes = twice, .of = &p};

    ck_assert(zoid_plan_moves(&p, &half).h2d == 2 * domain_of(&p));
    ck_assert(zoid_plan_moves(&p, &large).d2h == 8 * domain_of(&p));
}
END_TEST

/* A plan prints nonzero amounts, and for GPUs always both directions. */
START_TEST(plans_print_them)
{
    for (int place = 0; place < PLACES; place++) {
        const struct setting s = setting_of((enum place)place, &zoid_trapezoid);
        const struct zoid_plan p = plan_of(&s);
        const struct zoid_traffic t = zoid_plan_moves(&p, &whole);
        char want[200] = "", *text = NULL, *end;
        size_t length, n = 0;
        FILE *out = open_memstream(&text, &length);

        zoid_plan_print(&p, out);
        fclose(out);
        if (place >= GPU)
            n += (size_t)sprintf(want, "planned.h2d %.0f\nplanned.d2h %.0f\n", t.h2d, t.d2h);
        if (p.home == ZOID_DISK)
            sprintf(want + n, "planned.disk_read %.0f\nplanned.disk_write %.0f\n", t.disk_read,
                    t.disk_write);
        end = strstr(text, "predicted_seconds");
        ck_assert_msg(end >= text + strlen(want) &&
                          !strncmp(end - strlen(want), want, strlen(want)),
                      "%d: no %s in %s", place, want, text);
        ck_assert(!strstr(text, "planned.p2p") && (*want || !strstr(text, "planned.")));
        free(text);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, ways_of_places);
    tcase_add_test(tests, blocks_that_swap);
    tcase_add_test(tests, too_many_blocks);
    tcase_add_test(tests, runs);
    tcase_add_test(tests, plans_print_them);
}

int main(void)
{
    return run_suite("moves", 60, add);
}
