/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that one rank tells others: each takes the plan that it would have made by itself. */
#include <stdlib.h>
#include <string.h>

#include "runtime/boundary.h"
#include "runtime/plan/told.h"
#include "tests/check.h"
#include "tests/suite.h"

static const struct {
    const char *family;
    long n[ZOID_AXES];
    int ranks, cores;
    struct zoid_request request;
} cases[] = {
    {"heat", {96, 80, 70}, 8, 2, {.epoch = 0}},
    {"wave", {33, 128, 17}, 3, 4, {.method = "naive", .exchange = ZOID_EXCHANGE_JOINED}},
    {"heat", {200, 60, 64}, 4, 1, {.method = "b2r", .epoch = 4}},
    {"sor", {40, 30, 50}, 5, 2, {.epoch = 0}},
    {"heat", {64, 64, 64}, 1, 2, {.epoch = 0}},
    {"heat", {64, 90, 120}, 2, 4, {.places = "cores:1+cores:3", .balance = ZOID_BALANCE_SPLIT}},
};

static struct zoid_problem problem_of(int i)
{
    struct zoid_problem problem = {.op = zoid_op_find(cases[i].family, 3, 1, ZOID_F32),
                                   .steps = 24};

    ck_assert(problem.op);
    memcpy(problem.n, cases[i].n, sizeof problem.n);
    problem.params = zoid_op_defaults(problem.op);
    return problem;
}

static char *text_of(const struct zoid_plans *plans)
{
    size_t length;
    char *text;
    FILE *out = open_memstream(&text, &length);

    zoid_plans_print(plans, out);
    fclose(out);
    return text;
}

static void are_equal(const struct zoid_plans *a, const struct zoid_plans *b)
{
    char *one = text_of(a), *other = text_of(b);

    ck_assert_str_eq(one, other);
    free(one);
    free(other);
    ck_assert_int_eq(a->parts, b->parts);
    ck_assert(a->balance == b->balance && a->second == b->second && a->moves == b->moves);
    for (int i = 0; i < a->parts; i++) {
        const struct zoid_plan *p = &a->part[i], *q = &b->part[i];
        const long *border = q->graph.cut[q->problem.op->dims - 1].border;

        ck_assert(p->graph.method == q->graph.method && p->place.runner == q->place.runner);
        ck_assert(p->alias == q->alias && p->folder == q->folder);
        ck_assert(p->problem.op == q->problem.op && p->problem.points == q->problem.points);
        ck_assert_int_eq(p->graph.rank, q->graph.rank);
        ck_assert(border == (a->parts > 1 ? b->border : NULL));
        ck_assert_mem_eq(p->census.kind, q->census.kind, sizeof p->census.kind);
        ck_assert_int_eq(p->census.blocks, q->census.blocks);
        ck_assert_mem_eq(p->bytes, q->bytes, sizeof p->bytes);
        ck_assert_uint_eq(p->remote_messages.all, q->remote_messages.all);
        for (int t = 0; t < ZOID_TIERS; t++)
            ck_assert_uint_eq(p->tier[t].bytes, q->tier[t].bytes);
    }
}

START_TEST(ranks_take_the_plans_that_they_would_make)
{
    const struct zoid_problem problem = problem_of(_i);
    const struct zoid_machine machine = {.cores = cases[_i].cores,
                                         .cpu_workers = cases[_i].cores,
                                         .ranks = cases[_i].ranks,
                                         .cache = {32 << 10, 1 << 20, 32 << 20},
                                         .cache_sharers = {1, 1, 4}};
    struct zoid_rates rates;
    struct zoid_site site = {.machine = &machine,
                             .rates = &rates,
                             .workers = {[ZOID_CORES] = cases[_i].cores},
                             .capacity = {[ZOID_RAM] = (uint64_t)1 << 34},
                             .ranks = cases[_i].ranks,
                             .rank = -1};
    struct zoid_plans first, own, taken;
    struct zoid_told *told = malloc(sizeof *told), *copy = malloc(sizeof *told);

    zoid_rates_defaults(&machine, &rates);
    ck_assert_msg(!zoid_plans_at(&site, &problem, &cases[_i].request, &first), "%s", zoid_error());
    zoid_told_make(&first, told);
    for (site.rank = 0; site.rank < site.ranks; site.rank += 1 + site.ranks / 3) {
        memcpy(copy, told, sizeof *told);
        ck_assert(!zoid_plans_at(&site, &problem, &cases[_i].request, &own));
        ck_assert_msg(!zoid_told_take(copy, &site, &problem, &taken), "%s", zoid_error());
        are_equal(&own, &taken);
    }
    free(told);
    free(copy);
}
END_TEST

START_TEST(another_problem_is_refused)
{
    const struct zoid_machine machine = {.cores = 2, .cpu_workers = 2, .ranks = 2};
    struct zoid_problem problem = problem_of(0);
    struct zoid_rates rates;
    struct zoid_site site = {.machine = &machine,
                             .rates = &rates,
                             .workers = {[ZOID_CORES] = 2},
                             .capacity = {[ZOID_RAM] = (uint64_t)1 << 34},
                             .ranks = 2,
                             .rank = -1};
    struct zoid_plans plans, taken;
    struct zoid_told *told = malloc(sizeof *told);

    zoid_rates_defaults(&machine, &rates);
    ck_assert(!zoid_plans_at(&site, &problem, &cases[0].request, &plans));
    zoid_told_make(&plans, told);
    site.rank = 1;
    problem.n[1]++;
    ck_assert_int_eq(zoid_told_take(told, &site, &problem, &taken), ZOID_BAD_ARGUMENT);
    problem.n[1]--;
    problem.face[0][ZOID_LOW] = problem.face[0][ZOID_HIGH] = ZOID_PERIODIC;
    ck_assert_int_eq(zoid_told_take(told, &site, &problem, &taken), ZOID_BAD_ARGUMENT);
    problem = problem_of(1);
    ck_assert_int_eq(zoid_told_take(told, &site, &problem, &taken), ZOID_BAD_ARGUMENT);
    problem = problem_of(0);
    problem.params.held[0][ZOID_LOW].samples++;
    ck_assert_int_eq(zoid_told_take(told, &site, &problem, &taken), ZOID_BAD_ARGUMENT);
    problem.params.held[0][ZOID_LOW].samples--;
    ck_assert_int_eq(zoid_told_take(told, &site, &problem, &taken), ZOID_OK);
    free(told);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, ranks_take_the_plans_that_they_would_make, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_test(tests, another_problem_is_refused);
}

int main(void)
{
    return run_suite("plans that ranks are told", 20, add);
}
