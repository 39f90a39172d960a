/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimal over-relaxation. */
#ifndef ZOID_RUNTIME_SOLVE_OMEGA_H
#define ZOID_RUNTIME_SOLVE_OMEGA_H

#include "runtime/zoid_advanced.h"

/* Compute the spectral radius of the Jacobi iteration matrix for Laplace's equation on the
 * problem's domain. ZOID_BAD_ARGUMENT: it has no face with a Dirichlet condition. */
enum zoid_status zoid_omega_radius(const struct zoid_problem *problem, double *radius);
/* Return omega for that radius: for lexicographic or red-black SOR, and for alternating directions.
 */
double zoid_omega_sor(double radius);
double zoid_omega_ssor(double radius);

#endif
