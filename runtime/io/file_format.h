/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of files, by their names. */
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

/* Format by extension: .raw; .npy; .h5 or .hdf5; .sgy or .segy; ZOID_FORMAT_OTHERWISE for
 * others. */
enum zoid_file_format zoid_file_format_of(const char *path);
/* Check before a run that an output that was opened for a path can be HDF5; messages call it
 * `what`. ZOID_BAD_ARGUMENT: not a regular file. ZOID_RESOURCE: it cannot be created. */
enum zoid_status zoid_file_format_try_h5(const struct zoid_output *output, const char *what,
                                         const char *path);

#endif
