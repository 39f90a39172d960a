/* SPDX-License-Identifier: BSD-3-Clause */
/* The families that a program runs, as the operators' table has them: what their variants differ
 * in, and the options that choose among them. Lists of families end with NULL. */
#ifndef ZOID_APPS_DRIVER_FAMILY_H
#define ZOID_APPS_DRIVER_FAMILY_H

#include "apps/driver/options.h"

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

/* The options that choose a variant, for zoid_options_operator's caller: those in which the
 * families leave a choice. `choose` is what the option that names the family is called; it exists
 * where there are several. They store into a struct zoid_options; one table a program. */
const struct zoid_option *zoid_options_operator(const char *const *families, const char *choose);
/* The options of their variants' parameters, one a name, without a heading: they follow those
 * above. One table a program. */
const struct zoid_option *zoid_options_params(const char *const *families);

#endif
