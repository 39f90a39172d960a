/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a job [subdomains of one process]: each is computed by one place, as a rank of
 * the graph inside the process, with a plan, memory and tasks of its own. Parts exchange halos
 * through shared buffers. */
#ifndef ZOID_RUNTIME_PART_H
#define ZOID_RUNTIME_PART_H

#include "runtime/memory/fill.h"
#include "runtime/plan/leg.h"
#include "runtime/submit/work.h"

/* All but the plans refer to `plan`: a subdomain does not move. */
struct zoid_job_part {
    struct zoid_plan plan;    /* of the leg that is next, or ran last */
    struct zoid_plan planned; /* of the whole run, as it was made */
    struct zoid_store *store;
    struct zoid_work work;
    struct zoid_state state; /* that can be read */
    double *layers;          /* factors of faces that absorb, coefficients of layers that match */
    size_t pinned;           /* bytes of these that GPUs read */
    bool settled;            /* GPUs hold its coefficients: it ran since these changed */
};

/* Allocate the data of a subdomain whose plans are set, and note where its graph loads them.
 * `common` has the trace, the core, the channels and the subdomain's number; `disk` is the home of
 * slabs, NULL: main memory is. Destroy it after a failure, too. */
enum zoid_status zoid_part_create(struct zoid_job_part *part, struct zoid_disk *disk,
                                  const struct zoid_work *common);
void zoid_part_destroy(struct zoid_job_part *part);
/* Set the shift of layers that match; between runs. */
void zoid_part_set_shift(struct zoid_job_part *part, double shift);
/* Let the subdomains share one buffer for each message between them, which the reader owns. Call
 * when all of them are created, and after zoid_store_fit. */
void zoid_parts_share(struct zoid_job_part *part, int parts);

/* Record where the plan's graph puts the initial state, and with `coefficients` these, too. */
enum zoid_status zoid_part_note_loads(struct zoid_job_part *part, bool coefficients);
/* Return the plan of the whole run with the main memory that other jobs leave now. */
struct zoid_plan zoid_part_offered(const struct zoid_job_part *part);
/* Make the plan that of a leg of the whole run, whose plan `leg` does not name; with other sources
 * and receivers unless they are NULL. Fails as zoid_plan_next. */
enum zoid_status zoid_part_plan(struct zoid_job_part *part, const struct zoid_next_leg *leg,
                                const struct zoid_points *points);
/* Make room for the data and the scratch of such a leg. */
enum zoid_status zoid_part_fit(struct zoid_job_part *part);
/* Make the plan that of a first leg of the whole run; its data stay where they are. */
enum zoid_status zoid_part_begin(struct zoid_job_part *part, long start, long end);
/* Record that a run of the plan's graph ended with step `end`. */
void zoid_part_ended(struct zoid_job_part *part, long end);

/* Return what workers have done in all subdomains: points, seconds at work, and those of cores or
 * GPUs. */
double zoid_parts_points(const struct zoid_job_part *part, int parts);
double zoid_parts_busy_seconds(const struct zoid_job_part *part, int parts);
double zoid_parts_core_seconds(const struct zoid_job_part *part, int parts);

/* Run the plans' graphs, each subdomain's emitted by a thread of its own, and note in the stores
 * where they leave the state: see zoid_work_begin. The failure is that of the first subdomain that
 * has one of its own. The seconds waited for other processes are those of all subdomains, in
 * worked[0]. */
enum zoid_status zoid_parts_run(struct zoid_job_part *part, int parts, struct zoid_worked worked[]);

#endif
