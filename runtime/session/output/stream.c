/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for O_DIRECT */
#include "runtime/session/output/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/bytes.h"
#include "runtime/io/h5.h"
#include "runtime/memory/pages.h"

/* Large enough to be fast on every disk; direct writes begin and end at multiples of a page. */
enum { PIECE = 4 << 20, LEAST_PIECES = 3, PAGE = 4096 };

struct piece {
    char *bytes;
    size_t count;
    long at;        /* offset in the file */
    uint64_t *sums; /* for checksums that are not computed yet; or NULL */
};

struct zoid_stream {
    const char *called;
    int usual, direct;   /* the file, opened twice; direct: -1 without direct writes */
    struct piece *piece; /* buffers, contiguous in memory */
    long pieces;
    bool all; /* room for all of a file: a piece stays until the next file */
    char *memory;
    long filled, written; /* number of pieces so far; the one being filled has index `filled` */
    bool ends;
    int error; /* the first of a write */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t moved; /* filled, written or ends has changed */
    /* The dataset. */
    size_t left;
    uint64_t *sums;
};

/* ---- out ----------------------------------------------------------------------------------- */

/* A file system may accept O_DIRECT, and still refuse to write so. */
static int write_piece(struct zoid_stream *s, const struct piece *p)
{
    size_t direct = s->direct >= 0 && p->at % PAGE == 0 ? p->count / PAGE * PAGE : 0;
    int error = direct ? zoid_bytes_write(s->direct, p->bytes, direct, p->at) : 0;

    if (error == EINVAL)
        direct = 0, error = 0;
    return error ? error
                 : zoid_bytes_write(s->usual, p->bytes + direct, p->count - direct,
                                    p->at + (long)direct);
}

static void *write_pieces(void *stream)
{
    struct zoid_stream *s = stream;

    pthread_mutex_lock(&s->mutex);
    for (;;) {
        int error;

        while (s->written == s->filled && !s->ends)
            pthread_cond_wait(&s->moved, &s->mutex);
        if (s->written == s->filled)
            break;
        pthread_mutex_unlock(&s->mutex);
        error = s->error ? 0 : write_piece(s, &s->piece[s->written % s->pieces]);
        pthread_mutex_lock(&s->mutex);
        if (error)
            s->error = error;
        s->written++;
        pthread_cond_broadcast(&s->moved);
    }
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

/* ---- in ------------------------------------------------------------------------------------ */

static enum zoid_status outcome(const struct zoid_stream *s, int error)
{
    if (!error)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; make room or name another folder",
                     s->called, strerror(error));
}

/* Wait until at most `most` pieces are on their way. */
static int wait_for(struct zoid_stream *s, long most)
{
    int error;

    pthread_mutex_lock(&s->mutex);
    while (s->filled - s->written > most)
        pthread_cond_wait(&s->moved, &s->mutex);
    error = s->error;
    pthread_mutex_unlock(&s->mutex);
    return error;
}

static struct piece *current(struct zoid_stream *s)
{
    return &s->piece[s->filled % s->pieces];
}

void zoid_stream_sum(const void *bytes, size_t count, uint64_t *sums)
{
    for (size_t at = 0; at < count; at += ZOID_STREAM_SUMMED)
        *sums++ = zoid_h5_sum((const char *)bytes + at,
                              count - at < ZOID_STREAM_SUMMED ? count - at : ZOID_STREAM_SUMMED);
}

static void sum(struct piece *p)
{
    if (p->sums)
        zoid_stream_sum(p->bytes, p->count, p->sums);
    p->sums = NULL;
}

/* Hand the current piece to the thread, and wait for a free one. Checksums of a piece that stays
 * are computed later, so that the caller need not wait for them. */
static int send(struct zoid_stream *s)
{
    struct piece *p = current(s);
    const long next = p->at + (long)p->count;
    int error;

    p->sums = s->sums;
    if (s->sums)
        s->sums += zoid_stream_sums(p->count);
    if (!s->all)
        sum(p);
    pthread_mutex_lock(&s->mutex);
    s->filled++;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->mutex);
    error = wait_for(s, s->pieces - 1);
    *current(s) = (struct piece){.bytes = current(s)->bytes, .at = next};
    return error;
}

void zoid_stream_begin(struct zoid_stream *s, long offset, size_t bytes, uint64_t *sums)
{
    *current(s) = (struct piece){.bytes = current(s)->bytes, .at = offset};
    s->left = bytes;
    s->sums = sums;
}

