/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"

enum { ROOM = 1 << 20 };

enum zoid_status zoid_lines_open(const char *path, struct zoid_lines *l)
{
    errno = 0;
    *l = (struct zoid_lines){.path = path, .room = ROOM, .file = gzopen(path, "rb")};
    if (!l->file)
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", path,
                         strerror(errno ? errno : ENOMEM));
    gzbuffer(l->file, ROOM);
    l->buffer = malloc(l->room);
    if (l->buffer)
        return ZOID_OK;
    zoid_lines_close(l);
    return zoid_no_memory();
}

void zoid_lines_close(struct zoid_lines *l)
{
    if (l->file)
        gzclose_r(l->file);
    free(l->buffer);
    *l = (struct zoid_lines){.file = NULL};
}

enum zoid_status zoid_lines_refuse(const struct zoid_lines *l, const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    zoid_failure_format_list(what, sizeof what, format, args);
    va_end(args);
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s, line %ld: %s", l->path, l->line, what);
}

static enum zoid_status read_error(struct zoid_lines *l)
{
    int code;
    const char *words = gzerror(l->file, &code);

    if (code == Z_ERRNO)
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", l->path,
                         strerror(errno));
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s is broken after line %ld, where it is decompressed: %s; get it once more",
                     l->path, l->line, words);
}

/* Read more of the file after the unread rest of the buffer, which grows if it is full. */
static enum zoid_status fill(struct zoid_lines *l, bool *more)
{
    int got;

    memmove(l->buffer, l->buffer + l->at, l->filled - l->at);
    l->filled -= l->at;
    l->at = 0;
    if (l->filled == l->room) {
        char *longer = l->room < SIZE_MAX / 2 ? realloc(l->buffer, 2 * l->room) : NULL;

        if (!longer)
            return zoid_fail(ZOID_RESOURCE, "there is no memory for line %ld of %s", l->line + 1,
                             l->path);
        l->buffer = longer;
        l->room *= 2;
    }
    got = gzread(l->file, l->buffer + l->filled,
                 (unsigned)(l->room - l->filled < ROOM ? l->room - l->filled : ROOM));
    if (got > 0)
        l->filled += (size_t)got;
    *more = got > 0;
    /* A file that ends early is reported only at its end. */
    if (got < 0 || (got == 0 && (gzerror(l->file, &got), got != Z_OK && got != Z_STREAM_END)))
        return read_error(l);
    return ZOID_OK;
}

enum zoid_status zoid_lines_next(struct zoid_lines *l, const char **text, const char **end)
{
    const char *found = NULL;
    size_t looked = l->at;
    bool more = true;

    *text = NULL;
    while (more && !(found = memchr(l->buffer + looked, '\n', l->filled - looked))) {
        const size_t length = l->filled - l->at;
        enum zoid_status status = fill(l, &more);

        if (status)
            return status;
        looked = length;
    }
    if (!found && l->at == l->filled)
        return ZOID_OK;
    *text = l->buffer + l->at;
    *end = found ? found : l->buffer + l->filled;
    l->at = (size_t)(*end - l->buffer) + (found != NULL);
    l->line++;
    if (*end > *text && (*end)[-1] == '\r')
        (*end)--;
    return ZOID_OK;
}
