/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int wait_for(int file)
{
    int rc;

    do
        rc = flock(file, LOCK_EX);
    while (rc && errno == EINTR);
    return rc;
}

enum zoid_status zoid_lock_take(const char *path, int *lock)
{
    char beside[1100];
    int file;

    snprintf(beside, sizeof beside, "%s.lock", path);
    file = open(beside, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0 && !wait_for(file)) {
        *lock = file;
        return ZOID_OK;
    }
    zoid_fail(ZOID_RESOURCE, "cannot lock %s: %s", beside, strerror(errno));
    if (file >= 0)
        close(file);
    return ZOID_RESOURCE;
}

void zoid_lock_leave(int *lock)
{
    if (*lock >= 0)
        close(*lock);
    *lock = -1;
}
