/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for O_TMPFILE */
#include "runtime/io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/error.h"

struct zoid_output {
    char *path;   /* as the user named it */
    char *target; /* with links followed */
    char *folder; /* of the target; NULL: that is special */
    /* In the folder of the target; NULL: there is no such file. A file without a name has one for a
     * moment only. */
    char *temporary;
    /* The file has no name; if it has one, and there is no temporary, it is the target. */
    bool nameless;
    char file[64]; /* by which a file without a name is opened */
    FILE *stream;
};

/* Temporaries that a signal must remove. A lock protects them from several threads. */
enum { MOST_LIVE = 8 };
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char *volatile live[MOST_LIVE];

void zoid_output_remove_unfinished(void)
{
    for (int i = 0; i < MOST_LIVE; i++)
        if (live[i])
            unlink(live[i]);
}

static void replace_live(char *old, char *new)
{
    int i = 0;

    pthread_mutex_lock(&turn);
    while (i < MOST_LIVE && live[i] != old)
        i++;
    if (i < MOST_LIVE)
        live[i] = new;
    pthread_mutex_unlock(&turn);
}

static enum zoid_status refuse(const char *path, const char *why)
{
    if (errno == ENOMEM)
        return zoid_no_memory();
    return zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; name a file that can be written", path,
                     why);
}

