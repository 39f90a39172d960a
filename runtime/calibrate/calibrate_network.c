/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency and bandwidth between two ranks, of messages as runs send them: data of StarPU's that
 * tasks write and read, carried by the thread of messages.
 *
 *   ping-pong:  task -> ping -> task -> pong -> task ...    latency of one way, by size
 *   train:      many small messages both ways at once       seconds of the thread for an end
 *               some large ones                             the same for a byte of an end
 *
 * All ranks call these functions; those that do not belong to the pair only keep in step. */
#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/calibrate/calibrate.h"
#include "runtime/error.h"
#include "runtime/log.h"
#include "runtime/machine/clock.h"
#include "runtime/measure/sample.h"
#include "runtime/ranks/message_requests.h"
#include "runtime/ranks/ranks.h"
#include "runtime/ranks/share.h"

static const size_t sizes[] = {4 << 10, 32 << 10, 256 << 10, 2 << 20, 16 << 20, 64 << 20};
enum { SIZES = sizeof sizes / sizeof *sizes, FEWER = 32, MORE = 160 };
enum { LARGE = 3, LARGE_FEWER = 8, LARGE_MORE = 32 }; /* messages that fill the buffer */
static const double BUDGET = 0.5;                     /* seconds for a size */

/* The first rank and its peer. */
struct pair {
    int peer;    /* of this rank; -1: a bystander */
    bool first;  /* this rank sends first */
    char *bytes; /* buffer of all messages */
};

static void touch(void *buffers[], void *arg)
{
    const char *from = (const char *)STARPU_VECTOR_GET_PTR(buffers[0]);

    (void)arg;
    *(char *)STARPU_VECTOR_GET_PTR(buffers[1]) = (char)(*from + 1);
}

static struct starpu_codelet touching = {.cpu_funcs = {touch},
                                         .cpu_funcs_name = {"touch"},
                                         .where = STARPU_CPU,
                                         .nbuffers = 2,
                                         .modes = {STARPU_R, STARPU_RW},
                                         .name = "touch"};

/* The other ranks would wait for ever. */
static void end_all(enum zoid_status status)
{
    zoid_log("zoid-info: cannot measure messages: %s", zoid_error_as(ZOID_NAMES_OPTIONS));
    zoid_ranks_abort(status);
}

static void carry(const struct pair *p, starpu_data_handle_t handle, bool sends)
{
    const struct zoid_message_request request = {.handle = handle, .rank = p->peer};
    const enum zoid_status status =
        sends ? zoid_message_send(&request) : zoid_message_receive(&request);

    if (status)
        end_all(status);
}

/* Submit a task that reads one datum and writes another. */
static void compute(starpu_data_handle_t from, starpu_data_handle_t to)
{
    if (starpu_task_insert(&touching, STARPU_R, from, STARPU_RW, to, 0))
        end_all(zoid_fail(ZOID_RESOURCE, "StarPU takes no task"));
}

/* Return the latency of one of `n` round trips of messages of `bytes` bytes. */
static double round_trip(const struct pair *p, size_t bytes, int n)
{
    starpu_data_handle_t ping, pong;
    double start;

    starpu_vector_data_register(&ping, STARPU_MAIN_RAM, (uintptr_t)p->bytes, (uint32_t)bytes, 1);
    starpu_vector_data_register(&pong, STARPU_MAIN_RAM, (uintptr_t)(p->bytes + bytes),
                                (uint32_t)bytes, 1);
    zoid_ranks_barrier();
    start = zoid_machine_clock();
    for (int i = 0; i < n && p->peer >= 0; i++) {
        if (p->first)
            compute(pong, ping);
        carry(p, ping, p->first);
        if (!p->first)
            compute(ping, pong);
        carry(p, pong, !p->first);
    }
    zoid_message_requests_wait();
    start = (zoid_machine_clock() - start) / n;
    starpu_data_unregister(ping);
    starpu_data_unregister(pong);
    return start;
}

/* Return the seconds of `n` messages of `bytes` bytes each way. */
static double train(const struct pair *p, size_t bytes, int n)
{
    starpu_data_handle_t there[MORE], back[MORE];
    double start;

    for (int i = 0; i < n; i++) {
        char *at = p->bytes + 2 * (size_t)i * bytes;

        starpu_vector_data_register(&there[i], STARPU_MAIN_RAM, (uintptr_t)at, (uint32_t)bytes, 1);
        starpu_vector_data_register(&back[i], STARPU_MAIN_RAM, (uintptr_t)(at + bytes),
                                    (uint32_t)bytes, 1);
    }
    zoid_ranks_barrier();
    start = zoid_machine_clock();
    for (int i = 0; i < n && p->peer >= 0; i++) {
        carry(p, there[i], p->first);
        carry(p, back[i], !p->first);
    }
    zoid_message_requests_wait();
    start = zoid_machine_clock() - start;
    for (int i = 0; i < n; i++) {
        starpu_data_unregister(there[i]);
        starpu_data_unregister(back[i]);
    }
    return start;
}

/* Return the median latency of one way, and store whether larger messages would take too long. The
 * first rank decides how many round trips are made. */
static double way_of(const struct pair *p, size_t bytes, bool *slow)
{
    double taken[ZOID_SAMPLES], once;
    int n;

    once = round_trip(p, bytes, 1);
    n = (int)fmin(BUDGET / ZOID_SAMPLES / fmax(once, 1e-6), 32);
    zoid_ranks_broadcast(&n, sizeof n);
    *slow = n == 0;
    for (int i = 0; i < ZOID_SAMPLES && n; i++)
        taken[i] = round_trip(p, bytes, n);
    return (n ? zoid_sample_median(taken, ZOID_SAMPLES) : once) / 2;
}

