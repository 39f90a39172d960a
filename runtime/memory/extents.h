/* SPDX-License-Identifier: BSD-3-Clause */
/* Extents of a file that grows and shrinks with them: each owner has bytes of its own. */
#ifndef ZOID_RUNTIME_MEMORY_EXTENTS_H
#define ZOID_RUNTIME_MEMORY_EXTENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct zoid_extent {
    off_t base;     /* first byte in the file */
    uint64_t bytes; /* set by the owner */
    bool filled;    /* all of its space is allocated */
    struct zoid_extent *next;
};

struct zoid_extents {
    int file;
    pthread_mutex_t mutex;     /* protects the list, and the length of the file */
    struct zoid_extent *first; /* in the order of their bases */
};

void zoid_extents_init(struct zoid_extents *extents, int file);
void zoid_extents_free(struct zoid_extents *extents);
/* Find the first gap that is large enough for the extent, whose bytes are set, and allocate its
 * space. On file systems without preallocation only the file gets longer, and a write can still
 * fail later. Thread-safe. Returns 0, or an error number; nothing is taken then. */
int zoid_extents_take(struct zoid_extents *extents, struct zoid_extent *extent);
/* Give the bytes of an extent back to the file system. At the end of the file they always go back.
 * Before another extent they do if the file system can punch holes; otherwise the file keeps them,
 * for extents to come, until the extents behind are given back, too. Thread-safe. */
void zoid_extents_give(struct zoid_extents *extents, struct zoid_extent *extent);
/* Bytes of extents whose space was not allocated in advance. Thread-safe. */
uint64_t zoid_extents_promised(struct zoid_extents *extents);

#endif
