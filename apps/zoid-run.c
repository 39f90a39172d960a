/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs any operator of the table, including those without a program of their own. */
#include "apps/cli/program.h"
#include "runtime/session/family.h"

int main(int argc, char **argv)
{
    const struct zoid_app app = {
        .name = "zoid-run",
        .options = {.families = zoid_families(), .choose = "operator"},
        .summary = "Runs any operator of Zoid on a grid that may be larger than the memory next to "
                   "the processor.",
    };

    return zoid_app_main(&app, argc, argv);
}
