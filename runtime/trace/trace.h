/* SPDX-License-Identifier: BSD-3-Clause */
/* Trace of a run: StarPU records it (FxT), and the folder ends up with StarPU's files and the sums
 * over them. All functions accept a NULL trace; except for zoid_trace_shutdown they do nothing
 * then.
 *
 * With several ranks each leaves StarPU's files in a subfolder of its own, and the first rank the
 * sums. zoid_trace_begin, zoid_trace_run_begins, zoid_trace_run_ends, and zoid_trace_end of a trace
 * that ran are collective, with a trace on all ranks or on no rank; the first and the last return
 * the same status on all ranks. */
#ifndef ZOID_RUNTIME_TRACE_TRACE_H
#define ZOID_RUNTIME_TRACE_TRACE_H

#include "runtime/zoid_advanced.h"

struct zoid_trace;

/* Call before StarPU starts: creates the folder, checks that it can be written, reserves some space
 * there, and has StarPU record. Folder NULL: there is no trace. ZOID_RESOURCE: the folder cannot be
 * written, or this StarPU cannot record. */
enum zoid_status zoid_trace_begin(const char *folder, struct zoid_trace **trace);
/* Call around the part of the program that the report's seconds count. */
void zoid_trace_run_begins(struct zoid_trace *trace, const struct zoid_plan *plan);
void zoid_trace_run_ends(struct zoid_trace *trace, const struct zoid_report *report);
/* Note that a worker's core computes the blocks of another worker, the first of its team. */
void zoid_trace_team(const struct zoid_trace *trace, int worker, int first);
/* Note the plan of a part, a place of several that share the domain, and the planes at which parts
 * end: where these change between two legs, a border has moved. */
void zoid_trace_part(const struct zoid_trace *trace, int part, const struct zoid_plan *plan);
/* Call around the work of a block, by its worker. StarPU's own record of a block includes the
 * overhead of tracing. */
void zoid_trace_block_begins(const struct zoid_trace *trace);
void zoid_trace_block_ends(const struct zoid_trace *trace);
/* Note that some block of this rank lacked only messages of other ranks, from `from` seconds ago to
 * `to` seconds ago. */
void zoid_trace_held(const struct zoid_trace *trace, double from, double to);
/* Shut StarPU down, with or without a trace. StarPU writes the trace now, into the reserved space.
 * Messages of FxT on stderr are suppressed, since zoid_trace_end has one line for them. */
void zoid_trace_shutdown(struct zoid_trace *trace);
/* Call after zoid_trace_shutdown: makes paje.trace, tasks.rec, dag.dot and, if these are complete,
 * summary.txt: `run`, a description; `rate`; `note`, a warning if there is one; and the lines of
 * zoid_timeline_print. Fails also if blocks are missing, with all files made, unless
 * STARPU_FXT_EVENTS is set. If nothing ran, nothing is left. Frees the trace. */
enum zoid_status zoid_trace_end(struct zoid_trace **trace);

/* Convert StarPU's raw trace, a file in that folder, to its text formats there. Weak: NULL if
 * StarPU has no FxT. */
__attribute__((weak)) enum zoid_status zoid_trace_convert(const char *folder, const char *file);

#endif
