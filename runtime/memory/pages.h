/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is there when it is used: pages that are new make whoever touches them first wait. */
#ifndef ZOID_RUNTIME_MEMORY_PAGES_H
#define ZOID_RUNTIME_MEMORY_PAGES_H

#include <stddef.h>

/* So many bytes, zeros, in large pages where there are some, from the beginning of a page on. NULL:
 * the system refuses them. */
void *zoid_pages_take(size_t bytes);
/* The same before anyone has touched it, so that who does first decides where it lies. */
void *zoid_pages_reserve(size_t bytes);
/* Has the thread that calls touch some of it; `part` is where a page begins. */
void zoid_pages_touch(void *part, size_t bytes);
/* Accepts NULL. */
void zoid_pages_give(void *pages, size_t bytes);

#endif
