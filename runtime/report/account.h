/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembles the report of a run, except for the entries of the program. */
#ifndef ZOID_RUNTIME_REPORT_ACCOUNT_H
#define ZOID_RUNTIME_REPORT_ACCOUNT_H

#include "runtime/context.h"
#include "runtime/part.h"
#include "runtime/submit/stream.h"

/* A run in progress: its counters at the start, and its legs so far. */
struct zoid_account {
    const struct zoid_job_part *part;
    int parts;
    const struct zoid_place *seat; /* of all places, */
    int places;                    /* that there were to choose from */
    struct zoid_rank_report *each;
    struct zoid_disk_traffic disk;
    double busy_seconds[ZOID_PARTS_MOST], core_seconds;
    struct zoid_done crew[ZOID_PARTS_MOST]; /* if workers of several crews take the same blocks */
    long start;                             /* step */
    long epochs;                            /* of all legs so far */
    double predicted_seconds;               /* of the subdomain that takes longest */
    struct zoid_traffic planned;
    struct zoid_worked worked[ZOID_PARTS_MOST];
    struct zoid_stream stream;      /* of all parts and legs */
    double useful[ZOID_PARTS_MOST]; /* points */
};

/* Start to count transfers of the subdomains of some places, or all. `each` has a row
 * per rank, and the closed report points to it; NULL if there is one rank. */
struct zoid_account zoid_account_open(const struct zoid_job_part *part, int parts,
                                      const struct zoid_place *seat, int places,
                                      struct zoid_rank_report *each);
/* Call after each leg, with the totals of its subdomains. */
void zoid_account_leg(struct zoid_account *account, const struct zoid_worked worked[]);
/* Call after the run, which took `seconds` on this rank: fills the report except `app`, `seed`,
 * `check`, `derived` and `border`; method and sizes are those of the last subdomain. Collective if
 * there are several ranks. */
void zoid_account_close(const struct zoid_account *account, const struct zoid_context *context,
                        double seconds, struct zoid_report *report);

#endif
