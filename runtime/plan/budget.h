/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory of each kind a plan takes. */
#ifndef ZOID_RUNTIME_PLAN_BUDGET_H
#define ZOID_RUNTIME_PLAN_BUDGET_H

#include "runtime/zoid.h"

/* Works out what is kept where, and the bytes, of a plan whose graph, census, layout, place, home
 * and capacities are there. */
void zoid_budget_count(struct zoid_plan *plan);
/* The same for one whose messages have been counted. */
void zoid_budget_keep(struct zoid_plan *plan);
/* The same for a plan that says already what is kept where. */
void zoid_budget_recount(struct zoid_plan *plan);

/* Those of all messages of a rank, and of one. */
struct zoid_byte_sums zoid_budget_messages(const struct zoid_plan *plan);
uint64_t zoid_budget_message_bytes(const struct zoid_plan *plan, const struct zoid_datum *message);
/* How many fields a plane of a datum of that kind has. */
int zoid_kind_fields(const struct zoid_op *op, int kind);
/* How many data of a kind there are, and the bytes of one, or of the largest. */
uint64_t zoid_budget_data(const struct zoid_plan *plan, int kind);
uint64_t zoid_budget_datum_bytes(const struct zoid_plan *plan, int kind);
/* The bytes of so many data of a kind, those that have the most. */
uint64_t zoid_budget_bytes(const struct zoid_plan *plan, int kind, uint64_t data);
/* What StarPU keeps about so many data, of any kind. */
uint64_t zoid_budget_handles(uint64_t data);
/* Bytes of a plane of a field in one; 0 where the operator says how many a datum has. */
size_t zoid_budget_plane_bytes(const struct zoid_plan *plan, int kind);

/* Blocks that may run at the same time. */
uint64_t zoid_budget_running(const struct zoid_plan *plan);

/* How many slabs go from GPUs to a disk at a time: main memory has room for as many beside those
 * that arrive. */
enum { ZOID_BUDGET_WRITING_BACK = 2 };

/* Bytes of main memory that StarPU may fill with what it allocates: all of the budget but what
 * others allocate. */
uint64_t zoid_budget_starpu(const struct zoid_plan *plan);

#endif
