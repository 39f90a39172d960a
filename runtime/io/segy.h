/* SPDX-License-Identifier: BSD-3-Clause */
/* SEG-Y files: as models, whose traces are columns of points along the domain's last axis, and as
 * records of what receivers have seen. */
#ifndef ZOID_RUNTIME_IO_SEGY_H
#define ZOID_RUNTIME_IO_SEGY_H

#include "runtime/zoid.h"

/* Whether this build has the library for them. */
bool zoid_segy_here(void);
/* Turns the samples so that x is fastest: floats, into a file that has no name, in TMPDIR or else
 * /var/tmp. Trace i is the column at x = i mod n[0], y = i / n[0]. ZOID_BAD_ARGUMENT: it is no such
 * file, or a damaged one, or has another number of traces or samples than the domain, or samples
 * that are no IBM or IEEE floats. ZOID_RESOURCE: it cannot be read, there is no space, or this
 * build has no such library. */
enum zoid_status zoid_segy_turn(const char *path, const char *called,
                                const struct zoid_problem *problem, int *file);

/* The most samples that a trace can have: headers have two bytes for it, which many read with a
 * sign. */
enum { ZOID_SEGY_SAMPLES = 32767 };

/* A record: of each of its samples, one after the other, a number for each trace; and for each
 * trace a place, in units of length. */
struct zoid_segy_record {
    const char *called; /* by messages */
    long traces, samples;
    const double *seen;
    const struct zoid_receiver *receiver; /* places in points */
    const struct zoid_source *source;     /* the only one; NULL: there are others, or none */
    double dx, dt; /* units of length from point to point, and seconds from sample to sample */
    int dims;      /* the last axis is the depth */
};

/* Writes it to a file that is there, as IEEE floats. ZOID_RESOURCE: it cannot be written, or not by
 * this build. */
enum zoid_status zoid_segy_write(const char *path, const struct zoid_segy_record *record);

#endif
