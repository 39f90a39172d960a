/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment variables, which configure StarPU: set while a context is open, and restored
 * afterwards. zoid_environment_set keeps the pointer `name`; ZOID_RESOURCE: out of memory, with the
 * variable unchanged. Not thread-safe, as setenv. */
#ifndef ZOID_RUNTIME_MACHINE_ENVIRONMENT_H
#define ZOID_RUNTIME_MACHINE_ENVIRONMENT_H

#include <stdbool.h>

#include "runtime/zoid.h"

struct zoid_environment {
    const char *name;
    char *before; /* previous value, owned; NULL: unset */
    bool made;
};

/* `value` NULL: unset it. */
enum zoid_status zoid_environment_set(struct zoid_environment *variable, const char *name,
                                      const char *value);
/* Restores the previous value; no-op if the variable was not set by zoid_environment_set. */
void zoid_environment_restore(struct zoid_environment *variable);

#endif
