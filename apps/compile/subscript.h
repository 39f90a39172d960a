/* SPDX-License-Identifier: BSD-3-Clause */
/* Subscripts of an access: polynomials of indices in time and in space. */
#ifndef ZOID_APPS_COMPILE_SUBSCRIPT_H
#define ZOID_APPS_COMPILE_SUBSCRIPT_H

#include "apps/compile/meaning.h"

/* A subscript: a polynomial, modulo `turns` if that is not 0. */
struct zoid_subscript {
    struct zoid_poly poly;
    int turns;
};

/* The indices of an access: in time, if it has one, and in space. */
struct zoid_place {
    bool timed;
    struct zoid_subscript time;
    int n;
    struct zoid_subscript space[ZOID_NEST_DIMS];
};

/* Read the subscripts of an access; those of one line, (k*ny + j)*nx + i, an axis each. Refuses. */
void zoid_read_place(struct zoid_meaning *m, const struct zoid_ast *ast, struct zoid_place *p);
/* Return whether a polynomial is t + integer, which goes to *shift. */
bool zoid_time_shift(const struct zoid_poly *poly, int64_t *shift);
/* Refuse an access at distances that differ from point to point. */
_Noreturn void zoid_not_uniform(struct zoid_meaning *m, const struct zoid_ast *ast);

#endif
