/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that runs refine: concurrent writers lose nothing, and damaged or foreign contents are
 * left alone. No run is made here. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/calibrate/calibrate.h"
#include "runtime/calibrate/refine.h"
#include "runtime/machine/refine.h"
#include "tests/suite.h"

static char folder[] = "/tmp/zoid-refine-XXXXXX";
static char path[sizeof folder + 8];

static struct zoid_op_rates measured = {.name = "heat3d_r1_f32",
                                        .tiled = 2e-10,
                                        .exceeding = 1e-11,
                                        .visit = 1e-9,
                                        .marched = 3e-10,
                                        .marched_visit = 5e-10,
                                        .step = 5e-10,
                                        .gpu_step = 2e-12,
                                        .gpu_even = 1e-12};

/* A run of 0.3 s with a prediction of 0.2 s. */
struct case_of {
    struct zoid_context context;
    struct zoid_plan plan;
    struct zoid_report report;
};

static struct case_of make_case(void)
{
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    struct case_of c = {
        .context = {.machine = {.cpu = "Some CPU", .cores = 2, .gpu = "Some GPU"}},
        .plan = {.problem = {.op = op, .steps = 7}, .cost = {.near = 0.15, .far = 0.05}},
        .report = {.steps = 7, .core_seconds = 0.3}};

    zoid_rates_load(&c.context.machine, &c.context.rates);
    return c;
}

static struct zoid_rates kept(void)
{
    const struct case_of c = make_case();

    return c.context.rates;
}

static void set_up(void)
{
    struct zoid_rates rates;
    const struct zoid_machine machine = {.cpu = "Some CPU", .cores = 2, .gpu = "Some GPU"};

    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/rates", folder);
    setenv("ZOID_RATES", path, 1);
    zoid_rates_defaults(&machine, &rates);
    rates.measured = ZOID_RATES_TASKS | ZOID_RATES_CORE_OPS;
    rates.op = &measured;
    rates.ops = 1;
    ck_assert_int_eq(zoid_calibrate_keep(&machine, &rates), ZOID_OK);
}

