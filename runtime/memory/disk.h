/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder as a memory of StarPU's: one file, which has no name, and threads that read and write
 * it.
 *
 * Since the file has no name, nothing is left of it however the program ends. StarPU must not hear
 * of a failure, for it would abort: the first one is kept here, and what is transferred after it is
 * neither read nor written. */
#ifndef ZOID_RUNTIME_MEMORY_DISK_H
#define ZOID_RUNTIME_MEMORY_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/zoid.h"

struct zoid_disk;

/* Makes the file, and a memory node of it; StarPU is running. ZOID_RESOURCE when the folder cannot
 * be used. */
enum zoid_status zoid_disk_open(const char *folder, struct zoid_disk **disk);
/* After StarPU has ended; accepts NULL in *disk. */
void zoid_disk_close(struct zoid_disk **disk);

unsigned zoid_disk_node(const struct zoid_disk *disk);
const char *zoid_disk_folder(const struct zoid_disk *disk);
/* Whether transfers bypass the system's cache, where they would take memory that nobody counts. */
bool zoid_disk_direct(const struct zoid_disk *disk);
/* Bytes that the folder's disk has free; UINT64_MAX when the system does not say. */
uint64_t zoid_disk_free(const struct zoid_disk *disk);

/* Takes that many bytes of the disk, so that it cannot become full later; 0 gives them back. */
enum zoid_status zoid_disk_reserve(struct zoid_disk *disk, uint64_t bytes);

/* ZOID_RESOURCE, with a message, once a transfer has failed. */
enum zoid_status zoid_disk_status(const struct zoid_disk *disk);

struct zoid_disk_traffic {
    uint64_t read, written;
};
/* Since the disk was opened. */
struct zoid_disk_traffic zoid_disk_traffic(const struct zoid_disk *disk);

#endif
