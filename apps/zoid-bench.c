/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what docs/performance.md claims. Both sides of a comparison run in turns in one process
 * and the medians are compared, because machines are noisy. */
#include <stdlib.h>
#include <time.h>

#include "apps/options.h"
#include "apps/plain.h"
#include "apps/problem.h"

struct bench {
    struct zoid_options options; /* first: the common tables store into it */
    int what;
    long rounds;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, long n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static enum zoid_status make_plan(struct zoid_context *context, const struct bench *b,
                                  struct zoid_plan *plan)
{
    struct zoid_request request = {.method = b->options.method,
                                   .block = b->options.block,
                                   .depth = b->options.depth,
                                   .ram = b->options.ram};
    struct zoid_problem problem;
    enum zoid_status status = zoid_problem_make("heat", &b->options, &problem);

    return status ? status : zoid_plan_make(context, &problem, &request, plan);
}

/* ---- chain: StarPU against plain threads ------------------------------------------------- */

enum side { STARPU, PLAIN, SIDES };

static enum zoid_status run_once(struct zoid_context *context, const struct zoid_plan *plan,
                                 enum side side, double *seconds, double *busy)
{
    struct zoid_initial initial = {.problem = &plan->problem};
    struct zoid_report report = {.seconds = 0};
    struct zoid_job *job = NULL;
    enum zoid_status status = zoid_job_create(context, plan, &job);

    if (!status)
        status = zoid_job_fill(job, zoid_initial_plane, &initial);
    if (!status && side == PLAIN)
        status = zoid_plain_run(job, seconds);
    if (!status && side == STARPU) {
        status = zoid_job_run(job, false, &report);
        *seconds = report.seconds;
        *busy = report.busy_workers;
    }
    zoid_job_destroy(&job);
    return status;
}

static void print_chain(const struct zoid_plan *plan, double *seconds[SIDES], double *busy,
                        long rounds)
{
    double points = (double)plan->problem.steps, time[SIDES];

    for (int a = 0; a < ZOID_AXES; a++)
        points *= (double)plan->problem.n[a];
    zoid_plan_print(plan, stdout);
    for (int s = 0; s < SIDES; s++)
        time[s] = median(seconds[s], rounds);
    printf("rounds %ld\nstarpu.gups %.3f\nplain.gups %.3f\n", rounds, points / time[STARPU] * 1e-9,
           points / time[PLAIN] * 1e-9);
    printf("starpu_over_plain %.4f\nbusy_workers %.3f\n", time[PLAIN] / time[STARPU],
           median(busy, rounds));
}

static enum zoid_status bench_chain(const struct bench *b)
{
    size_t bytes = (size_t)b->rounds * sizeof(double);
    double *seconds[SIDES] = {malloc(bytes), malloc(bytes)}, *busy = malloc(bytes), unused;
    struct zoid_context *context = NULL;
    struct zoid_plan plan;
    enum zoid_status status =
        zoid_context_open(&(struct zoid_context_options){.gpu_mem = b->options.gpu_mem}, &context);

    if (!seconds[STARPU] || !seconds[PLAIN] || !busy)
        status = zoid_fail(ZOID_RESOURCE, "out of memory");
    if (!status)
        status = make_plan(context, b, &plan);
    if (!status && plan.graph.method != &zoid_leaning)
        status =
            zoid_fail(ZOID_BAD_ARGUMENT, "plain threads run chains only; use --method leaning");
    /* The first run of each side warms up memory and models, and is not counted. */
    for (int s = 0; s < SIDES && !status; s++)
        status = run_once(context, &plan, s, &unused, &unused);
    for (long r = 0; r < b->rounds && !status; r++)
        for (int s = 0; s < SIDES && !status; s++)
            status = run_once(context, &plan, s, &seconds[s][r], &busy[r]);
    if (!status)
        print_chain(&plan, seconds, busy, b->rounds);
    zoid_context_close(&context);
    free(seconds[STARPU]);
    free(seconds[PLAIN]);
    free(busy);
    return status;
}

/* ---- graph: blocks a second into a sink -------------------------------------------------- */

static double count_rate(const struct zoid_graph *graph)
{
    struct zoid_count count;
    double start = now();

    return zoid_count_graph(graph, &count) ? 0 : (double)count.blocks / (now() - start);
}

static double prove_rate(const struct zoid_graph *graph, long blocks)
{
    struct zoid_prove_options options = {.graph = graph, .redundant = true};
    struct zoid_prove *prove = zoid_prove_create(&options);
    double start = now(), rate = 0;
    const char *why;

    if (prove && !zoid_graph_emit(graph, zoid_prove_sink(prove)) &&
        !zoid_prove_verdict(prove, &why))
        rate = (double)blocks / (now() - start);
    zoid_prove_destroy(&prove);
    return rate;
}

static enum zoid_status bench_graph(const struct bench *b)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        struct zoid_graph graph = {.method = zoid_methods[m],
                                   .shape = {.dims = 3,
                                             .n = {64, 64, 100000},
                                             .stages = 1,
                                             .reach = {{{1, 1, 1}, {1, 1, 1}}}},
                                   .steps = 800,
                                   .block = 8,
                                   .depth = 8,
                                   .lanes = 2,
                                   .elastic = true};
        double count[b->rounds], prove[b->rounds];
        struct zoid_census census;
        bool clamped;

        zoid_graph_init(&graph, &clamped);
        zoid_graph_census(&graph, &census);
        for (long r = 0; r < b->rounds; r++) {
            count[r] = count_rate(&graph);
            prove[r] = prove_rate(&graph, census.blocks);
        }
        printf("%s blocks %ld count %.3g/s prove %.3g/s\n", graph.method->name, census.blocks,
               median(count, b->rounds), median(prove, b->rounds));
    }
    return ZOID_OK;
}

/* ---- the program ------------------------------------------------------------------------- */

enum { CHAIN, GRAPH };

static enum zoid_status read_what(const struct zoid_option *option, const char *value, void *into)
{
    static const char *const names[] = {[CHAIN] = "chain", [GRAPH] = "graph", NULL};
    int i = zoid_read_name(option, value, names);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct bench *)into)->what = i;
    return ZOID_OK;
}

int main(int argc, char **argv)
{
    static const struct zoid_option own[] = {
        {.doc = "The measurement:"},
        {.name = "what",
         .arg = "chain|graph",
         .doc = "chain: the same blocks through StarPU and on plain threads; graph: blocks a "
                "second that the builders emit and the prover proves (default chain)",
         .read = read_what},
        {.name = "rounds",
         .arg = "N",
         .doc = "take medians over N rounds (default 5)",
         .read = zoid_read_long,
         .at = offsetof(struct bench, rounds),
         .least = 1},
        {.name = NULL},
    };
    const struct zoid_option *const options[] = {zoid_options_problem, own, zoid_options_running(),
                                                 NULL};
    const struct zoid_command command = {
        .name = "zoid-bench",
        .summary = "Measures Zoid against what it is built on, both sides interleaved in one run.",
        .options = options,
    };
    struct bench bench = {.options = zoid_options_defaults(), .what = CHAIN, .rounds = 5};
    bool shown = false;
    enum zoid_status status;

    zoid_command_start();
    status = zoid_command_parse(&command, argc, argv, &bench, &shown);
    if (!status && !shown)
        status = bench.what == CHAIN ? bench_chain(&bench) : bench_graph(&bench);
    return zoid_command_finish(&command, status);
}
