/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of plans, and the least that is enough. */
#include "graphs/method.h"
#include "runtime/plan/budget.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

/* If slabs stream, from main memory or from a disk through it, the number of edges on a GPU does
 * not depend on the number of slabs. */
START_TEST(edges_stream_with_their_slabs)
{
    struct setting s = setting_of((enum place)_i, &zoid_overlapped);
    struct zoid_plan few = plan_of(&s), more, all;

    s.planes *= 4;
    more = plan_of(&s);
    ck_assert_uint_eq(gpu_bytes(&more), gpu_bytes(&few));
    ck_assert(more.keep[ZOID_EDGE][ZOID_RAM] && !more.keep[ZOID_REUSE][ZOID_RAM]);
    s.gpu_mem = UINT64_MAX;
    all = plan_of(&s);
    ck_assert_uint_gt(gpu_bytes(&all), gpu_bytes(&more));
    ck_assert(!all.keep[ZOID_EDGE][ZOID_RAM] && all.keep[ZOID_SLAB][ZOID_RAM]);
}
END_TEST

static uint64_t bytes_of(const struct setting *s)
{
    const struct zoid_plan plan = plan_of(s);

    return gpu_bytes(&plan);
}

/* A plan for a GPU with nearly no memory takes the minimum: that is enough, and with less there is
 * no such plan. */
START_TEST(the_least_of_a_gpu_is_enough_and_nothing_less)
{
    static const long blocks[] = {2, 7, 16, 100, 256}, depths[] = {1, 3, 8, 20, 64};
    int plans = 0;

    for (size_t m = 0; zoid_methods[m]; m++)
        for (int i = 0; i < 25; i++) {
            struct setting s = setting_of((enum place)_i, zoid_methods[m]);
            uint64_t least;

            s.block = blocks[i / 5];
            s.depth = depths[i % 5];
            s.gpu_mem = 1;
            least = bytes_of(&s);
            s.gpu_mem = least;
            ck_assert_msg(bytes_of(&s) <= least, "%s, %ld planes, %ld steps", s.method->name,
                          s.block, s.depth);
            s.gpu_mem = least - 1;
            ck_assert_msg(bytes_of(&s) >= least, "%s, %ld planes, %ld steps", s.method->name,
                          s.block, s.depth);
            for (s.gpu_mem = least; s.gpu_mem < 4 * least; s.gpu_mem += least / 7, plans++)
                ck_assert(bytes_of(&s) <= s.gpu_mem);
        }
    ck_assert_int_gt(plans, 1000);
}
END_TEST

/* A deep recursion has more open data than its blocks access. Main memory has room for them, and
 * with a disk a GPU does without, else it would wait for its link. */
START_TEST(beside_a_disk_main_memory_holds_what_a_recursion_has_open)
{
    struct setting s = setting_of(GPU_STREAMS, &zoid_recursive);
    struct zoid_plan held, blocks, room;
    double once;

    s.planes = 4096;
    s.block = 2;
    s.depth = 32;
    held = plan_of(&s);
    ck_assert(slabs_on_gpu(&held) == ZOID_KEEP_OPEN);
    s.place = GPU_AND_DISK;
    blocks = plan_of(&s);
    ck_assert(slabs_on_gpu(&blocks) == ZOID_KEEP_BLOCKS);
    ck_assert_uint_lt(2 * gpu_bytes(&blocks), gpu_bytes(&held));
    ck_assert_uint_ge(blocks.bytes[ZOID_SLAB], (uint64_t)blocks.census.open_slabs *
                                                   zoid_budget_datum_bytes(&blocks, ZOID_SLAB));
    ck_assert_uint_gt(blocks.bytes[ZOID_REUSE], 0);
    s.gpu_mem = gpu_bytes(&held);
    room = plan_of(&s);
    ck_assert(slabs_on_gpu(&room) == ZOID_KEEP_OPEN);
    ck_assert_uint_eq(gpu_bytes(&room), gpu_bytes(&held));
    once = cost_of(&s).part[ZOID_COST_LINK_UP];
    s.gpu_mem = 0;
    ck_assert_double_gt(cost_of(&s).part[ZOID_COST_LINK_UP], 2 * once);
}
END_TEST

/* StarPU's limit plus all other allocations, scratch included, equals the budget. */
START_TEST(starpu_has_what_others_leave)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        struct setting s = setting_of((enum place)_i, zoid_methods[m]);
        struct zoid_plan p = plan_of(&s);
        uint64_t passes = 0; /* data that come and go */

        p.scratch_planes = 3;
        zoid_budget_count(&p);
        for (int k = 0; k < ZOID_KINDS; k++)
            passes += p.keep[k][ZOID_RAM] == ZOID_KEEP_ALL ? 0 : p.bytes[k];
        ck_assert_uint_gt(p.scratch_bytes, 0);
        ck_assert(_i == CORES ? !passes : passes > 0);
        ck_assert_uint_eq(p.tier[ZOID_RAM].capacity - zoid_budget_starpu(&p),
                          p.tier[ZOID_RAM].bytes - passes);
    }
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, starpu_has_what_others_leave, CORES, GPU);
    tcase_add_loop_test(tests, edges_stream_with_their_slabs, GPU_STREAMS, PLACES);
    tcase_add_loop_test(tests, the_least_of_a_gpu_is_enough_and_nothing_less, GPU_STREAMS, PLACES);
    tcase_add_test(tests, beside_a_disk_main_memory_holds_what_a_recursion_has_open);
}

int main(void)
{
    return run_suite("budget", 240, add);
}
