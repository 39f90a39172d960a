/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/calibrate/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/machine/core.h"
#include "runtime/measure/sample.h"

/* Least seconds of a sample. */
static const double LEAST = 2e-3;
/* Rounds of a calibration before a run. */
enum { BRIEF_ROUNDS = 3 };

size_t zoid_rounds_cache(const struct zoid_machine *m)
{
    size_t bytes = zoid_machine_core(m).cache;

    return bytes ? bytes : 1 << 18;
}

struct timed {
    struct zoid_rounds *rounds;
    zoid_team_fn *work;
    void *arg;
};

/* Returns CPU seconds of the thread: other programs on the machine do not count. */
static double time_once(const struct timed *t, int member)
{
    struct timespec start, end;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    t->work(t->arg, member);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Stores the median seconds of one repetition. The first sample determines the number of
 * repetitions; if the work is long, it is the only sample. */
static void time_member(void *arg, int member)
{
    enum { FEW = 1 };
    const struct timed *t = arg;
    struct zoid_timing *timing = &t->rounds->timing[member];
    double taken[ZOID_SAMPLES];
    int n = 0, samples;

    timing->times = 1;
    taken[0] = time_once(t, member);
    if (taken[0] < LEAST)
        timing->times = (long)ceil(LEAST / fmax(taken[0], 1e-8));
    else
        n = 1;
    samples = n ? FEW : ZOID_SAMPLES;
    for (; n < samples; n++)
        taken[n] = time_once(t, member);
    timing->seconds = zoid_sample_median(taken, samples) / (double)timing->times;
}

enum zoid_status zoid_rounds_sample(struct zoid_rounds *c, int n, zoid_team_fn *work, void *arg,
                                    double *seconds)
{
    struct timed timed = {c, work, arg};
    double *taken = c->series->taken[c->nth++], unused;
    enum zoid_status status = zoid_team_run(n, time_member, &timed, &unused);

    taken[c->round] = 0;
    for (int i = 0; i < n; i++)
        taken[c->round] += c->timing[i].seconds / n;
    *seconds = zoid_sample_median(taken, c->round + 1);
    return status;
}

void zoid_rounds_close(struct zoid_rounds *c)
{
    for (int i = 0; c->memory && i < c->n; i++)
        free(c->memory[i]);
    for (int i = 0; c->scratch && i < c->n; i++)
        free(c->scratch[i]);
    free(c->memory);
    free(c->scratch);
    free(c->timing);
    free(c->series);
}

/* Neither denormal nor zero. */
static void touch(void *arg, int member)
{
    static const double value = 0.1234;
    struct zoid_rounds *c = arg;

    for (size_t i = 0; i < c->room / sizeof value; i++) {
        memcpy(c->memory[member] + i * sizeof value, &value, sizeof value);
        if (c->scratch)
            memcpy(c->scratch[member] + i * sizeof value, &value, sizeof value);
    }
}

enum zoid_status zoid_rounds_fill(struct zoid_rounds *c)
{
    double unused;

    return zoid_team_run(c->n, touch, c, &unused);
}

static enum zoid_status refuse_room(uint64_t bytes)
{
    return zoid_fail(ZOID_RESOURCE,
                     "measuring all cores takes %llu MiB; stop what else runs here, or set "
                     "STARPU_NCPU to fewer cores",
                     (unsigned long long)(bytes >> 20));
}

static char *in_large_pages(size_t bytes)
{
    char *memory = aligned_alloc(ZOID_LARGE_PAGE, bytes);

    if (memory)
        madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

enum zoid_status zoid_rounds_open(struct zoid_rounds *c, const struct zoid_calibration *calibration,
                                  size_t room, size_t ops)
{
    const struct zoid_machine *m = &calibration->context->machine;
    const uint64_t wanted = (uint64_t)m->cpu_workers * (ops ? 2 * room : room);
    bool complete;

    *c = (struct zoid_rounds){.machine = m,
                              .room = room,
                              .n = m->cpu_workers,
                              .rounds = calibration->brief ? BRIEF_ROUNDS : ZOID_ROUNDS};
    if (wanted > m->ram_available)
        return refuse_room(wanted);
    c->memory = calloc((size_t)c->n, sizeof *c->memory);
    c->scratch = ops ? calloc((size_t)c->n, sizeof *c->scratch) : NULL;
    c->timing = calloc((size_t)c->n, sizeof *c->timing);
    c->series = calloc(ops ? ops : 1, sizeof *c->series);
    complete = c->memory && (c->scratch || !ops) && c->timing && c->series;
    for (int i = 0; i < c->n && complete; i++)
        complete = (c->memory[i] = in_large_pages(room)) &&
                   (!ops || (c->scratch[i] = in_large_pages(room)));
    return complete ? zoid_rounds_fill(c) : refuse_room(wanted);
}
