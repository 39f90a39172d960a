/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole way from a file's text. */
#ifndef ZOID_APPS_COMPILE_COMPILE_H
#define ZOID_APPS_COMPILE_COMPILE_H

#include "apps/compile/meaning.h"

/* Find the stages of a nest. `text` has file, bytes, size and choices set, the rest zero. NULL: it
 * is refused, and text->refusal says why. In both cases the caller frees all memory by
 * zoid_text_free. */
struct zoid_meaning *zoid_compile_text(struct zoid_text *text);

#endif
