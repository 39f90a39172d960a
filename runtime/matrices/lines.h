/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a text file, which may be compressed by gzip, in one member or several. */
#ifndef ZOID_RUNTIME_MATRICES_LINES_H
#define ZOID_RUNTIME_MATRICES_LINES_H

#include <zlib.h>

#include "runtime/zoid.h"

struct zoid_lines {
    const char *path;
    gzFile file;
    char *buffer;
    size_t room, at, filled; /* the next line begins at `at` */
    long line;               /* number of the last one, from 1 */
};

enum zoid_status zoid_lines_open(const char *path, struct zoid_lines *lines);
void zoid_lines_close(struct zoid_lines *lines);
/* The next line, without its end (LF or CR LF), up to *end, valid until the next call; NULL in
 * *text: the file has ended. */
enum zoid_status zoid_lines_next(struct zoid_lines *lines, const char **text, const char **end);
/* Return ZOID_BAD_ARGUMENT with a message about the last line: its error, and the remedy. */
enum zoid_status zoid_lines_refuse(const struct zoid_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
