/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of initial states, for callbacks that make some of their fields. */
#ifndef ZOID_RUNTIME_INITIAL_H
#define ZOID_RUNTIME_INITIAL_H

#include "runtime/zoid_advanced.h"

/* Round values to the type and store them in a row, from index `first` on. */
void zoid_initial_store(enum zoid_type type, const double *value, size_t count, size_t first,
                        void *row);
/* Set the points of a box that lie in the domain's outermost layer to `border`, if the state is
 * bordered. */
void zoid_initial_border(const struct zoid_initial *initial, const struct zoid_box *box,
                         const struct zoid_values *to);

#endif
