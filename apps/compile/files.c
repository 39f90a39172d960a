/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for struct FTW */
#include "apps/compile/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum zoid_status cannot_write(const char *path)
{
    return zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; give another folder by {output}", path,
                     strerror(errno));
}

enum zoid_status zoid_build_write(const char *folder, const char *name, const char *bytes)
{
    char to[PATH_MAX], part[PATH_MAX];
    enum zoid_status status = ZOID_OK;
    FILE *file;

    zoid_path(to, "%s/%s", folder, name);
    zoid_path(part, "%s/%s.%ld", folder, name, (long)getpid());
    errno = 0;
    file = fopen(part, "we");
    if (file)
        fputs(bytes, file);
    if (!file || ferror(file) | fclose(file) || rename(part, to)) {
        status = cannot_write(to);
        if (file)
            unlink(part);
    }
    return status;
}

enum zoid_status zoid_build_folder(const char *folder)
{
    if (mkdir(folder, 0777) && errno != EEXIST)
        return zoid_fail(ZOID_RESOURCE, "cannot make %s: %s; give another folder by {output}",
                         folder, strerror(errno));
    return ZOID_OK;
}

enum zoid_status zoid_build_texts(const char *folder, const char *name,
                                  const struct zoid_emitted *files)
{
    const struct {
        const char *name, *bytes;
    } all[] = {{".h", files->header},
               {".def", files->rows},
               {"_call.c", files->call},
               {"_call.h", files->call_header},
               {NULL, files->cmake}};
    char to[PATH_MAX];
    enum zoid_status status = zoid_build_folder(folder);

    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++) {
        zoid_path(to, "%s%s", all[i].name ? name : "CMakeLists.txt",
                  all[i].name ? all[i].name : "");
        if (all[i].bytes)
            status = zoid_build_write(folder, to, all[i].bytes);
    }
    return status;
}

enum zoid_status zoid_copy_file(const char *from, const char *to, mode_t mode)
{
    char part[PATH_MAX], bytes[1 << 16];
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    int out;
    ssize_t n = -1;
    bool failed;

    zoid_path(part, "%s.%ld", to, (long)getpid());
    if (in < 0)
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; build it again", from,
                         strerror(errno));
    out = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    while (out >= 0 && (n = read(in, bytes, sizeof bytes)) > 0)
        if (write(out, bytes, (size_t)n) != n) {
            n = -1;
            break;
        }
    failed = n < 0;
    failed |= out < 0 || close(out);
    failed = failed || rename(part, to);
    close(in);
    if (failed && out >= 0)
        unlink(part);
    return failed ? cannot_write(to) : ZOID_OK;
}

int zoid_remove_one(const char *name, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)where;
    return kind == FTW_DP ? rmdir(name) : unlink(name);
}
