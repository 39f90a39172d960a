/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace of a run: StarPU records it (FxT), and what is left in the folder is StarPU's files and
 * the sums over them. All functions accept a NULL trace, which is none, and then do nothing.
 *
 * Of several ranks each leaves StarPU's files in a folder of its own within that, and the first one
 * the sums. All call zoid_trace_begin, zoid_trace_run_begins, zoid_trace_run_ends, and
 * zoid_trace_end of a trace that ran, with a trace or all without; the first and the last return
 * the same status to all. */
#ifndef ZOID_RUNTIME_TRACE_TRACE_H
#define ZOID_RUNTIME_TRACE_TRACE_H

#include "runtime/zoid.h"

struct zoid_trace;

/* Before StarPU starts: makes the folder, finds out whether it can be written, takes some room
 * there, and has StarPU record. ZOID_RESOURCE when it cannot be written, or when this StarPU cannot
 * record. With folder NULL there is no trace. */
enum zoid_status zoid_trace_begin(const char *folder, struct zoid_trace **trace);
/* Around what the report's seconds count. */
void zoid_trace_run_begins(struct zoid_trace *trace, const struct zoid_plan *plan);
void zoid_trace_run_ends(struct zoid_trace *trace, const struct zoid_report *report);
/* Around the work of a block, by the worker that does it. What StarPU itself records of a block
 * also has the time that the recording took. */
void zoid_trace_block_begins(const struct zoid_trace *trace);
void zoid_trace_block_ends(const struct zoid_trace *trace);
/* Some block of this rank lacked nothing but messages of others, from so many seconds ago to so
 * many seconds ago. */
void zoid_trace_held(const struct zoid_trace *trace, double from, double to);
/* Shuts StarPU down, also without a trace. With one, StarPU writes it now, into the room that was
 * taken; what FxT has to say of that on stderr is left out, since zoid_trace_end says it in one
 * line. */
void zoid_trace_shutdown(struct zoid_trace *trace);
/* After StarPU was shut down: makes paje.trace, tasks.rec, dag.dot and, when these are whole,
 * summary.txt: `run`, what was run; `rate`; `note`, what a reader must know, if there is anything;
 * and the lines of zoid_timeline_print. Fails also where blocks are missing, with all files made.
 * When nothing ran, nothing is left. */
enum zoid_status zoid_trace_end(struct zoid_trace **trace);

/* Turns StarPU's raw trace, a file in that folder, into its text formats there. Exists where StarPU
 * has FxT only. */
__attribute__((weak)) enum zoid_status zoid_trace_convert(const char *folder, const char *file);

#endif
