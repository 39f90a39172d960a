/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/command.h"

/* A machine whose workers do not start is still described. */
static enum zoid_status describe(void)
{
    struct zoid_machine machine;
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_command_try_stdout();

    if (status || (status = zoid_machine_probe(&machine)))
        return status;
    status = zoid_context_open(NULL, &context);
    zoid_machine_print(status ? &machine : zoid_context_machine(context), stdout);
    zoid_context_close(&context);
    return status;
}

int main(int argc, char **argv)
{
    static const struct zoid_option *const options[] = {NULL};
    static const struct zoid_command command = {
        .name = "zoid-info",
        .summary = "Prints what this machine is and what this build of Zoid cannot do on it.",
        .options = options,
    };
    bool shown = false;
    enum zoid_status status;

    zoid_command_start();
    status = zoid_command_parse(&command, argc, argv, NULL, &shown);
    if (!status && !shown)
        status = describe();
    return zoid_command_finish(&command, status);
}
