/* SPDX-License-Identifier: BSD-3-Clause */
/* Asynchronous writes of values into a dataset of a file, from the first to the last: in large
 * pieces, which bypass the page cache if the file system can, while the next piece is filled. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_STREAM_H
#define ZOID_RUNTIME_SESSION_OUTPUT_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/zoid.h"

struct zoid_stream;

/* Bytes that one checksum covers, from a multiple of them in a dataset on. */
enum { ZOID_STREAM_SUMMED = 1 << 20 };

/* Allocate a stream with buffers for `ahead` bytes, before its caller has to wait for the disk:
 * those of a whole file, or 0. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_stream_open(size_t ahead, struct zoid_stream **stream);
/* Bytes of memory that it allocates for that. */
size_t zoid_stream_bytes(size_t ahead);
/* Open a file a second time, for the next datasets; nothing may be on its way. Messages call it
 * `called`, which must stay valid. ZOID_RESOURCE: it cannot be written. */
enum zoid_status zoid_stream_into(struct zoid_stream *stream, const char *path, const char *called);
/* Begin a dataset of `bytes` bytes at an offset of the file; the one before must be complete. The
 * array `sums`, unless NULL, gets a checksum for each ZOID_STREAM_SUMMED bytes that begin, by the
 * time that zoid_stream_end returns. */
void zoid_stream_begin(struct zoid_stream *stream, long offset, size_t bytes, uint64_t *sums);
/* Buffer for the rest of the dataset, to be filled in place of zoid_stream_put; NULL: there is not
 * enough room for it. / Then: append `count` bytes that are there. */
void *zoid_stream_room(const struct zoid_stream *stream);
enum zoid_status zoid_stream_filled(struct zoid_stream *stream, size_t count);
/* Append `count` bytes. */
enum zoid_status zoid_stream_put(struct zoid_stream *stream, const void *bytes, size_t count);
/* End the last dataset: returns when all data are in the file. This function and those below may be
 * called from another thread, after the ones above; no others may. ZOID_RESOURCE: a write
 * failed. */
enum zoid_status zoid_stream_end(struct zoid_stream *stream);
/* Free it; accepts NULL in *stream. */
void zoid_stream_close(struct zoid_stream **stream);

/* Compute the checksums of `count` bytes. */
void zoid_stream_sum(const void *bytes, size_t count, uint64_t *sums);
/* Number of checksums of `bytes` bytes. */
static inline long zoid_stream_sums(size_t bytes)
{
    return (long)((bytes + ZOID_STREAM_SUMMED - 1) / ZOID_STREAM_SUMMED);
}

#endif
