/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"heat", NULL};
    static const struct zoid_app app = {
        .name = "zoid-heat",
        .options = {.families = families},
        .summary = "Runs the heat equation, u' = u + lambda (the sum of its second derivatives), "
                   "on a grid that may be larger than the memory next to the processor.",
    };

    return zoid_app_main(&app, argc, argv);
}
