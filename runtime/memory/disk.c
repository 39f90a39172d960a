/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for O_TMPFILE and O_DIRECT */
#include "runtime/memory/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "runtime/error.h"

/* StarPU has at most two reads and two writes in flight ahead of their use, and some that it waits
 * for. */
enum { THREADS = 4 };

enum way { READ, WRITE };

struct request {
    struct zoid_disk *disk;
    enum way way;
    char *memory;
    off_t at;
    size_t bytes;
    bool done;
    struct request *next; /* in the queue */
};

struct zoid_disk {
    char *folder;
    unsigned node;
    int file;
    bool direct;
    pthread_t thread[THREADS];
    int threads;
    pthread_mutex_t mutex; /* protects the queue and `done` of requests */
    pthread_cond_t work, done;
    struct request *first, **last;
    bool stop;
    _Atomic int error; /* the first one; 0: no failure */
    _Atomic int failed_way;
    _Atomic uint64_t bytes[2];
};

/* ---- transfers --------------------------------------------------------------------------- */

static void fail(struct zoid_disk *disk, enum way way, int error)
{
    int none = 0;

    if (atomic_compare_exchange_strong(&disk->error, &none, error))
        atomic_store(&disk->failed_way, way);
}

static void transfer(struct request *r)
{
    struct zoid_disk *disk = r->disk;
    size_t done = 0;

    while (done < r->bytes && !atomic_load(&disk->error)) {
        char *memory = r->memory + done;
        off_t at = r->at + (off_t)done;
        ssize_t n = r->way == WRITE ? pwrite(disk->file, memory, r->bytes - done, at)
                                    : pread(disk->file, memory, r->bytes - done, at);

        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            fail(disk, r->way, n ? errno : EIO);
    }
    atomic_fetch_add_explicit(&disk->bytes[r->way], done, memory_order_relaxed);
}

static void *serve(void *arg)
{
    struct zoid_disk *disk = arg;

    pthread_mutex_lock(&disk->mutex);
    while (true) {
        struct request *r = disk->first;

        if (!r && disk->stop)
            break;
        if (!r) {
            pthread_cond_wait(&disk->work, &disk->mutex);
            continue;
        }
        disk->first = r->next;
        if (!disk->first)
            disk->last = &disk->first;
        pthread_mutex_unlock(&disk->mutex);
        transfer(r);
        pthread_mutex_lock(&disk->mutex);
        r->done = true;
        pthread_cond_broadcast(&disk->done);
    }
    pthread_mutex_unlock(&disk->mutex);
    return NULL;
}

/* StarPU's disk object is a pointer to the datum's offset in the file. */
static struct request request_of(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    return (struct request){
        .disk = base, .memory = memory, .at = *(const off_t *)object + offset, .bytes = bytes};
}

/* Queue an asynchronous transfer. NULL: out of memory; StarPU then makes the synchronous call. */
static void *queue(struct request wanted, enum way way)
{
    struct zoid_disk *disk = wanted.disk;
    struct request *r = malloc(sizeof *r);

    if (!r)
        return NULL;
    *r = wanted;
    r->way = way;
    pthread_mutex_lock(&disk->mutex);
    *disk->last = r;
    disk->last = &r->next;
    pthread_cond_signal(&disk->work);
    pthread_mutex_unlock(&disk->mutex);
    return r;
}

/* ---- StarPU's callbacks ------------------------------------------------------------------ */

static void *plug(void *disk, starpu_ssize_t size)
{
    (void)size;
    return disk;
}

static void unplug(void *base)
{
    (void)base;
}

/* Not measured: no placement here depends on the bandwidth of the disk. */
static int measure(unsigned node, void *base)
{
    (void)node, (void)base;
    return 1;
}

/* No allocation on demand: every datum that may be on the disk has its offset from the start. */
static void *refuse(void *base, size_t size)
{
    (void)base, (void)size;
    return NULL;
}

static void forget(void *base, void *object, size_t size)
{
    (void)base, (void)object, (void)size;
}

static int read_now(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    struct request r = request_of(base, object, memory, offset, bytes);

    r.way = READ;
    transfer(&r);
    return (int)bytes;
}

static int write_now(void *base, void *object, const void *memory, off_t offset, size_t bytes)
{
    struct request r = request_of(base, object, (void *)memory, offset, bytes);

    r.way = WRITE;
    transfer(&r);
    return 0;
}

static void *read_soon(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    return queue(request_of(base, object, memory, offset, bytes), READ);
}

static void *write_soon(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    return queue(request_of(base, object, memory, offset, bytes), WRITE);
}

static void wait_for(void *request)
{
    struct request *r = request;

    pthread_mutex_lock(&r->disk->mutex);
    while (!r->done)
        pthread_cond_wait(&r->disk->done, &r->disk->mutex);
    pthread_mutex_unlock(&r->disk->mutex);
}

static int is_done(void *request)
{
    struct request *r = request;
    bool done;

    pthread_mutex_lock(&r->disk->mutex);
    done = r->done;
    pthread_mutex_unlock(&r->disk->mutex);
    return done;
}

static struct starpu_disk_ops ops = {.plug = plug,
                                     .unplug = unplug,
                                     .bandwidth = measure,
                                     .alloc = refuse,
                                     .free = forget,
                                     .read = read_now,
                                     .write = write_now,
                                     .async_read = read_soon,
                                     .async_write = write_soon,
                                     .wait_request = wait_for,
                                     .test_request = is_done,
                                     .free_request = free};

