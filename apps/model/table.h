/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions of two models, and measured seconds. */
#ifndef ZOID_APPS_MODEL_TABLE_H
#define ZOID_APPS_MODEL_TABLE_H

#include "apps/model/ours.h"
#include "apps/model/paper.h"

struct zoid_model_wanted {
    char *fit, *test, *csv; /* owned; lists of files, and a file; NULL: not given */
    bool keep, several_hosts;
};

/* Fit both models to the reports of `fit`, print the constants, and a line for each report of
 * `test`: its measured seconds, the paper's and ours, and the best halo depths. With `keep`, write
 * our factors to the file of rates. */
enum zoid_status zoid_model_compare(const struct zoid_model_wanted *wanted);

#endif