enum zoid_status zoid_stream_put(struct zoid_stream *s, const void *bytes, size_t count)
{
    const char *from = bytes;
    int error = 0;

    while (count && !error) {
        struct piece *p = current(s);
        const size_t room = PIECE - p->count, n = count < room ? count : room;

        memcpy(p->bytes + p->count, from, n);
        p->count += n;
        from += n;
        count -= n;
        s->left -= n;
        if (p->count == PIECE || !s->left)
            error = send(s);
    }
    return outcome(s, error);
}

/* The pieces of a file are used from the first one on. */
void *zoid_stream_room(const struct zoid_stream *s)
{
    const struct piece *p = &s->piece[s->filled % s->pieces];
    const long wanted = (long)((p->count + s->left + PIECE - 1) / PIECE);

    return s->filled + wanted < s->pieces ? p->bytes + p->count : NULL;
}

enum zoid_status zoid_stream_filled(struct zoid_stream *s, size_t count)
{
    size_t there = current(s)->count + count;
    int error = 0;

    s->left -= count;
    while ((there >= PIECE || (there && !s->left)) && !error) {
        struct piece *p = current(s);

        p->count = there < PIECE ? there : PIECE;
        there -= p->count;
        error = send(s);
    }
    current(s)->count = there;
    return outcome(s, error);
}

enum zoid_status zoid_stream_end(struct zoid_stream *s)
{
    for (long i = 0; i < s->filled && s->all; i++)
        sum(&s->piece[i]);
    return outcome(s, wait_for(s, 0));
}

/* ---- the stream ---------------------------------------------------------------------------- */

/* Number of pieces that hold `ahead` bytes of up to ZOID_MAX_FIELDS datasets, and one to fill. */
static long pieces_of(size_t ahead)
{
    const long more = ahead ? (long)(ahead / PIECE) + ZOID_MAX_FIELDS + 1 : 0;

    return more > LEAST_PIECES ? more : LEAST_PIECES;
}

size_t zoid_stream_bytes(size_t ahead)
{
    return (size_t)pieces_of(ahead) * PIECE;
}

enum zoid_status zoid_stream_open(size_t ahead, struct zoid_stream **stream)
{
    struct zoid_stream *s = calloc(1, sizeof *s);
    const size_t bytes = zoid_stream_bytes(ahead);

    if (!s)
        return zoid_no_memory();
    s->usual = s->direct = -1;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->moved, NULL);
    s->pieces = pieces_of(ahead);
    s->all = ahead > 0;
    s->piece = calloc((size_t)s->pieces, sizeof *s->piece);
    s->memory = zoid_pages_take(bytes);
    for (long i = 0; i < s->pieces && s->piece && s->memory; i++)
        s->piece[i].bytes = s->memory + i * PIECE;
    if (s->piece && s->memory && !pthread_create(&s->thread, NULL, write_pieces, s)) {
        *stream = s;
        return ZOID_OK;
    }
    s->ends = true;
    zoid_stream_close(&s);
    return zoid_no_memory();
}

static void close_files(struct zoid_stream *s)
{
    if (s->usual >= 0)
        close(s->usual);
    if (s->direct >= 0)
        close(s->direct);
    s->usual = s->direct = -1;
}

enum zoid_status zoid_stream_into(struct zoid_stream *s, const char *path, const char *called)
{
    close_files(s);
    pthread_mutex_lock(&s->mutex);
    s->filled = s->written = 0;
    pthread_mutex_unlock(&s->mutex);
    s->called = called;
    s->usual = open(path, O_WRONLY | O_CLOEXEC);
    if (s->usual < 0)
        return zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; name another folder", called,
                         strerror(errno));
    s->direct = open(path, O_WRONLY | O_DIRECT | O_CLOEXEC);
    return ZOID_OK;
}

void zoid_stream_close(struct zoid_stream **stream)
{
    struct zoid_stream *s = *stream;

    if (!s)
        return;
    if (!s->ends) {
        pthread_mutex_lock(&s->mutex);
        s->ends = true;
        pthread_cond_broadcast(&s->moved);
        pthread_mutex_unlock(&s->mutex);
        pthread_join(s->thread, NULL);
    }
    zoid_pages_give(s->memory, (size_t)s->pieces * PIECE);
    free(s->piece);
    close_files(s);
    free(s);
    *stream = NULL;
}
