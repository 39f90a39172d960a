/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes of all bytes of a part of a file, by any number of system calls. */
#ifndef ZOID_RUNTIME_IO_BYTES_H
#define ZOID_RUNTIME_IO_BYTES_H

#include <sys/types.h>

/* Read up to `count` bytes from offset `from` on. Returns their number, which is less only at the
 * end of the file; -1: failure, with errno. */
ssize_t zoid_bytes_read(int file, void *to, size_t count, long from);
/* Write `count` bytes at offset `at`. Returns 0, or an errno value. */
int zoid_bytes_write(int file, const void *bytes, size_t count, long at);

#endif
