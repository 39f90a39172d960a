/* SPDX-License-Identifier: BSD-3-Clause */
/* Boundary conditions of operators and problems. */
#ifndef ZOID_RUNTIME_BOUNDARY_H
#define ZOID_RUNTIME_BOUNDARY_H

#include "runtime/zoid_advanced.h"

/* Return whether the operator supports the boundary condition at a face. */
bool zoid_op_allows(const struct zoid_op *op, enum zoid_boundary boundary);
/* Return the operator's shape on the problem's domain, with the problem's boundary conditions. */
struct zoid_shape zoid_problem_shape(const struct zoid_problem *problem);
/* Return whether a face absorbs, and whether one is pml. */
bool zoid_problem_absorbs(const struct zoid_problem *problem);
bool zoid_problem_remembers(const struct zoid_problem *problem);

#endif
