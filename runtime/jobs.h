/* SPDX-License-Identifier: BSD-3-Clause */
/* The jobs of a context. Any number may be alive, and one runs at a time: StarPU's waits, its count
 * of main memory and its pauses are those of the process. */
#ifndef ZOID_RUNTIME_JOBS_H
#define ZOID_RUNTIME_JOBS_H

#include <pthread.h>

#include "runtime/submit/work.h"

/* What a job has in the memories. */
struct zoid_job_memory {
    struct zoid_jobs *jobs;
    const struct zoid_plan *plan; /* of the leg that is next, or ran last */
    struct zoid_store *store;
    struct zoid_work *work;
};

struct zoid_jobs {
    pthread_mutex_t mutex; /* recursive: held by the thread whose job runs */
    /* The job that ran last, which has the memories to itself; NULL: none. */
    const struct zoid_job_memory *awake;
};

/* NULL: out of memory. */
struct zoid_jobs *zoid_jobs_create(void);
void zoid_jobs_destroy(struct zoid_jobs **jobs);

/* Wait for the calls of other threads to return, and keep later ones waiting. */
void zoid_jobs_lock(struct zoid_jobs *jobs);
void zoid_jobs_unlock(struct zoid_jobs *jobs);
/* With the lock held: make the job the one that is awake, or none if it is NULL. The one before
 * goes to rest: its state is at home, its copies elsewhere are evicted, and what it holds of
 * StarPU's count of main memory and of the GPUs' pools is released. */
void zoid_jobs_wake(struct zoid_jobs *jobs, const struct zoid_job_memory *job);
/* With the lock held: a job that was created with none awake is; one is about to be destroyed. */
void zoid_jobs_add(const struct zoid_job_memory *job);
void zoid_jobs_forget(const struct zoid_job_memory *job);

/* Lock the job's context, and wake the job; unlock it. */
void zoid_jobs_enter(const struct zoid_job_memory *job);
void zoid_jobs_leave(const struct zoid_job_memory *job);

#endif
