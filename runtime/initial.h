/* SPDX-License-Identifier: BSD-3-Clause */
/* What initial states are made of, for those who make some of their fields. */
#ifndef ZOID_RUNTIME_INITIAL_H
#define ZOID_RUNTIME_INITIAL_H

#include "runtime/zoid.h"

/* Rounds values to the type and stores them, the first as a row's value number `first`. */
void zoid_initial_store(enum zoid_type type, const double *value, size_t count, size_t first,
                        void *row);
/* What of a box lies in the domain's outermost layer becomes `border`, if the state is bordered. */
void zoid_initial_border(const struct zoid_initial *initial, const struct zoid_box *box,
                         const struct zoid_values *to);

#endif
