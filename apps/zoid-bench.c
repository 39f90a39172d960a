/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements behind docs/performance.md. Both sides of a comparison alternate in one process and
 * their medians are compared, because machines are noisy. */
#include "apps/bench/bench.h"

#include <limits.h>

#include "apps/inside/rows.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/family.h"

static enum zoid_status (*const measurements[])(const struct zoid_bench *) = {
    zoid_bench_chain,   zoid_bench_run,      zoid_bench_kernels, zoid_bench_plain, zoid_bench_graph,
    zoid_bench_planner, zoid_bench_messages, zoid_bench_tiles,   zoid_bench_loops};

/* ---- settings ------------------------------------------------------------------------------ */

struct asked {
#define ZOID_SETTING(key, TYPE, ...) ZOID_SETTING_MEMBER(key, TYPE)
#include "apps/bench/bench.def"
#undef ZOID_SETTING
};

/* Sorts after the groups of runs. */
static const struct zoid_setting_group zoid_group_measurement = {"measurement", "The measurement",
                                                                 1u << ZOID_GROUPS};

static const char *what_at(size_t i)
{
    static const char *const names[] = {"chain",   "run",      "kernels", "plain", "graph",
                                        "planner", "messages", "tiles",   "loops", NULL};

    return names[i];
}

static const char *device_at(size_t i)
{
    static const char *const names[] = {
        [ZOID_BENCH_CPU] = "cpu", [ZOID_BENCH_GPU] = "gpu", [ZOID_BENCH_DEVICES] = "all", NULL};

    return names[i];
}

static const struct zoid_setting own[] = {
#define ZOID_SETTING(key, TYPE, ...) ZOID_SETTING_ROW(struct asked, key, TYPE, __VA_ARGS__)
#include "apps/bench/bench.def"
#undef ZOID_SETTING
};
enum { OWN = sizeof own / sizeof *own };

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
    /* Buffers hold the times of all rounds. */
    enum { MOST = 1000 };

    if (b->rounds > MOST)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rounds=%ld} are too many; give at most %d", b->rounds,
                         MOST);
    if (b->settings.disk && !uses_disk(measurements[b->what]))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{disk} is for {what=run} and planner; drop it");
    if (b->settings.has_ranks && measurements[b->what] != zoid_bench_run)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{ranks} is for {what=run}; drop it");
    if (b->draw && measurements[b->what] != zoid_bench_planner &&
        measurements[b->what] != zoid_bench_tiles)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{draw} is for {what=planner} and tiles; drop it");
    if (b->settings.has_rates && measurements[b->what] != zoid_bench_planner)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rates} is for {what=planner}; drop it");
    if (b->has_device && measurements[b->what] != zoid_bench_kernels &&
        measurements[b->what] != zoid_bench_tiles)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{device} is for {what=kernels} and tiles; drop it");
    if (b->nests && measurements[b->what] != zoid_bench_loops)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{nests} is for {what=loops}; drop it");
    if (b->pluto && measurements[b->what] != zoid_bench_loops)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{pluto} is for {what=loops}; drop it");
    if (b->has_scale && measurements[b->what] != zoid_bench_loops)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{nests_scale} is for {what=loops}; drop it");
    return ZOID_OK;
}

static struct zoid_bench bench_of(const struct asked *asked, const struct zoid_settings *settings)
{
    return (struct zoid_bench){.settings = *settings,
                               .what = asked->what,
                               .rounds = asked->rounds,
                               .draw = asked->draw,
                               .device = (enum zoid_bench_device)asked->device,
                               .has_device = asked->has_device,
                               .nests = asked->nests,
                               .pluto = asked->pluto,
                               .scale = asked->nests_scale,
                               .has_scale = asked->has_nests_scale,
                               .csv = asked->csv,
                               .json = asked->json};
}

static enum zoid_status measure(const struct zoid_command *command, const struct zoid_bench *bench)
{
    enum zoid_status status = zoid_ranks_agree(check_options(bench));

    if (!status && !uses_ranks(measurements[bench->what]))
        status = zoid_command_alone(command->name);
    return status ? status : measurements[bench->what](bench);
}

/* Everything that has options, with their rows. */
struct all {
    struct asked asked;
    struct zoid_settings settings;
    struct zoid_options options;
    struct zoid_inside_rows own, of_options;
    struct zoid_command_rows rows;
};

/* Lists the options, for the operators that there are. */
static enum zoid_status list(struct all *all)
{
    static const struct zoid_option_change changes[] = {
        {.key = "size", .doc = "points of the domain [the measurement's own]"},
        {.key = "steps", .doc = "time steps [the measurement's own]"},
        {.key = NULL}};
    static const struct zoid_program program = {.choose = "operator",
                                                .groups = ZOID_GROUP_problem | ZOID_GROUP_operator |
                                                          ZOID_GROUP_parameters | ZOID_GROUP_cut |
                                                          ZOID_GROUP_memory | ZOID_GROUP_ranks,
                                                .changes = changes};
    enum zoid_status status;

    zoid_command_free(&all->rows);
    zoid_options_free(&all->options);
    status = zoid_options_make(&program, zoid_families(), &all->options);
    if (!status)
        status = zoid_options_defaults(&all->options, &all->settings);
    all->own = (struct zoid_inside_rows){own, OWN, &all->asked};
    zoid_inside_add(&all->own, &all->rows);
    all->of_options = (struct zoid_inside_rows){all->options.row, all->options.n, &all->settings};
    zoid_inside_add(&all->of_options, &all->rows);
    return status;
}

static enum zoid_status open_all(struct all *all, int argc, char **argv)
{
    bool loaded = false;
    enum zoid_status status = zoid_settings_open(&all->settings);

    if (!status)
        status = zoid_setting_defaults(own, OWN, &all->asked);
    if (!status)
        status = list(all);
    if (!status)
        status = zoid_command_load(&all->rows, argc, argv, &loaded);
    return !status && loaded ? list(all) : status;
}

int main(int argc, char **argv)
{
    struct all all = {.asked = {.what = 0}};
    const struct zoid_command command = {
        .name = "zoid-bench",
        .summary = "Measures Zoid against what it is built on, both sides interleaved in one run.",
        .rows = &all.rows,
    };
    struct zoid_failure opened = {.status = ZOID_OK};
    bool shown = false;
    enum zoid_status status;

    zoid_failure_keep(&opened, open_all(&all, argc, argv));
    status = zoid_command_start();
    if (!status)
        status = zoid_ranks_agree(zoid_failure_raise(&opened));
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &shown);
    if (!status && !shown) {
        const struct zoid_bench bench = bench_of(&all.asked, &all.settings);

        status = measure(&command, &bench);
    }
    zoid_setting_clear(own, OWN, &all.asked);
    zoid_settings_close(&all.settings);
    zoid_options_free(&all.options);
    zoid_command_free(&all.rows);
    return zoid_command_finish(&command, status);
}
