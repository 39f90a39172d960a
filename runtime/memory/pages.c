/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/pages.h"

#include <starpu.h>
#include <sys/mman.h>

#include "codelets/threads/parallel.h"

struct pages {
    char *memory;
    size_t bytes;
};

static const size_t CHUNK = 64 << 20;

/* Kernels without MADV_POPULATE_WRITE ignore this, as those without large pages ignore
 * MADV_HUGEPAGE. */
void zoid_pages_touch(void *part, size_t bytes)
{
    madvise(part, bytes, MADV_POPULATE_WRITE);
}

static void populate(void *arg, int thread, long i)
{
    const struct pages *p = arg;
    const size_t first = (size_t)i * CHUNK, left = p->bytes - first;

    (void)thread;
    zoid_pages_touch(p->memory + first, left < CHUNK ? left : CHUNK);
}

void *zoid_pages_reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

void *zoid_pages_take(size_t bytes)
{
    struct pages p = {.memory = zoid_pages_reserve(bytes), .bytes = bytes};

    if (!p.memory)
        return NULL;
    /* Idle workers of StarPU poll: pause them, to leave the cores to these threads. */
    starpu_pause();
    zoid_parallel(zoid_cores(), (long)((bytes + CHUNK - 1) / CHUNK), populate, &p);
    starpu_resume();
    return p.memory;
}

void zoid_pages_give(void *pages, size_t bytes)
{
    if (pages)
        munmap(pages, bytes);
}
