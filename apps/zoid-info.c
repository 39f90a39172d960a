/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>
#include <stdlib.h>

#include "apps/cli/command.h"
#include "apps/inside/rows.h"
#include "runtime/calibrate/calibrate.h"
#include "runtime/error.h"
#include "runtime/io/formats.h"
#include "runtime/plan/kernels.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/about.h"
#include "runtime/session/family.h"
#include "runtime/session/settings.h"

/* Prints one line per family with the traits of its variants. */
static void list_operators(FILE *out)
{
    static const char *const label[ZOID_TRAITS] = {
        [ZOID_DIMS] = "dims", [ZOID_RADIUS] = "radius", [ZOID_TYPE] = "type"};
    const char *const *families = zoid_families();

    for (size_t f = 0; families[f]; f++) {
        const char *const one[] = {families[f], NULL};

        fprintf(out, "operator %s", families[f]);
        for (int t = 0; t < ZOID_TRAITS; t++) {
            fprintf(out, " %s ", label[t]);
            zoid_trait_list(one, (enum zoid_trait)t, "|", out);
        }
        fputs(" boundary ", out);
        fputs(zoid_boundary_list(one, "|", out) ? "\n" : "none\n", out);
    }
}

struct asked {
    ZOID_SETTING_MEMBER(calibrate, FLAG)
    ZOID_SETTING_MEMBER(options, ENUM(list_at))
    ZOID_SETTING_MEMBER(json, FLAG)
    ZOID_SETTING_MEMBER(kernels, FLAG)
    struct zoid_settings settings;
};

/* Prints the rates of messages between two ranks, by the factors that runs have taught. */
static void print_network(const struct zoid_rates *r, enum zoid_network_kind kind)
{
    const bool far = kind == ZOID_SEVERAL_HOSTS;
    const struct zoid_network n =
        zoid_rates_network(r, &(struct zoid_machine){.ranks = 2, .spread = far});

    printf("rates.messages.%s %.4g us on its way, %.4g GB/s, %.3g us an end, %s",
           far ? "several_hosts" : "one_host", n.way * 1e6, 1e-9 / n.wire, n.message * 1e6,
           r->measured & zoid_rates_network_part(kind) ? "measured" : "default");
    if (r->network[kind].runs > 0)
        printf(", %g runs", r->network[kind].runs);
    putchar('\n');
}

/* Prints the rates that the planner's model uses. */
static void print_rates(const struct zoid_machine *m, const struct zoid_rates *r)
{
    char path[1024];

    printf("rates %s\n", r->calibrated ? "calibrated" : "default");
    if (r->calibrated && zoid_rates_path(m, path, sizeof path))
        printf("rates.file %s\n", path);
    if (*r->note)
        printf("rates.note %s\n", r->note);
    printf("rates.memory %.4g GB/s, %.4g one core\nrates.task %.3g us\n",
           1e-9 / zoid_rates_memory(r, r->workers) * r->workers, 1e-9 / zoid_rates_memory(r, 1),
           r->task * 1e6);
    for (int k = 0; k < ZOID_NETWORKS; k++)
        print_network(r, (enum zoid_network_kind)k);
    if (*r->disk)
        printf("rates.disk %.4g GB/s, %.3g us a datum, %s\n", 1e-9 / r->disk_read,
               r->disk_datum * 1e6, r->disk);
}

/* Measures the machine or, of several ranks, the network between them. */
static enum zoid_status calibrate(const struct asked *asked)
{
    const struct zoid_context_options wanted = {.folder = {[ZOID_DISK] = asked->settings.disk},
                                                .oversubscribe = asked->settings.oversubscribe};

    if (asked->settings.disk) {
        const enum zoid_status status = zoid_command_alone("zoid-info --calibrate --disk");

        if (status)
            return status;
    }
    return zoid_calibrate_all(&wanted);
}

static enum zoid_status print_json(const struct zoid_machine *machine)
{
    char *text = zoid_about_machine(machine);

    if (!text)
        return zoid_no_memory();
    puts(text);
    free(text);
    return ZOID_OK;
}

/* Describes the machine even if its workers do not start, but fails if one of several ranks does
 * not. */
static enum zoid_status describe(const struct asked *asked)
{
    const struct zoid_context_options wanted = {.oversubscribe = asked->settings.oversubscribe};
    struct zoid_machine machine;
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_command_try_stdout();

