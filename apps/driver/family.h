/* SPDX-License-Identifier: BSD-3-Clause */
/* The families that a program runs, as the operators' table has them: what their variants differ
 * in. Lists of families end with NULL. */
#ifndef ZOID_APPS_DRIVER_FAMILY_H
#define ZOID_APPS_DRIVER_FAMILY_H

#include <stdio.h>

#include "runtime/zoid.h"

enum zoid_trait { ZOID_DIMS, ZOID_RADIUS, ZOID_TYPE, ZOID_TRAITS };

/* All families of the table. */
const char *const *zoid_families(void);
/* The variants of a family one after another: *i starts at 0; NULL after the last. */
const struct zoid_op *zoid_family_next(const char *family, size_t *i);
long zoid_trait_of(const struct zoid_op *op, enum zoid_trait trait);
/* Prints the different values of a trait, as options name them, with `between` between them, and
 * returns how many there are. */
int zoid_trait_list(const char *const *families, enum zoid_trait trait, const char *between,
                    FILE *out);

/* The same for the boundaries that some variant can have. */
int zoid_boundary_list(const char *const *families, const char *between, FILE *out);

/* What the variants of the families mean by a parameter, its range and its default, to be freed;
 * NULL: out of memory. */
char *zoid_param_describe(const char *const *families, const char *name);

#endif