/* Return the seconds of the thread at an end of a message of `bytes` bytes: each of `fewer` or
 * `more` ones has two. */
static double end_of(const struct pair *p, size_t bytes, int fewer, int more)
{
    double some[ZOID_SAMPLES], most[ZOID_SAMPLES];

    train(p, bytes, more);
    for (int i = 0; i < ZOID_SAMPLES; i++) {
        some[i] = train(p, bytes, fewer);
        most[i] = train(p, bytes, more);
    }
    return fmax((zoid_sample_median(most, ZOID_SAMPLES) - zoid_sample_median(some, ZOID_SAMPLES)) /
                    (2 * (more - fewer)),
                1e-7);
}

/* Return the seconds of the thread for a byte of an end, at most: by the time of large messages
 * both ways at once, which is half of `wire` where the network is the limit, or too slow to try. */
static double copy_of(const struct pair *p, const struct zoid_network *network)
{
    const double bytes = (double)sizes[LARGE];
    const double train = 2 * LARGE_MORE * (network->way + bytes * network->wire);
    double end = 0;
    int tries = train * 2 * ZOID_SAMPLES < 4 * BUDGET;

    zoid_ranks_broadcast(&tries, sizeof tries);
    if (tries)
        end = end_of(p, sizes[LARGE], LARGE_FEWER, LARGE_MORE) - network->message;
    return fmax(end / bytes, network->wire / 2);
}

void zoid_calibrate_fit_ways(const struct zoid_way *ways, int n, struct zoid_network *network)
{
    double w = 0, b = 0, bb = 0, t = 0, bt = 0, by;

    /* Weighted by 1 / seconds^2, so that errors are relative. */
    for (int i = 0; i < n; i++) {
        const double weight = 1 / (ways[i].seconds * ways[i].seconds);

        w += weight;
        b += weight * ways[i].bytes;
        bb += weight * ways[i].bytes * ways[i].bytes;
        t += weight * ways[i].seconds;
        bt += weight * ways[i].bytes * ways[i].seconds;
    }
    by = w * bb - b * b;
    network->way = fmax((bb * t - b * bt) / by, ways[0].seconds / 2);
    network->wire = fmax((w * bt - b * t) / by, 1e-13);
}

static enum zoid_status measure(const struct zoid_calibration *c, const struct pair *pair,
                                struct zoid_network *network)
{
    struct pair p = *pair;
    struct zoid_way ways[SIZES];
    bool slow = false;
    int n = 0;

    p.bytes = calloc(2, sizes[SIZES - 1]);
    if (zoid_ranks_agree(p.bytes ? ZOID_OK : zoid_no_memory())) {
        free(p.bytes);
        return ZOID_RESOURCE;
    }
    *network = (struct zoid_network){.message = end_of(&p, sizes[0], FEWER, MORE)};
    while (n < SIZES && !slow) {
        ways[n] =
            (struct zoid_way){.bytes = (double)sizes[n], .seconds = way_of(&p, sizes[n], &slow)};
        zoid_ranks_broadcast(&ways[n].seconds, sizeof ways[n].seconds);
        n++;
    }
    zoid_calibrate_fit_ways(ways, n, network);
    network->copy = copy_of(&p, network);
    /* Blocks are counted by themselves. */
    network->way = fmax(network->way - c->context->rates.task, network->way / 2);
    free(p.bytes);
    return ZOID_OK;
}

/* Store the first rank on the first one's host, and on another host; -1: there is no such rank. */
static enum zoid_status find_peers(int peer[ZOID_NETWORKS])
{
    enum { NAME = sizeof zoid_ranks_share()->host };
    const struct zoid_ranks *ranks = zoid_ranks_here();
    char(*host)[NAME] = calloc((size_t)ranks->size, NAME);

    if (zoid_ranks_agree(host ? ZOID_OK : zoid_no_memory())) {
        free(host);
        return ZOID_RESOURCE;
    }
    zoid_ranks_gather(zoid_ranks_share()->host, NAME, host);
    peer[ZOID_ONE_HOST] = peer[ZOID_SEVERAL_HOSTS] = -1;
    for (int rank = ranks->size - 1; rank > 0 && !ranks->rank; rank--)
        peer[strcmp(host[rank], host[0]) ? ZOID_SEVERAL_HOSTS : ZOID_ONE_HOST] = rank;
    zoid_ranks_broadcast(peer, ZOID_NETWORKS * sizeof *peer);
    free(host);
    return ZOID_OK;
}

enum zoid_status zoid_calibrate_network(const struct zoid_calibration *c, struct zoid_rates *r)
{
    static const char *const names[ZOID_NETWORKS] = {
        [ZOID_ONE_HOST] = "messages of one host", [ZOID_SEVERAL_HOSTS] = "messages between hosts"};
    const int rank = zoid_ranks_here()->rank;
    int peer[ZOID_NETWORKS];
    enum zoid_status status = find_peers(peer);

    r->measured = 0;
    for (int k = 0; k < ZOID_NETWORKS && !status; k++) {
        const bool first = rank == 0, in = first || rank == peer[k];
        const struct pair pair = {.peer = !in ? -1 : first ? peer[k] : 0, .first = first};

        if (peer[k] < 0)
            continue;
        if (c->tells && first)
            zoid_log("%s", names[k]);
        status = measure(c, &pair, &r->network[k]);
        r->measured |= zoid_rates_network_part((enum zoid_network_kind)k);
    }
    return status;
}
