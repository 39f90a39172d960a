/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/serial.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "runtime/error.h"
#include "runtime/memory/transit.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/schedule.h"
#include "runtime/plan/tier.h"
#include "runtime/submit/sink.h"

/* Blocks that wait for their round, with copies of their accesses. */
struct zoid_serial {
    struct zoid_sink sink, *around;
    const struct zoid_placement *placement;
    struct zoid_block *block;
    long n, most;
    enum zoid_status status;
};

/* In a round of several blocks, one may leave an edge or a halo that another reads, or reads last:
 * such data move when blocks request them. So do messages of other ranks, which these do not send
 * before this one has reached its first block. */
static bool moves(const struct zoid_serial *s, const struct zoid_access *a)
{
    const enum zoid_kind_home home = zoid_kinds[a->datum.kind].home;
    const bool border = home == ZOID_HOME_STREAM || home == ZOID_HOME_RAM;

    return s->placement->plan->keep[a->datum.kind][ZOID_RAM] != ZOID_KEEP_NONE &&
           !zoid_kind_travels(a->datum.kind) && (!border || s->n == 1);
}

static bool bring(const struct zoid_serial *s, const struct zoid_block *b, struct zoid_transit *way)
{
    unsigned here = zoid_placement_node(s->placement, b->lane);
    bool added = true;

    for (size_t i = 0; i < b->naccess && added; i++) {
        const struct zoid_access *a = &b->access[i];

        if ((a->mode & ZOID_READ || a->keeps) && moves(s, a))
            added = zoid_transit_add(way, zoid_store_handle(s->placement->store, &a->datum), here);
    }
    return added;
}

static bool send_home(const struct zoid_serial *s, const struct zoid_block *b,
                      struct zoid_transit *way)
{
    bool added = true;

    for (size_t i = 0; i < b->naccess && added; i++) {
        const struct zoid_access *a = &b->access[i];
        bool far = zoid_plan_beyond(s->placement->plan, a->datum.kind);

        if (!zoid_kinds[a->datum.kind].constant && a->next == ZOID_NEXT_RAM && moves(s, a) &&
            !zoid_placement_stays(s->placement, b))
            added = zoid_transit_add(way, zoid_store_handle(s->placement->store, &a->datum),
                                     far ? zoid_store_home(s->placement->store) : STARPU_MAIN_RAM);
    }
    return added;
}

static enum zoid_status move(const struct zoid_serial *s,
                             bool (*data)(const struct zoid_serial *, const struct zoid_block *,
                                          struct zoid_transit *))
{
    struct zoid_transit way;
    bool added = true;

    zoid_transit_init(&way, SIZE_MAX);
    for (long i = 0; i < s->n && added; i++)
        added = data(s, &s->block[i], &way);
    zoid_transit_wait(&way);
    return added ? ZOID_OK : zoid_no_memory();
}

static void forget_round(struct zoid_serial *s)
{
    for (long i = 0; i < s->n; i++)
        free((void *)s->block[i].access);
    s->n = 0;
}

/* Number of blocks whose data move together. */
static long round_of(const struct zoid_placement *p)
{
    const struct zoid_plan *plan = p->plan;

    return zoid_plan_stays(plan) && plan->home == ZOID_RAM && p->gpus == 1
               ? ZOID_IN_FLIGHT
               : (long)zoid_budget_running(plan);
}

static enum zoid_status run_round(struct zoid_serial *s)
{
    enum zoid_status status = move(s, bring);

    for (long i = 0; i < s->n && !status; i++)
        status = (enum zoid_status)s->around->block(s->around, &s->block[i]);
    /* Messages of other processes will not come. */
    if (status && zoid_ranks_processes(&s->placement->plan->graph) > 1)
        return status;
    starpu_task_wait_for_all();
    if (!status)
        status = move(s, send_home);
    forget_round(s);
    return status;
}

static int receive(struct zoid_sink *sink, const struct zoid_block *b)
{
    struct zoid_serial *s = (struct zoid_serial *)sink;
    struct zoid_access *access = malloc(b->naccess * sizeof *access);

    if (!access)
        return s->status = zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    memcpy(access, b->access, b->naccess * sizeof *access);
    s->block[s->n] = *b;
    s->block[s->n].access = access;
    s->block[s->n].nfetch = 0;
    return ++s->n < s->most ? 0 : (int)(s->status = run_round(s));
}

static int pass_on(struct zoid_sink *sink, const struct zoid_access *access)
{
    struct zoid_sink *around = ((struct zoid_serial *)sink)->around;

    return around->store(around, access);
}

/* Messages are sent when the blocks that wrote them have run. */
static int exchange(struct zoid_sink *sink, const struct zoid_message *message)
{
    struct zoid_serial *s = (struct zoid_serial *)sink;

    if (s->n && (s->status = run_round(s)))
        return (int)s->status;
    return s->around->message(s->around, message);
}

static int join(struct zoid_sink *sink, const struct zoid_join *what)
{
    struct zoid_serial *s = (struct zoid_serial *)sink;

    if (s->n && (s->status = run_round(s)))
        return (int)s->status;
    return s->around->join(s->around, what);
}

static bool ask(struct zoid_sink *sink, long steps)
{
    struct zoid_sink *around = ((struct zoid_serial *)sink)->around;

    return around->last && around->last(around, steps);
}

enum zoid_status zoid_serial_create(const struct zoid_placement *placement,
                                    struct zoid_sink *around, struct zoid_serial **serial)
{
    struct zoid_serial *s = calloc(1, sizeof *s);

    if (!s)
        return zoid_no_memory();
    *s = (struct zoid_serial){.sink = {.message = exchange,
                                       .join = join,
                                       .block = receive,
                                       .store = pass_on,
                                       .last = ask},
                              .around = around,
                              .placement = placement,
                              .most = round_of(placement)};
    s->block = calloc((size_t)s->most, sizeof *s->block);
    if (!s->block) {
        free(s);
        return zoid_no_memory();
    }
    *serial = s;
    return ZOID_OK;
}

struct zoid_sink *zoid_serial_sink(struct zoid_serial *serial)
{
    return &serial->sink;
}

enum zoid_status zoid_serial_finish(struct zoid_serial **serial)
{
    struct zoid_serial *s = *serial;
    enum zoid_status status;

    if (!s)
        return ZOID_OK;
    if (!s->status && s->n)
        s->status = run_round(s);
    status = s->status;
    forget_round(s);
    free(s->block);
    free(s);
    *serial = NULL;
    return status;
}
