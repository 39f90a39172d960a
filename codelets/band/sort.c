/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting of rows by ascending column. */
#include <stdlib.h>

#include "codelets/band/band.h"

struct entry {
    int32_t column;
    int64_t at; /* index in the unsorted row */
    double value;
};

/* Stable: entries of the same column keep their order. */
static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

static bool ascends(int64_t n, const int32_t *column)
{
    for (int64_t i = 1; i < n; i++)
        if (column[i] < column[i - 1])
            return false;
    return true;
}

/* Insertion sort in place, for few entries. */
static void insert(int64_t n, int32_t *column, double *value)
{
    for (int64_t i = 1; i < n; i++) {
        const int32_t c = column[i];
        const double v = value[i];
        int64_t j = i;

        for (; j > 0 && column[j - 1] > c; j--) {
            column[j] = column[j - 1];
            value[j] = value[j - 1];
        }
        column[j] = c;
        value[j] = v;
    }
}

bool zoid_sort_row(int64_t n, int32_t *column, double *value)
{
    enum { FEW = 32 };
    struct entry *entry;

    if (ascends(n, column))
        return true;
    if (n <= FEW) {
        insert(n, column, value);
        return true;
    }
    entry = malloc((size_t)n * sizeof *entry);
    if (!entry)
        return false;
    for (int64_t i = 0; i < n; i++)
        entry[i] = (struct entry){column[i], i, value[i]};
    qsort(entry, (size_t)n, sizeof *entry, compare);
    for (int64_t i = 0; i < n; i++) {
        column[i] = entry[i].column;
        value[i] = entry[i].value;
    }
    free(entry);
    return true;
}