/* Without O_NONBLOCK a pipe without a reader would keep us waiting. */
static int open_special(const char *target)
{
    int fd = open(target, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* Path of a name in the folder of the target. */
static char *beside(const char *target, const char *name)
{
    const char *slash = strrchr(target, '/');
    size_t folder = slash ? (size_t)(slash - target) + 1 : 0;
    char *path = malloc(folder + strlen(name) + 1);

    if (path) {
        memcpy(path, target, folder);
        strcpy(path + folder, name);
    }
    return path;
}

/* Not named after the target, whose name may already have the maximum length. */
static char *temporary_beside(const char *target)
{
    return beside(target, ".zoid-XXXXXX");
}

/* -1: files need a name on this file system. */
static int open_nameless(struct zoid_output *o)
{
    int fd = open(o->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0)
        return -1;
    snprintf(o->file, sizeof o->file, "/proc/self/fd/%d", fd);
    o->nameless = access(o->file, W_OK) == 0;
    if (o->nameless)
        return fd;
    close(fd);
    return -1;
}

static int open_named(struct zoid_output *o)
{
    char *path = temporary_beside(o->target);
    int fd = path ? mkstemp(path) : -1;

    if (fd < 0) {
        free(path);
        return -1;
    }
    o->temporary = path;
    replace_live(NULL, path);
    return fd;
}

static int open_temporary(struct zoid_output *o, mode_t mode)
{
    int fd;

    /* Committing may not fail for want of memory once the file has its name. */
    o->folder = beside(o->target, ".");
    if (!o->folder)
        return -1;
    fd = open_nameless(o);
    if (fd < 0)
        fd = open_named(o);
    if (fd >= 0)
        fchmod(fd, mode);
    return fd;
}

/* The mask is read by changing it, for all threads: once, before there are other threads. */
static mode_t usual_mode(void)
{
    static mode_t mode;

    if (!mode) {
        const mode_t mask = umask(0);

        umask(mask);
        mode = 0666 & ~mask;
    }
    return mode;
}

static int open_target(struct zoid_output *o)
{
    struct stat st;

    if (stat(o->path, &st)) {
        /* A link to nowhere is an error, and is not replaced. */
        if (errno != ENOENT || !lstat(o->path, &st) || !(o->target = strdup(o->path)))
            return -1;
        return open_temporary(o, usual_mode());
    }
    if (!S_ISREG(st.st_mode))
        return (o->target = strdup(o->path)) ? open_special(o->target) : -1;
    if (access(o->path, W_OK) || !(o->target = realpath(o->path, NULL)))
        return -1;
    return open_temporary(o, st.st_mode & 07777);
}

/* Path of a file, which may exist or not, without links; NULL: there is no such folder, or it is no
 * regular file. */
static char *full_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct stat st;
    char *folder, *full = NULL;

    if (!stat(path, &st))
        return S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL;
    folder = beside(path, ".");
    if (folder && (full = realpath(folder, NULL))) {
        char *longer = realloc(full, strlen(full) + strlen(name) + 2);

        if (longer)
            strcat(strcat(full = longer, "/"), name);
    }
    free(folder);
    return full;
}

bool zoid_output_same(const char *a, const char *b)
{
    char *one = full_path(a), *other = full_path(b);
    const bool same = one && other && !strcmp(one, other);

    free(one);
    free(other);
    return same;
}

enum zoid_status zoid_output_open(const char *path, struct zoid_output **output)
{
    struct zoid_output *o = calloc(1, sizeof *o);
    int fd;

    if (!o || !(o->path = strdup(path))) {
        free(o);
        return zoid_no_memory();
    }
    fd = open_target(o);
    if (fd < 0 || !(o->stream = fdopen(fd, "w"))) {
        enum zoid_status status = refuse(path, strerror(errno));

        if (fd >= 0)
            close(fd);
        zoid_output_discard(&o);
        return status;
    }
    *output = o;
    return ZOID_OK;
}

FILE *zoid_output_stream(const struct zoid_output *output)
{
    return output->stream;
}

const char *zoid_output_file(const struct zoid_output *output)
{
    return output->nameless ? output->file : output->temporary ? output->temporary : output->target;
}

/* An existing file can only be replaced by one that has a name, too. */
static bool give_name(struct zoid_output *o)
{
    int rc = linkat(AT_FDCWD, o->file, AT_FDCWD, o->target, AT_SYMLINK_FOLLOW);

    if (!rc || errno != EEXIST)
        return rc == 0;
    do {
        free(o->temporary);
        o->temporary = temporary_beside(o->target);
        /* A free name: the file that mkstemp makes is removed for the complete one. */
        rc = o->temporary ? mkstemp(o->temporary) : -1;
        if (rc < 0)
            break;
        close(rc);
        unlink(o->temporary);
        replace_live(NULL, o->temporary);
        rc = linkat(AT_FDCWD, o->file, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW);
        if (rc)
            replace_live(o->temporary, NULL);
    } while (rc && errno == EEXIST);
    return rc == 0;
}

static bool replace_target(struct zoid_output *o)
{
    if (rename(o->temporary, o->target))
        return false;
    replace_live(o->temporary, NULL);
    free(o->temporary);
    o->temporary = NULL;
    return true;
}

/* A name is on disk when its folder is. */
static bool keep_name(const struct zoid_output *o)
{
    int fd = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* Some file systems cannot sync folders, and need not. */
    bool kept = fd >= 0 && (!fsync(fd) || errno == EINVAL);

    if (fd >= 0)
        close(fd);
    return kept;
}

enum zoid_status zoid_output_commit(struct zoid_output **output)
{
    struct zoid_output *o = *output;
    const bool placed = o->nameless || o->temporary;
    enum zoid_status status = ZOID_OK;
    bool lost = ferror(o->stream);

    errno = 0;
    lost |= fflush(o->stream) != 0 || (placed && fsync(fileno(o->stream)) != 0);
    if (!lost && o->nameless)
        lost = !give_name(o);
    lost |= fclose(o->stream) != 0;
    o->stream = NULL;
    if (!lost && o->temporary)
        lost = !replace_target(o);
    if (!lost && placed)
        lost = !keep_name(o);
    if (lost)
        status = refuse(o->path, errno ? strerror(errno) : "a write failed");
    zoid_output_discard(output);
    return status;
}

void zoid_output_discard(struct zoid_output **output)
{
    struct zoid_output *o = *output;

    if (!o)
        return;
    if (o->stream)
        fclose(o->stream);
    if (o->temporary) {
        unlink(o->temporary);
        replace_live(o->temporary, NULL);
    }
    free(o->temporary);
    free(o->folder);
    free(o->target);
    free(o->path);
    free(o);
    *output = NULL;
}
