/* SPDX-License-Identifier: BSD-3-Clause */
/* The operators of a nest, and in which ways they run. */
#ifndef ZOID_APPS_COMPILE_EXPLAIN_H
#define ZOID_APPS_COMPILE_EXPLAIN_H

#include "apps/compile/emit.h"
#include "runtime/zoid_advanced.h"

/* Print each operator: options of its parameters, bytes and operations of a point, and what the
 * library says of methods, devices and cells (zoid_op_print_ways). ZOID_BAD_ARGUMENT: the library
 * would not load it, for its name. */
enum zoid_status zoid_explain(const struct zoid_emitted *emitted, FILE *to);

#endif
