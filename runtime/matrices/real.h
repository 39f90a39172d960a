/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_MATRICES_REAL_H
#define ZOID_RUNTIME_MATRICES_REAL_H

#include <stddef.h>

/* Reads a decimal number from the beginning of text that ends where `end` points to, in the C
 * locale whatever the program's is, also with a D for the exponent, as Fortran writes it; rounds it
 * once. What comes after it, where there is nothing that could be a number NULL. A number that is
 * too large is infinite. */
const char *zoid_real_read(const char *text, const char *end, double *value);

#endif
