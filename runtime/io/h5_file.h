/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the layer over HDF5 share; only they include its header. */
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
    hid_t read;      /* the dataset that was read last, which stays open; negative: none */
    char *read_name; /* and what it is called */
};

/* Around every use of the library, which knows no threads. Enter also keeps it from printing. */
void zoid_h5_enter(void);
void zoid_h5_leave(void);
/* What has gone wrong in the last call; call it before another one. `what` names the part of the
 * file, or is "". Returns ZOID_RESOURCE where the file is written, else ZOID_BAD_ARGUMENT. */
enum zoid_status zoid_h5_fail(const struct zoid_h5 *file, const char *what);
/* The library's type of an element in memory, or in a file; negative: it has none. */
hid_t zoid_h5_type(const struct zoid_element *element);

#endif
