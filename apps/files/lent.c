/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/lent.h"

#include <string.h>

const struct zoid_lent *zoid_lent_find(const struct zoid_lent_list *list, const char *name)
{
    for (size_t i = 0; list && i < list->n; i++)
        if (!strcmp(list->array[i].name, name))
            return &list->array[i];
    return NULL;
}
