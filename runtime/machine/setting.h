/* SPDX-License-Identifier: BSD-3-Clause */
/* Environment variables, which configure StarPU: set while a context is open, and restored
 * afterwards. zoid_setting_make keeps the pointer `name`; ZOID_RESOURCE: out of memory, with the
 * variable unchanged. Not thread-safe, as setenv. */
#ifndef ZOID_RUNTIME_MACHINE_SETTING_H
#define ZOID_RUNTIME_MACHINE_SETTING_H

#include <stdbool.h>

#include "runtime/zoid.h"

struct zoid_setting {
    const char *name;
    char *before; /* previous value, owned; NULL: unset */
    bool made;
};

enum zoid_status zoid_setting_make(struct zoid_setting *setting, const char *name,
                                   const char *value);
/* Restores the previous value; no-op if the variable was not set by zoid_setting_make. */
void zoid_setting_undo(struct zoid_setting *setting);

#endif
