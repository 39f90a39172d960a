/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a file of text, which may be compressed by gzip, in one part or several. */
#ifndef ZOID_RUNTIME_MATRICES_LINES_H
#define ZOID_RUNTIME_MATRICES_LINES_H

#include <zlib.h>

#include "runtime/zoid.h"

struct zoid_lines {
    const char *path;
    gzFile file;
    char *buffer;
    size_t room, at, filled; /* the next line begins at `at` */
    long line;               /* the number of the last one, from 1 */
};

enum zoid_status zoid_lines_open(const char *path, struct zoid_lines *lines);
void zoid_lines_close(struct zoid_lines *lines);
/* The next line without its end, LF or CR LF, up to *end; NULL in *text: there is none. */
enum zoid_status zoid_lines_next(struct zoid_lines *lines, const char **text, const char **end);
/* Fails with what is wrong with the last line, a sentence that says what to do as well. */
enum zoid_status zoid_lines_refuse(const struct zoid_lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
