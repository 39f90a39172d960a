/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs any operator of the table, including those without a program of their own. */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const struct zoid_app app = {
        .summary = "Runs any operator of Zoid on a grid that may be larger than the memory next to "
                   "the processor.",
        .program = {.name = "zoid-run", .choose = "operator"},
    };

    return zoid_app_main(&app, argc, argv);
}
