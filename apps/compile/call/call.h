/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of a nest's function: NAME_call.c, which zoid-compile writes, describes the caller's
 * arrays, and the module's operators that have the results of the nest. */
#ifndef ZOID_APPS_COMPILE_CALL_CALL_H
#define ZOID_APPS_COMPILE_CALL_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "codelets/op.h"

/* Arrays: copies of fields, too. */
enum {
    ZOID_CALL_TURNS = 3,
    ZOID_CALL_ARRAYS = 2 * ZOID_MAX_FIELDS,
    ZOID_CALL_RESULTS = 3 * ZOID_MAX_FIELDS
};

/* A coordinate: `at`, or the extent less `at`. */
struct zoid_call_side {
    bool end;
    long at;
};

/* [lo, hi) along each axis, slowest first, as all lists of axes here. */
struct zoid_call_box {
    struct zoid_call_side lo[ZOID_AXES], hi[ZOID_AXES];
};

/* An array that the caller owns, in C order, without those axes that `axes` (bit a) does not have.
 * If `turns`, that number of buffers: `named` ones in data, or all of them, one after the other, in
 * data[0]; `first` is the index of the newest when the nest begins. */
struct zoid_call_array {
    const char *name;
    void *data[ZOID_CALL_TURNS];
    unsigned axes;
    bool written;
    int turns, named, first;
    long length; /* of a table or list; 0: by its axes */
    bool open;   /* its first extent is not declared: it has the planes that loops reach */
    int64_t points[ZOID_CALL_TURNS]; /* of each buffer; set by the call */
};

/* An access of a statement to such an array: its offset along the array's first axis from points
 * of one colour (-1: all). `role`: 0 the newest when a step begins, 1 the next one. */
struct zoid_call_access {
    int statement, array, role, colour, offset;
};

/* A field of an operator. If buffers take turns: the one that is `age` older than the newest. */
struct zoid_call_field {
    const char *name;
    int array, age;
    bool coefficient;
};

/* Points of an array after the run: a field as it is `back` steps of the operator before the end,
 * in the box, or everywhere. If buffers take turns: the one that is `age` older than the newest,
 * unless the nest has not written it. */
struct zoid_call_result {
    int field, array, age, back;
    const struct zoid_call_box *box;
};

/* Two arrays, or (other < 0) all buffers of one, which have the same bytes beyond a box. */
struct zoid_call_alike {
    int array, other;
    struct zoid_call_box box;
};

/* An operator of which `steps` steps are one of the nest, if all of `alike` hold. */
struct zoid_call_operator {
    const char *name;
    int steps, nfields, nresults, nalike;
    struct zoid_call_field field[ZOID_MAX_FIELDS];
    struct zoid_call_result result[ZOID_CALL_RESULTS];
    struct zoid_call_alike alike[ZOID_MAX_FIELDS];
};

typedef void zoid_call_failure_fn(void *user, int status, const char *line);

struct zoid_call {
    const char *name;
    const struct zoid_op *(*table)(size_t i); /* of the module */
    enum zoid_type type;
    int axes;
    long extent[ZOID_AXES], least[ZOID_AXES]; /* least: of arrays that the nest does not leave */
    bool mirrored[ZOID_AXES];
    long steps; /* of the nest */
    int nparams, narrays, nboxes, noperators;
    double param[ZOID_MAX_PARAMS];
    struct zoid_call_array array[ZOID_CALL_ARRAYS];
    /* Tables of the run: `rows` rows of their values, for each step of the nest, or one. NULL: out
     * of memory, if the nest computes points. */
    int ntables;
    const char *table_name[ZOID_MAX_TABLES];
    long rows;
    const double *row;
    const struct zoid_call_box *box;       /* of each statement */
    const struct zoid_call_access *access; /* to open arrays */
    int naccesses;
    const struct zoid_call_operator *operator; /* the first one whose arrays are alike is taken */
    zoid_call_failure_fn *failure;             /* NULL: print the line, and abort */
    void *user;
};

/* Return whether the nest computes a point. */
bool zoid_call_computes(const struct zoid_call *call);
/* Return whether a statement has points, of one colour (-1: any): else its loops read nothing. */
bool zoid_call_runs(const struct zoid_call *call, int statement, int colour);
/* Compute the nest: all written arrays then have the values that its loops leave. Thread-safe.
 * Sessions share StarPU, which stays started for later calls. A failure goes to `failure`, and the
 * values of written arrays are undefined then, unless it came before the run: arrays that overlap,
 * or settings (ZOID_SETTINGS) other than those of how and where a run is computed. Returns whether
 * it did not fail. */
bool zoid_call_run(const struct zoid_call *call);

#endif
