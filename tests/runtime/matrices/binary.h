/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes files in PETSc's binary format. */
#ifndef ZOID_TESTS_RUNTIME_MATRICES_BINARY_H
#define ZOID_TESTS_RUNTIME_MATRICES_BINARY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A file under construction. */
struct binary {
    size_t count, integer;
    unsigned char bytes[1024]; /* or more, if allocated so */
};

static inline void add_integer(struct binary *b, int64_t value)
{
    for (size_t i = b->integer; i-- > 0;)
        b->bytes[b->count++] = (unsigned char)((uint64_t)value >> 8 * i);
}

static inline void add_real(struct binary *b, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (size_t i = sizeof bits; i-- > 0;)
        b->bytes[b->count++] = (unsigned char)(bits >> 8 * i);
}

#endif
