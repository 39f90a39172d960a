/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of the environment, from which StarPU takes its orders. They are set while a context is
 * open, and get their old values back afterwards. */
#ifndef ZOID_RUNTIME_MACHINE_SETTING_H
#define ZOID_RUNTIME_MACHINE_SETTING_H

#include <stdbool.h>

#include "runtime/zoid.h"

struct zoid_setting {
    const char *name;
    char *before; /* NULL: unset */
    bool made;
};

enum zoid_status zoid_setting_make(struct zoid_setting *setting, const char *name,
                                   const char *value);
/* Does nothing where none was made. */
void zoid_setting_undo(struct zoid_setting *setting);

#endif
