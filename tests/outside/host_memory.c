/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of GPUs made of cores: ranges of one reserved span of addresses, each between two pages
 * without access. A range ends where its last page ends, and is not used again. */
#define _GNU_SOURCE /* for MAP_NORESERVE */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/outside/host_gpu.h"

enum { PAGE = 4096, ALIGNED = 256, MOST = 1 << 14 /* ranges at once */ };
static const size_t SPAN = (size_t)1 << 44;

struct range {
    char *lo, *hi; /* pages */
    char *at;      /* first byte that was asked for */
    int device;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct range range[MOST];
static int ranges;
static char *span;
static size_t taken = PAGE;

static size_t whole(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static bool reserve(void)
{
    if (!span)
        span = mmap(NULL, SPAN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (span == MAP_FAILED)
        span = NULL;
    return span != NULL;
}

bool host_memory_take(int device, size_t bytes, void **at)
{
    const size_t pages = whole(bytes ? bytes : 1, PAGE);
    struct range r = {.device = device};
    bool there;

    pthread_mutex_lock(&mutex);
    there = reserve() && ranges < MOST && taken + pages + PAGE <= SPAN &&
            !mprotect(span + taken, pages, PROT_READ | PROT_WRITE);
    if (there) {
        r.lo = span + taken;
        r.hi = r.lo + pages;
        r.at = r.hi - whole(bytes, ALIGNED);
        range[ranges++] = r;
        taken += pages + PAGE;
    }
    pthread_mutex_unlock(&mutex);
    if (there)
        memset(r.lo, 0xff, pages);
    *at = r.at;
    return there;
}

/* Returns the number of the range that has an address, or -1. With the mutex. */
static int find(const char *at)
{
    for (int i = ranges - 1; i >= 0; i--)
        if (at >= range[i].at && at < range[i].hi)
            return i;
    return -1;
}

bool host_memory_give(void *at)
{
    bool given = false;
    int i;

    pthread_mutex_lock(&mutex);
    i = find(at);
    if (i >= 0 && range[i].at == at) {
        const struct range r = range[i];

        range[i] = range[--ranges];
        given = !madvise(r.lo, (size_t)(r.hi - r.lo), MADV_DONTNEED) &&
                !mprotect(r.lo, (size_t)(r.hi - r.lo), PROT_NONE);
    }
    pthread_mutex_unlock(&mutex);
    return given;
}

int host_memory_owner(const void *at)
{
    int i, device;

    if (!span || (const char *)at < span || (const char *)at >= span + SPAN)
        return -1;
    pthread_mutex_lock(&mutex);
    i = find(at);
    device = i < 0 ? -1 : range[i].device;
    pthread_mutex_unlock(&mutex);
    return device;
}
