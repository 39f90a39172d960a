/* SPDX-License-Identifier: BSD-3-Clause */
/* A disk folder as a StarPU memory node: one unnamed file, and the threads that read and write it.
 * Each job has a range of the file.
 *
 * The file has no name, so it is gone however the program ends. StarPU would abort if it saw a
 * failed transfer: the first error of a range is stored there instead, and its later transfers
 * neither read nor write. Other ranges go on. */
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
/* Free bytes on the folder's disk, without those that ranges have yet to take; UINT64_MAX if the
 * file system does not tell. */
uint64_t zoid_disk_free(struct zoid_disk *disk);

/* A range of the file, and the place of a datum in it, in bytes from its start: StarPU's object of
 * the datum is the address of its place, so it must not move. */
struct zoid_disk_range;
struct zoid_disk_place {
    struct zoid_disk_range *range;
    off_t at;
};

/* Reserve `bytes` bytes of the file, in the first gap that is large enough, so that the disk cannot
 * fill up later. Thread-safe. ZOID_RESOURCE: there is no space; nothing is reserved then. */
enum zoid_status zoid_disk_reserve(struct zoid_disk *disk, uint64_t bytes,
                                   struct zoid_disk_range **range);
/* Give the bytes back, as zoid_extents_give does. No transfer may be in progress. Accepts NULL in
 * *range, and leaves NULL there. Thread-safe. */
void zoid_disk_release(struct zoid_disk_range **range);
const struct zoid_disk *zoid_disk_of(const struct zoid_disk_range *range);

/* Return ZOID_RESOURCE, with a message, if a transfer of the range has failed. */
enum zoid_status zoid_disk_status(const struct zoid_disk_range *range);

struct zoid_disk_traffic {
    uint64_t read, written;
};
/* Bytes of the range read and written since it was reserved. */
struct zoid_disk_traffic zoid_disk_traffic(const struct zoid_disk_range *range);

#endif
