/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what docs/performance.md claims. Both sides of a comparison run in turns in one process
 * and the medians are compared, because machines are noisy. */
#include "apps/bench/bench.h"
#include "apps/driver/family.h"
#include "runtime/ranks/ranks.h"

static enum zoid_status (*const measurements[])(const struct zoid_bench *) = {
    zoid_bench_chain, zoid_bench_run,     zoid_bench_kernels, zoid_bench_plain,
    zoid_bench_graph, zoid_bench_planner, zoid_bench_messages};

static enum zoid_status read_what(const struct zoid_option *option, const char *value, void *into)
{
    static const char *const names[] = {"chain", "run",     "kernels",  "plain",
                                        "graph", "planner", "messages", NULL};
    int i = zoid_read_name(option, value, names);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_bench *)into)->what = i;
    return ZOID_OK;
}

static enum zoid_status read_device(const struct zoid_option *option, const char *value, void *into)
{
    static const char *const names[] = {"cpu", "gpu", "all", NULL};
    int i = zoid_read_name(option, value, names);

    if (i < 0)
        return ZOID_BAD_ARGUMENT;
    ((struct zoid_bench *)into)->device = (enum zoid_bench_device)i;
    return ZOID_OK;
}

/* Times of all rounds are kept. */
static enum zoid_status read_rounds(const struct zoid_option *option, const char *value, void *into)
{
    enum { MOST = 1000 };
    struct zoid_bench *bench = into;
    enum zoid_status status = zoid_read_long(option, value, into);

    return !status && bench->rounds > MOST
               ? zoid_fail(ZOID_BAD_ARGUMENT, "{rounds=%ld} are too many; give at most %d",
                           bench->rounds, MOST)
               : status;
}

static bool uses_disk(enum zoid_status (*measure)(const struct zoid_bench *))
{
    return measure == zoid_bench_run || measure == zoid_bench_planner;
}

static bool uses_ranks(enum zoid_status (*measure)(const struct zoid_bench *))
{
    return measure == zoid_bench_run || measure == zoid_bench_messages;
}

static enum zoid_status check_options(const struct zoid_bench *b)
{
    if (b->options.folder[ZOID_DISK] && !uses_disk(measurements[b->what]))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{disk} is for {what=run} and planner; drop it");
    if (b->options.ranks[0] && measurements[b->what] != zoid_bench_run)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{ranks} is for {what=run}; drop it");
    if (b->draw && measurements[b->what] != zoid_bench_planner)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{draw} is for {what=planner}; drop it");
    if (b->options.rates && measurements[b->what] != zoid_bench_planner)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rates} is for {what=planner}; drop it");
    return ZOID_OK;
}

static const struct zoid_option own[] = {
    {.doc = "The measurement:"},
    {.name = "what",
     .arg = "chain|run|kernels|plain|graph|planner|messages",
     .doc = "chain: the same leaning blocks through StarPU and without it, on plain threads or "
            "back to back on a GPU; run: what a program does, several times; kernels: every "
            "operator that the options leave, step by step and fused, on all cores and on a "
            "GPU, against copying; plain: runs on cores against plain loops; graph: blocks a "
            "second that the builders emit and the prover proves; planner: what it predicts and "
            "chooses against what runs take; messages: what they cost several ranks [chain]",
     .read = read_what},
    {.name = "rounds",
     .arg = "N",
     .doc = "take medians over N rounds [5]",
     .read = read_rounds,
     .at = offsetof(struct zoid_bench, rounds),
     .least = 1},
    {.name = "draw",
     .arg = "N",
     .doc = "of planner: N operators and sizes that --seed draws, in place of the usual ones",
     .read = zoid_read_long,
     .at = offsetof(struct zoid_bench, draw),
     .least = 1},
    {.name = "device",
     .arg = "cpu|gpu|all",
     .doc = "of kernels: what runs them [all]",
     .read = read_device},
    {.name = "csv",
     .arg = "FILE",
     .doc = "of kernels, plain and planner: write the table as CSV too",
     .read = zoid_read_path,
     .at = offsetof(struct zoid_bench, csv)},
    {.name = "json",
     .arg = "FILE",
     .doc = "the same as JSON",
     .read = zoid_read_path,
     .at = offsetof(struct zoid_bench, json)},
    {.name = NULL},
};

int main(int argc, char **argv)
{
    const struct zoid_option *const options[] = {zoid_options_problem,
                                                 zoid_options_operator(zoid_families(), "operator"),
                                                 zoid_options_params(zoid_families()),
                                                 own,
                                                 zoid_options_cut(),
                                                 zoid_options_rates,
                                                 zoid_options_memory,
                                                 zoid_options_disk,
                                                 zoid_options_ranks,
                                                 NULL};
    const struct zoid_command command = {
        .name = "zoid-bench",
        .summary = "Measures Zoid against what it is built on, both sides interleaved in one run.",
        .options = options,
    };
    struct zoid_bench bench = {
        .options = zoid_options_defaults(), .rounds = 5, .device = ZOID_BENCH_DEVICES};
    bool shown = false;
    enum zoid_status status;

    /* Measurements have sizes and steps of their own. */
    bench.options.axes = 0;
    bench.options.steps = -1;
    status = zoid_command_start();
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &bench, &shown);
    if (!status && !shown)
        status = check_options(&bench);
    status = zoid_ranks_agree(status);
    if (!status && !shown && !uses_ranks(measurements[bench.what]))
        status = zoid_command_alone(command.name);
    if (!status && !shown)
        status = measurements[bench.what](&bench);
    return zoid_command_finish(&command, status);
}
