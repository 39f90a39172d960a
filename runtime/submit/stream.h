/* SPDX-License-Identifier: BSD-3-Clause */
/* Digest of the blocks, joins and messages that a graph emits, in their order: equal streams have
 * equal digests, on any machine. */
#ifndef ZOID_RUNTIME_SUBMIT_STREAM_H
#define ZOID_RUNTIME_SUBMIT_STREAM_H

#include "graphs/graph.h"

/* 0 before the first one. */
struct zoid_stream {
    uint64_t digest;
};

void zoid_stream_block(struct zoid_stream *stream, const struct zoid_block *block);
void zoid_stream_join(struct zoid_stream *stream, const struct zoid_join *join);
void zoid_stream_message(struct zoid_stream *stream, const struct zoid_message *message);
/* Add the digest of another stream, which follows. */
void zoid_stream_add(struct zoid_stream *stream, double digest);
/* Return the digest, as an integer below 2^52. */
double zoid_stream_digest(const struct zoid_stream *stream);

#endif
