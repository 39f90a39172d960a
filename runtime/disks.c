/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/disks.h"

#include <string.h>
#include <sys/stat.h>

enum zoid_status zoid_disks_open(struct zoid_disks *disks, const char *folder,
                                 struct zoid_disk **disk)
{
    struct stat st = {.st_ino = 0};
    const bool known = !stat(folder, &st);
    enum zoid_status status;

    for (int i = 0; i < disks->n && known; i++)
        if (disks->opened[i].device == st.st_dev && disks->opened[i].inode == st.st_ino) {
            *disk = disks->opened[i].disk;
            return ZOID_OK;
        }
    if (disks->n == ZOID_MOST_DISKS)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{disk} names %s, and there are %d other folders already; use one of "
                         "them, such as %s",
                         folder, ZOID_MOST_DISKS, zoid_disk_folder(disks->opened[0].disk));
    status = zoid_disk_open(folder, disk);
    if (!status)
        disks->opened[disks->n++] =
            (struct zoid_opened_disk){.disk = *disk, .device = st.st_dev, .inode = st.st_ino};
    return status;
}

struct zoid_disk *zoid_disks_named(const struct zoid_disks *disks, const char *folder)
{
    for (int i = 0; i < disks->n && folder; i++)
        if (!strcmp(zoid_disk_folder(disks->opened[i].disk), folder))
            return disks->opened[i].disk;
    return NULL;
}

void zoid_disks_close(struct zoid_disks *disks)
{
    while (disks->n > 0)
        zoid_disk_close(&disks->opened[--disks->n].disk);
}
