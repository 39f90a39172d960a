/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of arrays in memory, owned by their callers, that can be named in place of files. */
#ifndef ZOID_RUNTIME_IO_ARRAY_VIEW_H
#define ZOID_RUNTIME_IO_ARRAY_VIEW_H

#include <stddef.h>

#include "runtime/io/element.h"

/* Names of arrays begin so, so that no file is looked for if one is missing. */
#define ZOID_ARRAY_NAME "array:"

struct zoid_array_view {
    const char *name;
    struct zoid_element element;
    int axes; /* more than ZOID_FILE_AXES: too many to be read */
    /* Per axis, the slowest first: its number of values, and the stride in bytes. */
    long n[ZOID_FILE_AXES], stride[ZOID_FILE_AXES];
    const char *at;
    int device; /* -1: main memory; otherwise the GPU that has the array: see array_stage.h */
};

struct zoid_array_views {
    size_t n;
    struct zoid_array_view *array;
};

/* The array of that name. NULL: there is no such array, or no list. */
const struct zoid_array_view *zoid_array_view_find(const struct zoid_array_views *list,
                                                   const char *name);

#endif
