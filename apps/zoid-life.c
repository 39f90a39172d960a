/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/driver.h"

static enum zoid_status count_part(void *alive, const struct zoid_box *box, const void *values,
                                   size_t bytes)
{
    const unsigned char *cell = values;
    double n = 0;

    (void)box;
    for (size_t i = 0; i < bytes; i++)
        n += cell[i];
    *(double *)alive += n;
    return ZOID_OK;
}

static enum zoid_status count(const struct zoid_job *job, const struct zoid_problem *problem,
                              struct zoid_derived *derived)
{
    (void)problem;
    derived[0] = (struct zoid_derived){.name = "alive"};
    return zoid_job_each(job, 0, count_part, &derived[0].value);
}

int main(int argc, char **argv)
{
    static const char *const families[] = {"life3d", NULL};
    static const struct zoid_app app = {
        .name = "zoid-life",
        .families = families,
        .summary = "Runs the game of life in three dimensions, a byte a cell, and counts the cells "
                   "that are alive in the end.",
        .derive = count,
    };

    return zoid_app_main(&app, argc, argv);
}