    if (!status)
        status = zoid_machine_probe(&machine);
    status = zoid_ranks_agree(status);
    if (status)
        return status;
    status = zoid_context_open(&wanted, &context);
    if (status && zoid_ranks_here()->size > 1)
        return status;
    if (asked->json) {
        status = print_json(status ? &machine : zoid_context_machine(context));
        zoid_context_close(&context);
        return status;
    }
    zoid_machine_print(status ? &machine : zoid_context_machine(context), stdout);
    zoid_format_facts(zoid_fact_print, stdout);
    if (!status)
        zoid_context_print_ranks(context, stdout);
    if (!status)
        print_rates(&context->machine, &context->rates);
    list_operators(stdout);
    zoid_context_close(&context);
    return status;
}

static const char *list_at(size_t i)
{
    static const char *const names[] = {"md", "json", NULL};

    return names[i];
}

/* Prints the options of all programs that run problems. */
static enum zoid_status list_options(bool json)
{
    char *text = json ? zoid_settings_make_json() : NULL;

    if (json && !text)
        return zoid_no_memory();
    if (json)
        puts(text);
    else
        zoid_options_page(stdout);
    free(text);
    return ZOID_OK;
}

/* Groups beyond those of runs. */
static const struct zoid_setting_group zoid_group_calibration = {"calibration", "Rates",
                                                                 1u << ZOID_GROUPS};
static const struct zoid_setting_group zoid_group_lists = {"lists", "Lists", 2u << ZOID_GROUPS};

static const struct zoid_setting own[] = {
    ZOID_SETTING_ROW(struct asked, calibrate, FLAG, calibration, NULL, ANY, ZOID_CLI, NULL,
                     "measure what the planner predicts runs from, once for this machine",
                     "Started by mpirun it measures the network between ranks instead.")
        ZOID_SETTING_ROW(
            struct asked, options, ENUM(list_at), lists, NULL, ANY, ZOID_CLI, "md|json",
            "print the settings of runs, as a page of Markdown or as JSON, and exit", NULL)
            ZOID_SETTING_ROW(struct asked, json, FLAG, lists, NULL, ANY, ZOID_CLI, NULL,
                             "print the machine as JSON, as machine.json of a --machine", NULL)
                ZOID_SETTING_ROW(
                    struct asked, kernels, FLAG, lists, NULL, ANY, ZOID_CLI | ZOID_ADVANCED, NULL,
                    "print the kernels of GPUs, as rows of codelets/cuda/kernels.def", NULL)};

int main(int argc, char **argv)
{
    enum { DISK, OVERSUBSCRIBE, LOAD, SHARED };
    struct zoid_setting shared[SHARED] = {[DISK] = *zoid_settings_find("disk"),
                                          [OVERSUBSCRIBE] = *zoid_settings_find("oversubscribe"),
                                          [LOAD] = *zoid_settings_find("load")};
    struct zoid_command_rows rows = {.n = 0};
    const struct zoid_command command = {
        .name = "zoid-info",
        .summary =
            "Prints what this machine is, what this build of Zoid cannot do on it, and which "
            "operators it has.",
        .rows = &rows,
    };
    struct asked asked = {.calibrate = false};
    const struct zoid_inside_rows own_rows = {own, sizeof own / sizeof *own, &asked},
                                  shared_rows = {shared, SHARED, &asked.settings};
    bool shown = false;
    enum zoid_status status = zoid_settings_open(&asked.settings);

    shared[DISK].group = &zoid_group_calibration;
    shared[DISK].doc = "measure the disk of this folder too";
    shared[OVERSUBSCRIBE].doc = "describe ranks although a host has fewer cores than ranks";
    shared[OVERSUBSCRIBE].detail = NULL;
    shared[OVERSUBSCRIBE].flags &= ~(unsigned)ZOID_ADVANCED;
    zoid_inside_add(&own_rows, &rows);
    zoid_inside_add(&shared_rows, &rows);
    if (!status)
        status = zoid_command_start();
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &shown);
    if (!status && asked.settings.disk && !asked.calibrate)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{disk} goes with {calibrate}");
    status = zoid_ranks_agree(status);
    if (!status && !shown && asked.calibrate)
        status = calibrate(&asked);
    if (!status && !shown && asked.kernels)
        zoid_kernels_print(stdout);
    else if (!status && !shown)
        status = asked.has_options ? list_options(asked.options == 1) : describe(&asked);
    zoid_settings_close(&asked.settings);
    zoid_command_free(&rows);
    return zoid_command_finish(&command, status);
}
