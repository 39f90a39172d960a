/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of HDF5 files of one regular grid at several times, as ParaView and VTK read it. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_XDMF_H
#define ZOID_RUNTIME_SESSION_OUTPUT_XDMF_H

#include "runtime/zoid.h"

/* What is the same at all times. */
struct zoid_xdmf_grid {
    int dims;
    long n[ZOID_AXES]; /* points along each axis, x first, 1 beyond dims */
    double origin[ZOID_AXES], spacing[ZOID_AXES];
    enum zoid_type type;
    int fields;
    const char *const *field; /* the names of their datasets */
};

struct zoid_xdmf_time {
    double time;
    const char *file; /* beside the list */
};

void zoid_xdmf_begin(FILE *out);
void zoid_xdmf_add(const struct zoid_xdmf_grid *grid, const struct zoid_xdmf_time *time, FILE *out);
void zoid_xdmf_end(FILE *out);

#endif
