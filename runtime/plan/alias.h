/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods as papers call them: runtime/zoid.h has the table's form. */
#ifndef ZOID_RUNTIME_PLAN_ALIAS_H
#define ZOID_RUNTIME_PLAN_ALIAS_H

#include "runtime/zoid.h"

/* Where the request's method is an alias, puts its choices in its place, and the alias into *alias.
 * ZOID_BAD_ARGUMENT where the request asks for something else beside it; `chain` is the slowest
 * axis of what is computed. */
enum zoid_status zoid_alias_apply(struct zoid_request *request, int chain,
                                  const struct zoid_alias **alias);

#endif
