/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/sinks/numbering.h"

/* Bits that zoid_datum_index has for each. */
static const long most_rows = 1L << 24, most_cols = 1L << 32;

int zoid_numbering_init(struct zoid_numbering *numbering, const struct zoid_census *census)
{
    *numbering = (struct zoid_numbering){.count = 0};
    for (int k = 0; k < ZOID_KINDS; k++) {
        long rows = census->kind[k].rows, cols = census->kind[k].cols;

        if (rows < 0 || cols < 0 || rows > most_rows || cols > most_cols)
            return ZOID_BAD_CENSUS;
        numbering->kind[k].first = numbering->count;
        numbering->kind[k].rows = rows;
        numbering->kind[k].cols = cols;
        numbering->count += rows * cols;
    }
    return 0;
}
