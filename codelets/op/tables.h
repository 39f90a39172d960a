/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of operators: that of ops.def, and those that are added to it. zoid_op_at walks all of
 * them. */
#ifndef ZOID_CODELETS_OP_TABLES_H
#define ZOID_CODELETS_OP_TABLES_H

#include "codelets/op/module.h"

/* Operators of a file. */
struct zoid_table {
    const char *file;
    zoid_table_fn *made_by; /* of which they are copies */
    size_t n;
    const struct zoid_op *op;
};

/* Append a table, which the process borrows until it ends. Returns false if there is no room. Not
 * thread-safe against itself; zoid_op_at may be called by other threads. */
bool zoid_tables_add(const struct zoid_table *table);
/* Returns whether a table of copies is there. */
bool zoid_tables_have(zoid_table_fn *made_by);
/* Returns the number of tables that were added. */
int zoid_tables_added(void);
/* Returns the file of an operator that zoid_op_at returns; NULL: its owner is no added table. */
const char *zoid_tables_file(const struct zoid_op *op);

#endif
