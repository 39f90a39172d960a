/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as text. Nothing but the number is accepted: no blanks, nothing after it, and no sign of
 * whole numbers. Every function leaves its value alone and returns ZOID_BAD_ARGUMENT, with a
 * message that names the key, if the text is not of its form. */
#ifndef ZOID_RUNTIME_SESSION_NUMBER_H
#define ZOID_RUNTIME_SESSION_NUMBER_H

#include <stdint.h>

#include "runtime/zoid_advanced.h"

struct zoid_number_range {
    uint64_t least, most;
};

/* Decimal digits. */
enum zoid_status zoid_number_count(const char *key, const char *text,
                                   struct zoid_number_range range, uint64_t *value);
/* Up to three such numbers, at least 1 each, with an x between them. */
enum zoid_status zoid_number_axes(const char *key, const char *text, long value[ZOID_AXES],
                                  int *axes);
/* Digits, with a decimal point or without, then K, M, G or T, or Ki or KiB and so on, for a power
 * of 1024, or nothing; the value is rounded down. KB, MB and so on are refused, since some mean
 * powers of 1000. */
enum zoid_status zoid_number_bytes(const char *key, const char *text,
                                   struct zoid_number_range range, uint64_t *value);
/* A finite number as C writes it, with a sign or without. */
enum zoid_status zoid_number_real(const char *key, const char *text, double *value);
/* Units of numbers of the domain: the distance of two points along each axis and the length of a
 * step; 0: not given. */
struct zoid_units {
    double h[ZOID_AXES], dt;
    bool physical; /* numbers without a unit are in m, s and Hz, rather than points and steps */
};
/* LENGTH + a is one along axis a. */
enum zoid_dimension { ZOID_LENGTH, ZOID_DURATION = ZOID_LENGTH + ZOID_AXES, ZOID_FREQUENCY };
/* Convert a finite number in units to one in points, steps, or cycles a step. */
enum zoid_status zoid_number_convert(const char *key, enum zoid_dimension dimension,
                                     const struct zoid_units *units, double *value);
/* A finite number that may have a unit: mm, m or km, us, ms or s, Hz, kHz or MHz; in points, steps,
 * or cycles a step. A unit needs dx or dt. */
enum zoid_status zoid_number_in_units(const char *key, const char *text,
                                      enum zoid_dimension dimension, const struct zoid_units *units,
                                      double *value);
/* A time as [HH:]MM:SS, or a number with s, min or h, in seconds; more than 0. */
enum zoid_status zoid_number_time(const char *key, const char *text, double *seconds);

#endif
