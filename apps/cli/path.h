/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files that programs make. */
#ifndef ZOID_APPS_CLI_PATH_H
#define ZOID_APPS_CLI_PATH_H

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

/* Print a path. One that is too long becomes empty, which the system refuses. */
__attribute__((format(printf, 2, 3))) static inline void zoid_path(char to[PATH_MAX],
                                                                   const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if ((unsigned)vsnprintf(to, PATH_MAX, format, list) >= PATH_MAX)
        *to = '\0';
    va_end(list);
}

#endif
