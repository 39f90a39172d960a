/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"wave", NULL};
    static const struct zoid_app app = {
        .summary =
            "Runs the wave equation in a medium whose speed differs from point to point. Its "
            "fields "
            "are u at the last step and at the one before; --init point starts a wave at the "
            "centre.",
        .program = {.name = "zoid-wave", .families = families},
    };

    return zoid_app_main(&app, argc, argv);
}
