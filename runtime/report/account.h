/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembles the report of a run, except for the entries of the program. */
#ifndef ZOID_RUNTIME_REPORT_ACCOUNT_H
#define ZOID_RUNTIME_REPORT_ACCOUNT_H

#include "runtime/submit/work.h"

/* A run in progress, and its counters at the start. */
struct zoid_account {
    const struct zoid_work *work;
    struct zoid_rank_report *each;
    struct zoid_disk_traffic disk;
    double busy_seconds, core_seconds;
    bool settled; /* GPUs have the coefficients that they keep, from runs before */
};

/* Start to count transfers; the caller sets `settled`. `each` has a row per rank, and the closed
 * report points to it; NULL if there is one rank. */
struct zoid_account zoid_account_open(const struct zoid_work *work, struct zoid_rank_report *each);
/* Call after the run, which took `seconds` on this rank: fills the report except `app`, `seed`,
 * `check` and `derived`. Collective if there are several ranks. */
void zoid_account_close(const struct zoid_account *account, const struct zoid_machine *machine,
                        const struct zoid_worked *worked, double seconds,
                        struct zoid_report *report);

#endif
