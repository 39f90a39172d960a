/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a kind: their memory, or their places in a disk's file, and StarPU's handles. */
#ifndef ZOID_RUNTIME_MEMORY_SHELF_H
#define ZOID_RUNTIME_MEMORY_SHELF_H

#include <starpu.h>

#include "runtime/memory/disk.h"

/* Their home is main memory, the disk, or neither. */
struct zoid_shelf {
    struct zoid_census_row row; /* there are so many, */
    struct zoid_census_row leg; /* of which the leg that runs may have fewer, and counts these */
    const struct zoid_graph *graph;
    size_t plane_bytes; /* 0: a datum is a message, or a piece, whose bytes the operator knows */
    char *memory;
    off_t *place; /* in the disk's file, of each datum */
    size_t datum_bytes, bytes;
    size_t *start; /* of data of different sizes, and the end of the last; NULL: all are alike */
    bool pinned;
    bool exact; /* what they free is free at once */
    starpu_data_handle_t *handle;
};

/* Allocates and registers the data of a kind of a plan; those that are at home on the disk begin at
 * *end of its file, which moves behind them. To be cleared after a failure as well. */
enum zoid_status zoid_shelf_fill(struct zoid_shelf *shelf, const struct zoid_plan *plan, int kind,
                                 const struct zoid_disk *disk, off_t *end);
void zoid_shelf_clear(struct zoid_shelf *shelf);

/* How many there are, and which of them a datum is. */
static inline size_t zoid_shelf_data(const struct zoid_shelf *shelf)
{
    return (size_t)shelf->row.rows * (size_t)shelf->row.cols;
}

size_t zoid_shelf_number(const struct zoid_shelf *shelf, const struct zoid_datum *d);

#endif
