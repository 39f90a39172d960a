/* SPDX-License-Identifier: BSD-3-Clause */
/* Seconds that the workers of a subdomain are at work in each epoch of a leg, without the time that
 * they wait for halos of other subdomains. One thread submits blocks, and any thread ends them: a
 * mutex guards the counters. */
#ifndef ZOID_RUNTIME_SUBMIT_EPOCH_CLOCK_H
#define ZOID_RUNTIME_SUBMIT_EPOCH_CLOCK_H

#include <pthread.h>
#include <stdbool.h>

/* Epochs that are remembered; a subdomain submits fewer beyond the one that it works at. */
enum { ZOID_EPOCHS_KEPT = 64 };

struct zoid_epoch_clock {
    pthread_mutex_t mutex;
    pthread_cond_t ended; /* an epoch has, or the part has failed */
    int workers;
    bool together; /* blocks of the workers overlap: time with any block at work counts, once */
    long submits;  /* the latest epoch of any block */
    long whole;    /* epochs from the first on all of whose blocks are submitted */
    long done;     /* epochs from the first on all of whose blocks have ended */
    bool over;     /* no more will be submitted, since the subdomain has failed */
    int at_work;   /* blocks, since `since` */
    double since;
    struct {
        long blocks; /* submitted, and not ended */
        double seconds;
    } epoch[ZOID_EPOCHS_KEPT];
};

void zoid_epoch_clock_init(struct zoid_epoch_clock *pace, int workers, bool together);
/* A leg begins. */
void zoid_epoch_clock_begin(struct zoid_epoch_clock *pace);
void zoid_epoch_clock_submitted(struct zoid_epoch_clock *pace, long epoch);
/* So many epochs have no further blocks. */
void zoid_epoch_clock_whole(struct zoid_epoch_clock *pace, long epochs);
/* A block begins at a time in seconds, and ends; `seconds`: those that its worker spent on it. */
void zoid_epoch_clock_begins(struct zoid_epoch_clock *pace, double now);
void zoid_epoch_clock_ends(struct zoid_epoch_clock *pace, long epoch, double now, double seconds);
/* Return the number of epochs that have ended, and the seconds of one of them, a worker. */
long zoid_epoch_clock_done(struct zoid_epoch_clock *pace);
/* The subdomain has failed: end all waits for its epochs. */
void zoid_epoch_clock_over(struct zoid_epoch_clock *pace);
/* Wait until so many epochs have ended, which are whole, or will be. */
void zoid_epoch_clock_wait(struct zoid_epoch_clock *pace, long epochs);
double zoid_epoch_clock_seconds(struct zoid_epoch_clock *pace, long epoch);

#endif
