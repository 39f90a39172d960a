/* SPDX-License-Identifier: BSD-3-Clause */
/* How far it is best to over-relax. */
#ifndef ZOID_APPS_SOLVE_OMEGA_H
#define ZOID_APPS_SOLVE_OMEGA_H

#include "runtime/zoid.h"

/* Of the matrix whose powers Jacobi's iteration takes, the largest eigenvalue, for Laplace's
 * equation on the problem's domain. ZOID_BAD_ARGUMENT: it has no fixed face. */
enum zoid_status zoid_omega_radius(const struct zoid_problem *problem, double *radius);
/* Of sweeps in order or of red and black points, and of those that go up and down in turn. */
double zoid_omega_sor(double radius);
double zoid_omega_ssor(double radius);

#endif
