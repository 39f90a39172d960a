/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/inside/rows.h"

static enum zoid_status set(void *from, size_t i, const char *text)
{
    const struct zoid_inside_rows *rows = from;

    return zoid_setting_set(&rows->row[i], text, rows->object);
}

void zoid_inside_add(const struct zoid_inside_rows *from, struct zoid_command_rows *rows)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct zoid_command_row row = {.option = zoid_option_of(&from->row[i]),
                                             .set = set,
                                             .object = (void *)from,
                                             .index = i};

        zoid_command_add(rows, &row);
    }
}
