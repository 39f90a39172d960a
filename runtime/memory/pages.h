/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory with populated pages: the first touch of a new page stalls the thread that makes it. */
#ifndef ZOID_RUNTIME_MEMORY_PAGES_H
#define ZOID_RUNTIME_MEMORY_PAGES_H

#include <stddef.h>

/* Allocate `bytes` bytes of zeros, page-aligned and populated, in large pages if there are some.
 * NULL: the system refuses. Free them with zoid_pages_give. */
void *zoid_pages_take(size_t bytes);
/* The same, not populated: the thread that touches a page first decides on which NUMA node it
 * lies. */
void *zoid_pages_reserve(size_t bytes);
/* Populate pages from the calling thread; `part` is page-aligned. */
void zoid_pages_touch(void *part, size_t bytes);
/* Free memory of the two functions above, `bytes` as there; accepts NULL. */
void zoid_pages_give(void *pages, size_t bytes);

#endif
