/* SPDX-License-Identifier: BSD-3-Clause */
/* Type of a value in a file. */
#ifndef ZOID_RUNTIME_IO_ELEMENT_H
#define ZOID_RUNTIME_IO_ELEMENT_H

#include <stdbool.h>

#include "runtime/zoid_advanced.h"

/* Limit of the axes of an array; arrays of axes have the slowest first. */
enum { ZOID_FILE_AXES = 8 };

struct zoid_element {
    char kind; /* 'f', 'i' or 'u', as in NumPy; '?': not supported */
    int size;  /* bytes; 0: unknown */
    bool big;  /* big-endian; false for a single byte */
};

/* Element of the fields of a type, in this machine's byte order. */
static inline struct zoid_element zoid_element_of(enum zoid_type type)
{
    return (struct zoid_element){.kind = type == ZOID_U8 ? 'u' : 'f',
                                 .size = (int)zoid_type_size(type)};
}

#endif
