/* SPDX-License-Identifier: BSD-3-Clause */
/* All bytes of a part of a file, however many calls that takes. */
#ifndef ZOID_RUNTIME_IO_BYTES_H
#define ZOID_RUNTIME_IO_BYTES_H

#include <sys/types.h>

/* As many as there are, up to `count`: how many; -1: they cannot be read, errno says why. */
ssize_t zoid_bytes_read(int file, void *to, size_t count, long from);
/* The error, or 0. */
int zoid_bytes_write(int file, const void *bytes, size_t count, long at);

#endif
