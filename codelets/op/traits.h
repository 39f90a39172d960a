/* SPDX-License-Identifier: BSD-3-Clause */
/* Traits of operators, derived from their rows. */
#ifndef ZOID_CODELETS_OP_TRAITS_H
#define ZOID_CODELETS_OP_TRAITS_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the group that a stage writes. */
int zoid_op_written(const struct zoid_op *op, int stage);
/* True if all stages that write a group read their own output fields at the point only. */
bool zoid_op_pointwise(const struct zoid_op *op, int group);

/* Union of the reaches of all stages in coefficient fields. */
struct zoid_reach zoid_op_coefficient_reach(const struct zoid_op *op);
/* True if fields have one value per point and coefficients are fields, as sweeps and the plain loop
 * nest require. */
bool zoid_op_plain(const struct zoid_op *op);
/* True if a stage takes points in order. */
bool zoid_op_in_order(const struct zoid_op *op);
/* Returns true if a stage has fields with boxes of their own. */
bool zoid_op_boxed(const struct zoid_op *op);
/* True if the operator's constants depend on the spacing along some axes, that is, if points may be
 * further apart along one axis than along another. */
bool zoid_op_spaced(const struct zoid_op *op);
/* Returns the weight, at a distance of `i` points, of the second difference along one axis, and of
 * the first difference of order 2 * radius there (that of the points above; 0 for i = 0), for a
 * spacing h; in distances of points along x. */
double zoid_second_along(const struct zoid_op *op, const double *h, int axis, int i);
double zoid_first_along(const struct zoid_op *op, const double *h, int axis, int i);
/* Returns the index of the table of that name; -1: unknown name. */
int zoid_op_table(const struct zoid_op *op, const char *name);

#ifdef __cplusplus
}
#endif

#endif
