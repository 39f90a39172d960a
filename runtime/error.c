/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>

#include "runtime/config.h"
#include "runtime/zoid.h"

static _Thread_local char message[512];

const char *zoid_error(void)
{
    return message;
}

enum zoid_status zoid_fail(enum zoid_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return status;
}

const char *zoid_version(void)
{
    return ZOID_VERSION;
}
