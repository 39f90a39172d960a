/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/store.h"

#include <limits.h>
#include <stdlib.h>

#include "graphs/cell.h"
#include "graphs/kinds.h"
#include "graphs/message.h"
#include "runtime/error.h"
#include "runtime/memory/shelf.h"
#include "runtime/memory/transit.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/ranks.h"
#include "runtime/plan/tier.h"

struct note {
    struct zoid_datum datum;
    struct zoid_view view;
};

/* The same number of notes for every cell, by ascending planes. */
struct notes {
    struct note *note;
    size_t n, room;
};

/* Notes, by index within a cell, whose data are pinned in main memory for the host, in all
 * cells. */
struct held {
    const struct notes *notes;
    size_t first, end;
    long lo, hi; /* planes */
    enum starpu_data_access_mode mode;
};

struct zoid_store {
    struct zoid_shelf shelf[ZOID_KINDS];
    int nstate;
    size_t cells;
    struct notes state, coefficients;
    struct held held;
    struct zoid_disk_range *range; /* NULL: main memory has room for all */
    size_t most_held;              /* data of a cell pinned at once, at most */
    /* Bytes of StarPU's count of main memory for data that it does not allocate. */
    size_t reserved;
};

static void release_memory(struct zoid_store *s)
{
    starpu_memory_deallocate(STARPU_MAIN_RAM, s->reserved);
    s->reserved = 0;
}

/* StarPU may allocate the rest of its count of main memory. */
static void reserve_memory(struct zoid_store *s, const struct zoid_plan *plan)
{
    uint64_t total = (uint64_t)starpu_memory_get_total(STARPU_MAIN_RAM);

    release_memory(s);
    s->reserved = total - zoid_budget_starpu(plan);
    starpu_memory_allocate(STARPU_MAIN_RAM, s->reserved, STARPU_MEMORY_OVERFLOW);
}

static size_t most_held(const struct zoid_plan *plan)
{
    uint64_t most = UINT64_MAX;

    for (int k = 0; k < ZOID_KINDS; k++)
        if (zoid_plan_beyond(plan, k) && plan->bytes[k]) {
            uint64_t there = plan->bytes[k] / zoid_budget_datum_bytes(plan, k) / 2;

            most = there < most ? there : most;
        }
    most /= (uint64_t)zoid_rank_cells(&plan->graph);
    return most ? (size_t)most : 1;
}

/* Measure all data, then reserve their space on the disk, if there is one, and register them. */
static enum zoid_status fill(struct zoid_store *s, const struct zoid_plan *plan,
                             struct zoid_disk *disk)
{
    enum zoid_status status = ZOID_OK;
    uint64_t bytes = 0;
    off_t end = 0;

    for (int k = 0; k < ZOID_KINDS && !status; k++) {
        status = zoid_shelf_measure(&s->shelf[k], plan, k);
        bytes += zoid_plan_beyond(plan, k) ? s->shelf[k].bytes : 0;
    }
    if (!status && disk)
        status = zoid_disk_reserve(disk, bytes, &s->range);
    if (!status && disk)
        reserve_memory(s, plan);
    for (int k = 0; k < ZOID_KINDS && !status; k++)
        status = zoid_shelf_fill(&s->shelf[k], plan, k, s->range, &end);
    return status;
}

enum zoid_status zoid_store_create(const struct zoid_plan *plan, struct zoid_disk *disk,
                                   struct zoid_store **store)
{
    struct zoid_store *s = calloc(1, sizeof *s);
    enum zoid_status status;

    if (!s)
        return zoid_no_memory();
    s->cells = (size_t)zoid_rank_cells(&plan->graph);
    s->nstate = plan->problem.op->nstate;
    s->most_held = most_held(plan);
    status = fill(s, plan, disk);
    if (status)
        zoid_store_destroy(&s);
    else
        *store = s;
    return status;
}

static bool larger(const struct zoid_census_row *row, const struct zoid_census_row *than)
{
    return row->rows > than->rows || row->cols > than->cols || row->planes > than->planes;
}

