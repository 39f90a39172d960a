/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/trace/draw.h"

static enum zoid_status set_folder(void *folder, size_t index, const char *text)
{
    char **name = folder;

    (void)index;
    *name = strdup(text);
    return *name ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
}

int main(int argc, char **argv)
{
    char *folder = NULL;
    const struct zoid_command_row operand = {
        .option = {.key = "DIR"}, .set = set_folder, .object = &folder};
    const struct zoid_command_rows none = {.n = 0};
    const struct zoid_command command = {
        .name = "zoid-trace",
        .summary = "Draws the trace that --trace left in a folder: gantt.svg and gantt.png, there.",
        .rows = &none,
        .operand = &operand,
    };
    bool shown = false;
    enum zoid_status status;

    status = zoid_command_start_alone(&command, argc, argv, &shown);
    if (!status && !shown)
        status = zoid_trace_draw(folder);
    free(folder);
    return zoid_command_finish(&command, status);
}
