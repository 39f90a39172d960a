/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/compile.h"

struct zoid_meaning *zoid_compile_text(struct zoid_text *text)
{
    if (setjmp(text->escape))
        return NULL;
    return zoid_mean(text, zoid_parse(text));
}
