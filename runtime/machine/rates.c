/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/rates.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/machine/card.h"

/* ---- defaults ---------------------------------------------------------------------------- */

/* Bytes of second-level cache per core; 256 KiB if unknown. */
static double own_cache(const struct zoid_machine *m)
{
    enum { LEVEL = 1 };
    int sharers = m->cache_sharers[LEVEL] > 1 ? m->cache_sharers[LEVEL] : 1;

    return fmax((double)m->cache[LEVEL] / sharers, 1 << 18);
}

/* Bytes per second that all cores of a server copy from memory: 16 Xeon cores, 2026-11-26. */
static const double MEMORY = 97e9;

/* Two ranks of one worker each on 2 EPYC cores (docs/design/planner.md). There copies at both ends
 * take longer than the bytes in between. */
static const struct zoid_network usual_network = {
    .message = 14e-6, .way = 0.22e-3, .wire = 1 / 10e9};

/* Defaults: a core of a server with AVX-512 (docs/performance.md), and the GPU by its name. The
 * size of the last cache is ignored: a virtual machine often sees a cache that it shares with
 * others. */
void zoid_rates_defaults(const struct zoid_machine *m, struct zoid_rates *rates)
{
    const double own = own_cache(m), alone = 0.49e-9 / 8;
    const struct zoid_card *card = zoid_card_of(m->gpu);

    *rates = (struct zoid_rates){
        .workers = m->cores > 1 ? m->cores : 1,
        .cost = {{own, 0.09e-9 / 8},
                 {2 * own, 0.14e-9 / 8},
                 {4 * own, 0.14e-9 / 8},
                 {16 * own, fmax(alone, m->cores / MEMORY)}},
        .costs = 4,
        .task = 8e-6,
        .submit = 4e-6,
        .gpu_task = 40e-6,
        .gpu_memory = card->memory,
        .link_up = 1 / 50e9,
        .link_down = 1 / 50e9,
        .link_both = card->link_both,
        .link_peer = 1 / 300e9,
        .disk_read = 1 / 1e9,
        .disk_write = 1 / 1e9,
        .disk_datum = 0.1e-3,
        .network = {usual_network, usual_network},
    };
    for (int i = 0; i < zoid_rates_few(rates->workers); i++)
        rates->few[i] = fmax(alone, ldexp(1, i) / MEMORY);
}

/* ---- asking ------------------------------------------------------------------------------ */

void zoid_rates_name(const struct zoid_op *op, char name[ZOID_RATES_NAME])
{
    const int n = snprintf(name, ZOID_RATES_NAME, "%.64s", op->name);

    if (op->text)
        snprintf(name + n, (size_t)(ZOID_RATES_NAME - n), " %016" PRIx64, op->text);
}

const struct zoid_op_rates *zoid_rates_find(const struct zoid_rates *rates,
                                            const struct zoid_op *op)
{
    char name[ZOID_RATES_NAME];

    zoid_rates_name(op, name);
    for (size_t i = 0; i < rates->ops; i++)
        if (!strcmp(rates->op[i].name, name))
            return &rates->op[i];
    return NULL;
}

double zoid_rates_cost(const struct zoid_rates *r, double bytes)
{
    int i = 1;

    if (bytes <= r->cost[0].bytes)
        return r->cost[0].seconds;
    while (i < r->costs && r->cost[i].bytes < bytes)
        i++;
    if (i == r->costs)
        return r->cost[i - 1].seconds;
    return r->cost[i - 1].seconds + (r->cost[i].seconds - r->cost[i - 1].seconds) *
                                        log(bytes / r->cost[i - 1].bytes) /
                                        log(r->cost[i].bytes / r->cost[i - 1].bytes);
}

double zoid_rates_distance(const struct zoid_rates *r, double bytes)
{
    double near = r->cost[0].seconds, far = r->cost[r->costs - 1].seconds;

    return far > near ? fmin(fmax((zoid_rates_cost(r, bytes) - near) / (far - near), 0), 1) : 1;
}

int zoid_rates_few(int workers)
{
    int few = 0;

    while (few < ZOID_MAX_FEW && 1L << few < workers)
        few++;
    return few;
}

double zoid_rates_memory(const struct zoid_rates *r, double workers)
{
    const double all = r->cost[r->costs - 1].seconds;
    const int few = zoid_rates_few(r->workers);
    double seconds = few ? r->few[0] : all, below = 1;

    for (int i = 1; i <= few && workers > below; i++) {
        const double above = i < few ? 2 * below : r->workers;
        const double next = i < few ? r->few[i] : all;

        seconds = workers < above ? seconds + (next - seconds) * (workers - below) / (above - below)
                                  : next;
        below = above;
    }
    return workers > r->workers ? all * workers / r->workers : seconds;
}

