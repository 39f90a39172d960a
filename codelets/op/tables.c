/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/op/tables.h"

#include <stdatomic.h>
#include <string.h>

enum { MOST_TABLES = 64 };

/* The table of ops.def. */
zoid_table_fn zoid_op_built_in;

static zoid_table_fn *table[MOST_TABLES];
static size_t rows[MOST_TABLES];
/* Tables below this number do not change any more. */
static atomic_int added;

static size_t rows_of(zoid_table_fn *of)
{
    size_t n = 0;

    while (of(n))
        n++;
    return n;
}

bool zoid_tables_have(zoid_table_fn *wanted)
{
    for (int t = 0; t < atomic_load(&added); t++)
        if (table[t] == wanted)
            return true;
    return false;
}

bool zoid_tables_add(zoid_table_fn *next)
{
    const int n = atomic_load(&added);

    if (zoid_tables_have(next))
        return true;
    if (n == MOST_TABLES)
        return false;
    table[n] = next;
    rows[n] = rows_of(next);
    atomic_store(&added, n + 1);
    return true;
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
    i -= rows_of(zoid_op_built_in);
    for (int t = 0; t < n; t++) {
        if (i < rows[t])
            return table[t](i);
        i -= rows[t];
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
