/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file's name says that it is. */
#ifndef ZOID_RUNTIME_IO_FILE_FORMAT_H
#define ZOID_RUNTIME_IO_FILE_FORMAT_H

#include "runtime/io/output.h"

enum zoid_file_format {
    ZOID_FORMAT_OTHERWISE,
    ZOID_FORMAT_RAW,
    ZOID_FORMAT_NPY,
    ZOID_FORMAT_H5,
    ZOID_FORMAT_SEGY
};

/* .raw; .npy; .h5 or .hdf5; .sgy or .segy. */
enum zoid_file_format zoid_file_format_of(const char *path);
/* That an output that was opened for a path can be HDF5 is tried before a run; `what` is what
 * messages call it. ZOID_BAD_ARGUMENT: it is no regular file. ZOID_RESOURCE: it cannot be made. */
enum zoid_status zoid_file_format_try_h5(const struct zoid_output *output, const char *what,
                                         const char *path);

#endif
