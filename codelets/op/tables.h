/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of operators: that of ops.def, and those that a program adds to it. zoid_op_at walks all
 * of them. */
#ifndef ZOID_CODELETS_OP_TABLES_H
#define ZOID_CODELETS_OP_TABLES_H

#include "codelets/op.h"

/* Return variant i of a table; NULL past the end. */
typedef const struct zoid_op *zoid_table_fn(size_t i);

/* Add a table after the others, for the rest of the process, unless it is there. False: there is
 * no room. Not thread-safe against itself; zoid_op_at may be called at the same time. */
bool zoid_tables_add(zoid_table_fn *table);
/* Return whether a table is there. */
bool zoid_tables_have(zoid_table_fn *table);
/* Return the number of tables that were added. */
int zoid_tables_added(void);

#endif
