/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures: a status, and a text in which settings stand by key until it is printed. */
#ifndef ZOID_RUNTIME_ERROR_H
#define ZOID_RUNTIME_ERROR_H

#include <stdarg.h>

#include "runtime/zoid.h"

/* A key in an argument or a format of what becomes part of a failure's text; zoid_fail's own format
 * has {key}. */
#define ZOID_KEY(key) "\016" key "\017"

/* A failure that outlives its thread's next one. */
struct zoid_failure {
    enum zoid_status status; /* ZOID_OK: none */
    char text[512];
};

/* Fails with ZOID_RESOURCE. */
enum zoid_status zoid_no_memory(void);

/* Stores the calling thread's last failure, unless *failure has one or status is ZOID_OK. */
void zoid_failure_keep(struct zoid_failure *failure, enum zoid_status status);
/* Makes *failure the calling thread's last one and returns its status; does nothing if it is
 * ZOID_OK. */
enum zoid_status zoid_failure_raise(const struct zoid_failure *failure);

/* Formats a part of a failure's text; {key} and {key=value} in the format name settings, as in
 * zoid_fail's. */
void zoid_failure_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void zoid_failure_format_list(char *text, size_t size, const char *format, va_list args);

/* The status of the calling thread's last failure. */
enum zoid_status zoid_error_status(void);
/* As zoid_error_text; the text is valid until the thread's next call. */
const char *zoid_error_as(enum zoid_names names);

#endif
