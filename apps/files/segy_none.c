/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without libsegyio. */
#include "apps/files/segy.h"

bool zoid_segy_here(void)
{
    return false;
}

enum zoid_status zoid_segy_turn(const char *path, const char *called,
                                const struct zoid_problem *problem, int *file)
{
    (void)path, (void)problem, (void)file;
    return zoid_fail(ZOID_RESOURCE,
                     "%s: this build has no SEG-Y; give HDF5, .npy or raw files, or build Zoid "
                     "where libsegyio is",
                     called);
}
