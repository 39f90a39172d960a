/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders of files that are named after steps, NAME-000000000123.h5. */
#ifndef ZOID_RUNTIME_IO_FOLDER_H
#define ZOID_RUNTIME_IO_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "runtime/zoid.h"

/* Steps of the files with a name in a folder, the highest first. */
struct zoid_folder {
    size_t n;
    long *step;
};

/* Create the folder unless it exists, and check that files can be written there. ZOID_RESOURCE:
 * they cannot, or this build has no HDF5. */
enum zoid_status zoid_folder_make(const char *folder);
/* Name of a step's file; and its path, with the folder. */
void zoid_folder_name(const char *name, long step, char file[NAME_MAX]);
void zoid_folder_path(const char *folder, const char *name, long step, char path[PATH_MAX]);
/* List the steps; the caller frees the list. ZOID_RESOURCE: the folder cannot be read, or out of
 * memory; the list is empty then. */
enum zoid_status zoid_folder_list(const char *folder, const char *name, struct zoid_folder *list);
/* Append a step; false: out of memory. */
bool zoid_folder_add(struct zoid_folder *list, long step);
void zoid_folder_free(struct zoid_folder *list);

#endif
