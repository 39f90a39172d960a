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

enum { ZOID_MAX_PARAMS = 8 };

struct zoid_param {
    const char *name;    /* also the option's: lower-case letters, digits and dashes */
    const char *summary; /* for --help: meaning, and unit if any */
    double value;        /* default; in the range */
    double least, most;  /* the range; -INFINITY or INFINITY: no bound */
    bool above, below;   /* `least`, or `most`, is excluded */
};

/* Values of the parameters of a run, in the order of the operator's list. Kernels get them as
 * double and round results derived from them to their type once. They are constant over time: an
 * update that depends on time computes its factors from them and its t. */
struct zoid_params {
    double value[ZOID_MAX_PARAMS];
};

struct zoid_op;
/* Returns the defaults of all parameters. */
struct zoid_params zoid_op_defaults(const struct zoid_op *op);
/* Returns the index of the parameter of that name; -1: unknown name. */
int zoid_op_param(const struct zoid_op *op, const char *name);

#ifdef __cplusplus
}
#endif
#endif
