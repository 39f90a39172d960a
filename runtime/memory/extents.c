/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for fallocate */
#include "runtime/memory/extents.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

void zoid_extents_init(struct zoid_extents *e, int file)
{
    *e = (struct zoid_extents){.file = file};
    pthread_mutex_init(&e->mutex, NULL);
}

void zoid_extents_free(struct zoid_extents *e)
{
    pthread_mutex_destroy(&e->mutex);
}

static off_t end_of(const struct zoid_extent *extent)
{
    return extent->base + (off_t)extent->bytes;
}

static void insert(struct zoid_extents *e, struct zoid_extent *extent)
{
    struct zoid_extent **at = &e->first;

    extent->base = 0;
    while (*at && (*at)->base - extent->base < (off_t)extent->bytes) {
        extent->base = end_of(*at);
        at = &(*at)->next;
    }
    extent->next = *at;
    *at = extent;
}

/* Space that does not go back is of no consequence for the extents that remain. */
static void cut_out(struct zoid_extents *e, struct zoid_extent *extent)
{
    struct zoid_extent **at = &e->first;
    off_t before = 0;

    for (; *at != extent; at = &(*at)->next)
        before = end_of(*at);
    *at = extent->next;
    if (!extent->next)
        (void)!ftruncate(e->file, before);
    else if (extent->bytes)
        fallocate(e->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, extent->base,
                  (off_t)extent->bytes);
}

static int fill(struct zoid_extents *e, struct zoid_extent *extent)
{
    struct stat st;

    extent->filled = !extent->bytes || !fallocate(e->file, 0, extent->base, (off_t)extent->bytes);
    if (extent->filled)
        return 0;
    if (errno != EOPNOTSUPP || fstat(e->file, &st))
        return errno;
    return st.st_size < end_of(extent) && ftruncate(e->file, end_of(extent)) ? errno : 0;
}

int zoid_extents_take(struct zoid_extents *e, struct zoid_extent *extent)
{
    int error;

    pthread_mutex_lock(&e->mutex);
    insert(e, extent);
    error = fill(e, extent);
    if (error)
        cut_out(e, extent);
    pthread_mutex_unlock(&e->mutex);
    return error;
}

void zoid_extents_give(struct zoid_extents *e, struct zoid_extent *extent)
{
    pthread_mutex_lock(&e->mutex);
    cut_out(e, extent);
    pthread_mutex_unlock(&e->mutex);
}

uint64_t zoid_extents_promised(struct zoid_extents *e)
{
    uint64_t promised = 0;

    pthread_mutex_lock(&e->mutex);
    for (const struct zoid_extent *x = e->first; x; x = x->next)
        promised += x->filled ? 0 : x->bytes;
    pthread_mutex_unlock(&e->mutex);
    return promised;
}
