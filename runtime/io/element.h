/* SPDX-License-Identifier: BSD-3-Clause */
/* One value as it lies in a file. */
#ifndef ZOID_RUNTIME_IO_ELEMENT_H
#define ZOID_RUNTIME_IO_ELEMENT_H

#include <stdbool.h>

#include "runtime/zoid.h"

/* The slowest axis first. */
enum { ZOID_FILE_AXES = 8 };

struct zoid_element {
    char kind; /* 'f', 'i' or 'u', as NumPy calls them; '?': none that is read here */
    int size;  /* bytes; 0: unknown */
    bool big;  /* the highest byte comes first; false where there is but one */
};

/* Of the fields of a type, in this machine's order of bytes. */
static inline struct zoid_element zoid_element_of(enum zoid_type type)
{
    return (struct zoid_element){.kind = type == ZOID_U8 ? 'u' : 'f',
                                 .size = (int)zoid_type_size(type)};
}

#endif
