/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/shelf.h"

#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/message.h"
#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/memory/pages.h"
#include "runtime/memory/pool.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/coefficients.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"

/* Offset of datum i from the first. */
static size_t start_of(const struct zoid_shelf *shelf, size_t i)
{
    return shelf->start ? shelf->start[i] : i * shelf->datum_bytes;
}

void zoid_shelf_clear(struct zoid_shelf *shelf)
{
    /* Data without bytes are those of another part. */
    for (size_t i = 0; shelf->handle && i < zoid_shelf_data(shelf); i++)
        if (shelf->handle[i] && start_of(shelf, i + 1) > start_of(shelf, i))
            starpu_data_unregister_no_coherency(shelf->handle[i]);
    free(shelf->handle);
    free(shelf->place);
    free(shelf->start);
    if (shelf->memory && shelf->pinned)
        starpu_memory_unpin(shelf->memory, shelf->bytes);
    zoid_pages_give(shelf->memory, shelf->bytes);
}

static enum zoid_status allocate(struct zoid_shelf *shelf, bool pin)
{
    shelf->memory =
        ZOID_SIMULATED ? zoid_pages_reserve(shelf->bytes) : zoid_pages_take(shelf->bytes);
    if (!shelf->memory)
        return zoid_fail(ZOID_RESOURCE, "the system refuses %zu bytes of memory", shelf->bytes);
    /* Only page-locked memory moves to a GPU at the link's bandwidth and overlaps with
     * computation. */
    if (ZOID_SIMULATED)
        return ZOID_OK;
    shelf->pinned = pin && starpu_memory_pin(shelf->memory, shelf->bytes) == 0;
    return pin && !shelf->pinned
               ? zoid_fail(ZOID_RESOURCE, "CUDA cannot lock %zu bytes of memory", shelf->bytes)
               : ZOID_OK;
}

static enum zoid_status place(struct zoid_shelf *shelf, struct zoid_disk_range *range, off_t *end)
{
    shelf->place = calloc(zoid_shelf_data(shelf), sizeof *shelf->place);
    if (!shelf->place)
        return zoid_no_memory();
    for (size_t i = 0; i < zoid_shelf_data(shelf); i++)
        shelf->place[i] =
            (struct zoid_disk_place){.range = range, .at = *end + (off_t)start_of(shelf, i)};
    *end += (off_t)shelf->bytes;
    return ZOID_OK;
}

static void enlist(const struct zoid_shelf *shelf, size_t i)
{
    const size_t bytes = start_of(shelf, i + 1) - start_of(shelf, i);
    uintptr_t at = 0;
    int home = -1;

    if (!bytes)
        return;
    if (shelf->place) {
        at = (uintptr_t)&shelf->place[i];
        home = (int)zoid_disk_node(zoid_disk_of(shelf->place[i].range));
    } else if (shelf->memory) {
        at = (uintptr_t)(shelf->memory + start_of(shelf, i));
        home = STARPU_MAIN_RAM;
    }
    zoid_pool_register(
        &shelf->handle[i],
        &(struct zoid_pool_datum){.home = home, .at = at, .bytes = bytes, .exact = shelf->exact});
}

size_t zoid_shelf_number(const struct zoid_shelf *shelf, const struct zoid_datum *d)
{
    const long row = zoid_rank_row(shelf->graph, &shelf->leg, d);

    return (size_t)row * (size_t)shelf->row.cols + (size_t)d->col;
}

/* Set the offsets of messages, which differ in size. */
static enum zoid_status measure_messages(struct zoid_shelf *shelf, const struct zoid_plan *plan)
{
    const size_t cols = (size_t)shelf->row.cols;
    struct zoid_datum *message = calloc((size_t)shelf->row.rows + 1, sizeof *message);

    shelf->start = calloc(zoid_shelf_data(shelf) + 1, sizeof *shelf->start);
    if (message && shelf->start) {
        zoid_rank_messages(&plan->graph, message);
        for (size_t i = 0; i < zoid_shelf_data(shelf); i++) {
            message[i / cols].col = (long)(i % cols);
            shelf->start[i + 1] =
                shelf->start[i] + zoid_budget_message_bytes(plan, &message[i / cols]);
        }
    }
    free(message);
    return message && shelf->start ? ZOID_OK : zoid_no_memory();
}

/* Set the offsets of relays, if another part has those that this one leaves. */
static enum zoid_status measure_relays(struct zoid_shelf *shelf, const struct zoid_graph *g)
{
    const size_t n = zoid_shelf_data(shelf), left = (size_t)shelf->row.cols;

    if (!n || !zoid_ranks_together(g, g->rank + 1))
        return ZOID_OK;
    shelf->start = calloc(n + 1, sizeof *shelf->start);
    if (!shelf->start)
        return zoid_no_memory();
    for (size_t i = left; i < n; i++)
        shelf->start[i + 1] = shelf->start[i] + shelf->datum_bytes;
    return ZOID_OK;
}

/* Set the sizes of the data; pieces of some kinds differ in size. */
static enum zoid_status measure(struct zoid_shelf *shelf, const struct zoid_plan *plan, int kind)
{
    const size_t n = zoid_shelf_data(shelf);

    shelf->plane_bytes = zoid_budget_plane_bytes(plan, kind);
    shelf->datum_bytes = zoid_budget_datum_bytes(plan, kind);
    if (kind == ZOID_MESSAGE && n) {
        const enum zoid_status status = measure_messages(shelf, plan);

        if (status)
            return status;
    }
    if (kind == ZOID_RELAY && plan->graph.apart) {
        const enum zoid_status status = measure_relays(shelf, &plan->graph);

        if (status)
            return status;
    }
    if (zoid_kind_in_pieces(plan->problem.op, kind)) {
        const long first = zoid_graph_cells(shelf->graph).lo, cols = shelf->row.cols;

        shelf->start = calloc(n + 1, sizeof *shelf->start);
        if (!shelf->start)
            return zoid_no_memory();
        for (size_t i = 0; i < n; i++)
            shelf->start[i + 1] =
                shelf->start[i] +
                zoid_piece_bytes(plan, kind, first + (long)i / cols, (long)i % cols);
    }
    shelf->bytes = start_of(shelf, n);
    return ZOID_OK;
}

enum zoid_status zoid_shelf_measure(struct zoid_shelf *shelf, const struct zoid_plan *plan,
                                    int kind)
{
    shelf->row = shelf->leg = plan->census.kind[kind];
    shelf->graph = &plan->graph;
    shelf->exact = zoid_plan_evicts(plan);
    return measure(shelf, plan, kind);
}

enum zoid_status zoid_shelf_fill(struct zoid_shelf *shelf, const struct zoid_plan *plan, int kind,
                                 struct zoid_disk_range *range, off_t *end)
{
    enum zoid_status status = ZOID_OK;

    /* Data without bytes may be those of another part. */
    if (!zoid_shelf_data(shelf))
        return ZOID_OK;
    shelf->handle = calloc(zoid_shelf_data(shelf), sizeof *shelf->handle);
    if (!shelf->handle)
        return zoid_no_memory();
    if (!shelf->bytes)
        return ZOID_OK;
    if (zoid_plan_beyond(plan, kind))
        status = place(shelf, range, end);
    else if (plan->keep[kind][ZOID_RAM])
        status = allocate(shelf, zoid_plan_on_gpus(plan));
    for (size_t i = 0; i < zoid_shelf_data(shelf) && !status; i++)
        enlist(shelf, i);
    return status;
}
