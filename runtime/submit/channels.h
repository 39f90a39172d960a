/* SPDX-License-Identifier: BSD-3-Clause */
/* Halo exchange between the subdomains of a process. Each message is one buffer, which its reader
 * owns and the writer's blocks leave planes in. StarPU orders, moves and invalidates it by the
 * order in which tasks are submitted; a thread emits each subdomain, and these calls keep that
 * order: a block that reads a message is submitted after the writer has sent it, and a block that
 * leaves one after the reader awaits it. Both waits are for submissions only, and for earlier
 * exchanges than the other subdomain waits for, so neither is for ever.
 *
 * Thread-safe, except for create, begin and destroy. */
#ifndef ZOID_RUNTIME_SUBMIT_CHANNELS_H
#define ZOID_RUNTIME_SUBMIT_CHANNELS_H

#include "graphs/graph.h"
#include "runtime/zoid.h"

struct zoid_channels;

/* NULL: out of memory. */
struct zoid_channels *zoid_channels_create(int parts);
void zoid_channels_destroy(struct zoid_channels **channels);

/* Begin a leg of all subdomains. Messages that the leg before sent are kept. */
void zoid_channels_begin(struct zoid_channels *channels);
/* A subdomain has emitted all of its leg, or has failed: then all waits end, and return false. */
void zoid_channels_emitted(struct zoid_channels *channels, int part, bool failed);
/* Return the index of the first subdomain that has failed in this leg, or -1. */
int zoid_channels_failed(const struct zoid_channels *channels);

/* The reader awaits the next message in a datum; the writer has left all that belongs to it.
 * ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_channels_await(struct zoid_channels *channels, const struct zoid_datum *d);
enum zoid_status zoid_channels_send(struct zoid_channels *channels, const struct zoid_datum *d);
/* Wait until the awaited message was sent, before a block that reads it is submitted; until the
 * next one is awaited, or the reader's leg is emitted, before a block that leaves it is. False: a
 * subdomain has failed. */
bool zoid_channels_sent(struct zoid_channels *channels, const struct zoid_datum *d);
bool zoid_channels_awaited(struct zoid_channels *channels, const struct zoid_datum *d, int reader);

/* Let all subdomains meet, once a leg; the last one to come meets the other processes, too. False:
 * a subdomain has failed. */
bool zoid_channels_meet(struct zoid_channels *channels);

/* Control of the legs of all subdomains. `steps` is a step that a leg may end with. If several
 * processes run the subdomains, they agree on the seconds: the greatest of each counts. */
struct zoid_control {
    /* By each subdomain: wait until `moves` and `tell` know enough. */
    void (*close_up)(void *self, long steps);
    /* Set the seconds of an epoch that has ended since the last call in each subdomain; 0: no epoch
     * has. */
    void (*tell)(void *self, long steps, double seconds[]);
    /* Such seconds, as agreed. */
    void (*hear)(void *self, const double seconds[]);
    bool (*moves)(void *self, long steps); /* once: may end the leg, too */
    void *self;
};
void zoid_channels_control(struct zoid_channels *channels, const struct zoid_control *control);
/* Call before zoid_channels_end. */
void zoid_channels_close_up(struct zoid_channels *channels, long steps);
/* Call from `wants`. */
void zoid_channels_tell(struct zoid_channels *channels, long steps, double seconds[]);
void zoid_channels_hear(struct zoid_channels *channels, const double seconds[]);
/* Forget all messages, since subdomains are about to begin anew. */
void zoid_channels_reset(struct zoid_channels *channels);
/* Return whether all subdomains end the leg with step `steps`: the answer of the first subdomain to
 * ask, which `wants` gives, and may wait for. Parts ask about the same steps in the same order. */
bool zoid_channels_end(struct zoid_channels *channels, long steps, bool (*wants)(void *, long),
                       void *self);

/* Only one thread at a time submits a task, where StarPU keeps a state of the process for it. */
void zoid_channels_lock(struct zoid_channels *channels);
void zoid_channels_unlock(struct zoid_channels *channels);

#endif
