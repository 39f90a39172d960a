/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"jacobi1d", "jacobi2d", "heat2d7",
                                           "box19",    "box27",    NULL};
    static const struct zoid_app app = {
        .summary = "Runs one of the small stencils that replace a point by a weighted sum of its "
                   "neighbours and itself.",
        .program = {.name = "zoid-jacobi", .families = families, .choose = "kernel"},
    };

    return zoid_app_main(&app, argc, argv);
}
