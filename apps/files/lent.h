/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in memory that somebody lends, to be named where files are. */
#ifndef ZOID_APPS_FILES_LENT_H
#define ZOID_APPS_FILES_LENT_H

#include <stddef.h>

#include "apps/files/element.h"

struct zoid_lent {
    const char *name;
    struct zoid_element element;
    int axes; /* more than ZOID_FILE_AXES: too many to be read */
    /* Of each axis, the slowest first: how many there are, and bytes from one to the next. */
    long n[ZOID_FILE_AXES], stride[ZOID_FILE_AXES];
    const char *at;
};

struct zoid_lent_list {
    size_t n;
    struct zoid_lent *array;
};

/* NULL: there is none of that name, or no list. */
const struct zoid_lent *zoid_lent_find(const struct zoid_lent_list *list, const char *name);

#endif
