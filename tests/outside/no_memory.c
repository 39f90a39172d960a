/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program: the library's NO_MEMORY_AT-th allocation fails; with several ranks,
 * only on rank 1 (tests start two). Reports that on standard error. Allocations by StarPU and
 * others succeed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library's own functions. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static bool asked_by_library(void *caller)
{
    Dl_info info;

    return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libzoid");
}

static bool fails(void *caller)
{
    static const char text[] = "there is no memory\n";
    static atomic_long asked;
    const char *at = getenv("NO_MEMORY_AT"), *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (!at || (rank && strcmp(rank, "1") != 0) || !asked_by_library(caller) || ++asked != atol(at))
        return false;
    errno = ENOMEM;
    return write(STDERR_FILENO, text, sizeof text - 1) > 0;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
