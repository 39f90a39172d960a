/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5_hl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "runtime/error.h"
#include "runtime/io/h5_file.h"

/* Datasets of at least this size are aligned to it, for disks and for writes that bypass the page
 * cache. */
enum { ALIGNMENT = 4096 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

const char *zoid_h5_version(void)
{
    static char text[48];
    unsigned major, minor, release;

    if (H5get_libversion(&major, &minor, &release) < 0)
        return NULL;
    snprintf(text, sizeof text, "%u.%u.%u", major, minor, release);
    return text;
}

uint64_t zoid_h5_sum(const void *bytes, size_t count)
{
    return XXH3_64bits(bytes, count);
}

/* ---- shared by the parts ----------------------------------------------------------------- */

void zoid_h5_enter(void)
{
    pthread_mutex_lock(&turn);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void zoid_h5_leave(void)
{
    pthread_mutex_unlock(&turn);
}

/* The first error of the stack is the one that the library met. */
static herr_t take_first(unsigned n, const H5E_error2_t *error, void *text)
{
    if (n == 0)
        snprintf(text, 160, "%s", error->desc ? error->desc : "");
    return 0;
}

enum zoid_status zoid_h5_fail(const struct zoid_h5 *file, const char *what)
{
    char why[160] = "";

    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, why);
    if (file->writes)
        return zoid_fail(ZOID_RESOURCE,
                         "cannot write %s%s%s: HDF5 says '%s'; make room or name another file",
                         *what ? what : "", *what ? " of " : "", file->called, why);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s%s%s is damaged or no HDF5: the library says '%s'; name a whole file", what,
                     *what ? " of " : "", file->called, why);
}

hid_t zoid_h5_type(const struct zoid_element *e)
{
    if (e->kind == 'f')
        return e->size == 4 ? H5T_IEEE_F32LE : e->size == 8 ? H5T_IEEE_F64LE : -1;
    if (e->kind == 'i')
        return e->size == 1   ? H5T_STD_I8LE
               : e->size == 2 ? H5T_STD_I16LE
               : e->size == 4 ? H5T_STD_I32LE
               : e->size == 8 ? H5T_STD_I64LE
                              : -1;
    if (e->kind == 'u')
        return e->size == 1   ? H5T_STD_U8LE
               : e->size == 2 ? H5T_STD_U16LE
               : e->size == 4 ? H5T_STD_U32LE
               : e->size == 8 ? H5T_STD_U64LE
                              : -1;
    return -1;
}

/* ---- opening ----------------------------------------------------------------------------- */

struct listing {
    struct zoid_h5 *file;
    bool full; /* out of memory */
};

static bool list_name(struct zoid_h5 *file, const char *name)
{
    char **longer = realloc(file->name, (size_t)(file->count + 1) * sizeof *longer);
    char *copy = strdup(name);

    if (longer)
        file->name = longer;
    if (!longer || !copy) {
        free(copy);
        return false;
    }
    file->name[file->count++] = copy;
    return true;
}

/* Soft links, and links to other files, are not followed. */
static herr_t visit(hid_t group, const char *name, const H5L_info_t *link, void *user)
{
    struct listing *l = user;
    hid_t object;

    if (link->type != H5L_TYPE_HARD)
        return 0;
    object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0)
        return -1;
    if (H5Iget_type(object) == H5I_DATASET)
        l->full = !list_name(l->file, name);
    H5Oclose(object);
    return l->full ? -1 : 0;
}

static enum zoid_status list(struct zoid_h5 *file)
{
    struct listing l = {.file = file};

    if (H5Lvisit(file->id, H5_INDEX_NAME, H5_ITER_INC, visit, &l) >= 0)
        return ZOID_OK;
    return l.full ? zoid_no_memory() : zoid_h5_fail(file, "");
}

/* The system's message about a file is plainer than the library's. */
static enum zoid_status try_file(const char *path, const char *called)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    enum zoid_status status = ZOID_OK;

    if (file < 0 || fstat(file, &about))
        status = zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", called,
                           strerror(errno));
    else if (S_ISDIR(about.st_mode))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "%s is a folder; name a file in it", called);
    if (file >= 0)
        close(file);
    return status;
}

