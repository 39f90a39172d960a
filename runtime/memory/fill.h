/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of values into a store and out of it, box by box. */
#ifndef ZOID_RUNTIME_MEMORY_FILL_H
#define ZOID_RUNTIME_MEMORY_FILL_H

#include "runtime/memory/store.h"

/* View of the values of a box in memory whose planes have the layout and are contiguous; `planes`
 * points to the box's lowest plane. */
struct zoid_values zoid_values_stored(const struct zoid_layout *layout, const struct zoid_box *box,
                                      void *planes);

/* The values of `part`, a box within `box`, where those of `box` are `values`; `size` is the number
 * of bytes per point. */
struct zoid_values zoid_values_part(const struct zoid_values *values, size_t size,
                                    const struct zoid_box *box, const struct zoid_box *part);

/* The state noted in a store, after `steps` steps from time 0. Fields lie where they are stored at
 * that step; the owned points of cells (subdomains) are those at the end of epoch `epoch`. */
struct zoid_state {
    const struct zoid_plan *plan;
    struct zoid_store *store;
    long steps, epoch;
};

/* Set all noted coefficients, or the noted state, from `box`, which several threads call, as in
 * zoid_job_fill. */
void zoid_fill_coefficients(const struct zoid_state *state, zoid_box_fn *box, void *user);
void zoid_fill_state(const struct zoid_state *state, zoid_box_fn *box, void *user);
/* Set planes of a field of the state alone, counted as the domain's, or beyond a periodic face on
 * from these: part of what one cell holds. The others stay. */
void zoid_fill_planes(const struct zoid_state *state, int field, struct zoid_range planes,
                      zoid_box_fn *box, void *user);
/* Set coefficients that come in pieces (segments), as zoid_job_fill_pieces does. */
void zoid_fill_pieces(const struct zoid_state *state, zoid_piece_fn *piece, void *user);
/* Copy the values of a box; `size` is the number of bytes per point. */
void zoid_values_copy(const struct zoid_box *box, size_t size, const struct zoid_values *from,
                      const struct zoid_values *to);
/* Copy the points of a box that this rank's cells own, as zoid_job_look does; `look` may be
 * NULL. */
void zoid_fill_read(const struct zoid_state *state, int field, const struct zoid_box *box,
                    const struct zoid_values *to, zoid_box_fn *look, void *user);

#endif
