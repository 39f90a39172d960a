/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson's equation by relaxation. */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {"sor",     "jacobi",    "rbsor", "jacobi_rhs",
                                           "sor_rhs", "rbsor_rhs", NULL};
    static const struct zoid_option_change changes[] = {
        {.key = "steps", .fallback = "100", .doc = "sweeps, with a tolerance the most there are"},
        {.key = NULL}};
    static const struct zoid_app app = {
        .summary = "Solves Poisson's equation, -(the sum of the second derivatives of u) = f, by "
                   "relaxing one point after another, or in another order, on a grid that may be "
                   "larger than the memory next to the processor.",
        .program = {.name = "zoid-sor",
                    .families = families,
                    .groups = ZOID_GROUPS_FIELDS | ZOID_GROUP_solve | ZOID_GROUPS_RUN,
                    .no_params = true,
                    .changes = changes}};

    return zoid_app_main(&app, argc, argv);
}
