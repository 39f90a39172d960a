/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/model/machines.h"
#include "apps/model/table.h"

enum row { FIT, TEST, KEEP, CSV, SEVERAL_HOSTS, LOAD, ROWS };

static enum zoid_status set(void *object, size_t index, const char *text)
{
    struct zoid_model_wanted *w = object;
    char **const texts[ROWS] = {[FIT] = &w->fit, [TEST] = &w->test, [CSV] = &w->csv};

    w->keep |= index == KEEP;
    w->several_hosts |= index == SEVERAL_HOSTS;
    if (index == LOAD)
        return zoid_operators_load(text);
    if (!texts[index])
        return ZOID_OK;
    free(*texts[index]);
    *texts[index] = strdup(text);
    return *texts[index] ? ZOID_OK : zoid_command_no_memory();
}

static const struct zoid_option options[ROWS] = {
    [FIT] = {.key = "fit",
             .value = "A.json,...",
             .doc = "reports of ranks, of one operator, to which both models are fitted"},
    [TEST] = {.key = "test", .value = "B.json,...", .doc = "reports whose seconds are predicted"},
    [KEEP] = {.key = "keep",
              .doc = "write our factors to the file of rates, from which runs are planned"},
    [CSV] = {.key = "csv", .value = "FILE", .doc = "write the predictions as CSV, too"},
    [SEVERAL_HOSTS] = {.key = "several_hosts",
                       .doc = "the ranks were on several hosts, which have a network of their own"},
    [LOAD] = {.key = "load",
              .value = "FILE.so",
              .doc = "add the operators of a shared object, of which reports are"},
};

/* One of the two: a comparison with reports, or a table of machines. */
static enum zoid_status serve(const struct zoid_model_wanted *wanted,
                              struct zoid_model_machines *machines)
{
    if (!machines->machine && (machines->nodes || machines->epoch || machines->weak || machines->n))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "problems are for tables of a machine; name it by {machine}");
    if (!machines->machine)
        return zoid_model_compare(wanted);
    if (wanted->fit || wanted->test || wanted->keep || wanted->several_hosts)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a {machine} has no reports; ask for its table apart from these");
    machines->csv = wanted->csv ? strdup(wanted->csv) : NULL;
    if (wanted->csv && !machines->csv)
        return zoid_command_no_memory();
    return zoid_model_machines_print(machines);
}

int main(int argc, char **argv)
{
    struct zoid_model_wanted wanted = {.fit = NULL};
    struct zoid_model_machines machines = {.machine = NULL};
    struct zoid_failure made = {.status = ZOID_OK};
    struct zoid_command_rows rows = {.n = 0};
    const struct zoid_command command = {
        .name = "zoid-model",
        .summary = "Fits the planner's model, and that of the B+2R paper, to reports of ranks, and "
                   "compares "
                   "what they predict for other runs with what these took; or prints plans for "
                   "machines that files describe. Runs nothing.",
        .rows = &rows,
    };
    bool shown = false;
    enum zoid_status status;

    zoid_command_add_group(&rows, "Reports", options, ROWS, set, &wanted);
    zoid_failure_keep(&made, zoid_model_machines_open(&machines, &rows));
    status = zoid_command_start_alone(&command, argc, argv, &shown);
    if (!status)
        status = zoid_failure_raise(&made);
    if (!status && !shown)
        status = serve(&wanted, &machines);
    zoid_model_machines_close(&machines);
    free(wanted.fit);
    free(wanted.test);
    free(wanted.csv);
    zoid_command_free(&rows);
    return zoid_command_finish(&command, status);
}
