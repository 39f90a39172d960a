/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a plan takes, by kind of datum and by tier. */
#ifndef ZOID_RUNTIME_PLAN_BUDGET_H
#define ZOID_RUNTIME_PLAN_BUDGET_H

#include "graphs/message.h"
#include "runtime/zoid_advanced.h"

/* Compute what each tier keeps, and the bytes, of a plan whose graph, census, layout, place, home
 * and capacities are set. */
void zoid_budget_count(struct zoid_plan *plan);
/* The same for a plan whose messages are counted already. */
void zoid_budget_keep(struct zoid_plan *plan);
/* The same for a plan in which `keep` is set already. */
void zoid_budget_recount(struct zoid_plan *plan);

/* Messages of a rank in one column, by their headings: their number, and the elements of a plane of
 * the largest and of all. They depend on cells and epochs, but neither on slabs nor their depth. */
struct zoid_messages {
    struct zoid_byte_sums all[ZOID_HEADINGS], remote_messages[ZOID_HEADINGS];
};
struct zoid_messages zoid_budget_name(const struct zoid_plan *plan);
/* Set the byte sums of the messages: of all, and of those to and from other processes. */
void zoid_budget_messages(struct zoid_plan *plan, const struct zoid_messages *messages);
/* Return the bytes of one message. */
uint64_t zoid_budget_message_bytes(const struct zoid_plan *plan, const struct zoid_datum *message);
/* Return the number of fields in a plane of a datum of that kind. */
int zoid_kind_fields(const struct zoid_op *op, int kind);
/* Return the number of data of a kind, and the bytes of one, the largest if they differ. */
uint64_t zoid_budget_data(const struct zoid_plan *plan, int kind);
uint64_t zoid_budget_datum_bytes(const struct zoid_plan *plan, int kind);
/* Return the bytes of one, and of a worker's scratch, as a tier allocates them. */
uint64_t zoid_budget_datum_in(const struct zoid_plan *plan, int kind, enum zoid_tier_kind tier);
/* Return the bytes of `data` data of a kind as a tier allocates them. */
uint64_t zoid_budget_data_in(const struct zoid_plan *plan, int kind, enum zoid_tier_kind tier,
                             uint64_t data);
uint64_t zoid_budget_scratch_in(const struct zoid_plan *plan, enum zoid_tier_kind tier);
/* Return the bytes that the place's memory has for data that come and go: of kinds that it does not
 * keep. */
uint64_t zoid_budget_passing(const struct zoid_plan *plan);
/* Return the bytes of the `data` largest data of a kind. */
uint64_t zoid_budget_bytes(const struct zoid_plan *plan, int kind, uint64_t data);
/* Return the memory that StarPU needs for the handles of that many data, of any kind. */
uint64_t zoid_budget_handles(uint64_t data);
/* Return the bytes of one field's plane in a datum of a kind; 0 if the operator or the message
 * determines the bytes of a datum. */
size_t zoid_budget_plane_bytes(const struct zoid_plan *plan, int kind);

/* Return the most blocks that run at the same time. */
uint64_t zoid_budget_running(const struct zoid_plan *plan);

/* Slabs on their way from GPUs to a disk at a time: main memory has room for them besides the slabs
 * that arrive. */
enum { ZOID_BUDGET_WRITING_BACK = 2 };

/* Return the bytes of main memory that StarPU may fill with its own allocations: the budget without
 * all other allocations. */
uint64_t zoid_budget_starpu(const struct zoid_plan *plan);

#endif
