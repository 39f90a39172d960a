/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters: the numbers of an operator that a run may choose. An operator lists its own; options,
 * their texts in --help, checks and defaults are made from that list. */
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
    const char *name;    /* also of its option: lower-case letters, digits and dashes */
    const char *summary; /* for --help: what it is, and its unit if it has one */
    double value;        /* where a run does not choose; in the range */
    double least, most;  /* the range; -INFINITY and INFINITY where it has no such end */
    bool above, below;   /* `least`, `most` itself is not in the range */
};

/* Their values in a run, in the order of the operator's list. A kernel gets them in double, and
 * rounds what it makes of them to its type once. They are the same at all times: an update that
 * depends on the time makes what it needs from them and from its t. */
struct zoid_params {
    double value[ZOID_MAX_PARAMS];
};

struct zoid_op;
/* Every parameter as its row has it. */
struct zoid_params zoid_op_defaults(const struct zoid_op *op);
/* The place in the list of the parameter of that name; -1: there is none. */
int zoid_op_param(const struct zoid_op *op, const char *name);
/* Whether the value is finite and in the range. */
bool zoid_param_allows(const struct zoid_param *param, double value);
/* The range in words, as in "above 0, at most 2"; "any number" where it has no ends. Cut to `size`
 * bytes, with the one that ends it. */
void zoid_param_range(const struct zoid_param *param, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
