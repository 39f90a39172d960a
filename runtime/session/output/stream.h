/* SPDX-License-Identifier: BSD-3-Clause */
/* Values on their way into a dataset of a file, from the first to the last: large pieces, which go
 * past the system's cache where the file system can, and out while the next one is filled. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_STREAM_H
#define ZOID_RUNTIME_SESSION_OUTPUT_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/zoid.h"

struct zoid_stream;

/* Bytes that a sum is of: those of a dataset from a multiple of them on. */
enum { ZOID_STREAM_SUMMED = 1 << 20 };

/* Has room for so many bytes on their way, before who puts them waits for the disk: for all that
 * goes into a file, or none. */
enum zoid_status zoid_stream_open(size_t ahead, struct zoid_stream **stream);
/* Bytes of memory that it takes for that. */
size_t zoid_stream_bytes(size_t ahead);
/* Opens a file once more, in which the next datasets are; nothing is on its way. `called` is what
 * messages call it, and stays. */
enum zoid_status zoid_stream_into(struct zoid_stream *stream, const char *path, const char *called);
/* A dataset of so many bytes begins, at that offset of the file; all of the one before has been
 * put. Where sums is not NULL they are put there, one for each ZOID_STREAM_SUMMED bytes that begin,
 * and are there when zoid_stream_end returns. */
void zoid_stream_begin(struct zoid_stream *stream, long offset, size_t bytes, uint64_t *sums);
/* Where the rest of its bytes may be written instead of being put; NULL: there is no room for that
 * ahead. And that the next ones are there. */
void *zoid_stream_room(const struct zoid_stream *stream);
enum zoid_status zoid_stream_filled(struct zoid_stream *stream, size_t count);
/* Its next bytes. */
enum zoid_status zoid_stream_put(struct zoid_stream *stream, const void *bytes, size_t count);
/* The last one has ended: returns when all is in the file. Of all of this only this and what
 * follows may be called by another thread than what was put, after it. */
enum zoid_status zoid_stream_end(struct zoid_stream *stream);
/* Accepts NULL in *stream. */
void zoid_stream_close(struct zoid_stream **stream);

/* The sums of so many bytes. */
void zoid_stream_sum(const void *bytes, size_t count, uint64_t *sums);
/* How many these are. */
static inline long zoid_stream_sums(size_t bytes)
{
    return (long)((bytes + ZOID_STREAM_SUMMED - 1) / ZOID_STREAM_SUMMED);
}

#endif
