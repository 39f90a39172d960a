/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/program.h"

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

static enum zoid_status count(struct zoid_session *session)
{
    struct zoid_derived alive = {.name = "alive"};
    enum zoid_status status =
        zoid_job_each(zoid_session_job_of(session), 0, count_part, &alive.value);

    zoid_session_derive(session, &alive);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const families[] = {"life3d", NULL};
    static const struct zoid_app app = {
        .summary = "Runs the game of life in three dimensions, a byte a cell, and counts the cells "
                   "that are alive in the end.",
        .program = {.name = "zoid-life", .families = families, .derive = count},
    };

    return zoid_app_main(&app, argc, argv);
}
