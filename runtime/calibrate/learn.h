/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibration on demand: measures the rates that a run is predicted from and that the machine's
 * file lacks, before the run, and keeps them. */
#ifndef ZOID_RUNTIME_CALIBRATE_LEARN_H
#define ZOID_RUNTIME_CALIBRATE_LEARN_H

#include "runtime/zoid_advanced.h"

struct zoid_lesson {
    const char *program; /* name for the line in the log */
    const struct zoid_op *op;
    double state;     /* bytes of all fields; above half of main memory a given disk is measured */
    uint64_t ram;     /* main memory in bytes that the run may use; 0: all that is free */
    const char *disk; /* the folder that the run may use; NULL: none */
    const struct zoid_context_options *wanted;
};

/* Opens the context `lesson->wanted`, with rates for all of the lesson. If some had to be measured,
 * one line in the log names them and the seconds. A failure to measure or to keep them is no
 * failure of the call: the line says so, and the run uses defaults, or the measured rates. Fails
 * like zoid_context_open. */
enum zoid_status zoid_learn(const struct zoid_lesson *lesson, struct zoid_context **context);
/* Returns whether an open context has rates for all of the lesson. */
bool zoid_learnt(const struct zoid_lesson *lesson, const struct zoid_context *context);

#endif
