/* SPDX-License-Identifier: BSD-3-Clause */
/* Access to arrays in main memory or GPU memory, in pieces that are in main memory: the array
 * itself, or copies of bounded size. */
#ifndef ZOID_RUNTIME_IO_ARRAY_STAGE_H
#define ZOID_RUNTIME_IO_ARRAY_STAGE_H

#include <stdbool.h>

#include "runtime/io/array_view.h"

/* A pass over an array's values, the last axis fastest. A piece has a range of one axis, all of the
 * faster ones and one index of the slower ones. */
struct zoid_array_stage {
    struct zoid_array_view piece; /* in main memory */
    struct zoid_array_view there; /* the same values in the array's memory */
    const struct zoid_array_view *array;
    char *room;
    long at[ZOID_FILE_AXES]; /* of the piece, in the array */
    int axis;
    long most; /* number of indices of `axis` in a piece */
    bool begun;
};

/* Begin a pass. Borrows the array and `room`, of `bytes` bytes, for the copies of an array in GPU
 * memory; pieces have one value at least, for which there must be room. */
void zoid_array_stage_begin(struct zoid_array_stage *stage, const struct zoid_array_view *array,
                            void *room, size_t bytes);
/* Go to the next piece, at first to the first one. Returns false at the end. */
bool zoid_array_stage_next(struct zoid_array_stage *stage);
/* Copy a piece's values from the array, or to it; arrays in main memory need no copy.
 * ZOID_RESOURCE: CUDA has failed. */
enum zoid_status zoid_array_stage_bring(const struct zoid_array_stage *stage);
enum zoid_status zoid_array_stage_send(const struct zoid_array_stage *stage);
/* Check that the GPU and its array are there, and wait for all work queued on it, so that the array
 * has its values. On failure `why` says so, after a name of the array. ZOID_RESOURCE: this build
 * has no CUDA. ZOID_BAD_ARGUMENT: no such GPU, or the memory is not its own. */
enum { ZOID_STAGE_WHY = 200 };
enum zoid_status zoid_array_stage_check(int device, const void *memory, char why[ZOID_STAGE_WHY]);

#endif
