/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/solve/omega.h"

#include <math.h>

static bool fixed(const struct zoid_problem *p)
{
    for (int a = 0; a < p->op->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++)
            if (p->face[a][side] == ZOID_DIRICHLET)
                return true;
    return false;
}

enum zoid_status zoid_omega_radius(const struct zoid_problem *p, double *radius)
{
    static const double pi = 3.14159265358979323846;
    double sum = 0;

    if (!fixed(p))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{omega=auto} is for domains with a fixed face; give {omega=X}");
    for (int a = 0; a < p->op->dims; a++)
        sum += p->n[a] > 2 ? cos(pi / (double)(p->n[a] - 1)) : 0;
    *radius = sum / p->op->dims;
    return ZOID_OK;
}

double zoid_omega_sor(double radius)
{
    return 2 / (1 + sqrt(1 - radius * radius));
}

double zoid_omega_ssor(double radius)
{
    return 2 / (1 + sqrt(2 * (1 - radius)));
}
