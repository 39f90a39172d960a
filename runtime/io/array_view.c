/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/array_view.h"

#include <string.h>

const struct zoid_array_view *zoid_array_view_find(const struct zoid_array_views *list,
                                                   const char *name)
{
    for (size_t i = 0; list && i < list->n; i++)
        if (!strcmp(list->array[i].name, name))
            return &list->array[i];
    return NULL;
}
