/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of boxes of an array in GPU memory. A copy takes as long as that of thousands of values,
 * and boxes may be smaller, so copies are of chunks of consecutive planes, rows, or values of a
 * row, which stay in main memory for the reads that follow. */
#ifndef ZOID_RUNTIME_IO_ARRAY_CHUNKS_H
#define ZOID_RUNTIME_IO_ARRAY_CHUNKS_H

#include "runtime/io/array_view.h"
#include "runtime/zoid_advanced.h"

/* Bytes of a chunk; there is one for each core, and another one. */
enum { ZOID_CHUNK_BYTES = 1 << 18 };

struct zoid_array_chunks;
struct zoid_array_chunk;

/* Part of a chunk, while it is held. */
struct zoid_array_part {
    struct zoid_box box;
    struct zoid_array_view values; /* in main memory; z, y, x */
    struct zoid_array_chunk *chunk;
};

/* Begin to read an array of up to three axes, which is borrowed. NULL: out of memory. */
struct zoid_array_chunks *zoid_array_chunks_open(const struct zoid_array_view *array);
void zoid_array_chunks_close(struct zoid_array_chunks **chunks);
/* Free the chunks: reads that follow see the array as it is then. No thread holds one. */
void zoid_array_chunks_drop(struct zoid_array_chunks *chunks);
/* Hold the chunk that has the lowest point of a box, and describe the part of the box that it has.
 * A thread holds one at a time. Thread-safe, as the next. ZOID_RESOURCE: CUDA has failed, or out
 * of memory. */
enum zoid_status zoid_array_chunks_take(struct zoid_array_chunks *chunks,
                                        const struct zoid_box *box, struct zoid_array_part *part);
void zoid_array_chunks_release(struct zoid_array_chunks *chunks,
                               const struct zoid_array_part *part);

#endif
