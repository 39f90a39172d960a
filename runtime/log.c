/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for vasprintf */
#include "runtime/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static zoid_log_fn *function;
static void *its_user;

void zoid_set_log(zoid_log_fn *log, void *user)
{
    pthread_mutex_lock(&mutex);
    function = log;
    its_user = user;
    pthread_mutex_unlock(&mutex);
}

void zoid_log(const char *format, ...)
{
    char *line;
    va_list args;
    int n;

    va_start(args, format);
    n = vasprintf(&line, format, args);
    va_end(args);
    if (n < 0)
        return;
    pthread_mutex_lock(&mutex);
    if (function)
        function(its_user, line);
    pthread_mutex_unlock(&mutex);
    free(line);
}
