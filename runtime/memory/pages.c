/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/pages.h"

#include <starpu.h>
#include <sys/mman.h>

#include "codelets/parallel.h"

struct pages {
    char *memory;
    size_t bytes;
};

static const size_t CHUNK = 64 << 20;

/* Kernels that know neither large pages nor this do without. */
static void populate(void *arg, int thread, long i)
{
    const struct pages *p = arg;
    const size_t first = (size_t)i * CHUNK, left = p->bytes - first;

    (void)thread;
    madvise(p->memory + first, left < CHUNK ? left : CHUNK, MADV_POPULATE_WRITE);
}

void *zoid_pages_take(size_t bytes)
{
    struct pages p = {.bytes = bytes};

    p.memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p.memory == MAP_FAILED)
        return NULL;
    madvise(p.memory, bytes, MADV_HUGEPAGE);
    /* StarPU's idle workers poll; the threads want the cores for themselves. */
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
