/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/folder.h"
#include "runtime/log.h"
#include "runtime/session/output/checkpoint_file.h"

/* Checkpoints that are kept, and one that is being written. */
enum { KEPT = 2, ROOM = KEPT + 1 };

static const char file[] = "checkpoint";

void zoid_checkpoint_path(const char *folder, long step, char path[PATH_MAX])
{
    zoid_folder_path(folder, file, step, path);
}

enum zoid_status zoid_checkpoint_keep(const char *folder, long step)
{
    struct zoid_folder all;
    enum zoid_status status = zoid_folder_list(folder, file, &all);
    size_t kept = 0;

    for (size_t i = 0; i < all.n && !status; i++) {
        char path[PATH_MAX];

        zoid_checkpoint_path(folder, all.step[i], path);
        if (all.step[i] <= step && kept < KEPT)
            kept++;
        else if (unlink(path) && errno != ENOENT)
            status = zoid_fail(ZOID_RESOURCE, "cannot remove %s: %s; free the folder", path,
                               strerror(errno));
    }
    zoid_folder_free(&all);
    return status;
}

/* ---- before a run -------------------------------------------------------------------------- */

/* True if a file lies in a folder, whatever their names are. */
static bool lies_in(const char *file, const char *folder)
{
    char *path = realpath(file, NULL), *slash = path ? strrchr(path, '/') : NULL;
    struct stat a, b;
    bool same;

    if (slash)
        slash[slash == path] = '\0';
    same = slash && !stat(path, &a) && !stat(folder, &b) && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
    free(path);
    return same;
}

static enum zoid_status check_room(const char *folder, size_t there, double bytes)
{
    const double wanted = bytes * (double)(ROOM - (there < KEPT ? there : KEPT));
    struct statvfs fs;
    double free;

    if (statvfs(folder, &fs))
        return zoid_fail(ZOID_RESOURCE, "cannot see what %s has free: %s; name another folder",
                         folder, strerror(errno));
    free = (double)fs.f_bavail * (double)fs.f_frsize;
    if (free >= wanted)
        return ZOID_OK;
    return zoid_fail(
        ZOID_RESOURCE,
        "%s has %.0f MiB free, and checkpoints take %.0f MiB more there, since two are "
        "kept while one is written; make room or name another folder",
        folder, free / (1 << 20), wanted / (1 << 20));
}

enum zoid_status zoid_checkpoint_prepare(const char *folder, const char *restarted, double bytes)
{
    struct zoid_folder all = {.n = 0};
    enum zoid_status status = zoid_folder_make(folder);

    if (!status)
        status = zoid_folder_list(folder, file, &all);
    if (!status && all.n && !(restarted && lies_in(restarted, folder)))
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "%s has checkpoints of another run, which would be removed; give "
                           "{restart=%s} to go on from them, or another {checkpoint}",
                           folder, folder);
    if (!status)
        status = check_room(folder, all.n, bytes);
    zoid_folder_free(&all);
    return status;
}

/* ---- before a restart ---------------------------------------------------------------------- */

static bool whole(const char *name, const char *path)
{
    struct zoid_checkpoint_file *file = NULL;
    enum zoid_status status = zoid_checkpoint_open(path, &file);

    if (!status)
        status = zoid_checkpoint_verify(file);
    if (status)
        zoid_log("%s: passed over: %s", name, zoid_error_as(ZOID_NAMES_OPTIONS));
    zoid_checkpoint_close(&file);
    return !status;
}

enum zoid_status zoid_checkpoint_find(const char *name, const char *given, char path[PATH_MAX])
{
    struct zoid_folder all = {.n = 0};
    struct stat st;
    bool found = false;
    enum zoid_status status = ZOID_OK;

    if (stat(given, &st))
        return zoid_fail(ZOID_RESOURCE,
                         "cannot read %s: %s; name a checkpoint, or a folder of some", given,
                         strerror(errno));
    if (S_ISDIR(st.st_mode)) {
        status = zoid_folder_list(given, file, &all);
        for (size_t i = 0; i < all.n && !status && !found; i++) {
            zoid_checkpoint_path(given, all.step[i], path);
            found = whole(name, path);
        }
    } else {
        snprintf(path, PATH_MAX, "%s", given);
        found = whole(name, path);
    }
    zoid_folder_free(&all);
    if (status || found)
        return status;
    return zoid_fail(ZOID_RESOURCE,
                     "no checkpoint in %s is whole; name another one, or start without {restart}",
                     given);
}
