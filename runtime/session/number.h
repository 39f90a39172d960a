/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsers of numbers on a command line. The text must be a number and nothing else: no blanks,
 * nothing after it and, except in zoid_number_real, no sign. For other texts each function returns
 * ZOID_BAD_ARGUMENT, with a message that names the option, and leaves its result alone. */
#ifndef ZOID_RUNTIME_SESSION_NUMBER_H
#define ZOID_RUNTIME_SESSION_NUMBER_H

#include <stdint.h>

#include "runtime/zoid.h"

struct zoid_number_range {
    uint64_t least, most;
};

/* Decimal digits, then at most one of K, M, G, T for a power of 1024; within the range. */
enum zoid_status zoid_number_unsigned(const char *option, const char *text,
                                      struct zoid_number_range range, uint64_t *value);
/* Up to three such numbers, at least 1 each, with an x between them; *axes is their number. */
enum zoid_status zoid_number_axes(const char *option, const char *text, long value[ZOID_AXES],
                                  int *axes);
/* A finite number in the syntax of C; it may have a sign. */
enum zoid_status zoid_number_real(const char *option, const char *text, double *value);

/* A time [HH:]MM:SS of more than 0, in seconds. */
enum zoid_status zoid_number_time(const char *option, const char *text, double *seconds);

#endif
