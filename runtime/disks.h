/* SPDX-License-Identifier: BSD-3-Clause */
/* The disks of a context: a folder each, opened when first asked for, and shared by all jobs. */
#ifndef ZOID_RUNTIME_DISKS_H
#define ZOID_RUNTIME_DISKS_H

#include "runtime/memory/disk.h"

enum { ZOID_MOST_DISKS = 8 };

struct zoid_disks {
    int n;
    struct zoid_opened_disk {
        struct zoid_disk *disk;
        dev_t device; /* of the folder, */
        ino_t inode;  /* which may have several names */
    } opened[ZOID_MOST_DISKS];
};

/* Return the disk of a folder; open it at the first request. ZOID_BAD_ARGUMENT: there are too many.
 * ZOID_RESOURCE: as zoid_disk_open. */
enum zoid_status zoid_disks_open(struct zoid_disks *disks, const char *folder,
                                 struct zoid_disk **disk);
/* Return the disk that was opened by that name (zoid_disk_folder); NULL: it was not. */
struct zoid_disk *zoid_disks_named(const struct zoid_disks *disks, const char *folder);
/* Close all of them. Call after StarPU has shut down. */
void zoid_disks_close(struct zoid_disks *disks);

#endif
