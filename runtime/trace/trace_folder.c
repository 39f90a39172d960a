/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/trace/trace_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/ranks/ranks.h"

enum zoid_status zoid_trace_folder_refuse(const char *name, int error)
{
    return zoid_fail(ZOID_RESOURCE,
                     "cannot write a trace into %s: %s; name a folder that can be written", name,
                     strerror(error));
}

bool zoid_trace_folder_of(const char *all, int rank, int ranks,
                          char mine[ZOID_TRACE_PATH - ZOID_TRACE_NAME])
{
    const size_t room = ZOID_TRACE_PATH - ZOID_TRACE_NAME;
    const int length =
        ranks > 1 ? snprintf(mine, room, "%s/rank.%d", all, rank) : snprintf(mine, room, "%s", all);

    return length >= 0 && (size_t)length < room;
}

static enum zoid_status make(const char *name, bool *created)
{
    struct stat st;

    if (!mkdir(name, 0777))
        *created = true;
    else if (errno != EEXIST)
        return zoid_trace_folder_refuse(name, errno);
    if (!stat(name, &st) && !S_ISDIR(st.st_mode))
        return zoid_trace_folder_refuse(name, ENOTDIR);
    return ZOID_OK;
}

/* Check that this rank sees a file that the first rank has just put into its folder. */
static enum zoid_status share(const char *folder)
{
    char path[ZOID_TRACE_PATH];
    const bool first = zoid_ranks_here()->rank == 0;
    enum zoid_status status = ZOID_OK;
    int file = -1;

    snprintf(path, sizeof path, "%s/.zoid-XXXXXX", folder);
    if (first && (file = mkstemp(path)) < 0)
        status = zoid_trace_folder_refuse(folder, errno);
    zoid_ranks_broadcast(path, sizeof path);
    status = zoid_ranks_agree(status);
    if (status)
        return status;
    if (access(path, F_OK))
        status = zoid_fail(ZOID_RESOURCE,
                           "rank %d does not see the folder %s of the first one; name a folder "
                           "that all hosts share",
                           zoid_ranks_here()->rank, folder);
    status = zoid_ranks_agree(status);
    if (first) {
        close(file);
        unlink(path);
    }
    return status;
}

enum zoid_status zoid_trace_folder_make(const char *name, struct zoid_trace_folder *f)
{
    const struct zoid_ranks *ranks = zoid_ranks_here();
    enum zoid_status status = ZOID_OK;

    f->created = f->created_mine = false;
    if (!zoid_trace_folder_of(name, ranks->rank, ranks->size, f->mine))
        status = zoid_trace_folder_refuse(name, ENAMETOOLONG);
    status = zoid_ranks_agree(status);
    if (status)
        return status;
    snprintf(f->all, sizeof f->all, "%s", name);
    if (ranks->rank == 0)
        status = make(f->all, &f->created);
    status = zoid_ranks_agree(status);
    zoid_ranks_broadcast(&f->created, sizeof f->created);
    if (status || ranks->size == 1)
        return status;
    status = share(f->all);
    if (!status)
        status = zoid_ranks_agree(make(f->mine, &f->created_mine));
    return status;
}

void zoid_trace_folder_remove(const struct zoid_trace_folder *f)
{
    if (f->created_mine)
        rmdir(f->mine);
    /* With several ranks the last one succeeds. */
    if (f->created)
        rmdir(f->all);
}
