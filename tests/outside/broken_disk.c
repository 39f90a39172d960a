/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program: from the BROKEN_AFTER-th call on, the function that BROKEN names, pread
 * or pwrite, fails as on a defective or full disk. With SLOW_MS each pwrite takes that many
 * milliseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int broken(const char *call)
{
    static atomic_long calls;
    const char *name = getenv("BROKEN");

    return name && !strcmp(name, call) &&
           atomic_fetch_add(&calls, 1) >= atol(getenv("BROKEN_AFTER"));
}

static void slow(void)
{
    const char *ms = getenv("SLOW_MS");

    if (ms)
        usleep((useconds_t)atol(ms) * 1000);
}

ssize_t pread(int file, void *memory, size_t bytes, off_t at)
{
    ssize_t (*real)(int, void *, size_t, off_t);

    *(void **)&real = dlsym(RTLD_NEXT, "pread");
    if (!broken("pread"))
        return real(file, memory, bytes, at);
    errno = EIO;
    return -1;
}

ssize_t pwrite(int file, const void *memory, size_t bytes, off_t at)
{
    ssize_t (*real)(int, const void *, size_t, off_t);

    *(void **)&real = dlsym(RTLD_NEXT, "pwrite");
    slow();
    if (!broken("pwrite"))
        return real(file, memory, bytes, at);
    errno = ENOSPC;
    return -1;
}
