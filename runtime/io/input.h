/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields that a program takes from files, or from arrays that a caller lends: HDF5 datasets,
 * NumPy's arrays, SEG-Y models, and raw values of the operator's type and nothing else. In all but
 * SEG-Y x is fastest. Numbers of either byte order come out as doubles. */
#ifndef ZOID_RUNTIME_IO_INPUT_H
#define ZOID_RUNTIME_IO_INPUT_H

#include "runtime/io/array_view.h"
#include "runtime/zoid.h"

struct zoid_input;

/* What is taken: FILE, or FILE:DATASET where it has several. Of an HDF5 file without a dataset's
 * name that of the field, or the only one. */
struct zoid_input_wish {
    const char *name;
    const char *field;
    const struct zoid_problem *problem;    /* which stays as long as the input is open */
    bool fixed;                            /* no --size could give the problem another shape */
    const struct zoid_array_views *arrays; /* arrays that have names, which come first; or NULL */
};

/* One value for each of the problem's points. What the file is its first bytes say, unless it is
 * called .raw, .npy, .h5, .hdf5, .sgy or .segy. ZOID_RESOURCE: it cannot be read;
 * ZOID_BAD_ARGUMENT: it is damaged, or has another type, another shape or order, or no such
 * dataset. */
enum zoid_status zoid_input_open(const struct zoid_input_wish *wish, struct zoid_input **input);
/* That of the wish. */
const struct zoid_problem *zoid_input_problem(const struct zoid_input *input);
/* Accepts NULL in *input. */
void zoid_input_close(struct zoid_input **input);
/* The values of a box, packed. From several threads at once. A failure is kept: values are 0 then,
 * and zoid_input_status says what it was. */
void zoid_input_read(struct zoid_input *input, const struct zoid_box *box, double *values);
enum zoid_status zoid_input_status(const struct zoid_input *input);

#endif
