/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a graph in main memory, and which planes of the field the slabs hold right now. */
#ifndef ZOID_RUNTIME_STORE_H
#define ZOID_RUNTIME_STORE_H

#include <starpu.h>

#include "runtime/zoid.h"

struct zoid_store;

/* How many fields a plane of such data has. */
int zoid_kind_fields(const struct zoid_op *op, int kind);

/* Allocates and registers what the plan's census lists. */
enum zoid_status zoid_store_create(const struct zoid_plan *plan, struct zoid_store **store);
void zoid_store_destroy(struct zoid_store **store);

starpu_data_handle_t zoid_store_handle(const struct zoid_store *store,
                                       const struct zoid_datum *datum);
long zoid_store_capacity(const struct zoid_store *store, enum zoid_kind kind);

/* Forgets, then notes, where the planes of the state are, in order of planes. Coefficients stay
 * where they were noted. */
void zoid_store_forget(struct zoid_store *store);
enum zoid_status zoid_store_note(struct zoid_store *store, const struct zoid_datum *datum,
                                 const struct zoid_view *view);
/* Brings what is noted into main memory; waits for it. */
void zoid_store_fetch(struct zoid_store *store);
/* The noted memory of plane z of a field, as it is stored. Nothing else may be using it. */
void *zoid_store_plane(const struct zoid_store *store, int field, long z);

#endif
