/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's files of one array: a header, and contiguous values. */
#ifndef ZOID_RUNTIME_IO_NPY_H
#define ZOID_RUNTIME_IO_NPY_H

#include <stdbool.h>

#include "runtime/io/element.h"
#include "runtime/zoid.h"

struct zoid_npy {
    struct zoid_element element; /* kind '?': a type that is not supported */
    bool fortran;                /* the first axis is the fastest, not the last */
    int axes;                    /* more than ZOID_FILE_AXES: too many to be read */
    long n[ZOID_FILE_AXES];
    long first; /* offset of the first value */
};

/* Parse the header of an open file, versions 1 to 3; messages call it `called`. Does not check that
 * the values are there. ZOID_BAD_ARGUMENT: no such file, or damaged; that includes a header that
 * does not tell which axis is the fastest. ZOID_RESOURCE: it cannot be read. */
enum zoid_status zoid_npy_read(int file, const char *called, struct zoid_npy *npy);

/* The element of a type as NumPy names it, such as "<f4"; kind '?': not supported. */
struct zoid_element zoid_npy_element(const char *text);

enum { ZOID_NPY_HEADER = 384 };
/* Write the header of an array of this machine's values, version 1, from the element, axes and n;
 * the last axis is the fastest. Returns its length in bytes, a multiple of 64; 0: out of memory. */
size_t zoid_npy_header(const struct zoid_npy *npy, char header[ZOID_NPY_HEADER]);

#endif
