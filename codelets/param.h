/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters: numbers of an operator that a run may set. An operator lists its parameters; options,
 * their --help texts, checks and defaults derive from that list. */
#ifndef ZOID_CODELETS_PARAM_H
#define ZOID_CODELETS_PARAM_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ZOID_MAX_PARAMS = 8, ZOID_MAX_CONSTANTS = 24, ZOID_MAX_TABLES = 8, ZOID_PARAM_AXES = 3 };
enum { ZOID_ABSORB_MOST = 65536 }; /* points of a layer */

struct zoid_param {
    const char *name;    /* also the option's: lower-case letters, digits and dashes */
    const char *summary; /* for --help: meaning, and unit if any */
    double value;        /* default; in the range */
    double least, most;  /* the range; -INFINITY or INFINITY: no bound */
    bool above, below;   /* `least`, or `most`, is excluded */
};

/* A table of the run: a value for each step. */
struct zoid_op_table {
    const char *name; /* as of a parameter */
    double value;     /* default: at all steps */
};

/* Layers at absorbing boundaries (ZOID_ABSORB). */
struct zoid_absorb {
    long points;       /* of a layer, behind those that the stencil leaves out */
    double reflection; /* above 0, below 1 */
    /* Factors that zoid_absorb_make initialized; NULL: computed at each use, which is slower. Jobs
     * allocate their own. */
    const double *table;
};

enum { ZOID_PML_MOST = 65536 }; /* points of a layer */

/* Perfectly matched layers (ZOID_PML). */
struct zoid_pml {
    long points;       /* of a layer, behind those that the stencil leaves out */
    double reflection; /* above 0, below 1; 0: 10^-(4 + points / 10) */
    double shift;      /* of the frequency, above 0, in cycles a step */
    double speed;      /* of waves, in distances of points along x a step; 0: the run's largest */
    /* Coefficients that zoid_layer_make initialized; NULL: computed at each use, which is slower.
     * Jobs allocate their own. */
    const double *table;
};

/* Values of a face that is held (ZOID_DRIVEN): the layers that the stencil leaves out there become
 * series[s], rounded once, in the step from s to s + 1, and keep the last value after the end. */
struct zoid_held {
    long samples;         /* 0: they keep their initial values */
    const double *series; /* the caller's, who frees it after the job */
};

/* Values of the parameters of a run, in the order of the operator's list, and the spacing of points
 * along x, y, z; 0: 1. Kernels get parameters as double and round results derived from them to
 * their type once. They do not change over time: an update that depends on time computes its
 * factors from them and its t. The constants of the operator follow from both, and are rounded for
 * f32 operators already. */
struct zoid_params {
    double value[ZOID_MAX_PARAMS];
    double spacing[ZOID_PARAM_AXES];
    double constant[ZOID_MAX_CONSTANTS];
    float constant32[ZOID_MAX_CONSTANTS];
    /* Tables of the run: for each step from 0 on a row of `tables` values, in memory that the
     * caller owns and frees after the job; the last row stays. Without rows, `table` at all steps,
     * a value for each index. */
    double table[ZOID_MAX_TABLES];
    const double *row;
    long rows;
    int tables, stages; /* of the operator, as zoid_op_derive sets them */
    /* Largest speed of waves in the run's medium, in distances of points along x a step; used at
     * faces that absorb and in layers that match alone. Below 0: not given. */
    double speed;
    struct zoid_absorb absorb;
    struct zoid_pml pml;
    struct zoid_held held[ZOID_PARAM_AXES][2]; /* by axis and side */
};

/* Returns the values of the tables at time t, the first of which is 1. */
static inline const double *zoid_table_row(const struct zoid_params *params, long t)
{
    const long step = params->rows ? (t - 1) / params->stages : 0, last = params->rows - 1;

    return params->rows ? params->row + (step < last ? step : last) * params->tables
                        : params->table;
}

struct zoid_op;
/* Returns the defaults of all parameters and tables, a spacing of 1, the constants of these, no
 * speed, and the default layers of faces that absorb or match. */
struct zoid_params zoid_op_defaults(const struct zoid_op *op);
/* Sets what follows from the operator, parameters and spacing after a change; plans do so by
 * themselves. */
void zoid_op_derive(const struct zoid_op *op, struct zoid_params *params);
/* Returns the index of the parameter of that name; -1: unknown name. */
int zoid_op_param(const struct zoid_op *op, const char *name);

#ifdef __cplusplus
}
#endif
#endif
