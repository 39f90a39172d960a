/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of parameters. */
#ifndef ZOID_CODELETS_OP_RANGE_H
#define ZOID_CODELETS_OP_RANGE_H

#include "codelets/param.h"

/* True if the value is finite and in the range. */
bool zoid_param_allows(const struct zoid_param *param, double value);
/* Writes the range in words, as in "above 0, at most 2"; "any number" if unbounded. Truncates to
 * `size` bytes, terminator included. */
void zoid_param_range(const struct zoid_param *param, char *text, size_t size);

#endif
