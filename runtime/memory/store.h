/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a graph, in main memory or on a disk, and which planes of the field the slabs hold
 * right now. */
#ifndef ZOID_RUNTIME_MEMORY_STORE_H
#define ZOID_RUNTIME_MEMORY_STORE_H

#include <starpu.h>

#include "runtime/memory/disk.h"

struct zoid_store;

/* Allocates and registers what the plan's census lists. `disk` is where slabs are at home, or NULL
 * where that is main memory. */
enum zoid_status zoid_store_create(const struct zoid_plan *plan, struct zoid_disk *disk,
                                   struct zoid_store **store);
/* Makes room for a leg that follows another, of the same run: for more or larger data of the kinds
 * that are dead between two legs. What these hold is lost. */
enum zoid_status zoid_store_fit(struct zoid_store *store, const struct zoid_plan *leg);
void zoid_store_destroy(struct zoid_store **store);

starpu_data_handle_t zoid_store_handle(const struct zoid_store *store,
                                       const struct zoid_datum *datum);
/* All data have numbers from 0 on: how many there are, which one a datum has, and what the datum of
 * a number is; the handle of one without planes is NULL. */
size_t zoid_store_data(const struct zoid_store *store);
size_t zoid_store_number(const struct zoid_store *store, const struct zoid_datum *datum);
starpu_data_handle_t zoid_store_handle_at(const struct zoid_store *store, size_t number);
enum zoid_kind zoid_store_kind_at(const struct zoid_store *store, size_t number);
long zoid_store_capacity(const struct zoid_store *store, enum zoid_kind kind);

/* Forgets, then notes, where the planes of the state are, cell after cell, in order of planes; and
 * those of coefficients too, or they stay where they were noted. */
void zoid_store_forget(struct zoid_store *store, bool coefficients);
enum zoid_status zoid_store_note(struct zoid_store *store, const struct zoid_datum *datum,
                                 const struct zoid_view *view);
/* A datum that is noted of the state, or of coefficients: from slot `slot` on it has planes [lo,
 * hi) of each field, `capacity` planes after those of the field before; the last one's `hi` may be
 * anything above. By ascending planes, cell after cell. */
struct zoid_noted {
    starpu_data_handle_t handle;
    long lo, hi, slot, capacity;
    size_t plane_bytes;
};
size_t zoid_store_notes(const struct zoid_store *store, bool coefficients);
struct zoid_noted zoid_store_noted(const struct zoid_store *store, bool coefficients, size_t i);
/* Slabs are at home only, as before a first run, unless that is a disk: others than tasks write
 * them, or nobody minds what they hold. */
void zoid_store_renew(const struct zoid_store *store);
/* The memory node where slabs and coefficients are at home. */
unsigned zoid_store_home(const struct zoid_store *store);
/* Brings what is noted of the state home; waits for it. */
enum zoid_status zoid_store_fetch(struct zoid_store *store);

/* Brings plane z of a field, of all cells, into main memory, and as many above it as may be there
 * at once, for the caller to read or to write: with STARPU_W what they hold is lost. Returns where
 * they end, or LONG_MAX. What was held before is dropped, unless z is in it already; while anything
 * is held, no task may be submitted. */
long zoid_store_hold(struct zoid_store *store, int field, long z,
                     enum starpu_data_access_mode mode);
/* What was written goes home. */
void zoid_store_drop(struct zoid_store *store);
/* The memory of plane z of a field, as it is stored, of a cell; it is held. Those above it follow,
 * one plane of the layout after the other, up to *end. Of coefficients that come in pieces, the
 * memory of the piece of plane z, which ends at *end. */
void *zoid_store_planes(const struct zoid_store *store, int field, long cell, long z, long *end);

#endif
