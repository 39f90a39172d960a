/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/array_chunks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/threads/parallel.h"
#include "runtime/error.h"
#include "runtime/io/array_stage.h"

struct zoid_array_chunk {
    long at[ZOID_AXES];            /* its index along each axis */
    bool known, loading;           /* it has, or will have, the values at that index */
    int users;                     /* threads that hold it */
    unsigned long used;            /* time of its last release */
    struct zoid_array_view values; /* from its lowest point on */
    char *room;
};

struct zoid_array_chunks {
    struct zoid_array_view array; /* of three axes: z, y, x */
    long extent[ZOID_AXES];       /* of a chunk; along x first, as all boxes */
    pthread_mutex_t mutex;        /* protects chunks, but not values that are loaded */
    pthread_cond_t changed;
    unsigned long time;
    int n;
    struct zoid_array_chunk chunk[];
};

struct zoid_array_chunks *zoid_array_chunks_open(const struct zoid_array_view *array)
{
    const int n = zoid_cores() + 1;
    struct zoid_array_chunks *c = calloc(1, sizeof *c + (size_t)n * sizeof *c->chunk);
    long rest = ZOID_CHUNK_BYTES / array->element.size;

    if (!c)
        return NULL;
    c->n = n;
    c->array = *array;
    c->array.axes = ZOID_AXES;
    for (int a = 0; a < ZOID_AXES; a++) {
        const int here = array->axes - 1 - a, there = ZOID_AXES - 1 - a;
        const long width = here < 0 ? 1 : array->n[here];

        c->array.n[there] = width;
        c->array.stride[there] = here < 0 ? 0 : array->stride[here];
        c->extent[a] = zoid_max(zoid_min(width, rest), 1);
        rest = c->extent[a] == width ? rest / width : 1;
    }
    pthread_mutex_init(&c->mutex, NULL);
    pthread_cond_init(&c->changed, NULL);
    return c;
}

void zoid_array_chunks_drop(struct zoid_array_chunks *c)
{
    for (int i = 0; i < c->n; i++) {
        free(c->chunk[i].room);
        c->chunk[i] = (struct zoid_array_chunk){.room = NULL};
    }
}

void zoid_array_chunks_close(struct zoid_array_chunks **chunks)
{
    struct zoid_array_chunks *c = *chunks;

    if (!c)
        return;
    zoid_array_chunks_drop(c);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->mutex);
    free(c);
    *chunks = NULL;
}

static struct zoid_array_chunk *find(struct zoid_array_chunks *c, const long at[ZOID_AXES])
{
    for (int i = 0; i < c->n; i++) {
        const struct zoid_array_chunk *k = &c->chunk[i];

        if (k->known && k->at[0] == at[0] && k->at[1] == at[1] && k->at[2] == at[2])
            return &c->chunk[i];
    }
    return NULL;
}

/* Returns the free chunk that was released first, or NULL. */
static struct zoid_array_chunk *oldest(struct zoid_array_chunks *c)
{
    struct zoid_array_chunk *k = NULL;

    for (int i = 0; i < c->n; i++)
        if (!c->chunk[i].users && (!k || c->chunk[i].used < k->used))
            k = &c->chunk[i];
    return k;
}

/* Copies the chunk's values: one piece, since there is room for all. */
static enum zoid_status load(const struct zoid_array_chunks *c, struct zoid_array_chunk *k)
{
    struct zoid_array_view there = c->array;
    struct zoid_array_stage stage;
    enum zoid_status status;

    if (!k->room && !(k->room = malloc(ZOID_CHUNK_BYTES)))
        return zoid_no_memory();
    for (int a = 0; a < ZOID_AXES; a++) {
        const int here = ZOID_AXES - 1 - a;
        const long lo = k->at[a] * c->extent[a];

        there.n[here] = zoid_min(c->extent[a], c->array.n[here] - lo);
        there.at += lo * there.stride[here];
    }
    zoid_array_stage_begin(&stage, &there, k->room, ZOID_CHUNK_BYTES);
    zoid_array_stage_next(&stage);
    status = zoid_array_stage_bring(&stage);
    k->values = stage.piece;
    return status;
}

static void unlock(struct zoid_array_chunks *c)
{
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

/* Loads values while others use other chunks. */
static enum zoid_status renew(struct zoid_array_chunks *c, struct zoid_array_chunk *k,
                              const long at[ZOID_AXES])
{
    enum zoid_status status;

    memcpy(k->at, at, sizeof k->at);
    k->known = k->loading = true;
    pthread_mutex_unlock(&c->mutex);
    status = load(c, k);
    pthread_mutex_lock(&c->mutex);
    k->loading = false;
    k->known = !status;
    return status;
}

/* Holds the chunk with that index. */
static enum zoid_status hold(struct zoid_array_chunks *c, const long at[ZOID_AXES],
                             struct zoid_array_chunk **held)
{
    enum zoid_status status = ZOID_OK;
    struct zoid_array_chunk *k;

    pthread_mutex_lock(&c->mutex);
    while ((k = find(c, at)) ? k->loading : !(k = oldest(c)))
        pthread_cond_wait(&c->changed, &c->mutex);
    k->users++;
    if (k != find(c, at))
        status = renew(c, k, at);
    if (status)
        k->users--;
    unlock(c);
    *held = k;
    return status;
}

enum zoid_status zoid_array_chunks_take(struct zoid_array_chunks *c, const struct zoid_box *box,
                                        struct zoid_array_part *part)
{
    long at[ZOID_AXES];
    enum zoid_status status;

    part->box = *box;
    for (int a = 0; a < ZOID_AXES; a++)
        at[a] = box->lo[a] / c->extent[a];
    status = hold(c, at, &part->chunk);
    if (status)
        return status;
    part->values = part->chunk->values;
    for (int a = 0; a < ZOID_AXES; a++) {
        const int here = ZOID_AXES - 1 - a;
        const long lo = at[a] * c->extent[a];

        part->box.hi[a] = zoid_min(box->hi[a], lo + c->extent[a]);
        part->values.n[here] = part->box.hi[a] - box->lo[a];
        part->values.at += (box->lo[a] - lo) * part->values.stride[here];
    }
    return ZOID_OK;
}

void zoid_array_chunks_release(struct zoid_array_chunks *c, const struct zoid_array_part *part)
{
    pthread_mutex_lock(&c->mutex);
    part->chunk->users--;
    part->chunk->used = ++c->time;
    unlock(c);
}
