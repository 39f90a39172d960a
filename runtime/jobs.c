/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/jobs.h"

#include <stdlib.h>

#include "codelets/cuda/memory.h"
#include "runtime/error.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"
#include "runtime/submit/evict.h"

struct zoid_jobs *zoid_jobs_create(void)
{
    struct zoid_jobs *jobs = calloc(1, sizeof *jobs);
    pthread_mutexattr_t recursive;

    if (!jobs)
        return NULL;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&jobs->mutex, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return jobs;
}

void zoid_jobs_destroy(struct zoid_jobs **jobs)
{
    if (!*jobs)
        return;
    pthread_mutex_destroy(&(*jobs)->mutex);
    free(*jobs);
    *jobs = NULL;
}

void zoid_jobs_lock(struct zoid_jobs *jobs)
{
    pthread_mutex_lock(&jobs->mutex);
}

void zoid_jobs_unlock(struct zoid_jobs *jobs)
{
    pthread_mutex_unlock(&jobs->mutex);
}

/* Free the copies of a datum that are not at its home. Data without a home are dead between two
 * runs. A copy that is still arriving stays, and StarPU evicts it when it needs the room. */
static void send_home(const struct zoid_plan *plan, starpu_data_handle_t handle, int kind)
{
    const bool beyond = zoid_plan_beyond(plan, kind);

    if (!beyond && !plan->keep[kind][ZOID_RAM]) {
        starpu_data_invalidate(handle);
        return;
    }
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == STARPU_CUDA_RAM ||
            (beyond && starpu_node_get_kind(node) == STARPU_CPU_RAM))
            zoid_evict(handle, node, false);
}

static void put_part_to_rest(struct zoid_job_part *part)
{
    struct zoid_store *store = part->store;
    const bool copies = part->plan.home != ZOID_RAM || zoid_plan_on_gpus(&part->plan);

    zoid_store_rest(store);
    zoid_work_rest(&part->work);
    for (size_t i = 0; i < zoid_store_data(store) && copies && zoid_evict; i++)
        if (zoid_store_handle_at(store, i))
            send_home(&part->plan, zoid_store_handle_at(store, i), zoid_store_kind_at(store, i));
    /* The pools keep memory of the driver's, in sizes that suit this job. */
    if (zoid_plan_on_gpus(&part->plan) && zoid_cuda_close_pools)
        zoid_cuda_close_pools();
}

static void put_to_rest(const struct zoid_job_memory *job)
{
    for (int i = 0; i < job->parts; i++)
        put_part_to_rest(&job->part[i]);
}

/* ---- the ledger of main memory ------------------------------------------------------------- */

uint64_t zoid_jobs_reserved(struct zoid_jobs *jobs, const struct zoid_job_memory *job)
{
    uint64_t sum = 0;

    for (const struct zoid_job_memory *j = jobs->first; j; j = j->next)
        sum = zoid_amount_plus(sum, j == job ? 0 : j->reserved);
    return sum;
}

uint64_t zoid_jobs_offer(struct zoid_jobs *jobs, const struct zoid_job_memory *job)
{
    const uint64_t others = zoid_jobs_reserved(jobs, job);

    if (!others)
        return UINT64_MAX;
    return others < jobs->ram ? jobs->ram - others : 0;
}

/* Bytes of main memory that the plans of all parts need. */
static uint64_t bytes_of(const struct zoid_job_memory *job)
{
    uint64_t sum = 0;

    for (int i = 0; i < job->parts; i++)
        sum = zoid_amount_plus(sum, job->part[i].plan.tier[ZOID_RAM].bytes);
    return sum;
}

/* A job that others have been created beside has what it reserved. The rest of its budget, which
 * StarPU would keep slabs of a disk in, is lent to it as far as it is there. Several parts have
 * their home in main memory, and use no rest. */
static void offer(struct zoid_job_memory *job)
{
    const uint64_t left = zoid_larger(zoid_jobs_offer(job->jobs, job), job->reserved);

    if (job->parts == 1)
        job->part->plan.tier[ZOID_RAM].capacity = zoid_smaller(job->capacity, left);
}

void zoid_jobs_wake(struct zoid_jobs *jobs, struct zoid_job_memory *job)
{
    if (jobs->awake == job)
        return;
    if (jobs->awake)
        put_to_rest(jobs->awake);
    jobs->awake = job;
    if (!job)
        return;
    offer(job);
    for (int i = 0; i < job->parts; i++) {
        zoid_store_wake(job->part[i].store, &job->part[i].plan);
        zoid_work_wake(&job->part[i].work);
    }
}

enum zoid_status zoid_jobs_add(struct zoid_job_memory *job)
{
    const uint64_t left = zoid_jobs_offer(job->jobs, job), bytes = bytes_of(job);

    if (bytes > left)
        return zoid_fail(
            ZOID_DOES_NOT_FIT,
            "needs %llu MiB of main memory, and other jobs leave %llu MiB; destroy one "
            "of them, or plan it again",
            zoid_mib(bytes), (unsigned long long)(left / ZOID_MIB));
    job->capacity = job->part->plan.tier[ZOID_RAM].capacity;
    job->reserved = bytes;
    job->next = job->jobs->first;
    job->jobs->first = job->jobs->awake = job;
    offer(job);
    return ZOID_OK;
}

void zoid_jobs_note(struct zoid_job_memory *job)
{
    job->reserved = zoid_larger(job->reserved, bytes_of(job));
}

void zoid_jobs_forget(struct zoid_job_memory *job)
{
    struct zoid_job_memory **at = &job->jobs->first;

    while (*at && *at != job)
        at = &(*at)->next;
    if (*at)
        *at = job->next;
    if (job->jobs->awake == job)
        job->jobs->awake = NULL;
}

/* ---- turns --------------------------------------------------------------------------------- */

void zoid_jobs_enter(struct zoid_job_memory *job)
{
    zoid_jobs_lock(job->jobs);
    zoid_jobs_wake(job->jobs, job);
    offer(job);
}

void zoid_jobs_leave(const struct zoid_job_memory *job)
{
    zoid_jobs_unlock(job->jobs);
}
