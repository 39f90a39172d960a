/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/command.h"
#include "apps/trace/draw.h"

int main(int argc, char **argv)
{
    static const struct zoid_option folder_of = {.name = "DIR", .read = zoid_read_path};
    static const struct zoid_option *const options[] = {NULL};
    static const struct zoid_command command = {
        .name = "zoid-trace",
        .summary = "Draws the trace that --trace left in a folder: gantt.svg and gantt.png, there.",
        .options = options,
        .operand = &folder_of,
    };
    const char *folder = NULL;
    bool shown = false;
    enum zoid_status status;

    status = zoid_command_start();
    if (!status)
        status = zoid_command_parse(&command, argc, argv, &folder, &shown);
    if (!status && !shown)
        status = zoid_command_alone(command.name);
    if (!status && !shown)
        status = zoid_trace_draw(folder);
    return zoid_command_finish(&command, status);
}
