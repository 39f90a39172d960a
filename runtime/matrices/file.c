/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/matrices/market.h"
#include "runtime/matrices/petsc.h"

static enum zoid_status look(const char *path, unsigned char *bytes, size_t room, size_t *count)
{
    struct stat about;
    FILE *file = fopen(path, "rb");

    if (!file)
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", path,
                         strerror(errno));
    if (fstat(fileno(file), &about) || !S_ISREG(about.st_mode)) {
        fclose(file);
        return zoid_fail(ZOID_RESOURCE, "%s is no regular file; name another", path);
    }
    *count = fread(bytes, 1, room, file);
    fclose(file);
    return ZOID_OK;
}

enum zoid_status zoid_matrix_read(const char *path, bool sum, struct zoid_matrix **matrix)
{
    unsigned char bytes[8];
    size_t count = 0;
    enum zoid_status status = look(path, bytes, sizeof bytes, &count);
    const bool text = count >= 2 && (!memcmp(bytes, "%%", 2) || !memcmp(bytes, "\x1f\x8b", 2));

    if (status)
        return status;
    if (zoid_petsc_named(bytes, count))
        return zoid_petsc_read(path, sum, matrix);
    if (text)
        return zoid_market_read(path, sum, matrix);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s, line 1: it begins neither with %%%%MatrixMarket nor as a matrix of "
                     "PETSc's; give a file of either sort, or band:W, laplace:NXxNY, "
                     "random:W,DENSITY",
                     path);
}