enum zoid_network_kind zoid_rates_network_kind(const struct zoid_machine *machine)
{
    return machine->spread ? ZOID_SEVERAL_HOSTS : ZOID_ONE_HOST;
}

struct zoid_network zoid_rates_network(const struct zoid_rates *rates,
                                       const struct zoid_machine *machine)
{
    struct zoid_network n = rates->network[zoid_rates_network_kind(machine)];

    n.way *= n.way_factor > 0 ? n.way_factor : 1;
    n.wire *= n.wire_factor > 0 ? n.wire_factor : 1;
    n.way_factor = n.wire_factor = n.runs = 0;
    return n;
}

/* ---- putting together -------------------------------------------------------------------- */

/* Returns the entry of that name, created if missing; NULL: out of memory. */
static struct zoid_op_rates *entry_of(struct zoid_rates *rates, const char *name)
{
    struct zoid_op_rates *grown;

    for (size_t i = 0; i < rates->ops; i++)
        if (!strcmp(rates->op[i].name, name))
            return &rates->op[i];
    grown = realloc(rates->op, (rates->ops + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    rates->op = grown;
    grown[rates->ops] = (struct zoid_op_rates){.tiled = 0};
    snprintf(grown[rates->ops].name, sizeof grown->name, "%s", name);
    return &grown[rates->ops++];
}

static void merge_op(struct zoid_op_rates *into, const struct zoid_op_rates *from)
{
    if (from->tiled > 0) {
        into->tiled = from->tiled;
        into->exceeding = from->exceeding;
        into->visit = from->visit;
        into->marched = from->marched;
        into->marched_visit = from->marched_visit;
        into->untiled = from->untiled;
        into->step = from->step;
        into->cores = from->cores;
    }
    if (from->gpu_step > 0) {
        into->gpu_step = from->gpu_step;
        into->gpu_even = from->gpu_even;
        into->gpus = from->gpus;
    }
}

/* Discards the rates of operators on cores, of which another number was busy. */
static void discard_core_ops(struct zoid_rates *rates)
{
    for (size_t i = 0; i < rates->ops; i++) {
        struct zoid_op_rates gpu = {.gpu_step = rates->op[i].gpu_step,
                                    .gpu_even = rates->op[i].gpu_even,
                                    .gpus = rates->op[i].gpus};

        memcpy(gpu.name, rates->op[i].name, sizeof gpu.name);
        rates->op[i] = gpu;
    }
}

enum zoid_status zoid_rates_merge(struct zoid_rates *into, const struct zoid_rates *from)
{
    if (from->measured & ZOID_RATES_MEMORY && from->workers != into->workers)
        discard_core_ops(into);
    if (from->measured & ZOID_RATES_MEMORY) {
        into->workers = from->workers;
        memcpy(into->cost, from->cost, sizeof into->cost);
        into->costs = from->costs;
        memcpy(into->few, from->few, sizeof into->few);
    }
    if (from->measured & ZOID_RATES_TASKS) {
        into->task = from->task;
        into->submit = from->submit;
    }
    if (from->measured & ZOID_RATES_GPU) {
        into->gpu_task = from->gpu_task;
        into->gpu_memory = from->gpu_memory;
        into->link_both = from->link_both;
    }
    if (from->measured & ZOID_RATES_LINKS) {
        into->link_up = from->link_up;
        into->link_down = from->link_down;
    }
    if (from->measured & ZOID_RATES_PEERS)
        into->link_peer = from->link_peer;
    if (from->measured & ZOID_RATES_DISK) {
        into->disk_read = from->disk_read;
        into->disk_write = from->disk_write;
        into->disk_datum = from->disk_datum;
        memcpy(into->disk, from->disk, sizeof into->disk);
    }
    for (int k = 0; k < ZOID_NETWORKS; k++)
        if (from->measured & zoid_rates_network_part((enum zoid_network_kind)k))
            into->network[k] = from->network[k];
    into->measured |= from->measured & ~(unsigned)(ZOID_RATES_CORE_OPS | ZOID_RATES_GPU_OPS);
    into->calibrated = true;
    for (size_t i = 0; i < from->ops; i++) {
        struct zoid_op_rates *op = entry_of(into, from->op[i].name);

        if (!op)
            return zoid_no_memory();
        merge_op(op, &from->op[i]);
    }
    return ZOID_OK;
}

void zoid_rates_free(struct zoid_rates *rates)
{
    free(rates->op);
    rates->op = NULL;
    rates->ops = 0;
}
