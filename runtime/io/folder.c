/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/error.h"
#include "runtime/io/h5.h"
#include "runtime/io/output.h"

enum zoid_status zoid_folder_make(const char *folder)
{
    char file[PATH_MAX];
    struct zoid_output *output;
    enum zoid_status status;

    if (!zoid_h5_version())
        return zoid_fail(ZOID_RESOURCE,
                         "nothing can be left in %s: this build has no HDF5; build Zoid where "
                         "libhdf5 and libxxhash are",
                         folder);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return zoid_fail(ZOID_RESOURCE, "cannot make the folder %s: %s; name another one", folder,
                         strerror(errno));
    zoid_folder_path(folder, "try", 0, file);
    status = zoid_output_open(file, &output);
    if (!status)
        zoid_output_discard(&output);
    return status;
}

void zoid_folder_name(const char *name, long step, char file[NAME_MAX])
{
    snprintf(file, NAME_MAX, "%s-%012ld.h5", name, step);
}

void zoid_folder_path(const char *folder, const char *name, long step, char path[PATH_MAX])
{
    char file[NAME_MAX];

    zoid_folder_name(name, step, file);
    /* A path that is too long fails when it is opened. */
    (void)!snprintf(path, PATH_MAX, "%s/%s", folder, file);
}

/* Step in the name of a file; -1: the file does not have that name. */
static long step_of(const char *name, const char *file)
{
    const size_t length = strlen(name);
    char *end;
    long step;

    if (strncmp(file, name, length) != 0 || file[length] != '-' ||
        strspn(file + length + 1, "0123456789") < 12)
        return -1;
    errno = 0;
    step = strtol(file + length + 1, &end, 10);
    return errno || strcmp(end, ".h5") != 0 ? -1 : step;
}

static int downwards(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;

    return (x < y) - (x > y);
}

bool zoid_folder_add(struct zoid_folder *list, long step)
{
    long *more = realloc(list->step, (list->n + 1) * sizeof *list->step);

    if (!more)
        return false;
    list->step = more;
    list->step[list->n++] = step;
    return true;
}

enum zoid_status zoid_folder_list(const char *folder, const char *name, struct zoid_folder *list)
{
    DIR *open = opendir(folder);
    struct dirent *entry;
    bool room = true;

    *list = (struct zoid_folder){.n = 0};
    if (!open)
        return zoid_fail(ZOID_RESOURCE, "cannot read the folder %s: %s; name another one", folder,
                         strerror(errno));
    while (room && (entry = readdir(open))) {
        const long step = step_of(name, entry->d_name);

        room = step < 0 || zoid_folder_add(list, step);
    }
    closedir(open);
    if (list->n)
        qsort(list->step, list->n, sizeof *list->step, downwards);
    if (room)
        return ZOID_OK;
    zoid_folder_free(list);
    return zoid_no_memory();
}

void zoid_folder_free(struct zoid_folder *list)
{
    free(list->step);
    *list = (struct zoid_folder){.n = 0};
}
