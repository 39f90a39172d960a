/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver.h"

int main(int argc, char **argv)
{
    const struct zoid_option own[] = {
        {.doc = "The heat equation:"},
        zoid_option_radius,
        zoid_option_lambda,
        {.name = NULL},
    };
    const struct zoid_app app = {
        .name = "zoid-heat",
        .family = "heat",
        .summary = "Runs the heat equation, u' = u + lambda (the sum of its second derivatives), "
                   "on a grid that may be larger than the memory next to the processor.",
        .options = own,
    };

    return zoid_app_main(&app, argc, argv);
}
