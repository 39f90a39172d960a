/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays in memory that somebody lends, to be named where files are. */
#ifndef ZOID_RUNTIME_IO_ARRAY_VIEW_H
#define ZOID_RUNTIME_IO_ARRAY_VIEW_H

#include <stddef.h>

#include "runtime/io/element.h"

struct zoid_array_view {
    const char *name;
    struct zoid_element element;
    int axes; /* more than ZOID_FILE_AXES: too many to be read */
    /* Of each axis, the slowest first: how many there are, and bytes from one to the next. */
    long n[ZOID_FILE_AXES], stride[ZOID_FILE_AXES];
    const char *at;
};

struct zoid_array_views {
    size_t n;
    struct zoid_array_view *array;
};

/* NULL: there is none of that name, or no list. */
const struct zoid_array_view *zoid_array_view_find(const struct zoid_array_views *list,
                                                   const char *name);

#endif
