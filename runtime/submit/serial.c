/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/submit/serial.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/plan/budget.h"
#include "runtime/submit/sink.h"

/* Of several blocks in a round, one may leave an edge or a halo that another reads, or reads last: those
 * move when blocks ask for them. */
static bool moves(const struct zoid_starpu_sink *s, const struct zoid_access *a)
{
    bool border = a->datum.kind == ZOID_EDGE || a->datum.kind == ZOID_HALO;

    return zoid_budget_at_home(&s->job->plan, a->datum.kind) && (!border || s->serial.n == 1);
}

static bool bring(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                  struct zoid_transit *way)
{
    unsigned here = zoid_sink_node(s, b->lane);
    bool added = true;

    for (size_t i = 0; i < b->naccess && added; i++) {
        const struct zoid_access *a = &b->access[i];

        if ((a->mode & ZOID_READ || a->keeps) && moves(s, a))
            added = zoid_transit_add(way, zoid_store_handle(s->job->store, &a->datum), here);
    }
    return added;
}

static bool send_home(const struct zoid_starpu_sink *s, const struct zoid_block *b,
                      struct zoid_transit *way)
{
    bool added = true;

    for (size_t i = 0; i < b->naccess && added; i++) {
        const struct zoid_access *a = &b->access[i];
        bool on_disk = zoid_budget_on_disk(&s->job->plan, a->datum.kind);

        if (a->datum.kind != ZOID_COEFFICIENT && a->next == ZOID_NEXT_RAM && moves(s, a) &&
            !zoid_sink_stays(s, b))
            added = zoid_transit_add(way, zoid_store_handle(s->job->store, &a->datum),
                                     on_disk ? zoid_store_home(s->job->store) : STARPU_MAIN_RAM);
    }
    return added;
}

static enum zoid_status move(const struct zoid_starpu_sink *s,
                             bool (*data)(const struct zoid_starpu_sink *,
                                          const struct zoid_block *, struct zoid_transit *))
{
    struct zoid_transit way;
    bool added = true;

    zoid_transit_init(&way, SIZE_MAX);
    for (long i = 0; i < s->serial.n && added; i++)
        added = data(s, &s->serial.block[i], &way);
    zoid_transit_wait(&way);
    return added ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
}

static void forget_round(struct zoid_serial *serial)
{
    for (long i = 0; i < serial->n; i++)
        free((void *)serial->block[i].access);
    serial->n = 0;
}

enum zoid_status zoid_serial_init(struct zoid_serial *serial, long most)
{
    *serial =
        (struct zoid_serial){.block = calloc((size_t)most, sizeof *serial->block), .most = most};
    return serial->block ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory");
}

enum zoid_status zoid_serial_flush(struct zoid_starpu_sink *s)
{
    enum zoid_status status = move(s, bring);

    for (long i = 0; i < s->serial.n && !status; i++)
        status = zoid_sink_submit(s, &s->serial.block[i]);
    starpu_task_wait_for_all();
    if (!status)
        status = move(s, send_home);
    forget_round(&s->serial);
    return status;
}

enum zoid_status zoid_serial_add(struct zoid_starpu_sink *s, const struct zoid_block *b)
{
    struct zoid_serial *serial = &s->serial;
    struct zoid_access *access = malloc(b->naccess * sizeof *access);

    if (!access)
        return zoid_fail(ZOID_RESOURCE, "out of memory for tasks");
    memcpy(access, b->access, b->naccess * sizeof *access);
    serial->block[serial->n] = *b;
    serial->block[serial->n].access = access;
    serial->block[serial->n].nfetch = 0;
    return ++serial->n < serial->most ? ZOID_OK : zoid_serial_flush(s);
}

void zoid_serial_free(struct zoid_serial *serial)
{
    forget_round(serial);
    free(serial->block);
    *serial = (struct zoid_serial){.block = NULL};
}
