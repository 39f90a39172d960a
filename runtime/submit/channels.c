/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/channels.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#include "runtime/error.h"
#include "runtime/ranks/ranks.h"

/* Messages through a buffer so far: those that its owner, the reader, awaits, and those that the
 * writer has sent. */
struct channel {
    uint64_t index; /* of the datum */
    long awaited, sent;
};

struct zoid_channels {
    pthread_mutex_t mutex, submitting;
    pthread_cond_t changed;
    void *tree;      /* of struct channel, by index */
    int failed;      /* index of the first subdomain that has; -1: all are sound */
    long asked, end; /* steps; end 0: the leg does not end early */
    bool deciding;   /* a subdomain finds the answer for `asked` */
    int met;         /* subdomains that have come to meet, */
    bool together;   /* and all of them have */
    struct zoid_control control;
    int parts;
    bool emitted[]; /* the leg, of each subdomain */
};

static int by_index(const void *a, const void *b)
{
    const uint64_t i = ((const struct channel *)a)->index, j = ((const struct channel *)b)->index;

    return i < j ? -1 : i > j;
}

/* The channel of a datum, made at its first use; NULL: out of memory. */
static struct channel *channel_of(struct zoid_channels *c, const struct zoid_datum *d)
{
    const struct channel key = {.index = zoid_datum_index(d)};
    struct channel **at = tfind(&key, &c->tree, by_index), *made;

    if (at)
        return *at;
    made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = key;
    if (tsearch(made, &c->tree, by_index))
        return made;
    free(made);
    return NULL;
}

struct zoid_channels *zoid_channels_create(int parts)
{
    struct zoid_channels *c = calloc(1, sizeof *c + (size_t)parts * sizeof *c->emitted);

    if (!c)
        return NULL;
    c->parts = parts;
    pthread_mutex_init(&c->mutex, NULL);
    pthread_mutex_init(&c->submitting, NULL);
    pthread_cond_init(&c->changed, NULL);
    return c;
}

void zoid_channels_reset(struct zoid_channels *c)
{
    while (c->tree) {
        struct channel *channel = *(struct channel **)c->tree;

        tdelete(channel, &c->tree, by_index);
        free(channel);
    }
}

void zoid_channels_control(struct zoid_channels *c, const struct zoid_control *control)
{
    c->control = *control;
}

void zoid_channels_close_up(struct zoid_channels *c, long steps)
{
    if (c->control.close_up)
        c->control.close_up(c->control.self, steps);
}

void zoid_channels_tell(struct zoid_channels *c, long steps, double seconds[])
{
    if (c->control.tell)
        c->control.tell(c->control.self, steps, seconds);
}

void zoid_channels_hear(struct zoid_channels *c, const double seconds[])
{
    if (c->control.hear)
        c->control.hear(c->control.self, seconds);
}

void zoid_channels_destroy(struct zoid_channels **channels)
{
    struct zoid_channels *c = *channels;

    if (!c)
        return;
    zoid_channels_reset(c);
    pthread_mutex_destroy(&c->mutex);
    pthread_mutex_destroy(&c->submitting);
    pthread_cond_destroy(&c->changed);
    free(c);
    *channels = NULL;
}

void zoid_channels_begin(struct zoid_channels *c)
{
    for (int i = 0; i < c->parts; i++)
        c->emitted[i] = false;
    c->failed = -1;
    c->asked = c->end = 0;
    c->met = 0;
    c->together = false;
}

bool zoid_channels_meet(struct zoid_channels *c)
{
    bool sound;

    pthread_mutex_lock(&c->mutex);
    if (++c->met == c->parts) {
        zoid_ranks_barrier();
        c->together = true;
        pthread_cond_broadcast(&c->changed);
    }
    while (!c->together && c->failed < 0)
        pthread_cond_wait(&c->changed, &c->mutex);
    sound = c->failed < 0;
    pthread_mutex_unlock(&c->mutex);
    return sound;
}

void zoid_channels_emitted(struct zoid_channels *c, int part, bool failed)
{
    pthread_mutex_lock(&c->mutex);
    c->emitted[part] = true;
    if (failed && c->failed < 0)
        c->failed = part;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
}

int zoid_channels_failed(const struct zoid_channels *c)
{
    return c->failed;
}

static enum zoid_status count(struct zoid_channels *c, const struct zoid_datum *d, bool sends)
{
    struct channel *channel;

    pthread_mutex_lock(&c->mutex);
    channel = channel_of(c, d);
    if (channel) {
        channel->sent += sends;
        channel->awaited += !sends;
    }
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->mutex);
    return channel ? ZOID_OK : zoid_no_memory();
}

enum zoid_status zoid_channels_await(struct zoid_channels *c, const struct zoid_datum *d)
{
    return count(c, d, false);
}

enum zoid_status zoid_channels_send(struct zoid_channels *c, const struct zoid_datum *d)
{
    return count(c, d, true);
}

bool zoid_channels_sent(struct zoid_channels *c, const struct zoid_datum *d)
{
    const struct channel *channel;
    bool sent;

    pthread_mutex_lock(&c->mutex);
    channel = channel_of(c, d);
    while (channel && c->failed < 0 && channel->sent < channel->awaited)
        pthread_cond_wait(&c->changed, &c->mutex);
    sent = channel && c->failed < 0;
    pthread_mutex_unlock(&c->mutex);
    return sent;
}

bool zoid_channels_awaited(struct zoid_channels *c, const struct zoid_datum *d, int reader)
{
    const struct channel *channel;
    bool awaited;

    pthread_mutex_lock(&c->mutex);
    channel = channel_of(c, d);
    while (channel && c->failed < 0 && channel->awaited <= channel->sent && !c->emitted[reader])
        pthread_cond_wait(&c->changed, &c->mutex);
    awaited = channel && c->failed < 0;
    pthread_mutex_unlock(&c->mutex);
    return awaited;
}

/* The mutex is not held while the answer is sought: others send and await meanwhile. */
static void decide(struct zoid_channels *c, long steps, bool (*wants)(void *, long), void *self)
{
    bool ends;

    c->asked = steps;
    c->deciding = true;
    pthread_mutex_unlock(&c->mutex);
    ends = wants(self, steps) || (c->control.moves && c->control.moves(c->control.self, steps));
    pthread_mutex_lock(&c->mutex);
    c->deciding = false;
    if (ends)
        c->end = steps;
    pthread_cond_broadcast(&c->changed);
}

bool zoid_channels_end(struct zoid_channels *c, long steps, bool (*wants)(void *, long), void *self)
{
    bool ends;

    pthread_mutex_lock(&c->mutex);
    if (steps > c->asked)
        decide(c, steps, wants, self);
    while (steps == c->asked && c->deciding)
        pthread_cond_wait(&c->changed, &c->mutex);
    ends = c->end == steps;
    pthread_mutex_unlock(&c->mutex);
    return ends;
}

void zoid_channels_lock(struct zoid_channels *c)
{
    pthread_mutex_lock(&c->submitting);
}

void zoid_channels_unlock(struct zoid_channels *c)
{
    pthread_mutex_unlock(&c->submitting);
}
