/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without libsegyio. */
#include "runtime/io/segy.h"

bool zoid_segy_here(void)
{
    return false;
}

static enum zoid_status none(const char *called)
{
    return zoid_fail(ZOID_RESOURCE,
                     "%s: this build has no SEG-Y; give HDF5, .npy or raw files, or build Zoid "
                     "where libsegyio is",
                     called);
}

enum zoid_status zoid_segy_turn(const char *path, const char *called,
                                const struct zoid_problem *problem, int *file)
{
    (void)path, (void)problem, (void)file;
    return none(called);
}

enum zoid_status zoid_segy_write(const char *path, const struct zoid_segy_record *record)
{
    (void)path;
    return none(record->called);
}
