/* SPDX-License-Identifier: BSD-3-Clause */
/* A disk folder as a StarPU memory node: one unnamed file, and the threads that read and write it.
 *
 * The file has no name, so it is gone however the program ends. StarPU would abort if it saw a
 * failed transfer: the first error is stored here instead, and later transfers neither read nor
 * write. */
#ifndef ZOID_RUNTIME_MEMORY_DISK_H
#define ZOID_RUNTIME_MEMORY_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/zoid.h"

struct zoid_disk;

/* Create the file and register a memory node for it. StarPU must be running. ZOID_RESOURCE: the
 * folder cannot be used, or the system or StarPU refuses. */
enum zoid_status zoid_disk_open(const char *folder, struct zoid_disk **disk);
/* Stop the threads and close the file. Call after StarPU has shut down. Accepts NULL in *disk, and
 * leaves NULL there. */
void zoid_disk_close(struct zoid_disk **disk);

unsigned zoid_disk_node(const struct zoid_disk *disk);
const char *zoid_disk_folder(const struct zoid_disk *disk);
/* True if transfers bypass the system's page cache, whose memory no budget counts. */
bool zoid_disk_direct(const struct zoid_disk *disk);
/* Free bytes on the folder's disk; UINT64_MAX if the file system does not tell. */
uint64_t zoid_disk_free(const struct zoid_disk *disk);

/* Allocate `bytes` bytes of the file, so that the disk cannot fill up later; 0 gives them back.
 * ZOID_RESOURCE: there is no space; the file is empty then. */
enum zoid_status zoid_disk_reserve(struct zoid_disk *disk, uint64_t bytes);

/* Return ZOID_RESOURCE, with a message, if a transfer has failed. */
enum zoid_status zoid_disk_status(const struct zoid_disk *disk);

struct zoid_disk_traffic {
    uint64_t read, written;
};
/* Bytes read and written since the disk was opened. */
struct zoid_disk_traffic zoid_disk_traffic(const struct zoid_disk *disk);

#endif
