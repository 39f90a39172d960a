/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"seismic", NULL};
    static const struct zoid_app app = {
        .summary =
            "Runs the elastic waves of the velocity-stress equations on a staggered grid. Its "
            "fields are vx, vy, vz, sxx, syy, szz, sxy, sxz and syz; --init point starts P and "
            "S waves at the centre.",
        .program = {.name = "zoid-seismic", .families = families},
    };

    return zoid_app_main(&app, argc, argv);
}
