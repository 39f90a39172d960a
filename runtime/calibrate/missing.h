/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration on demand: measures the rates that a run is predicted from and that the machine's
 * file lacks, before the run, and keeps them. */
#ifndef ZOID_RUNTIME_CALIBRATE_LEARN_H
#define ZOID_RUNTIME_CALIBRATE_LEARN_H

#include "runtime/zoid_advanced.h"

struct zoid_calibration_request {
    const char *program; /* name for the line in the log */
    const struct zoid_op *op;
    double state;     /* bytes of all fields; above half of main memory a given disk is measured */
    uint64_t ram;     /* main memory in bytes that the run may use; 0: all that is free */
    const char *disk; /* the folder that the run may use; NULL: none */
    const struct zoid_context_options *wanted;
};

/* Opens the context `request->wanted`, with rates for all of the request. If some had to be
 * measured, one line in the log names them and the seconds. A failure to measure or to keep them is
 * no failure of the call: the line says so, and the run uses defaults, or the measured rates. Fails
 * like zoid_context_open. */
enum zoid_status zoid_calibrate_missing(const struct zoid_calibration_request *request,
                                        struct zoid_context **context);
/* Returns whether an open context has rates for all of the request. */
bool zoid_calibration_complete(const struct zoid_calibration_request *request,
                               const struct zoid_context *context);

#endif
