/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/op/tables.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_TABLES = 64 };

/* The table of ops.def. */
zoid_table_fn zoid_op_built_in;

static const struct zoid_table *table[MOST_TABLES];
/* Tables below this number do not change any more. */
static atomic_int added;

bool zoid_tables_have(zoid_table_fn *made_by)
{
    for (int t = 0; t < atomic_load(&added); t++)
        if (table[t]->made_by == made_by)
            return true;
    return false;
}

bool zoid_tables_add(const struct zoid_table *next)
{
    const int n = atomic_load(&added);

    if (n == MOST_TABLES)
        return false;
    table[n] = next;
    atomic_store(&added, n + 1);
    return true;
}

const char *zoid_tables_file(const struct zoid_op *op)
{
    for (int t = 0; t < atomic_load(&added); t++)
        if (op >= table[t]->op && op < table[t]->op + table[t]->n)
            return table[t]->file;
    return NULL;
}

int zoid_tables_added(void)
{
    return atomic_load(&added);
}

const struct zoid_op *zoid_op_at(size_t i)
{
    const int n = atomic_load(&added);
    const struct zoid_op *op = zoid_op_built_in(i);

    if (op || !n)
        return op;
    for (size_t own = 0; zoid_op_built_in(own); own++)
        i--;
    for (int t = 0; t < n; t++) {
        if (i < table[t]->n)
            return &table[t]->op[i];
        i -= table[t]->n;
    }
    return NULL;
}

const struct zoid_op *zoid_op_find(const char *family, int dims, int radius, enum zoid_type type)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        if (op->dims == dims && op->radius == radius && op->type == type &&
            strcmp(op->family, family) == 0)
            break;
    return op;
}
