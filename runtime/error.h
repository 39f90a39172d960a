/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures: a status, and a text in which settings stand by key until it is printed. Those that
 * outlive the next one: struct zoid_failure of zoid_program.h. */
#ifndef ZOID_RUNTIME_ERROR_H
#define ZOID_RUNTIME_ERROR_H

#include <stdarg.h>

#include "runtime/zoid_program.h"

/* A key in an argument or a format of what becomes part of a failure's text; zoid_fail's own format
 * has {key}. */
#define ZOID_KEY(key) "\016" key "\017"

/* Fails with ZOID_RESOURCE. */
enum zoid_status zoid_no_memory(void);

/* Formats a part of a failure's text; {key} and {key=value} in the format name settings, as in
 * zoid_fail's. */
void zoid_failure_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void zoid_failure_format_list(char *text, size_t size, const char *format, va_list args);

/* Spells the settings in such a text. Returns as snprintf. */
size_t zoid_failure_text(enum zoid_names names, const char *text, char *to, size_t size);

/* As zoid_error_text; the text is valid until the thread's next call. */
const char *zoid_error_as(enum zoid_names names);

#endif
