/* SPDX-License-Identifier: BSD-3-Clause */
/* Diagnostic lines: see zoid_set_log. */
#ifndef ZOID_RUNTIME_LOG_H
#define ZOID_RUNTIME_LOG_H

#include "runtime/zoid.h"

/* Pass a line, without a newline, to the program's function, if it has set one. Thread-safe. */
void zoid_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
