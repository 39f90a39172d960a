/* SPDX-License-Identifier: BSD-3-Clause */
/* Rims of patches. */
#ifndef ZOID_GRAPHS_RIM_H
#define ZOID_GRAPHS_RIM_H

#include "graphs/zoid.h"

/* Rim that is a whole patch. */
struct zoid_rim zoid_patch_rim(const struct zoid_patch *patch);

/* Decompose a rim into disjoint, non-empty patches: the rows below and above, then the columns on
 * either side between them.
 *
 *     1 1 1 1 1 1
 *     2 . . . 3 3         lo = {1, 1}, hi = {2, 1}
 *     2 . . . 3 3
 *     0 0 0 0 0 0
 */
enum { ZOID_RIM_PATCHES = 2 * ZOID_PLANE_AXES };
struct zoid_patches {
    int n;
    struct zoid_patch patch[ZOID_RIM_PATCHES];
};
struct zoid_patches zoid_rim_patches(const struct zoid_rim *rim);

#endif
