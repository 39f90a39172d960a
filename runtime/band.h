/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats of band matrices. */
#ifndef ZOID_RUNTIME_BAND_H
#define ZOID_RUNTIME_BAND_H

#include "runtime/zoid_advanced.h"

/* Return the name that --format accepts. */
const char *zoid_format_name(enum zoid_format format);
/* Return the format in use, DIA or SELL. */
enum zoid_format zoid_band_format(const struct zoid_band *band);

#endif
