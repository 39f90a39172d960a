/* SPDX-License-Identifier: BSD-3-Clause */
/* The jobs of a context. Any number may be alive, and one runs at a time: StarPU's waits, its count
 * of main memory and its pauses are those of the process. */
#ifndef ZOID_RUNTIME_JOBS_H
#define ZOID_RUNTIME_JOBS_H

#include <pthread.h>

#include "runtime/part.h"

/* A job's copies in the memories. */
struct zoid_job_memory {
    struct zoid_jobs *jobs;
    struct zoid_job_part *part;
    int parts;
    uint64_t capacity; /* of main memory, as planned */
    uint64_t reserved; /* bytes of main memory that its plans need, at most */
    struct zoid_job_memory *next;
};

struct zoid_jobs {
    /* The job that ran last, which has the memories to itself; NULL: all rest. */
    struct zoid_job_memory *awake;
    struct zoid_job_memory *first; /* all jobs, which together make the ledger of main memory */
    uint64_t ram;                  /* bytes that they share */
    /* Recursive: held by the thread whose job runs. Last, since its size differs in simulations,
     * where only jobs.c uses it. */
    pthread_mutex_t mutex;
};

/* NULL: out of memory. */
struct zoid_jobs *zoid_jobs_create(void);
void zoid_jobs_destroy(struct zoid_jobs **jobs);

/* Wait for the calls of other threads to return, and keep later ones waiting. */
void zoid_jobs_lock(struct zoid_jobs *jobs);
void zoid_jobs_unlock(struct zoid_jobs *jobs);
/* Bytes of main memory that jobs other than this one have reserved, and that they leave for it;
 * UINT64_MAX: there are no others. NULL: a job that is yet to be. Space on a disk is reserved by
 * the range of a job, and that of GPUs is no job's while it does not run. */
uint64_t zoid_jobs_reserved(struct zoid_jobs *jobs, const struct zoid_job_memory *job);
uint64_t zoid_jobs_offer(struct zoid_jobs *jobs, const struct zoid_job_memory *job);

/* With the lock held: make the job the one that is awake; NULL: all rest. The one before
 * goes to rest: its state is at home, its copies elsewhere are evicted, and what it holds of
 * StarPU's count of main memory and of the GPUs' pools is released. */
void zoid_jobs_wake(struct zoid_jobs *jobs, struct zoid_job_memory *job);
/* With the lock held, and no job awake: reserve main memory for a new job, whose jobs and plan are
 * set. ZOID_DOES_NOT_FIT: the others leave too little. It is awake once it has all members. */
enum zoid_status zoid_jobs_add(struct zoid_job_memory *job);
/* Reserve further memory for another leg; with main memory that zoid_jobs_enter has offered. */
void zoid_jobs_note(struct zoid_job_memory *job);
/* With the lock held: forget a job that is about to be destroyed, if it was added. */
void zoid_jobs_forget(struct zoid_job_memory *job);

/* Lock the job's context, wake the job, and let its plan have the main memory that other jobs
 * leave, as far as it was planned for; unlock it. */
void zoid_jobs_enter(struct zoid_job_memory *job);
void zoid_jobs_leave(const struct zoid_job_memory *job);

#endif