enum zoid_status zoid_store_fit(struct zoid_store *s, const struct zoid_plan *leg)
{
    enum zoid_status status = ZOID_OK;

    /* Slabs and coefficients, which may be on the disk, are those of the plan in all legs. */
    for (int k = 0; k < ZOID_KINDS && !status; k++) {
        s->shelf[k].leg = leg->census.kind[k];
        if (!larger(&leg->census.kind[k], &s->shelf[k].row))
            continue;
        zoid_shelf_clear(&s->shelf[k]);
        s->shelf[k] = (struct zoid_shelf){.memory = NULL};
        status = zoid_shelf_measure(&s->shelf[k], leg, k);
        if (!status)
            status = zoid_shelf_fill(&s->shelf[k], leg, k, NULL, NULL);
    }
    s->most_held = most_held(leg);
    if (s->range)
        reserve_memory(s, leg);
    return status;
}

void zoid_store_destroy(struct zoid_store **store)
{
    struct zoid_store *s = *store;

    if (!s)
        return;
    zoid_store_unpin(s);
    for (int k = 0; k < ZOID_KINDS; k++)
        zoid_shelf_clear(&s->shelf[k]);
    release_memory(s);
    zoid_disk_release(&s->range);
    free(s->state.note);
    free(s->coefficients.note);
    free(s);
    *store = NULL;
}

static void share(struct zoid_store *store, const struct zoid_datum *d,
                  const struct zoid_store *reader)
{
    struct zoid_shelf *shelf = &store->shelf[d->kind];

    shelf->handle[zoid_shelf_number(shelf, d)] = zoid_store_handle(reader, d);
}

void zoid_store_share(struct zoid_store *store, const struct zoid_plan *plan,
                      const struct zoid_store *reader, const struct zoid_plan *reads)
{
    const struct zoid_graph *g = &plan->graph;
    const long rows = plan->census.kind[ZOID_MESSAGE].rows;
    struct zoid_datum message[rows + 1];

    if (rows)
        zoid_rank_messages(g, message);
    for (long i = 0; i < rows; i++)
        if (message[i].owner == g->rank && zoid_ranks_reader(g, &message[i]) == reads->graph.rank)
            share(store, &message[i], reader);
    for (long i = 0; i < plan->census.kind[ZOID_RELAY].cols; i++)
        if (g->rank + 1 == reads->graph.rank)
            share(store,
                  &(struct zoid_datum){
                      .kind = ZOID_RELAY, .row = g->rank, .col = i, .owner = g->rank},
                  reader);
}

void zoid_store_rest(struct zoid_store *store)
{
    zoid_store_unpin(store);
    release_memory(store);
}

void zoid_store_wake(struct zoid_store *store, const struct zoid_plan *plan)
{
    if (store->range)
        reserve_memory(store, plan);
}

starpu_data_handle_t zoid_store_handle(const struct zoid_store *store,
                                       const struct zoid_datum *datum)
{
    const struct zoid_shelf *shelf = &store->shelf[datum->kind];

    return shelf->handle[zoid_shelf_number(shelf, datum)];
}

size_t zoid_store_data(const struct zoid_store *store)
{
    size_t data = 0;

    for (int k = 0; k < ZOID_KINDS; k++)
        data += zoid_shelf_data(&store->shelf[k]);
    return data;
}

size_t zoid_store_number(const struct zoid_store *store, const struct zoid_datum *datum)
{
    size_t number = zoid_shelf_number(&store->shelf[datum->kind], datum);

    for (int k = 0; k < (int)datum->kind; k++)
        number += zoid_shelf_data(&store->shelf[k]);
    return number;
}

/* Shelf of the datum with an index, which becomes its index there. */
static const struct zoid_shelf *shelf_at(const struct zoid_store *store, size_t *number)
{
    const struct zoid_shelf *shelf = store->shelf;

    for (; *number >= zoid_shelf_data(shelf); shelf++)
        *number -= zoid_shelf_data(shelf);
    return shelf;
}

