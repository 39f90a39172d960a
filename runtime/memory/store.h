/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a graph, in main memory or on a disk, and which planes of the field the slabs hold at
 * present. */
#ifndef ZOID_RUNTIME_MEMORY_STORE_H
#define ZOID_RUNTIME_MEMORY_STORE_H

#include <starpu.h>

#include "runtime/memory/disk.h"
#include "runtime/zoid_advanced.h"

struct zoid_store;

/* Allocate and register all data of the plan's census. `disk` is the home of slabs; NULL: main
 * memory is. ZOID_RESOURCE: there is not enough memory or disk space. */
enum zoid_status zoid_store_create(const struct zoid_plan *plan, struct zoid_disk *disk,
                                   struct zoid_store **store);
/* Make room for the next leg of the same run: reallocate data of kinds that are dead between two
 * legs if it has more or larger ones. Their contents are lost. */
enum zoid_status zoid_store_fit(struct zoid_store *store, const struct zoid_plan *leg);
void zoid_store_destroy(struct zoid_store **store);
/* Let the store of a part access the messages that it sends to another part in the store of that
 * part, which keeps them and outlives the accesses; the plans are those that the stores were made
 * for, or fitted to. No-op if the two parts do not exchange. */
void zoid_store_share(struct zoid_store *store, const struct zoid_plan *plan,
                      const struct zoid_store *reader, const struct zoid_plan *reads);

/* Unpin all planes, and release what the store holds of StarPU's count of main memory, since
 * another job is about to run; take it again. A new store has it. */
void zoid_store_rest(struct zoid_store *store);
void zoid_store_wake(struct zoid_store *store, const struct zoid_plan *plan);

starpu_data_handle_t zoid_store_handle(const struct zoid_store *store,
                                       const struct zoid_datum *datum);
/* Data have indices from 0: number of data, index of a datum, and handle and kind by index; the
 * handle of a datum without planes is NULL. Also the number of planes that a datum of a kind has
 * room for. */
size_t zoid_store_data(const struct zoid_store *store);
size_t zoid_store_number(const struct zoid_store *store, const struct zoid_datum *datum);
starpu_data_handle_t zoid_store_handle_at(const struct zoid_store *store, size_t number);
enum zoid_kind zoid_store_kind_at(const struct zoid_store *store, size_t number);
long zoid_store_capacity(const struct zoid_store *store, enum zoid_kind kind);

/* Clear, then rebuild by notes, the list of where the planes of the state are, cell after cell, by
 * ascending planes; with `coefficients` also that of coefficients, which is kept otherwise.
 * ZOID_RESOURCE: out of memory. */
void zoid_store_discard(struct zoid_store *store, bool coefficients);
enum zoid_status zoid_store_note(struct zoid_store *store, const struct zoid_datum *datum,
                                 const struct zoid_view *view);
/* A noted datum of the state, or of coefficients: from slot `slot` on it has planes [lo, hi) of
 * each field; fields are `capacity` planes apart. `hi` of the last datum is LONG_MAX. In the order
 * of the notes. */
struct zoid_noted {
    starpu_data_handle_t handle;
    long lo, hi, slot, capacity;
    size_t plane_bytes;
};
size_t zoid_store_notes(const struct zoid_store *store, bool coefficients);
struct zoid_noted zoid_store_noted(const struct zoid_store *store, bool coefficients, size_t i);
/* Invalidate the copies of slabs outside main memory. Call before the host overwrites slabs, or if
 * their contents no longer matter. No-op if their home is a disk. */
void zoid_store_invalidate(const struct zoid_store *store);
/* Range of the disk's file that slabs and coefficients have as their home; NULL: main memory is. */
const struct zoid_disk_range *zoid_store_range(const struct zoid_store *store);
/* Memory node of their home. */
unsigned zoid_store_home(const struct zoid_store *store);
/* Write the noted state, and memory, back to their home; returns when they are there.
 * ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_store_fetch(struct zoid_store *store);

/* Pin plane z of a field, of all cells, in main memory, with the planes above it that fit there at
 * the same time, for the caller to read or to write; with STARPU_W their contents are lost. Returns
 * the end of these planes, or LONG_MAX. Unpins earlier planes, unless z is among them. No task may
 * be submitted while planes are pinned. */
long zoid_store_pin(struct zoid_store *store, int field, long z, enum starpu_data_access_mode mode);
/* Unpin the planes; those that were written go back to their home. */
void zoid_store_unpin(struct zoid_store *store);
/* Memory of plane z of a stored field of a cell, counted from the rank's first; the plane is
 * pinned. Planes up to *end follow, one layout plane after the other. For coefficients that come in
 * pieces: memory of the piece of plane z, which ends at plane *end. */
void *zoid_store_planes(const struct zoid_store *store, int field, long cell, long z, long *end);

#endif
