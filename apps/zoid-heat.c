/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"heat", NULL};
    static const struct zoid_app app = {
        .summary = "Runs the heat equation, u' = u + lambda (the sum of its second derivatives), "
                   "on a grid that may be larger than the memory next to the processor.",
        .program = {.name = "zoid-heat", .families = families},
    };

    return zoid_app_main(&app, argc, argv);
}