starpu_data_handle_t zoid_store_handle_at(const struct zoid_store *store, size_t number)
{
    const struct zoid_shelf *shelf = shelf_at(store, &number);

    return shelf->handle ? shelf->handle[number] : NULL;
}

enum zoid_kind zoid_store_kind_at(const struct zoid_store *store, size_t number)
{
    return (enum zoid_kind)(shelf_at(store, &number) - store->shelf);
}

long zoid_store_capacity(const struct zoid_store *store, enum zoid_kind kind)
{
    return store->shelf[kind].row.planes;
}

void zoid_store_discard(struct zoid_store *store, bool coefficients)
{
    store->state.n = 0;
    if (coefficients)
        store->coefficients.n = 0;
}

enum zoid_status zoid_store_note(struct zoid_store *store, const struct zoid_datum *datum,
                                 const struct zoid_view *view)
{
    struct notes *notes = zoid_kinds[datum->kind].constant ? &store->coefficients : &store->state;

    if (notes->n == notes->room) {
        size_t room = notes->room ? 2 * notes->room : 64;
        struct note *note = realloc(notes->note, room * sizeof *note);

        if (!note)
            return zoid_no_memory();
        notes->note = note;
        notes->room = room;
    }
    notes->note[notes->n++] = (struct note){*datum, *view};
    return ZOID_OK;
}

unsigned zoid_store_home(const struct zoid_store *store)
{
    return store->range ? zoid_disk_node(zoid_disk_of(store->range)) : STARPU_MAIN_RAM;
}

const struct zoid_disk_range *zoid_store_range(const struct zoid_store *store)
{
    return store->range;
}

static starpu_data_handle_t noted(const struct zoid_store *store, const struct notes *notes,
                                  size_t i)
{
    return zoid_store_handle(store, &notes->note[i].datum);
}

/* Limits the data in transit to a disk to those that main memory has room for. */
enum zoid_status zoid_store_fetch(struct zoid_store *store)
{
    const struct zoid_shelf *memory = &store->shelf[ZOID_MEMORY];
    struct zoid_transit way;
    bool added = true;

    zoid_transit_init(&way, store->most_held);
    for (size_t i = 0; i < store->state.n && added; i++)
        added = zoid_transit_add(&way, noted(store, &store->state, i), zoid_store_home(store));
    for (size_t i = 0; i < zoid_shelf_data(memory) && added; i++)
        added = zoid_transit_add(&way, memory->handle[i], zoid_store_home(store));
    zoid_transit_wait(&way);
    return added ? ZOID_OK : zoid_no_memory();
}

void zoid_store_invalidate(const struct zoid_store *store)
{
    const struct zoid_shelf *slabs = &store->shelf[ZOID_SLAB];

    for (size_t i = 0; i < zoid_shelf_data(slabs) && !store->range; i++) {
        starpu_data_acquire_on_node(slabs->handle[i], STARPU_MAIN_RAM, STARPU_W);
        starpu_data_release_on_node(slabs->handle[i], STARPU_MAIN_RAM);
    }
}

static const struct notes *notes_about(const struct zoid_store *store, bool coefficients)
{
    return coefficients ? &store->coefficients : &store->state;
}

size_t zoid_store_notes(const struct zoid_store *store, bool coefficients)
{
    return notes_about(store, coefficients)->n;
}

struct zoid_noted zoid_store_noted(const struct zoid_store *store, bool coefficients, size_t i)
{
    const struct notes *notes = notes_about(store, coefficients);
    const struct note *note = &notes->note[i];
    const struct zoid_shelf *shelf = &store->shelf[note->datum.kind];

    return (struct zoid_noted){.handle = noted(store, notes, i),
                               .lo = note->view.lo,
                               .hi = i + 1 < notes->n ? note[1].view.lo : LONG_MAX,
                               .slot = zoid_view_slot(&note->view, note->view.t0, note->view.lo),
                               .capacity = shelf->row.planes,
                               .plane_bytes = shelf->plane_bytes};
}

