/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/bytes.h"

#include <errno.h>
#include <unistd.h>

ssize_t zoid_bytes_read(int file, void *to, size_t count, long from)
{
    size_t done = 0;

    while (done < count) {
        const ssize_t some = pread(file, (char *)to + done, count - done, from + (long)done);

        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return -1;
        if (some == 0)
            break;
        done += (size_t)some;
    }
    return (ssize_t)done;
}

int zoid_bytes_write(int file, const void *bytes, size_t count, long at)
{
    const char *from = bytes;

    while (count) {
        const ssize_t n = pwrite(file, from, count, at);

        if (n < 0 && errno != EINTR)
            return errno;
        if (n == 0)
            return ENOSPC;
        if (n > 0) {
            from += n;
            count -= (size_t)n;
            at += n;
        }
    }
    return 0;
}
