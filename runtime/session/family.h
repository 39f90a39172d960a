/* SPDX-License-Identifier: BSD-3-Clause */
/* Operator families of a program, and the traits in which their variants differ. Lists of families
 * end with NULL. */
#ifndef ZOID_RUNTIME_SESSION_FAMILY_H
#define ZOID_RUNTIME_SESSION_FAMILY_H

#include <stdio.h>

#include "runtime/zoid_advanced.h"

enum zoid_trait { ZOID_DIMS, ZOID_RADIUS, ZOID_TYPE, ZOID_TRAITS };

/* Return all families of the operator table. The list stays as it is, and there is another one when
 * operators were added, or the old one if there is no memory for that. NULL: out of memory at the
 * first call. Thread-safe. */
const char *const *zoid_families(void);
/* Iterate over the variants of a family: *i starts at 0. NULL after the last. */
const struct zoid_op *zoid_family_next(const char *family, size_t *i);
long zoid_trait_of(const struct zoid_op *op, enum zoid_trait trait);
/* Print the distinct values of a trait as options spell them, separated by `between`. Returns their
 * number. */
int zoid_trait_list(const char *const *families, enum zoid_trait trait, const char *between,
                    FILE *out);

/* The same for the boundary conditions that at least one variant allows. */
int zoid_boundary_list(const char *const *families, const char *between, FILE *out);

/* Describe a parameter: its meaning in each family, range and default. The caller frees the text.
 * NULL: out of memory. */
char *zoid_param_describe(const char *const *families, const char *name);

#endif
