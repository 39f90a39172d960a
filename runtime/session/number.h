/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as they stand on a command line. Nothing but the number is accepted: no sign, no blanks,
 * nothing after it. Every function leaves its value alone and returns ZOID_BAD_ARGUMENT, with a
 * message that names the option, when the text is not what it reads. */
#ifndef ZOID_RUNTIME_SESSION_NUMBER_H
#define ZOID_RUNTIME_SESSION_NUMBER_H

#include <stdint.h>

#include "runtime/zoid.h"

struct zoid_number_range {
    uint64_t least, most;
};

/* Decimal digits, then at most one of K, M, G, T for a power of 1024. */
enum zoid_status zoid_number_unsigned(const char *option, const char *text,
                                      struct zoid_number_range range, uint64_t *value);
/* Up to three such numbers, at least 1 each, with an x between them. */
enum zoid_status zoid_number_axes(const char *option, const char *text, long value[ZOID_AXES],
                                  int *axes);
/* A finite number as C writes them; it may have a sign. */
enum zoid_status zoid_number_real(const char *option, const char *text, double *value);

/* A time as [HH:]MM:SS, in seconds, more than 0. */
enum zoid_status zoid_number_time(const char *option, const char *text, double *seconds);

#endif
