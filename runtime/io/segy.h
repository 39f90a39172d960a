/* SPDX-License-Identifier: BSD-3-Clause */
/* SEG-Y files: models, whose traces are columns of points along the domain's last axis, and records
 * of receivers (shot gathers). */
#ifndef ZOID_RUNTIME_IO_SEGY_H
#define ZOID_RUNTIME_IO_SEGY_H

#include "runtime/zoid_advanced.h"

/* True if this build has the library for them. */
bool zoid_segy_here(void);
/* Transpose the samples of a model so that x is fastest, as floats, into an unnamed file in TMPDIR
 * or else /var/tmp, whose descriptor *file the caller closes. Trace i is the column at x = i mod
 * n[0], y = i / n[0]. ZOID_BAD_ARGUMENT: no SEG-Y, or damaged, or with other numbers of traces or
 * samples than the domain, or samples other than IBM or IEEE floats. ZOID_RESOURCE: it cannot be
 * read, there is no space, or this build has no library for it. */
enum zoid_status zoid_segy_turn(const char *path, const char *called,
                                const struct zoid_problem *problem, int *file);

/* Limit of the samples of a trace: headers have two bytes for it, which many programs read as
 * signed. */
enum { ZOID_SEGY_SAMPLES = 32767 };

/* A record: for each sample, in order, one number per trace; and the position of each trace. */
struct zoid_segy_record {
    const char *called; /* in messages */
    long traces, samples;
    const double *seen;
    const struct zoid_receiver *receiver; /* positions, in points */
    /* The only source; NULL: there are several, or no source. */
    const struct zoid_source *source;
    double h[ZOID_AXES], dt; /* grid spacing in units of length, and seconds between samples */
    int dims;                /* the last axis is the depth */
};

/* Write a record to an existing file, as IEEE floats. ZOID_RESOURCE: it cannot be written, or not
 * by this build. */
enum zoid_status zoid_segy_write(const char *path, const struct zoid_segy_record *record);

#endif
