/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's files of one array: a header, and the values one after the other. */
#ifndef ZOID_RUNTIME_IO_NPY_H
#define ZOID_RUNTIME_IO_NPY_H

#include "runtime/io/element.h"
#include "runtime/zoid.h"

struct zoid_npy {
    struct zoid_element element; /* kind '?': a type that is not read here */
    bool fortran;                /* the first axis is the fastest, not the last */
    int axes;                    /* more than ZOID_FILE_AXES: too many to be read */
    long n[ZOID_FILE_AXES];
    long first; /* bytes before the first value */
};

/* What the header of an open file says, versions 1 to 3; `called` is what messages call the file.
 * Whether the values are there is not looked at. ZOID_BAD_ARGUMENT: it is no such file, or a
 * damaged one; a header that does not say which axis is the fastest counts as such. ZOID_RESOURCE:
 * it cannot be read. */
enum zoid_status zoid_npy_read(int file, const char *called, struct zoid_npy *npy);

/* "<f4" and the like, as NumPy calls types; kind '?': one that is not read here. */
struct zoid_element zoid_npy_element(const char *text);

enum { ZOID_NPY_HEADER = 384 };
/* Makes the header of an array of this machine's values, version 1, and returns how many bytes it
 * has: a multiple of 64. Element, axes and n count; the last axis is the fastest. */
size_t zoid_npy_header(const struct zoid_npy *npy, char header[ZOID_NPY_HEADER]);

#endif