/* Number of files in the folder. */
static int files(void)
{
    DIR *d = opendir(folder);
    int n = -2;

    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void tear_down(void)
{
    char lock[sizeof path + 8];

    snprintf(lock, sizeof lock, "%s.lock", path);
    unlink(lock);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void run_once(void)
{
    struct case_of c = make_case();

    ck_assert_int_eq(zoid_refine(&c.context, &c.plan, &c.report), ZOID_OK);
    zoid_rates_free(&c.context.rates);
}

START_TEST(the_next_run_is_predicted_better)
{
    struct zoid_rates rates;

    run_once();
    rates = kept();
    ck_assert_uint_eq(rates.ops, 1);
    ck_assert(rates.op->cores.runs == 1 && rates.op->cores.near > 1.05 && rates.op->cores.far > 1);
    ck_assert(rates.op->tiled == measured.tiled);
    ck_assert_int_eq(files(), 2);
    zoid_rates_free(&rates);
}
END_TEST

/* A run planned before the last refinement is compared with its prediction by the current rates, so
 * the corrections of concurrent runs do not add up beyond the measured factor. */
START_TEST(runs_side_by_side_teach_what_is_so)
{
    enum { RUNS = 40 };
    struct case_of c = make_case();
    struct zoid_rates rates;

    for (int i = 0; i < RUNS; i++)
        ck_assert_int_eq(zoid_refine(&c.context, &c.plan, &c.report), ZOID_OK);
    rates = kept();
    ck_assert(fabs((0.15 * rates.op->cores.near + 0.05 * rates.op->cores.far) / 0.3 - 1) < 0.02);
    zoid_rates_free(&rates);
    zoid_rates_free(&c.context.rates);
}
END_TEST

START_TEST(nothing_that_several_write_is_lost)
{
    enum { WRITERS = 4, RUNS = 25 };
    struct zoid_rates rates;
    int status;

    for (int w = 0; w < WRITERS; w++)
        if (!fork()) {
            for (int i = 0; i < RUNS; i++)
                run_once();
            _exit(0);
        }
    for (int w = 0; w < WRITERS; w++) {
        ck_assert(wait(&status) > 0);
        ck_assert_int_eq(status, 0);
    }
    rates = kept();
    ck_assert_msg(!*rates.note, "%s", rates.note);
    ck_assert(rates.op->cores.runs == WRITERS * RUNS);
    ck_assert_int_eq(files(), 2);
    zoid_rates_free(&rates);
}
END_TEST

static void expect_untaught(struct case_of *c)
{
    struct zoid_rates rates;

    ck_assert_int_eq(zoid_refine(&c->context, &c->plan, &c->report), ZOID_OK);
    rates = kept();
    ck_assert(rates.op->cores.runs == 0 && rates.op->gpus.runs == 0);
    zoid_rates_free(&rates);
    zoid_rates_free(&c->context.rates);
}

/* A run on GPUs refines the GPU's rates and nothing else. */
START_TEST(gpus_are_taught_apart)
{
    struct case_of c = make_case();
    struct zoid_rates rates;

    c.plan.place.kind = ZOID_GPUS;
    ck_assert_int_eq(zoid_refine(&c.context, &c.plan, &c.report), ZOID_OK);
    rates = kept();
    ck_assert(rates.op->gpus.runs == 1 && rates.op->cores.runs == 0);
    ck_assert(fabs((0.15 * rates.op->gpus.near + 0.05 * rates.op->gpus.far) / 0.3 - 1) < 0.05);
    ck_assert(rates.op->gpu_step == measured.gpu_step && rates.op->tiled == measured.tiled);
    zoid_rates_free(&rates);
    zoid_rates_free(&c.context.rates);
}
END_TEST

/* Runs whose blocks are unlike the measured ones refine nothing either. */
START_TEST(some_runs_on_gpus_teach_nothing)
{
    static const struct zoid_points points;
    struct case_of c = make_case();

    c.plan.place.kind = ZOID_GPUS;
    if (_i == 0)
        c.plan.place.traversal[ZOID_GPUS] = ZOID_TRAVERSAL_STEP;
    else if (_i == 1)
        c.plan.problem.points = &points;
    else if (_i == 2)
        c.report.core_seconds = 0.05;
    else
        c.context.rates.op->gpu_even *= 1.01;
    expect_untaught(&c);
}
END_TEST

START_TEST(some_runs_teach_nothing)
{
    struct case_of c = make_case();

    if (_i == 0)
        c.report.core_seconds = NAN; /* several ranks */
    else if (_i == 1)
        c.report.steps--; /* stopped early */
    else if (_i == 2)
        c.report.core_seconds = 1e-4;
    else if (_i == 3)
        c.plan.problem.op = zoid_op_find("heat", 3, 2, ZOID_F32); /* no measured rates */
    else if (_i == 4)
        c.context.rates.op->tiled *= 1.01; /* calibrated again since, */
    else
        c.context.rates.op->marched_visit *= 1.01; /* or in this rate only */
    expect_untaught(&c);
}
END_TEST

START_TEST(what_is_measured_again_begins_again)
{
    struct case_of c = make_case();
    struct zoid_rates rates;

    run_once();
    c.context.rates.measured = ZOID_RATES_CORE_OPS;
    ck_assert_int_eq(zoid_calibrate_keep(&c.context.machine, &c.context.rates), ZOID_OK);
    rates = kept();
    ck_assert(rates.op->cores.runs == 0 && zoid_factor(rates.op->cores.near) == 1);
    zoid_rates_free(&rates);
    zoid_rates_free(&c.context.rates);
}
END_TEST

static void write_text(const char *text)
{
    FILE *out = fopen(path, "w");

    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

/* Calibration repairs it: it then finds what is missing. */
START_TEST(a_damaged_file_is_left_alone)
{
    static const char *const damaged[] = {
        "", "{", "{\"machine\": {\"format\": 1}, \"operators\": {}}",
        "{\"machine\": 3, \"operators\": {\"heat3d_r1_f32\": {\"tiled\": 2e-10}}}"};
    struct case_of c = make_case();
    char text[200] = "";
    FILE *in;

    write_text(damaged[_i]);
    ck_assert_int_eq(zoid_refine(&c.context, &c.plan, &c.report), ZOID_OK);
    in = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    ck_assert_str_eq(text, damaged[_i]);
    ck_assert_int_eq(files(), 2);
    zoid_rates_free(&c.context.rates);
}
END_TEST

START_TEST(where_nothing_can_be_kept_that_is_said)
{
    struct case_of c = make_case();

    setenv("ZOID_RATES", "/dev/null/rates", 1);
    ck_assert_int_eq(zoid_refine(&c.context, &c.plan, &c.report), ZOID_RESOURCE);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "/dev/null/rates"));
    zoid_rates_free(&c.context.rates);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_next_run_is_predicted_better);
    tcase_add_test(tests, runs_side_by_side_teach_what_is_so);
    tcase_add_test(tests, nothing_that_several_write_is_lost);
    tcase_add_loop_test(tests, some_runs_teach_nothing, 0, 6);
    tcase_add_test(tests, gpus_are_taught_apart);
    tcase_add_loop_test(tests, some_runs_on_gpus_teach_nothing, 0, 4);
    tcase_add_test(tests, what_is_measured_again_begins_again);
    tcase_add_loop_test(tests, a_damaged_file_is_left_alone, 0, 4);
    tcase_add_test(tests, where_nothing_can_be_kept_that_is_said);
}

int main(void)
{
    return run_suite("refine", 60, add);
}
