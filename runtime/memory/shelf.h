/* SPDX-License-Identifier: BSD-3-Clause */
/* Data of one kind: their memory, or their offsets in a disk's file, and StarPU's handles. */
#ifndef ZOID_RUNTIME_MEMORY_SHELF_H
#define ZOID_RUNTIME_MEMORY_SHELF_H

#include <starpu.h>

#include "runtime/memory/disk.h"
#include "runtime/zoid_advanced.h"

/* Their home is main memory (`memory`), the disk (`place`), or neither. */
struct zoid_shelf {
    struct zoid_census_row row; /* data that are allocated */
    struct zoid_census_row leg; /* data of the current leg, perhaps fewer: indices count these */
    const struct zoid_graph *graph;
    size_t plane_bytes; /* 0: messages, or pieces, of sizes that the operator knows */
    char *memory;
    struct zoid_disk_place *place; /* of each datum on the disk */
    size_t datum_bytes, bytes;
    size_t *start; /* offsets of data of different sizes, and the end; NULL: equal sizes */
    bool pinned;
    bool exact; /* GPU memory that they free is free at once */
    starpu_data_handle_t *handle;
};

/* Find the number and the sizes of the data of a kind of the plan, whose graph must outlive the
 * shelf. */
enum zoid_status zoid_shelf_measure(struct zoid_shelf *shelf, const struct zoid_plan *plan,
                                    int kind);
/* Then allocate and register them. Data at home on the disk are in the range from *end on, which
 * moves past them. Clear the shelf after a failure of either, too. */
enum zoid_status zoid_shelf_fill(struct zoid_shelf *shelf, const struct zoid_plan *plan, int kind,
                                 struct zoid_disk_range *range, off_t *end);
void zoid_shelf_clear(struct zoid_shelf *shelf);

/* Number of data, and index of a datum among them. */
static inline size_t zoid_shelf_data(const struct zoid_shelf *shelf)
{
    return (size_t)shelf->row.rows * (size_t)shelf->row.cols;
}

size_t zoid_shelf_number(const struct zoid_shelf *shelf, const struct zoid_datum *d);

#endif
