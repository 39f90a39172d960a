/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of messages between ranks in a ring. Each rank has slabs, whose blocks take a given core
 * time; after each pass every slab sends a boundary layer to both neighbour ranks and receives
 * theirs. The baseline runs the same blocks without messages, the best that ranks could reach. */
#include <starpu.h>
#include <stdlib.h>
#include <time.h>

#include "apps/bench/bench.h"
#include "apps/cli/command.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/ranks/message_requests.h"
#include "runtime/ranks/ranks.h"

/* As in graphs, passes alternate between two sets of buffers. Submission blocks while more than
 * MOST_TASKS tasks are pending. */
enum { SLABS = 4, TURNS = 2, NEIGHBOURS = 2, MOST_TASKS = 32 };

static const struct load {
    double block; /* seconds */
    size_t side;  /* bytes */
    int passes;
} loads[] = {{10e-3, 1 << 20, 25}, {2e-3, 1 << 16, 100}, {0, 1 << 12, 1000}};

struct ring {
    const struct load *load;
    bool messages;
    starpu_data_handle_t slab[SLABS], out[TURNS][SLABS], in[TURNS][SLABS][NEIGHBOURS];
};

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A block: busy for the given CPU time of its thread. */
static void compute(void *buffers[], void *seconds)
{
    double end = now(CLOCK_THREAD_CPUTIME_ID) + *(const double *)seconds;

    (void)buffers;
    while (now(CLOCK_THREAD_CPUTIME_ID) < end)
        ;
}

static struct starpu_codelet codelet = {
    .cpu_funcs = {compute}, .nbuffers = STARPU_VARIABLE_NBUFFERS, .name = "block"};

/* ---- data ---------------------------------------------------------------------------------- */

static enum zoid_status make(starpu_data_handle_t *handle, size_t bytes)
{
    void *memory = calloc(1, bytes);

    if (!memory)
        return zoid_no_memory();
    starpu_vector_data_register(handle, STARPU_MAIN_RAM, (uintptr_t)memory, (uint32_t)bytes, 1);
    return ZOID_OK;
}

static void release(starpu_data_handle_t handle)
{
    void *memory = handle ? starpu_data_get_local_ptr(handle) : NULL;

    if (handle)
        starpu_data_unregister(handle);
    free(memory);
}

static enum zoid_status make_ring(struct ring *r)
{
    enum zoid_status status = ZOID_OK;

    for (int j = 0; j < SLABS && !status; j++) {
        status = make(&r->slab[j], 64);
        for (int t = 0; t < TURNS && !status; t++) {
            status = make(&r->out[t][j], r->load->side);
            for (int n = 0; n < NEIGHBOURS && !status; n++)
                status = make(&r->in[t][j][n], r->load->side);
        }
    }
    return status;
}

static void release_ring(struct ring *r)
{
    for (int j = 0; j < SLABS; j++) {
        release(r->slab[j]);
        for (int t = 0; t < TURNS; t++) {
            release(r->out[t][j]);
            for (int n = 0; n < NEIGHBOURS; n++)
                release(r->in[t][j][n]);
        }
    }
}

/* ---- a run --------------------------------------------------------------------------------- */

/* Sends the boundary layers of a slab, and receives those of its neighbours. */
static enum zoid_status exchange(const struct ring *r, int turn, int slab)
{
    const struct zoid_ranks *ranks = zoid_ranks_here();
    const int size = ranks->size;
    const int neighbour[NEIGHBOURS] = {(ranks->rank + size - 1) % size, (ranks->rank + 1) % size};
    enum zoid_status status = ZOID_OK;

    for (int n = 0; n < NEIGHBOURS && !status; n++) {
        /* A message to the lower neighbour arrives there from its upper one. */
        struct zoid_message_request message = {.handle = r->out[turn][slab],
                                               .rank = neighbour[n],
                                               .tag = (turn * SLABS + slab) * NEIGHBOURS + n};

        status = zoid_message_send(&message);
        message.handle = r->in[turn][slab][1 - n];
        message.rank = neighbour[1 - n];
        if (!status)
            status = zoid_message_receive(&message);
    }
    return status;
}

static enum zoid_status submit(const struct ring *r, int pass, int slab)
{
    const int turn = pass % TURNS, next = (pass + 1) % TURNS;
    struct starpu_task *task = starpu_task_create();

    task->cl = &codelet;
    task->cl_arg = (void *)&r->load->block;
    task->cl_arg_size = sizeof r->load->block;
    task->priority = -(pass * SLABS + slab);
    task->handles[0] = r->slab[slab];
    task->modes[0] = STARPU_RW;
    task->handles[1] = r->in[turn][slab][0];
    task->modes[1] = STARPU_R;
    task->handles[2] = r->in[turn][slab][1];
    task->modes[2] = STARPU_R;
    task->handles[3] = r->out[next][slab];
    task->modes[3] = STARPU_W;
    task->nbuffers = 4;
    if (starpu_task_submit(task))
        return zoid_fail(ZOID_RESOURCE, "StarPU takes no task");
    return r->messages && pass + 1 < r->load->passes ? exchange(r, next, slab) : ZOID_OK;
}

static enum zoid_status run(const struct ring *r, double *seconds)
{
    enum zoid_status status = ZOID_OK;
    double start;

    zoid_ranks_barrier();
    start = now(CLOCK_MONOTONIC);
    for (int p = 0; p < r->load->passes && !status; p++)
        for (int j = 0; j < SLABS && !status; j++) {
            status = submit(r, p, j);
            starpu_task_wait_for_n_submitted(MOST_TASKS);
        }
    zoid_message_requests_wait();
    zoid_ranks_barrier();
    *seconds = now(CLOCK_MONOTONIC) - start;
    return status;
}

static enum zoid_status measure(const struct zoid_bench *b, const struct load *load)
{
    double with[b->rounds], without[b->rounds], ends, median[2];
    struct ring r = {.load = load};
    enum zoid_status status = make_ring(&r);

    for (long k = 0; k < b->rounds && !status; k++) {
        r.messages = false;
        status = run(&r, &without[k]);
        r.messages = true;
        if (!status)
            status = run(&r, &with[k]);
    }
    release_ring(&r);
    if (status)
        return status;
    median[0] = zoid_sample_median(without, b->rounds);
    median[1] = zoid_sample_median(with, b->rounds);
    ends = 2.0 * NEIGHBOURS * SLABS * (load->passes - 1);
    printf("messages block %g ms side %zu: alone %.4f s, with messages %.4f s, ratio %.3f, "
           "%.1f us an end\n",
           load->block * 1e3, load->side, median[0], median[1], median[0] / median[1],
           (median[1] - median[0]) / ends * 1e6);
    return ZOID_OK;
}

enum zoid_status zoid_bench_messages(const struct zoid_bench *b)
{
    struct zoid_context *context = NULL;
    enum zoid_status status;

    if (zoid_ranks_here()->size < 2)
        return zoid_fail(ZOID_BAD_ARGUMENT, "messages go between ranks; start it with mpirun -n 2");
    status = zoid_context_open(NULL, &context);
    if (!status)
        zoid_context_print_ranks(context, stdout);
    for (size_t i = 0; i < sizeof loads / sizeof *loads && !status; i++)
        status = measure(b, &loads[i]);
    if (!zoid_ranks_know(status))
        zoid_command_abort("zoid-bench", status);
    zoid_context_close(&context);
    return status;
}
