/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/store.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/parallel.h"

struct note {
    struct zoid_datum datum;
    struct zoid_view view;
};

struct shelf {
    struct zoid_census_row row;
    char *memory;
    size_t datum_bytes, bytes;
    bool pinned;
    starpu_data_handle_t *handle;
};

/* By ascending planes. */
struct notes {
    struct note *note;
    size_t n, room;
};

struct zoid_store {
    struct shelf shelf[ZOID_KINDS];
    size_t plane_bytes;
    int nstate;
    struct notes state, coefficients;
};

static size_t entries(const struct shelf *shelf)
{
    return (size_t)shelf->row.rows * (size_t)shelf->row.cols;
}

static size_t entry(const struct shelf *shelf, const struct zoid_datum *d)
{
    return (size_t)d->row * (size_t)shelf->row.cols + (size_t)d->col;
}

int zoid_kind_fields(const struct zoid_op *op, int kind)
{
    return kind == ZOID_COEFFICIENT ? op->ncoef : op->nstate;
}

static void shelf_clear(struct shelf *shelf)
{
    for (size_t i = 0; shelf->handle && i < entries(shelf); i++)
        if (shelf->handle[i])
            starpu_data_unregister(shelf->handle[i]);
    free(shelf->handle);
    if (shelf->memory && shelf->pinned)
        starpu_memory_unpin(shelf->memory, shelf->bytes);
    if (shelf->memory)
        munmap(shelf->memory, shelf->bytes);
}

static const size_t CHUNK = 64 << 20;

/* Large pages where there are some, and all of them now: a page that is first touched by a worker
 * makes it wait. Kernels that know neither do without. */
static void populate(void *arg, int thread, long i)
{
    const struct shelf *shelf = arg;
    size_t first = (size_t)i * CHUNK, left = shelf->bytes - first;

    (void)thread;
    madvise(shelf->memory + first, left < CHUNK ? left : CHUNK, MADV_POPULATE_WRITE);
}

static enum zoid_status shelf_allocate(struct shelf *shelf, bool pin)
{
    shelf->memory = mmap(NULL, shelf->bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shelf->memory == MAP_FAILED) {
        shelf->memory = NULL;
        return zoid_fail(ZOID_RESOURCE, "the system refuses %zu bytes of memory", shelf->bytes);
    }
    madvise(shelf->memory, shelf->bytes, MADV_HUGEPAGE);
    zoid_parallel(zoid_cores(), (long)((shelf->bytes + CHUNK - 1) / CHUNK), populate, shelf);
    /* Only page-locked memory moves to a GPU at the speed of the link, and under computation. */
    shelf->pinned = pin && starpu_memory_pin(shelf->memory, shelf->bytes) == 0;
    return pin && !shelf->pinned
               ? zoid_fail(ZOID_RESOURCE, "CUDA cannot lock %zu bytes of memory", shelf->bytes)
               : ZOID_OK;
}

/* On GPUs only what outlives a pass has a home in main memory; the rest lives where it is used. */
static enum zoid_status shelf_fill(struct shelf *shelf, const struct zoid_plan *plan, int kind)
{
    size_t plane = zoid_layout_plane_bytes(&plan->layout);
    bool at_home = !plan->on_gpu || kind == ZOID_SLAB || kind == ZOID_COEFFICIENT;
    enum zoid_status status = ZOID_OK;
    size_t planes;

    shelf->row = plan->census.kind[kind];
    planes = (size_t)shelf->row.planes * (size_t)zoid_kind_fields(plan->problem.op, kind);
    shelf->datum_bytes = planes * plane;
    shelf->bytes = shelf->datum_bytes * entries(shelf);
    if (!shelf->bytes)
        return ZOID_OK;
    shelf->handle = calloc(entries(shelf), sizeof *shelf->handle);
    if (!shelf->handle)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    if (at_home)
        status = shelf_allocate(shelf, plan->on_gpu);
    for (size_t i = 0; i < entries(shelf) && !status; i++)
        starpu_vector_data_register(&shelf->handle[i], at_home ? STARPU_MAIN_RAM : -1,
                                    at_home ? (uintptr_t)(shelf->memory + i * shelf->datum_bytes)
                                            : 0,
                                    (uint32_t)planes, plane);
    return status;
}

enum zoid_status zoid_store_create(const struct zoid_plan *plan, struct zoid_store **store)
{
    struct zoid_store *s = calloc(1, sizeof *s);
    enum zoid_status status = ZOID_OK;

    if (!s)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    s->plane_bytes = zoid_layout_plane_bytes(&plan->layout);
    s->nstate = plan->problem.op->nstate;
    for (int k = 0; k < ZOID_KINDS && !status; k++)
        status = shelf_fill(&s->shelf[k], plan, k);
    if (status)
        zoid_store_destroy(&s);
    else
        *store = s;
    return status;
}

void zoid_store_destroy(struct zoid_store **store)
{
    if (!*store)
        return;
    for (int k = 0; k < ZOID_KINDS; k++)
        shelf_clear(&(*store)->shelf[k]);
    free((*store)->state.note);
    free((*store)->coefficients.note);
    free(*store);
    *store = NULL;
}

starpu_data_handle_t zoid_store_handle(const struct zoid_store *store,
                                       const struct zoid_datum *datum)
{
    const struct shelf *shelf = &store->shelf[datum->kind];

    return shelf->handle[entry(shelf, datum)];
}

long zoid_store_capacity(const struct zoid_store *store, enum zoid_kind kind)
{
    return store->shelf[kind].row.planes;
}

void zoid_store_forget(struct zoid_store *store)
{
    store->state.n = 0;
}

enum zoid_status zoid_store_note(struct zoid_store *store, const struct zoid_datum *datum,
                                 const struct zoid_view *view)
{
    struct notes *notes = datum->kind == ZOID_COEFFICIENT ? &store->coefficients : &store->state;

    if (notes->n == notes->room) {
        size_t room = notes->room ? 2 * notes->room : 64;
        struct note *note = realloc(notes->note, room * sizeof *note);

        if (!note)
            return zoid_fail(ZOID_RESOURCE, "out of memory");
        notes->note = note;
        notes->room = room;
    }
    notes->note[notes->n++] = (struct note){*datum, *view};
    return ZOID_OK;
}

void zoid_store_fetch(struct zoid_store *store)
{
    for (size_t i = 0; i < store->state.n; i++)
        starpu_data_prefetch_on_node(zoid_store_handle(store, &store->state.note[i].datum),
                                     STARPU_MAIN_RAM, 1);
    for (size_t i = 0; i < store->state.n; i++) {
        starpu_data_handle_t handle = zoid_store_handle(store, &store->state.note[i].datum);

        starpu_data_acquire(handle, STARPU_R);
        starpu_data_release(handle);
    }
}

/* The last note whose planes start at or below z. */
static const struct note *find_note(const struct notes *notes, long z)
{
    size_t low = 0, high = notes->n;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (notes->note[middle].view.lo <= z)
            low = middle;
        else
            high = middle;
    }
    return &notes->note[low];
}

void *zoid_store_plane(const struct zoid_store *store, int field, long z)
{
    bool state = field < store->nstate;
    const struct note *note = find_note(state ? &store->state : &store->coefficients, z);
    const struct shelf *shelf = &store->shelf[note->datum.kind];

    field -= state ? 0 : store->nstate;
    return shelf->memory + entry(shelf, &note->datum) * shelf->datum_bytes +
           ((size_t)(field * shelf->row.planes) +
            (size_t)zoid_view_slot(&note->view, note->view.t0, z)) *
               store->plane_bytes;
}
