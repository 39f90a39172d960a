/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnostic lines: see zoid_set_log. */
#ifndef ZOID_RUNTIME_LOG_H
#define ZOID_RUNTIME_LOG_H

#include "runtime/zoid.h"

/* Pass a line, without a newline, to the program's function, if it has set one; the line is valid
 * during that call only. Without memory for the line nothing happens. Thread-safe: one call at a
 * time. */
void zoid_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
