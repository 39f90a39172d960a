/* SPDX-License-Identifier: BSD-3-Clause */
/* A run whose trace must agree with its report, and the settings that it leaves alone. */
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graphs/method.h"
#include "runtime/trace/timeline.h"
#include "runtime/trace/trace.h"
#include "tests/suite.h"

/* ---- a run -------------------------------------------------------------------------------- */

static struct zoid_report run_traced(const char *folder)
{
    const struct zoid_context_options options = {.trace = folder};
    const struct zoid_op *op = zoid_op_find("heat", 3, 1, ZOID_F32);
    const struct zoid_problem problem = {
        .op = op, .n = {96, 96, 512}, .steps = 24, .params = zoid_op_defaults(op)};
    const struct zoid_request request = {.method = "leaning", .block = 32, .depth = 4};
    struct zoid_initial initial = {.problem = &problem, .kind = ZOID_INIT_ZERO};
    struct zoid_report report = {.op = op};
    struct zoid_context *context;
    struct zoid_plan plan;
    struct zoid_job *job;

    ck_assert_int_eq(zoid_context_open(&options, &context), ZOID_OK);
    ck_assert_int_eq(zoid_plan_make(context, &problem, &request, &plan), ZOID_OK);
    ck_assert_int_eq(zoid_job_create(context, &plan, &job), ZOID_OK);
    ck_assert_int_eq(zoid_job_fill(job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(job, false, &report), ZOID_OK);
    zoid_job_destroy(&job);
    ck_assert_int_eq(zoid_context_close(&context), ZOID_OK);
    return report;
}

/* True if two measurements of the same time agree within 5 %, since the clocks are read at slightly
 * different times. */
static bool agree(double a, double b)
{
    return fabs(a - b) <= 0.05 * fmax(a, b);
}

static void lists_every_block_once(const struct zoid_timeline *t)
{
    bool seen[64] = {false};

    for (size_t i = 0; i < t->blocks; i++)
        if (t->block[i].pass == 3) {
            ck_assert_int_lt(t->block[i].position, 64);
            ck_assert(!seen[t->block[i].position]);
            seen[t->block[i].position] = true;
        }
    ck_assert(seen[0] && seen[16]);
}

/* True if a run's times agree with its report; counts must agree in any case. */
static bool times_agree(const char *folder)
{
    const struct zoid_report report = run_traced(folder);
    struct zoid_timeline *t;
    double busy = 0, bytes = 0;
    bool same;

    ck_assert_int_eq(zoid_timeline_read(folder, 1, &t, NULL), ZOID_OK);
    ck_assert_int_eq(t->blocks, report.tasks);
    ck_assert_int_eq(t->passes, 6);
    lists_every_block_once(t);
    for (size_t l = 0; l < t->links; l++)
        bytes += zoid_timeline_link_sum(t, (int)l).bytes;
    ck_assert(agree(bytes, report.h2d + report.d2h + report.p2p));
    same = agree(t->run.end - t->run.begin, report.seconds);
    for (size_t w = 0; w < t->workers; w++) {
        struct zoid_worker_sum s = zoid_timeline_worker_sum(t, (int)w);

        busy += s.busy;
        same = same && agree(s.busy + s.waiting + s.starved, report.seconds);
    }
    same = same && agree(busy, report.busy_workers * report.seconds);
    zoid_timeline_destroy(&t);
    return same;
}

/* If a thread loses its core between two readings of the clock they differ: on a busy machine one
 * run of several has to agree. */
START_TEST(agrees_with_the_report)
{
    bool same = false;

    for (int run = 0; run < 8 && !same && zoid_trace_convert; run++) {
        char folder[] = "trace-XXXXXX", command[64];

        ck_assert_ptr_nonnull(mkdtemp(folder));
        same = times_agree(folder);
        snprintf(command, sizeof command, "rm -r %s", folder);
        ck_assert_int_eq(system(command), 0);
    }
    ck_assert(same || !zoid_trace_convert);
}
END_TEST

/* ---- transfers without a GPU: to a disk, a memory node like any other for StarPU ------------ */

enum { CHUNKS = 6, CHUNK = 3 << 20 };

static double bus_bytes(void)
{
    double bytes = 0;

    for (int link = 0; link < starpu_bus_get_count(); link++) {
        struct starpu_profiling_bus_info info = {.transferred_bytes = 0};

        starpu_bus_get_profiling_info(link, &info);
        bytes += (double)info.transferred_bytes;
    }
    return bytes;
}

/* Writes chunks, evicts them to the disk and fetches them back. */
static double go_to_disk_and_back(int disk)
{
    starpu_data_handle_t chunk[CHUNKS];

    bus_bytes(); /* reading resets it */
    for (int i = 0; i < CHUNKS; i++) {
        starpu_vector_data_register(&chunk[i], -1, 0, CHUNK, 1);
        ck_assert_int_eq(starpu_data_acquire(chunk[i], STARPU_W), 0);
        memset(starpu_data_get_local_ptr(chunk[i]), i, CHUNK);
        starpu_data_release(chunk[i]);
        ck_assert_int_eq(starpu_data_prefetch_on_node(chunk[i], (unsigned)disk, 0), 0);
    }
    for (int i = 0; i < CHUNKS; i++) {
        ck_assert_int_eq(starpu_data_acquire_on_node(chunk[i], disk, STARPU_RW), 0);
        starpu_data_release_on_node(chunk[i], disk);
        ck_assert_int_eq(starpu_data_acquire(chunk[i], STARPU_R), 0);
        starpu_data_release(chunk[i]);
    }
    for (int i = 0; i < CHUNKS; i++)
        starpu_data_unregister_no_coherency(chunk[i]);
    return bus_bytes();
}

START_TEST(sees_every_byte_that_moves)
{
    const struct zoid_plan plan = {
        .problem = {.op = zoid_op_find("heat", 3, 1, ZOID_F32), .n = {1, 1, 1}},
        .graph = {.method = &zoid_leaning}};
    const struct zoid_report report = {.tasks = 0};
    char folder[] = "trace-XXXXXX", command[64];
    struct zoid_timeline *t;
    struct zoid_trace *trace;
    double moved, bytes = 0, busy = 0;
    int disk;

    if (!zoid_trace_convert)
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(zoid_trace_begin(folder, &trace), ZOID_OK);
    setenv("STARPU_SILENT", "1", 1);
    ck_assert_int_eq(starpu_init(NULL), 0);
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    disk = starpu_disk_register(&starpu_disk_unistd_ops, folder, 2 * CHUNKS * CHUNK);
    ck_assert_int_ge(disk, 1);
    zoid_trace_run_begins(trace, &plan);
    moved = go_to_disk_and_back(disk);
    zoid_trace_run_ends(trace, &report);
    starpu_shutdown();
    ck_assert_int_eq(zoid_trace_end(&trace), ZOID_OK);
    ck_assert_int_eq(zoid_timeline_read(folder, 1, &t, NULL), ZOID_OK);
    ck_assert_uint_eq(t->links, 2);
    for (int l = 0; l < 2; l++) {
        bytes += zoid_timeline_link_sum(t, l).bytes;
        busy += zoid_timeline_link_sum(t, l).busy;
    }
    ck_assert_double_eq(moved, 2.0 * CHUNKS * CHUNK);
    ck_assert_double_eq(bytes, moved);
    ck_assert_double_gt(busy, 0);
    ck_assert_double_le(busy, 2 * (t->run.end - t->run.begin));
    zoid_timeline_destroy(&t);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Options enabled for one context are disabled for the next. */
START_TEST(leaves_the_environment_alone)
{
    char folder[] = "trace-XXXXXX";
    struct zoid_trace *trace;

    if (!zoid_trace_convert)
        return;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("STARPU_FXT_PREFIX", "mine", 1);
    unsetenv("STARPU_FXT_TRACE");
    ck_assert_int_eq(zoid_trace_begin(folder, &trace), ZOID_OK);
    ck_assert_str_eq(getenv("STARPU_FXT_PREFIX"), folder);
    ck_assert_int_eq(zoid_trace_end(&trace), ZOID_OK);
    ck_assert_ptr_null(trace);
    ck_assert_str_eq(getenv("STARPU_FXT_PREFIX"), "mine");
    ck_assert_ptr_null(getenv("STARPU_FXT_TRACE"));
    ck_assert_int_eq(rmdir(folder), 0);
    ck_assert_int_eq(zoid_trace_begin(NULL, &trace), ZOID_OK);
    ck_assert_ptr_null(trace);
    ck_assert_int_eq(zoid_trace_end(&trace), ZOID_OK);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, agrees_with_the_report);
    tcase_add_test(tests, sees_every_byte_that_moves);
    tcase_add_test(tests, leaves_the_environment_alone);
}

int main(void)
{
    return run_suite("trace", 120, add);
}
