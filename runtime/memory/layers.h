/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of layers that match, plane by plane, whatever pieces it lies in: of a face and a
 * plane psi, P and zeta, each the points of the layer in that plane, x fastest, without padding. */
#ifndef ZOID_RUNTIME_MEMORY_LAYERS_H
#define ZOID_RUNTIME_MEMORY_LAYERS_H

#include "codelets/block/layer.h"
#include "runtime/memory/fill.h"

/* Points of the layer at a face in a plane, along x and y; and the planes that it has. */
struct zoid_layer_planes {
    long n[2];
    struct zoid_range planes;
};
struct zoid_layer_planes zoid_layer_planes_of(const struct zoid_shape *shape,
                                              const struct zoid_layers *layers, int axis, int side);
/* Return the bytes of a plane of it. */
size_t zoid_layer_plane_bytes(const struct zoid_layer_planes *planes, enum zoid_type type);

/* Writes the memory of the layer at a face in a plane to `values`. */
typedef void zoid_memory_fn(void *user, int axis, int side, long plane, void *values);
/* Set all memory of a state, that of ghost points too; `memory` NULL: to 0. ZOID_RESOURCE: out of
 * memory. */
enum zoid_status zoid_memory_fill(const struct zoid_state *state, zoid_memory_fn *memory,
                                  void *user);
/* Call `plane` for each plane of the layer at a face, ascending, with its memory, until it fails,
 * on some rank: on all ranks alike. The owners are the parts of this process. */
typedef enum zoid_status zoid_memory_plane_fn(void *user, long plane, const void *values,
                                              size_t bytes);
enum zoid_status zoid_memory_read(const struct zoid_state owner[], int owners, int axis, int side,
                                  zoid_memory_plane_fn *plane, void *user);
/* Give states, whose memory is set, that of the owners, of the same problem, some megabytes at a
 * time. States may share their data with owners that have the same windows. Collective: processes,
 * which do not cut the chain axis, send one another the points of their windows. */
enum zoid_status zoid_memory_carry(const struct zoid_state owner[], int owners,
                                   const struct zoid_state to[], int states);

#endif
