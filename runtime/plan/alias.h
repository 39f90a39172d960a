/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of methods in papers; the table consists of struct zoid_alias (runtime/zoid_advanced.h). */
#ifndef ZOID_RUNTIME_PLAN_ALIAS_H
#define ZOID_RUNTIME_PLAN_ALIAS_H

#include "runtime/zoid_advanced.h"

/* Replace an alias as the request's method by the choices that it stands for, and return the alias
 * in *alias. No change if the method is no alias. `chain` is the slowest axis of the domain.
 * ZOID_BAD_ARGUMENT: the request makes a choice that the alias does not stand for. */
enum zoid_status zoid_alias_apply(struct zoid_request *request, int chain,
                                  const struct zoid_alias **alias);

#endif
