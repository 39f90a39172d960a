/* SPDX-License-Identifier: BSD-3-Clause */
/* An XDMF list of HDF5 files of one regular grid at several times, for ParaView and VTK. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_XDMF_H
#define ZOID_RUNTIME_SESSION_OUTPUT_XDMF_H

#include "runtime/zoid_advanced.h"

/* Common to all times. */
struct zoid_xdmf_grid {
    int dims;
    long n[ZOID_AXES]; /* points along each axis, x first, 1 beyond dims */
    double origin[ZOID_AXES], spacing[ZOID_AXES];
    enum zoid_type type;
    int fields;
    const char *const *field; /* names of their datasets */
};

struct zoid_xdmf_time {
    double time;
    const char *file; /* in the folder of the list */
};

void zoid_xdmf_begin(FILE *out);
void zoid_xdmf_add(const struct zoid_xdmf_grid *grid, const struct zoid_xdmf_time *time, FILE *out);
void zoid_xdmf_end(FILE *out);

#endif
