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

/* Add a table after the others, for the rest of the process, which borrows it. False: there is no
 * room. Not thread-safe against itself; zoid_op_at may be called at the same time. */
bool zoid_tables_add(const struct zoid_table *table);
/* Return whether a table of copies is there. */
bool zoid_tables_have(zoid_table_fn *made_by);
/* Return the number of tables that were added. */
int zoid_tables_added(void);
/* Return the file of an operator that zoid_op_at returns; NULL: it is none of an added table. */
const char *zoid_tables_file(const struct zoid_op *op);

#endif