/* Locks of files fail on some file systems, and are not needed: files are not read here while they
 * are written. The library's driver for C streams opens the path as it is; the usual one looks for
 * the names that links lead to, and files under /proc/self/fd may have no name. */
static hid_t access_of(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);

    H5Pset_fapl_stdio(access);
    H5Pset_file_locking(access, 0, 1);
    H5Pset_alignment(access, ALIGNMENT, ALIGNMENT);
    return access;
}

static enum zoid_status open_file(struct zoid_h5 *f, const char *path, enum zoid_h5_use use)
{
    enum zoid_status status = ZOID_OK;
    hid_t access;

    zoid_h5_enter();
    access = access_of();
    f->id = use == ZOID_H5_NEW ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                               : H5Fopen(path, f->writes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    if (f->id < 0)
        status = zoid_h5_fail(f, "");
    H5Pclose(access);
    if (!status)
        status = list(f);
    zoid_h5_leave();
    return status;
}

static enum zoid_status make(const char *path, const char *called, enum zoid_h5_use use,
                             struct zoid_h5 **file)
{
    struct zoid_h5 *f = calloc(1, sizeof *f);
    struct zoid_failure failure = {.status = ZOID_OK};
    enum zoid_status status;

    if (!f || !(f->called = strdup(called))) {
        free(f);
        return zoid_no_memory();
    }
    f->id = f->read = -1;
    f->writes = use != ZOID_H5_READ;
    status = open_file(f, path, use);
    if (!status) {
        *file = f;
        return ZOID_OK;
    }
    zoid_failure_keep(&failure, status);
    zoid_h5_close(&f);
    return zoid_failure_raise(&failure);
}

/* Describe all datasets, in silence, and exit. */
static _Noreturn void look(const char *path)
{
    const struct rlimit seconds = {.rlim_cur = 60, .rlim_max = 60}, none = {0};
    const int null = open("/dev/null", O_WRONLY);
    struct zoid_h5 *file = NULL;
    struct zoid_h5_dataset d;

    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    if (!make(path, "", ZOID_H5_READ, &file))
        for (long i = 0; i < file->count; i++)
            zoid_h5_at(file, i, &d);
    _exit(0);
}

/* The library may crash on a damaged file: let a child process try it first. */
static enum zoid_status try_library(const char *path, const char *called)
{
    int how = 0;
    pid_t child, ended;

    zoid_h5_enter();
    child = fork();
    if (child == 0) {
        pthread_mutex_init(&turn, NULL);
        look(path);
    }
    zoid_h5_leave();
    if (child < 0)
        return zoid_fail(ZOID_RESOURCE, "cannot look at %s: %s", called, strerror(errno));
    while ((ended = waitpid(child, &how, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0 || WIFEXITED(how))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s is damaged: the library of HDF5 crashes on it; name a whole file", called);
}

enum zoid_status zoid_h5_open(const char *path, const char *called, enum zoid_h5_use use,
                              struct zoid_h5 **file)
{
    enum zoid_status status = use == ZOID_H5_NEW ? ZOID_OK : try_file(path, called);

    if (!status && use != ZOID_H5_NEW)
        status = try_library(path, called);
    return status ? status : make(path, called, use, file);
}

enum zoid_status zoid_h5_close(struct zoid_h5 **file)
{
    struct zoid_h5 *f = *file;
    enum zoid_status status = ZOID_OK;

    if (!f)
        return ZOID_OK;
    zoid_h5_enter();
    if (f->read >= 0)
        H5Dclose(f->read);
    if (f->id >= 0 && H5Fclose(f->id) < 0)
        status = zoid_h5_fail(f, "");
    zoid_h5_leave();
    for (long i = 0; i < f->count; i++)
        free(f->name[i]);
    free(f->name);
    free(f->read_name);
    free(f->called);
    free(f);
    *file = NULL;
    return status;
}
