/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"fdtd2d", NULL};
    static const struct zoid_app app = {
        .summary =
            "Runs the electromagnetic field of Maxwell's equations in two dimensions, driven from "
            "the edge y = 0. Its fields are ex, ey and hz.",
        .program = {.name = "zoid-fdtd", .families = families},
    };

    return zoid_app_main(&app, argc, argv);
}
