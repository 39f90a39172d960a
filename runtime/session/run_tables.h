/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the run: values of an operator for each step, from the setting `table` or, if that does
 * not give them, from the checkpoint that the session restarts from. */
#ifndef ZOID_RUNTIME_SESSION_RUN_TABLES_H
#define ZOID_RUNTIME_SESSION_RUN_TABLES_H

#include "runtime/io/array_view.h"
#include "runtime/session/output/stored.h"
#include "runtime/zoid_advanced.h"

struct zoid_session;

/* Owns the rows that the parameters of the problem point to. */
struct zoid_run_tables {
    long n[ZOID_MAX_TABLES]; /* values; 0: not given */
    double *value[ZOID_MAX_TABLES];
    double *row;
};

/* Copy an array of the caller's, a line of numbers. The caller frees *values. ZOID_BAD_ARGUMENT:
 * another array, or one that is not in main memory; the message names `key`. */
enum zoid_status zoid_run_numbers(const char *key, const struct zoid_array_view *view, long *n,
                                  double **values);

/* Read the tables of a session and set them in its problem; call it before the run allocates
 * memory. Collective. ZOID_BAD_ARGUMENT: an unknown table, or wrong values. ZOID_RESOURCE: a file
 * cannot be read. */
enum zoid_status zoid_run_tables_open(struct zoid_session *session);
void zoid_run_tables_close(struct zoid_run_tables *tables);
/* Store those that are given. */
enum zoid_status zoid_run_tables_store(const struct zoid_run_tables *tables,
                                       const struct zoid_op *op, struct zoid_stored *stored);

#endif
