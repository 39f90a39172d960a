/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields that a program takes from files, or from arrays in memory that a caller owns: HDF5
 * datasets, NumPy's arrays, SEG-Y models, and raw values of the operator's type and nothing else. x
 * is the fastest axis, except in SEG-Y; arrays in memory may have any strides. Numbers of either
 * byte order are returned as doubles. */
#ifndef ZOID_RUNTIME_IO_INPUT_H
#define ZOID_RUNTIME_IO_INPUT_H

#include "runtime/io/array_view.h"
#include "runtime/zoid_advanced.h"

struct zoid_input;

/* Source of a field: FILE, or FILE:DATASET if it has several. Without the name of a dataset, the
 * one of the field's name in an HDF5 file, or its only one. */
struct zoid_input_wish {
    const char *name;
    const char *field;
    const struct zoid_problem *problem; /* must outlive the input */
    bool fixed;                         /* no --size could give the problem another shape */
    /* Named arrays, searched first, which must outlive the input; or NULL. */
    const struct zoid_array_views *arrays;
};

/* Open a source with one value for each of the problem's points. The extension .raw, .npy, .h5,
 * .hdf5, .sgy or .segy tells the format, otherwise the file's first bytes do. ZOID_RESOURCE: it
 * cannot be read. ZOID_BAD_ARGUMENT: it is damaged, or has another type, shape or order, or no such
 * dataset. */
enum zoid_status zoid_input_open(const struct zoid_input_wish *wish, struct zoid_input **input);
/* The problem that it was opened with. */
const struct zoid_problem *zoid_input_problem(const struct zoid_input *input);
/* Close it; accepts NULL in *input. */
void zoid_input_close(struct zoid_input **input);
/* Read the values of a box, packed. Thread-safe. After a failure the values are 0, and
 * zoid_input_status returns the first failure. Values from GPU memory stay in main memory for
 * further reads, up to 256 KiB a core, until zoid_input_status, which no read may overlap. */
void zoid_input_read(struct zoid_input *input, const struct zoid_box *box, double *values);
enum zoid_status zoid_input_status(struct zoid_input *input);

#endif
