/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of the layer over HDF5; only they include the library's header. */
#ifndef ZOID_RUNTIME_IO_H5_FILE_H
#define ZOID_RUNTIME_IO_H5_FILE_H

#include <hdf5.h>

#include "runtime/io/h5.h"

struct zoid_h5 {
    hid_t id;
    bool writes;
    char *called;
    char **name; /* of the datasets that it had when it was opened */
    long count;
    hid_t read;      /* the dataset read last, which stays open; negative: not any */
    char *read_name; /* and its name */
};

/* Lock around every use of the library, which is not thread-safe. Enter also keeps it from
 * printing. */
void zoid_h5_enter(void);
void zoid_h5_leave(void);
/* Fail with the error of the last call; use before another call. `what` names the part of the file,
 * or is "". Returns ZOID_RESOURCE if the file was opened to be written, otherwise
 * ZOID_BAD_ARGUMENT. */
enum zoid_status zoid_h5_fail(const struct zoid_h5 *file, const char *what);
/* HDF5's type of an element in memory, or in a file; negative: not supported. */
hid_t zoid_h5_type(const struct zoid_element *element);

#endif