static size_t notes_a_cell(const struct zoid_store *store, const struct notes *notes)
{
    return notes->n / store->cells;
}

/* Index within a cell of its last note whose planes start at or below z. */
static size_t find_note(const struct zoid_store *store, const struct notes *notes, size_t cell,
                        long z)
{
    const struct note *first = &notes->note[cell * notes_a_cell(store, notes)];
    size_t low = 0, high = notes_a_cell(store, notes);

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (first[middle].view.lo <= z)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const struct notes *notes_of(const struct zoid_store *store, int field)
{
    return notes_about(store, field >= store->nstate);
}

/* Call for the notes [first, end) of every cell, unless all are at home in main memory and are
 * read, or have no copy elsewhere: STARPU_RW invalidates the copies that GPUs keep. */
static void each_noted(const struct zoid_store *store, const struct notes *notes, size_t first,
                       size_t end, void (*call)(const struct zoid_store *, starpu_data_handle_t))
{
    const size_t count = notes_a_cell(store, notes);

    if (!store->range && store->held.mode != STARPU_RW)
        return;
    for (size_t i = first; i < end && i < count; i++)
        for (size_t cell = 0; cell < store->cells; cell++)
            call(store, noted(store, notes, cell * count + i));
}

static void acquire(const struct zoid_store *store, starpu_data_handle_t handle)
{
    starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, store->held.mode);
}

static void ask_for(const struct zoid_store *store, starpu_data_handle_t handle)
{
    (void)store;
    starpu_data_prefetch_on_node(handle, STARPU_MAIN_RAM, 1);
}

static void release(const struct zoid_store *store, starpu_data_handle_t handle)
{
    starpu_data_release_on_node(handle, STARPU_MAIN_RAM);
    if (store->held.mode != STARPU_R)
        starpu_data_prefetch_on_node(handle, zoid_store_home(store), 1);
}

long zoid_store_pin(struct zoid_store *store, int field, long z, enum starpu_data_access_mode mode)
{
    const struct notes *notes = notes_of(store, field);
    size_t first, left, later, count = notes_a_cell(store, notes);

    if (notes == store->held.notes && mode == store->held.mode && z >= store->held.lo &&
        z < store->held.hi)
        return store->held.hi;
    zoid_store_unpin(store);
    first = find_note(store, notes, 0, z);
    left = count - first;
    store->held = (struct held){.notes = notes,
                                .first = first,
                                .end = first + (left < store->most_held ? left : store->most_held),
                                .lo = z,
                                .mode = mode};
    later = store->held.end;
    store->held.hi = later < count ? notes->note[later].view.lo : LONG_MAX;
    /* Data at home in main memory are there already, and no task is using them. */
    each_noted(store, notes, first, later, acquire);
    /* Prefetch the next planes while the caller reads these. */
    if (mode == STARPU_R)
        each_noted(store, notes, later, 2 * later - first, ask_for);
    return store->held.hi;
}

void zoid_store_unpin(struct zoid_store *store)
{
    const struct held *held = &store->held;

    if (held->notes)
        each_noted(store, held->notes, held->first, held->end, release);
    store->held = (struct held){.notes = NULL};
}

void *zoid_store_planes(const struct zoid_store *store, int field, long cell, long z, long *end)
{
    const struct notes *notes = notes_of(store, field);
    const size_t count = notes_a_cell(store, notes);
    const size_t found = find_note(store, notes, (size_t)cell, z);
    const size_t i = (size_t)cell * count + found;
    const struct note *note = &notes->note[i];
    const struct zoid_shelf *shelf = &store->shelf[note->datum.kind];
    char *memory = starpu_data_handle_to_pointer(noted(store, notes, i), STARPU_MAIN_RAM);

    *end = found + 1 < count ? note[1].view.lo : LONG_MAX;
    field -= notes == &store->state ? 0 : store->nstate;
    return memory + ((size_t)(field * shelf->row.planes) +
                     (size_t)zoid_view_slot(&note->view, note->view.t0, z)) *
                        shelf->plane_bytes;
}
