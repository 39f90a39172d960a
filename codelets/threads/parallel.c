/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_getaffinity */
#include "codelets/threads/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct loop {
    _Atomic long next;
    long n;
    void (*body)(void *, int, long);
    void *arg;
};

struct member {
    struct loop *loop;
    int thread;
    pthread_t handle;
};

int zoid_cores(void)
{
    cpu_set_t mine;

    return sched_getaffinity(0, sizeof mine, &mine) ? 1 : CPU_COUNT(&mine);
}

static void *work(void *arg)
{
    const struct member *m = arg;
    struct loop *loop = m->loop;
    long i;

    while ((i = atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed)) < loop->n)
        loop->body(loop->arg, m->thread, i);
    return NULL;
}

void zoid_parallel(int threads, long n, void (*body)(void *arg, int thread, long i), void *arg)
{
    struct loop loop = {.n = n, .body = body, .arg = arg};
    int wanted = n < threads ? (int)n : threads, started = 1;
    struct member member[wanted > 0 ? wanted : 1];

    member[0] = (struct member){.loop = &loop};
    for (; started < wanted; started++) {
        member[started] = (struct member){.loop = &loop, .thread = started};
        if (pthread_create(&member[started].handle, NULL, work, &member[started]))
            break;
    }
    work(&member[0]);
    for (int i = 1; i < started; i++)
        pthread_join(member[i].handle, NULL);
}
