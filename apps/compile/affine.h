/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of isl: the instances of a statement, and their order in the source. */
#ifndef ZOID_APPS_COMPILE_AFFINE_H
#define ZOID_APPS_COMPILE_AFFINE_H

#include "apps/compile/meaning.h"

/* Sizes have the names zoid_n0, zoid_n1 and so on. */
#define ZOID_AFFINE_SIZE "zoid_n"

enum { ZOID_AFFINE_MOST = 16384 };

/* A text that grows. `used` reaches ZOID_AFFINE_MOST if it is too long. */
struct zoid_affine {
    char text[ZOID_AFFINE_MOST];
    size_t used;
};

__attribute__((format(printf, 2, 3))) void zoid_affine_put(struct zoid_affine *w,
                                                           const char *format, ...);
/* A polynomial of sizes, in parentheses. */
void zoid_affine_poly(struct zoid_affine *w, const struct zoid_poly *poly);
/* [zoid_n0, ...] -> */
void zoid_affine_sizes(struct zoid_affine *w, const struct zoid_meaning *m);
/* t, p0, p1: an instance is the time and the point that it writes. */
void zoid_affine_point(struct zoid_affine *w, const struct zoid_meaning *m);
/* Bounds of the instances of a statement, of one colour, or of all (-1). */
void zoid_affine_domain(struct zoid_affine *w, const struct zoid_meaning *m,
                        const struct zoid_statement *s, int colour);
/* Their order: the time, then the place in the source and the variable at each depth; that is,
 * ZOID_AFFINE_ORDER values. */
void zoid_affine_order(struct zoid_affine *w, const struct zoid_meaning *m,
                       const struct zoid_statement *s);
enum { ZOID_AFFINE_ORDER = 2 + 2 * ZOID_NEST_AXES };

#endif
