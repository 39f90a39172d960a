/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of files that are called after steps, NAME-000000000123.h5. */
#ifndef ZOID_RUNTIME_IO_FOLDER_H
#define ZOID_RUNTIME_IO_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "runtime/zoid.h"

/* The steps of a folder's files of that name, the highest first. */
struct zoid_folder {
    size_t n;
    long *step;
};

/* Makes the folder if it is missing, and finds out that files can be written there. ZOID_RESOURCE:
 * they cannot, or this build has no HDF5. */
enum zoid_status zoid_folder_make(const char *folder);
/* The file of a step, as it is called, and with the folder's path before it. */
void zoid_folder_name(const char *name, long step, char file[NAME_MAX]);
void zoid_folder_path(const char *folder, const char *name, long step, char path[PATH_MAX]);
/* ZOID_RESOURCE: it cannot be read. */
enum zoid_status zoid_folder_list(const char *folder, const char *name, struct zoid_folder *list);
/* Adds one at the end; false: there is no memory. */
bool zoid_folder_add(struct zoid_folder *list, long step);
void zoid_folder_free(struct zoid_folder *list);

#endif
