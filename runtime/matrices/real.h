/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MATRICES_REAL_H
#define ZOID_RUNTIME_MATRICES_REAL_H

#include <stddef.h>

/* Parse a decimal number at the beginning of the text up to `end`, in the C locale whatever the
 * program's is, with D for the exponent as well, as Fortran writes it; rounds once. Returns the end
 * of the number; NULL: there is no number. A number that is too large becomes infinite. */
const char *zoid_real_read(const char *text, const char *end, double *value);

#endif
