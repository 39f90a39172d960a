/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates for a run: what it is predicted from and nobody has measured on this machine is measured
 * before it, and kept for the next. */
#ifndef ZOID_RUNTIME_CALIBRATE_LEARN_H
#define ZOID_RUNTIME_CALIBRATE_LEARN_H

#include "runtime/zoid.h"

struct zoid_lesson {
    const char *program; /* for the line on stderr */
    const struct zoid_op *op;
    double state; /* bytes of all fields: more than half of main memory may want a disk */
    uint64_t ram; /* bytes of it that the run may take; 0: what is free */
    const struct zoid_context_options *wanted;
};

/* Opens the context that is wanted, with rates of all that the lesson names. Where some had to be
 * measured, one line on stderr says what and how long it took. That they cannot be measured or kept
 * is no failure: that line says so then, and the run goes on with defaults, or with what was
 * measured. Fails as zoid_context_open does. */
enum zoid_status zoid_learn(const struct zoid_lesson *lesson, struct zoid_context **context);

#endif
