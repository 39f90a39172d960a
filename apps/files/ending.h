/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file's name says that it is. */
#ifndef ZOID_APPS_FILES_ENDING_H
#define ZOID_APPS_FILES_ENDING_H

#include "apps/files/output.h"

enum zoid_ending {
    ZOID_ENDS_OTHERWISE,
    ZOID_ENDS_RAW,
    ZOID_ENDS_NPY,
    ZOID_ENDS_H5,
    ZOID_ENDS_SEGY
};

/* .raw; .npy; .h5 or .hdf5; .sgy or .segy. */
enum zoid_ending zoid_ending_of(const char *path);
/* That an output that was opened for a path can be HDF5 is tried before a run; `what` is what
 * messages call it. ZOID_BAD_ARGUMENT: it is no regular file. ZOID_RESOURCE: it cannot be made. */
enum zoid_status zoid_ending_try_h5(const struct zoid_output *output, const char *what,
                                    const char *path);

#endif
