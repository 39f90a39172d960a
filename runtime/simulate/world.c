/* SPDX-License-Identifier: BSD-3-Clause */
/* Actors take turns, and only calls of SimGrid give way: nothing here needs a lock. */
#include "runtime/simulate/world.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing can go on without memory. */
static void *there(void *p)
{
    if (!p) {
        fputs("out of memory for the simulation\n", stderr);
        abort();
    }
    return p;
}

static void *some(size_t n, size_t bytes)
{
    return there(calloc(n, bytes));
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* The connection to another rank, which carries one message after the other. */
struct connection {
    int peer;
    sg_sem_t free;
    struct connection *next;
};

struct zoid_world_box {
    struct connection *connections; /* of sends */
    struct zoid_world_end *first, *last;
    bool ends, waits;
    sg_sem_t news;
    int rank;
    sg_host_t host;
};

/* By rank. */
static struct zoid_world_box **boxes;
static int room;

static sg_host_t host_of(int rank)
{
    char name[32];

    snprintf(name, sizeof name, "node%d", rank);
    return sg_host_by_name(name);
}

struct zoid_world_box *zoid_world_open(int rank)
{
    struct zoid_world_box *box = some(1, sizeof *box);

    if (rank >= room) {
        const int more = 2 * rank + 64;

        boxes = there(realloc(boxes, (size_t)more * sizeof *boxes));
        memset(boxes + room, 0, (size_t)(more - room) * sizeof *boxes);
        room = more;
    }
    *box = (struct zoid_world_box){.news = sg_sem_init(0), .rank = rank, .host = host_of(rank)};
    boxes[rank] = box;
    return box;
}

void zoid_world_close(struct zoid_world_box *box)
{
    struct connection *next;

    for (struct connection *c = box->connections; c; c = next) {
        next = c->next;
        sg_sem_destroy(c->free);
        free(c);
    }
    boxes[box->rank] = NULL;
    sg_sem_destroy(box->news);
    free(box);
}

void zoid_world_put(struct zoid_world_box *box, struct zoid_world_end *end)
{
    if (end) {
        end->next = NULL;
        *(box->first ? &box->last->next : &box->first) = end;
        box->last = end;
    } else {
        box->ends = true;
    }
    if (box->waits) {
        box->waits = false;
        sg_sem_release(box->news);
    }
}

struct zoid_world_end *zoid_world_take(struct zoid_world_box *box)
{
    struct zoid_world_end *end;

    while (!box->first && !box->ends) {
        box->waits = true;
        sg_sem_acquire(box->news);
    }
    end = box->first;
    if (end)
        box->first = end->next;
    return end;
}

/* ---- transfers ------------------------------------------------------------------------------ */

/* Moves the bytes of one message after the other. */
struct carrier {
    struct zoid_world_end *from, *to;
    sg_sem_t begins;
    struct carrier *next; /* of those without a message */
};

static struct carrier *idle;

static struct connection *connection_to(struct zoid_world_box *box, int peer)
{
    struct connection *c = box->connections;

    while (c && c->peer != peer)
        c = c->next;
    if (!c) {
        c = some(1, sizeof *c);
        *c = (struct connection){peer, sg_sem_init(1), box->connections};
        box->connections = c;
    }
    return c;
}

static void arrive(struct zoid_world_end *end)
{
    end->arrived = true;
    zoid_world_put(boxes[end->rank], end);
}

static void carry(int argc, char **argv)
{
    struct carrier *c = sg_actor_self_get_data();

    (void)argc;
    (void)argv;
    for (;;) {
        struct zoid_world_box *from, *to;
        struct connection *way;

        sg_sem_acquire(c->begins);
        from = boxes[c->from->rank];
        to = boxes[c->to->rank];
        way = connection_to(from, to->rank);
        sg_actor_sleep_for(c->from->way);
        sg_sem_acquire(way->free);
        sg_host_sendto(from->host, to->host, c->from->bytes);
        sg_sem_release(way->free);
        arrive(c->to);
        arrive(c->from);
        /* Not earlier: others run meanwhile. */
        c->next = idle;
        idle = c;
    }
}

static struct carrier *carrier_at(sg_host_t host)
{
    static char *const nothing[] = {NULL};
    enum { STACK = 1 << 16 };
    struct carrier *c = idle;
    sg_actor_t actor;

    if (c) {
        idle = c->next;
        return c;
    }
    c = some(1, sizeof *c);
    c->begins = sg_sem_init(0);
    actor = sg_actor_init("carrier", host);
    sg_actor_set_stacksize(actor, STACK);
    sg_actor_set_data(actor, c);
    sg_actor_start(actor, carry, 0, nothing);
    /* The simulation ends without it. */
    sg_actor_daemonize(actor);
    return c;
}

/* Ends that wait for the other end, by hash. */
enum { BUCKETS = 1 << 16 };
static struct zoid_world_end *waiting[BUCKETS];

static struct zoid_world_end **bucket_of(const struct zoid_world_end *end)
{
    const uint64_t from = (uint64_t)(end->sends ? end->rank : end->peer);
    const uint64_t to = (uint64_t)(end->sends ? end->peer : end->rank);

    return &waiting[(from << 40 ^ to << 20 ^ (uint64_t)end->tag) * 0x9e3779b97f4a7c15u >> 48];
}

static bool meets(const struct zoid_world_end *a, const struct zoid_world_end *b)
{
    return a->sends != b->sends && a->rank == b->peer && a->peer == b->rank && a->tag == b->tag;
}

/* New ends come last, so that the first ones meet. */
void zoid_world_post(struct zoid_world_end *end)
{
    struct zoid_world_end **at = bucket_of(end), *other;
    struct carrier *c;

    while (*at && !meets(*at, end))
        at = &(*at)->next;
    other = *at;
    if (!other) {
        end->next = NULL;
        *at = end;
        return;
    }
    *at = other->next;
    c = carrier_at(boxes[end->rank]->host);
    c->from = end->sends ? end : other;
    c->to = end->sends ? other : end;
    sg_sem_release(c->begins);
}

/* ---- collective calls ----------------------------------------------------------------------- */

struct turn {
    long number;
    char *bytes;
    int came, left, waits;
    double ends; /* when all ranks have come */
    sg_sem_t all;
    struct turn *next;
};

static struct turn *turns;

/* The link to that turn, which is made if it is not there. */
static struct turn **turn_of(long number, size_t bytes)
{
    struct turn **at = &turns;

    while (*at && (*at)->number != number)
        at = &(*at)->next;
    if (!*at) {
        *at = some(1, sizeof **at);
        (*at)->number = number;
        (*at)->bytes = some(1, bytes + 1);
        (*at)->all = sg_sem_init(0);
    }
    return at;
}

void zoid_world_tell(const struct zoid_world_call *call, long number, const void *mine)
{
    struct turn *t = *turn_of(number, call->all);

    call->combine(t->bytes, mine, call->n, call->rank, t->came == 0);
    if (++t->came < call->ranks)
        return;
    t->ends = simgrid_get_clock() + call->seconds;
    for (int i = 0; i < t->waits; i++)
        sg_sem_release(t->all);
}

void zoid_world_hear(const struct zoid_world_call *call, long number, void *result)
{
    struct turn **at, *t = *turn_of(number, call->all);

    if (t->came < call->ranks) {
        t->waits++;
        sg_sem_acquire(t->all);
    }
    sg_actor_sleep_until(t->ends);
    if (result)
        memcpy(result, t->bytes, call->all);
    if (++t->left < call->ranks)
        return;
    at = turn_of(number, 0);
    *at = t->next;
    sg_sem_destroy(t->all);
    free(t->bytes);
    free(t);
}