/* ---- the file ---------------------------------------------------------------------------- */

/* Create an unnamed file; on file systems without O_TMPFILE, a named one that is unlinked at
 * once. */
static int make_file(const char *folder, int flags)
{
    static const char name[] = "/.zoid-XXXXXX";
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600);
    char *path;

    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    path = malloc(strlen(folder) + sizeof name);
    if (!path)
        return -1;
    file = mkostemp(strcat(strcpy(path, folder), name), O_CLOEXEC | flags);
    if (file >= 0)
        unlink(path);
    free(path);
    return file;
}

static enum zoid_status open_file(struct zoid_disk *disk)
{
    disk->direct = true;
    disk->file = make_file(disk->folder, O_DIRECT);
    if (disk->file < 0 && errno == EINVAL) {
        disk->direct = false;
        disk->file = make_file(disk->folder, 0);
    }
    if (disk->file >= 0)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "{disk} cannot make a file in %s: %s; name a folder that can be written",
                     disk->folder, strerror(errno));
}

static enum zoid_status start_threads(struct zoid_disk *disk)
{
    for (; disk->threads < THREADS; disk->threads++)
        if (pthread_create(&disk->thread[disk->threads], NULL, serve, disk))
            return zoid_fail(ZOID_RESOURCE, "the system refuses threads that serve the disk");
    return ZOID_OK;
}

static enum zoid_status register_node(struct zoid_disk *disk)
{
    int node = starpu_disk_register(&ops, disk, STARPU_DISK_SIZE_MIN);

    if (node < 0)
        return zoid_fail(ZOID_RESOURCE, "StarPU refuses the disk of %s", disk->folder);
    disk->node = (unsigned)node;
    /* Data without an offset there must not be evicted to the disk when memory is short. */
    starpu_memory_allocate(disk->node, STARPU_DISK_SIZE_MIN, 0);
    return ZOID_OK;
}

enum zoid_status zoid_disk_open(const char *folder, struct zoid_disk **disk)
{
    struct zoid_disk *d = calloc(1, sizeof *d);
    enum zoid_status status;

    if (!d)
        return zoid_no_memory();
    d->file = -1;
    d->last = &d->first;
    pthread_mutex_init(&d->mutex, NULL);
    pthread_cond_init(&d->work, NULL);
    pthread_cond_init(&d->done, NULL);
    d->folder = strdup(folder);
    status = d->folder ? open_file(d) : zoid_no_memory();
    if (!status)
        status = start_threads(d);
    if (!status)
        status = register_node(d);
    if (status)
        zoid_disk_close(&d);
    else
        *disk = d;
    return status;
}

void zoid_disk_close(struct zoid_disk **disk)
{
    struct zoid_disk *d = *disk;

    if (!d)
        return;
    pthread_mutex_lock(&d->mutex);
    d->stop = true;
    pthread_cond_broadcast(&d->work);
    pthread_mutex_unlock(&d->mutex);
    for (int i = 0; i < d->threads; i++)
        pthread_join(d->thread[i], NULL);
    if (d->file >= 0)
        close(d->file);
    pthread_cond_destroy(&d->done);
    pthread_cond_destroy(&d->work);
    pthread_mutex_destroy(&d->mutex);
    free(d->folder);
    free(d);
    *disk = NULL;
}

unsigned zoid_disk_node(const struct zoid_disk *disk)
{
    return disk->node;
}

const char *zoid_disk_folder(const struct zoid_disk *disk)
{
    return disk->folder;
}

bool zoid_disk_direct(const struct zoid_disk *disk)
{
    return disk->direct;
}

uint64_t zoid_disk_free(const struct zoid_disk *disk)
{
    struct statvfs vfs;

    /* Some in-memory file systems report no blocks. */
    if (fstatvfs(disk->file, &vfs) || !vfs.f_blocks)
        return UINT64_MAX;
    return (uint64_t)vfs.f_bavail * vfs.f_frsize;
}

enum zoid_status zoid_disk_reserve(struct zoid_disk *disk, uint64_t bytes)
{
    int error = 0;

    if (bytes && fallocate(disk->file, 0, 0, (off_t)bytes))
        error = errno;
    /* Without preallocation only the length is set: a write can still fail later. */
    if (!bytes || error == EOPNOTSUPP)
        error = ftruncate(disk->file, (off_t)bytes) ? errno : 0;
    if (!error)
        return ZOID_OK;
    if (ftruncate(disk->file, 0))
        fail(disk, WRITE, errno);
    return zoid_fail(ZOID_RESOURCE,
                     "{disk} cannot take %llu MiB in %s: %s; make room or name another folder",
                     (unsigned long long)(bytes >> 20), disk->folder, strerror(error));
}

enum zoid_status zoid_disk_status(const struct zoid_disk *disk)
{
    int error = atomic_load(&disk->error);

    if (!error)
        return ZOID_OK;
    return zoid_fail(
        ZOID_RESOURCE, "cannot %s the file that {disk} keeps in %s: %s; name another folder",
        atomic_load(&disk->failed_way) == WRITE ? "write" : "read", disk->folder, strerror(error));
}

struct zoid_disk_traffic zoid_disk_traffic(const struct zoid_disk *disk)
{
    return (struct zoid_disk_traffic){.read = atomic_load(&disk->bytes[READ]),
                                      .written = atomic_load(&disk->bytes[WRITE])};
}
