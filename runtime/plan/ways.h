/* SPDX-License-Identifier: BSD-3-Clause */
/* Why an operator cannot run in some way. */
#ifndef ZOID_RUNTIME_PLAN_WAYS_H
#define ZOID_RUNTIME_PLAN_WAYS_H

#include "runtime/zoid_advanced.h"

/* Return why GPUs cannot run an operator, to follow its name; NULL: they can. */
const char *zoid_ways_not_on_gpus(const struct zoid_op *op);

#endif
