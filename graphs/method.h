/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods, each in a file of graphs/methods/. */
#ifndef ZOID_GRAPHS_METHOD_H
#define ZOID_GRAPHS_METHOD_H

#include "graphs/graph.h"

extern const struct zoid_method zoid_naive, zoid_trapezoid, zoid_overlapped, zoid_leaning,
    zoid_recursive;

/* Feature of the shape that the method does not support, a static string; NULL: there is none. No
 * method supports descending stages, steps with both orders, or in-order stages at open faces. */
const char *zoid_method_refuses(const struct zoid_method *method, const struct zoid_shape *shape);

#endif
