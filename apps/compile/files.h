/* SPDX-License-Identifier: BSD-3-Clause */
/* Files and folders that a build leaves. */
#ifndef ZOID_APPS_COMPILE_FILES_H
#define ZOID_APPS_COMPILE_FILES_H

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "apps/cli/path.h"
#include "apps/compile/build.h"

/* Copy a file, which gets its name when it is whole. */
enum zoid_status zoid_copy_file(const char *from, const char *to, mode_t mode);
/* Remove a file or an empty folder, for nftw. */
int zoid_remove_one(const char *name, const struct stat *about, int kind, struct FTW *where);

#endif
