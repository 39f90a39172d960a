/* SPDX-License-Identifier: BSD-3-Clause */
/* Jobs reserve main memory: a new plan is offered the rest, and a job that is alone is planned as
 * ever. Folders of disks are opened as plans name them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/context.h"
#include "runtime/plan/amount.h"
#include "tests/runtime/context.h"
#include "tests/suite.h"

/* Bytes that the jobs share here, whatever the machine has. */
enum { SHARED = 32 << 20 };

enum { LIMIT = SANITIZED ? 400 : 100 }; /* seconds of a test */

static struct zoid_context *context;

static void set_up(void)
{
    alarm((unsigned)effort_limit(LIMIT));
    context = open_context("2", true);
    context->jobs->ram = context->machine.ram_available = SHARED;
}

static void tear_down(void)
{
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
}

/* Needs a little more than planes x 32 KiB. */
static struct zoid_problem problem_of(long planes)
{
    struct zoid_problem p = {.op = zoid_op_find("heat", 2, 1, ZOID_F32), .steps = 20};

    ck_assert_ptr_nonnull(p.op);
    p.params = zoid_op_defaults(p.op);
    p.n[0] = 8192;
    p.n[1] = planes;
    p.n[2] = 1;
    return p;
}

static enum zoid_status plan_in(uint64_t ram, long planes, struct zoid_plan *plan)
{
    const struct zoid_problem problem = problem_of(planes);
    const struct zoid_request request = {
        .method = "leaning", .block = 8, .again = true, .budget = {[ZOID_RAM] = ram}};

    return zoid_plan_make(context, &problem, &request, plan);
}

static struct zoid_job *make(uint64_t ram, long planes, struct zoid_plan *plan)
{
    struct zoid_job *job = NULL;

    ck_assert_msg(!plan_in(ram, planes, plan), "%s", zoid_error());
    ck_assert_msg(!zoid_job_create(context, plan, &job), "%s", zoid_error());
    return job;
}

/* A plan as it is printed; the caller frees it. */
static char *printed(const struct zoid_plan *plan)
{
    size_t size;
    char *text = NULL;
    FILE *out = open_memstream(&text, &size);

    ck_assert_ptr_nonnull(out);
    zoid_plan_print(plan, out);
    fclose(out);
    return text;
}

START_TEST(alone_a_job_is_planned_as_ever)
{
    struct zoid_plan first, beside, other;
    struct zoid_job *job;
    char *text[2];

    ck_assert_int_eq(plan_in(0, 60, &first), ZOID_OK);
    job = make(0, 40, &other);
    ck_assert_int_eq(plan_in(0, 60, &beside), ZOID_OK);
    ck_assert_uint_eq(beside.tier[ZOID_RAM].capacity, SHARED - other.tier[ZOID_RAM].bytes);
    zoid_job_destroy(&job);
    ck_assert_int_eq(plan_in(0, 60, &beside), ZOID_OK);
    ck_assert_uint_eq(beside.tier[ZOID_RAM].capacity, SHARED);
    text[0] = printed(&first);
    text[1] = printed(&beside);
    ck_assert_str_eq(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}
END_TEST

/* The second one would fit alone, and does not where it has no disk to go to. */
START_TEST(others_leave_too_little)
{
    struct zoid_plan first, second;
    struct zoid_disk *disk = context->beyond[ZOID_DISK];
    struct zoid_job *job, *none = NULL;

    context->beyond[ZOID_DISK] = NULL;
    ck_assert_int_eq(plan_in(0, 700, &second), ZOID_OK);
    job = make(0, 600, &first);
    ck_assert_int_eq(zoid_job_create(context, &second, &none), ZOID_DOES_NOT_FIT);
    ck_assert_ptr_null(none);
    ck_assert_int_eq(plan_in(0, 700, &second), ZOID_DOES_NOT_FIT);
    ck_assert_msg(strstr(zoid_error(), "other jobs leave"), "%s", zoid_error());
    /* A budget that is smaller still is the one to raise. */
    ck_assert_int_eq(plan_in(1 << 20, 700, &second), ZOID_DOES_NOT_FIT);
    ck_assert_str_eq(zoid_error_key(), "ram");
    context->beyond[ZOID_DISK] = disk;
    zoid_job_destroy(&job);
    ck_assert_int_eq(plan_in(0, 700, &second), ZOID_OK);
}
END_TEST

static void fill(void *user, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    struct zoid_initial *initial = user;

    zoid_initial_box(initial, field, box, to);
}

static void run(struct zoid_job *job, long steps)
{
    struct zoid_report report = {.op = NULL};

    ck_assert_msg(!zoid_job_run_steps(job, steps, false, &report), "%s", zoid_error());
}

/* On a disk, with all main memory for its budget, a job reserves no more than its need. It has the
 * rest as long as no other job takes it. */
START_TEST(a_job_on_a_disk_leaves_what_it_does_not_need)
{
    const struct zoid_problem large = problem_of(1500), small = problem_of(400);
    struct zoid_initial initial[] = {{.problem = &large, .seed = 1},
                                     {.problem = &small, .seed = 2}};
    struct zoid_plan plan[2];
    struct zoid_job *job[2];
    const long steps = effort_is_quick() ? 1 : 10;

    job[0] = make(0, 1500, &plan[0]);
    ck_assert_int_eq(plan[0].home, ZOID_DISK);
    ck_assert_uint_eq(plan[0].tier[ZOID_RAM].capacity, SHARED);
    ck_assert_uint_lt(plan[0].tier[ZOID_RAM].bytes, SHARED / 2);
    job[1] = make(0, 400, &plan[1]);
    ck_assert_int_eq(plan[1].home, ZOID_RAM);
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(zoid_job_fill(job[k], fill, &initial[k]), ZOID_OK);
    for (int i = 0; i < 4; i++)
        run(job[i % 2], steps);
    for (int k = 0; k < 2; k++)
        ck_assert_msg(!zoid_check(job[k], &initial[k]), "%s", zoid_error());
    zoid_job_destroy(&job[1]);
    run(job[0], steps);
    ck_assert_msg(!zoid_check(job[0], &initial[0]), "%s", zoid_error());
    zoid_job_destroy(&job[0]);
}
END_TEST

/* One folder by two names is one disk. */
START_TEST(there_are_eight_folders)
{
    struct zoid_request request = {.method = "leaning", .block = 8};
    const struct zoid_problem problem = problem_of(60);
    char name[9][16], again[32];
    struct zoid_plan plan;

    for (int i = 0; i < 9; i++) {
        strcpy(name[i], "jobs-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(name[i]));
        request.folder[ZOID_DISK] = name[i];
        ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &plan),
                         i < 7 ? ZOID_OK : ZOID_BAD_ARGUMENT);
    }
    ck_assert_str_eq(zoid_error_key(), "disk");
    snprintf(again, sizeof again, "./%s/", name[0]);
    request.folder[ZOID_DISK] = again;
    ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &plan), ZOID_OK);
    request.folder[ZOID_DISK] = "no/such/folder";
    ck_assert_int_ne(zoid_plan_make(context, &problem, &request, &plan), ZOID_OK);
    for (int i = 0; i < 9; i++)
        ck_assert_int_eq(rmdir(name[i]), 0);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, alone_a_job_is_planned_as_ever);
    tcase_add_test(tests, others_leave_too_little);
    tcase_add_test(tests, there_are_eight_folders);
    tcase_add_test(tests, a_job_on_a_disk_leaves_what_it_does_not_need);
}

int main(void)
{
    return run_suite("jobs", LIMIT, add);
}
