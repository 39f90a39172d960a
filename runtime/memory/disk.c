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
#include "runtime/memory/extents.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/tier.h"

/* StarPU has at most two reads and two writes in flight ahead of their use, and some that it waits
 * for. */
enum { THREADS = 4 };

enum way { READ, WRITE };

struct request {
    struct zoid_disk_range *range;
    enum way way;
    char *memory;
    off_t at;
    size_t bytes;
    bool done;
    struct request *next; /* in the queue */
};

struct zoid_disk_range {
    struct zoid_disk *disk;
    struct zoid_extent extent; /* whole blocks */
    _Atomic int error;         /* the first one; 0: no failure */
    _Atomic int failed_way;
    _Atomic uint64_t moved[2];
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
    struct zoid_extents extents;
};

/* ---- transfers --------------------------------------------------------------------------- */

static void fail(struct zoid_disk_range *range, enum way way, int error)
{
    int none = 0;

    if (atomic_compare_exchange_strong(&range->error, &none, error))
        atomic_store(&range->failed_way, way);
}

static void transfer(struct request *r)
{
    const int file = r->range->disk->file;
    size_t done = 0;

    while (done < r->bytes && !atomic_load(&r->range->error)) {
        char *memory = r->memory + done;
        off_t at = r->at + (off_t)done;
        ssize_t n = r->way == WRITE ? pwrite(file, memory, r->bytes - done, at)
                                    : pread(file, memory, r->bytes - done, at);

        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            fail(r->range, r->way, n ? errno : EIO);
    }
    atomic_fetch_add_explicit(&r->range->moved[r->way], done, memory_order_relaxed);
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

static struct request request_of(enum way way, void *object, void *memory, off_t offset,
                                 size_t bytes)
{
    const struct zoid_disk_place *place = object;

    return (struct request){.range = place->range,
                            .way = way,
                            .memory = memory,
                            .at = place->range->extent.base + place->at + offset,
                            .bytes = bytes};
}

/* Queue an asynchronous transfer. NULL: out of memory; StarPU then makes the synchronous call. */
static void *queue(struct request wanted)
{
    struct zoid_disk *disk = wanted.range->disk;
    struct request *r = malloc(sizeof *r);

    if (!r)
        return NULL;
    *r = wanted;
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

/* StarPU ignores their results: failures are the range's. */
static int read_now(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    struct request r = request_of(READ, object, memory, offset, bytes);

    (void)base;
    transfer(&r);
    return 0;
}

static int write_now(void *base, void *object, const void *memory, off_t offset, size_t bytes)
{
    struct request r = request_of(WRITE, object, (void *)memory, offset, bytes);

    (void)base;
    transfer(&r);
    return 0;
}

static void *read_soon(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    (void)base;
    return queue(request_of(READ, object, memory, offset, bytes));
}

static void *write_soon(void *base, void *object, void *memory, off_t offset, size_t bytes)
{
    (void)base;
    return queue(request_of(WRITE, object, memory, offset, bytes));
}

static void wait_for(void *request)
{
    const struct request *r = request;
    struct zoid_disk *disk = r->range->disk;

    pthread_mutex_lock(&disk->mutex);
    while (!r->done)
        pthread_cond_wait(&disk->done, &disk->mutex);
    pthread_mutex_unlock(&disk->mutex);
}

static int is_done(void *request)
{
    const struct request *r = request;
    struct zoid_disk *disk = r->range->disk;
    bool done;

    pthread_mutex_lock(&disk->mutex);
    done = r->done;
    pthread_mutex_unlock(&disk->mutex);
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
    /* StarPU would abort. */
    const bool room = starpu_memory_nodes_get_count() < STARPU_MAXNODES;
    int node = room ? starpu_disk_register(&ops, disk, STARPU_DISK_SIZE_MIN) : -1;

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
    zoid_extents_init(&d->extents, d->file);
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
    zoid_extents_free(&d->extents);
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

/* ---- ranges ------------------------------------------------------------------------------ */

uint64_t zoid_disk_free(struct zoid_disk *disk)
{
    uint64_t space, promised;
    struct statvfs vfs;

    /* Some in-memory file systems report no blocks. */
    if (fstatvfs(disk->file, &vfs) || !vfs.f_blocks)
        return UINT64_MAX;
    space = (uint64_t)vfs.f_bavail * vfs.f_frsize;
    promised = zoid_extents_promised(&disk->extents);
    return space > promised ? space - promised : 0;
}

enum zoid_status zoid_disk_reserve(struct zoid_disk *disk, uint64_t bytes,
                                   struct zoid_disk_range **range)
{
    struct zoid_disk_range *r = calloc(1, sizeof *r);
    int error;

    if (!r)
        return zoid_no_memory();
    r->disk = disk;
    r->extent.bytes = zoid_whole(bytes, ZOID_DISK_BLOCK);
    error = zoid_extents_take(&disk->extents, &r->extent);
    if (!error) {
        *range = r;
        return ZOID_OK;
    }
    free(r);
    return zoid_fail(ZOID_RESOURCE,
                     "{disk} cannot take %llu MiB in %s: %s; make room or name another folder",
                     (unsigned long long)(bytes >> 20), disk->folder, strerror(error));
}

void zoid_disk_release(struct zoid_disk_range **range)
{
    struct zoid_disk_range *r = *range;

    if (!r)
        return;
    zoid_extents_give(&r->disk->extents, &r->extent);
    free(r);
    *range = NULL;
}

const struct zoid_disk *zoid_disk_of(const struct zoid_disk_range *range)
{
    return range->disk;
}

enum zoid_status zoid_disk_status(const struct zoid_disk_range *range)
{
    int error = atomic_load(&range->error);

    if (!error)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "cannot %s the file that {disk} keeps in %s: %s; name another folder",
                     atomic_load(&range->failed_way) == WRITE ? "write" : "read",
                     range->disk->folder, strerror(error));
}

struct zoid_disk_traffic zoid_disk_traffic(const struct zoid_disk_range *range)
{
    return (struct zoid_disk_traffic){.read = atomic_load(&range->moved[READ]),
                                      .written = atomic_load(&range->moved[WRITE])};
}
