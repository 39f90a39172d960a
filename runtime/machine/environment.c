/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/environment.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"

enum zoid_status zoid_environment_set(struct zoid_environment *s, const char *name,
                                      const char *value)
{
    const char *before = getenv(name);

    *s = (struct zoid_environment){.name = name, .before = before ? strdup(before) : NULL};
    if ((before && !s->before) || (value ? setenv(name, value, 1) : unsetenv(name))) {
        free(s->before);
        return zoid_no_memory();
    }
    s->made = true;
    return ZOID_OK;
}

void zoid_environment_restore(struct zoid_environment *s)
{
    if (!s->made)
        return;
    if (s->before)
        setenv(s->name, s->before, 1);
    else
        unsetenv(s->name);
    free(s->before);
    *s = (struct zoid_environment){.made = false};
}
