/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run comes to: all of its report but what the program says of itself. */
#ifndef ZOID_RUNTIME_REPORT_ACCOUNT_H
#define ZOID_RUNTIME_REPORT_ACCOUNT_H

#include "runtime/submit/work.h"

/* A run that goes on, and where its counters stood before it. */
struct zoid_account {
    const struct zoid_work *work;
    struct zoid_rank_report *each;
    struct zoid_disk_traffic disk;
    double busy_seconds, core_seconds;
    bool settled; /* runs before it have brought what GPUs keep of coefficients */
};

/* Starts counting what moves; whoever knows sets `settled`. `each` has room for a row for each
 * rank, and is the report's when the account is closed; NULL where there is one. */
struct zoid_account zoid_account_open(const struct zoid_work *work, struct zoid_rank_report *each);
/* After the run, which took so long on this machine, fills the report but for `app`, `seed`,
 * `check` and `derived`. */
void zoid_account_close(const struct zoid_account *account, const struct zoid_machine *machine,
                        const struct zoid_worked *worked, double seconds,
                        struct zoid_report *report);

#endif
