/* SPDX-License-Identifier: BSD-3-Clause */
/* The epoch, exchange and grid that came second for ranks are those of a plan that there is. */
#include <string.h>

#include "graphs/cell.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/ranks.h"
#include "tests/check.h"
#include "tests/runtime/plan/made_up.h"
#include "tests/suite.h"

/* A machine whose rates were measured, with ranks of a core each. */
struct made {
    struct setting s;
    struct zoid_op_rates rates;
    struct zoid_site site;
    struct zoid_problem problem;
};

static void make(struct made *m, int ranks)
{
    m->s = setting_of(CORES, NULL);
    m->s.machine.cpu_workers = 1;
    m->s.machine.ranks = ranks;
    m->rates = zoid_model_of(&m->s.machine, &m->s.rates, &m->s.op).op;
    snprintf(m->rates.name, sizeof m->rates.name, "%s", m->s.op.name);
    m->s.rates.op = &m->rates;
    m->s.rates.ops = 1;
    m->s.rates.measured = ZOID_RATES_MEMORY | ZOID_RATES_TASKS;
    m->site = (struct zoid_site){.machine = &m->s.machine,
                                 .rates = &m->s.rates,
                                 .workers = {[ZOID_CORES] = 1},
                                 .ranks = ranks,
                                 .capacity = {[ZOID_RAM] = 64ull << 30}};
    m->problem = (struct zoid_problem){.op = &m->s.op, .n = {192, 160, 64}, .steps = 64};
}

static struct zoid_plan plan_by(const struct made *m, const struct zoid_request *request)
{
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_at(&m->site, &m->problem, request, &plan), "%s", zoid_error());
    return plan;
}

/* The request alone may find a faster plan than the search for all did. */
static void check_second(const struct made *m, const struct zoid_request *request, double seconds,
                         double best)
{
    const struct zoid_plan again = plan_by(m, request);

    ck_assert_double_ge(seconds, best);
    ck_assert_double_le(again.cost.seconds, seconds * (1 + 1e-9));
    ck_assert_double_gt(again.cost.seconds, 0.8 * seconds);
}

START_TEST(of_ranks)
{
    static const char *const methods[] = {"naive", "overlapped", NULL};
    const struct zoid_request named = {.method = methods[_i], .ranks = {2, 2, 1}};
    struct zoid_request request = named;
    struct zoid_plan plan;
    struct made m;

    make(&m, 4);
    plan = plan_by(&m, &named);
    ck_assert_double_gt(plan.second.seconds.epoch, 0);
    ck_assert_int_ne(plan.second.epoch, plan.graph.epoch);
    request.epoch = plan.second.epoch;
    check_second(&m, &request, plan.second.seconds.epoch, plan.cost.seconds);
    ck_assert_double_gt(plan.second.seconds.exchange, 0);
    ck_assert_int_ne(plan.second.exchange, zoid_ranks_exchange(&plan.graph));
    request = named;
    request.exchange = plan.second.exchange;
    check_second(&m, &request, plan.second.seconds.exchange, plan.cost.seconds);
    ck_assert_double_eq(plan.second.seconds.ranks, 0);
}
END_TEST

START_TEST(of_grids)
{
    struct zoid_request request = {.method = "overlapped"};
    struct zoid_plan plan;
    struct made m;
    bool differs = false;

    make(&m, 4);
    plan = plan_by(&m, &request);
    ck_assert_double_gt(plan.second.seconds.ranks, 0);
    for (int a = 0; a < ZOID_AXES; a++) {
        request.ranks[a] = plan.second.ranks[a];
        differs |= request.ranks[a] != zoid_ranks_along(&plan.graph, a);
    }
    ck_assert(differs);
    check_second(&m, &request, plan.second.seconds.ranks, 0.95 * plan.cost.seconds);
}
END_TEST

/* Ranks are replayed, but one epoch is not, and the text of a plan tells. */
START_TEST(by_replay_or_sums)
{
    static const struct zoid_request requests[] = {{.method = "overlapped", .ranks = {2, 2, 1}},
                                                   {.method = "overlapped", .epoch = 64}};
    struct zoid_plan plan;
    struct made m;
    char text[1 << 14];
    FILE *out;

    make(&m, 4);
    plan = plan_by(&m, &requests[_i]);
    ck_assert(plan.cost.replayed == !_i);
    out = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(out);
    zoid_plan_print(&plan, out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, _i ? "\npredicted_by sums\n" : "\npredicted_by replay\n"));
}
END_TEST

/* One rank has no choice. */
START_TEST(of_one)
{
    const struct zoid_request request = {.method = NULL};
    struct zoid_plan plan;
    struct made m;

    make(&m, 1);
    plan = plan_by(&m, &request);
    ck_assert(plan.second.seconds.epoch == 0 && plan.second.seconds.exchange == 0 &&
              plan.second.seconds.ranks == 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, of_ranks, 0, 3);
    tcase_add_test(tests, of_grids);
    tcase_add_test(tests, of_one);
    tcase_add_loop_test(tests, by_replay_or_sums, 0, 2);
}

int main(void)
{
    return run_suite("second", 60, add);
}
