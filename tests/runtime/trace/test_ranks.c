/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace of several ranks has a common clock: no block begins before the blocks whose messages
 * it reads have ended. Run alone it is one rank; tests/apps/trace/test_trace_ranks starts several,
 * with CK_FORK=no, also with different clocks. */
#include <math.h>
#include <stdlib.h>

#include "runtime/ranks/ranks.h"
#include "runtime/trace/timeline.h"
#include "runtime/trace/trace.h"
#include "tests/suite.h"

enum { STEPS = 12, PASSES = STEPS + 1, BLOCK = 8, SLABS = 5 };

static const char folder[] = "trace-of-ranks";

/* Runs a method whose passes are one step each, after a first one that only writes edges: from the
 * third pass on a block reads the results of blocks of the pass before, at its position and next to
 * it. */
static struct zoid_report run_traced(void)
{
    const struct zoid_context_options options = {.trace = folder, .oversubscribe = true};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {96, 48, SLABS * BLOCK}, .steps = STEPS, .params = zoid_op_defaults(op)};
    struct zoid_request request = {
        .method = "naive", .block = BLOCK, .depth = 1, .ranks = {1, 1, 1}};
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_ZERO};
    struct zoid_report report = {.op = op};
    struct zoid_context *context;
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert_msg(!zoid_context_open(&options, &context), "%s", zoid_error());
    request.ranks[0] = zoid_ranks_here()->size;
    request.epoch = request.ranks[0] > 1; /* of cells, which one rank has not several of */
    ck_assert_msg(!zoid_plan_make(context, &problem, &request, &plan), "%s", zoid_error());
    ck_assert_msg(!zoid_job_create(context, &plan, &job), "%s", zoid_error());
    ck_assert_msg(!zoid_job_fill(job, zoid_initial_box, &initial), "%s", zoid_error());
    ck_assert_msg(!zoid_job_run(job, false, &report), "%s", zoid_error());
    zoid_job_destroy(&job);
    ck_assert_msg(!zoid_context_close(&context), "%s", zoid_error());
    return report;
}

/* Spans of blocks, by pass, slab and rank. A trace's pass number counts the cells, of which each
 * rank has one. */
static struct zoid_span *schedule(const struct zoid_timeline *t, int ranks)
{
    struct zoid_span *span = calloc((size_t)(PASSES * SLABS * ranks), sizeof *span);

    ck_assert_ptr_nonnull(span);
    for (size_t i = 0; i < t->blocks; i++) {
        const struct zoid_timeline_block *b = &t->block[i];
        const long cell = b->pass % ranks, pass = b->pass / ranks;

        ck_assert_int_eq(t->worker[b->worker].rank, cell);
        ck_assert(pass < PASSES && b->position < SLABS);
        span[(pass * SLABS + b->position) * ranks + cell] = b->span;
    }
    return span;
}

/* Number of blocks that begin before a block of a neighbouring rank whose message they read has
 * ended, if the clocks of odd ranks are off by `wrong` seconds. */
static int early(const struct zoid_span *span, int ranks, double wrong)
{
    int n = 0;

    for (int pass = 2; pass < PASSES; pass++)
        for (int slab = 0; slab < SLABS; slab++)
            for (int r = 0; r < ranks; r++)
                for (int from = r - 1; from <= r + 1; from += 2)
                    if (from >= 0 && from < ranks)
                        n += span[(pass * SLABS + slab) * ranks + r].begin + (r % 2) * wrong <
                             span[((pass - 1) * SLABS + slab) * ranks + from].end +
                                 (from % 2) * wrong;
    return n;
}

START_TEST(no_message_arrives_before_it_was_sent)
{
    struct zoid_report report;
    struct zoid_timeline *t;
    struct zoid_span *span;
    double length;
    int ranks;

    if (!zoid_trace_convert)
        return;
    report = run_traced();
    ranks = zoid_ranks_here()->size;
    if (zoid_ranks_here()->rank > 0)
        return;
    ck_assert_msg(!zoid_timeline_read(folder, ranks, &t, NULL), "%s", zoid_error());
    ck_assert_int_eq(zoid_timeline_ranks(t), ranks);
    ck_assert_int_eq(t->blocks, report.tasks);
    ck_assert_int_eq(t->blocks, PASSES * SLABS * ranks);
    length = t->run.end - t->run.begin;
    ck_assert_double_ge(length, 0.9 * report.seconds);
    span = schedule(t, ranks);
    ck_assert_int_eq(early(span, ranks, 0), 0);
    /* Control: a wrong clock is detected. */
    if (ranks > 1) {
        ck_assert_int_gt(early(span, ranks, 0.25 * length), 0);
        ck_assert_int_gt(early(span, ranks, -0.25 * length), 0);
    }
    free(span);
    zoid_timeline_destroy(&t);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, no_message_arrives_before_it_was_sent);
}

int main(void)
{
    int result = run_suite("trace of ranks", 100, add);

    zoid_ranks_end();
    return result;
}
