/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of values into a store and out of it, box by box. */
#ifndef ZOID_RUNTIME_MEMORY_FILL_H
#define ZOID_RUNTIME_MEMORY_FILL_H

#include "runtime/memory/store.h"

/* The values of a box in memory whose planes lie as a layout has them, one after the other;
 * `planes` is the box's lowest one. */
struct zoid_values zoid_values_stored(const struct zoid_layout *layout, const struct zoid_box *box,
                                      void *planes);

/* The state that is noted in a store, after so many steps from time 0. Fields lie where they are
 * stored then; the own points of cells are those that epoch `epoch` left. */
struct zoid_state {
    const struct zoid_plan *plan;
    struct zoid_store *store;
    long steps, epoch;
};

/* As zoid_job_fill: all that is noted of the coefficients, and of the state. */
void zoid_fill_coefficients(const struct zoid_state *state, zoid_box_fn *box, void *user);
void zoid_fill_state(const struct zoid_state *state, zoid_box_fn *box, void *user);
/* As zoid_job_fill_pieces. */
void zoid_fill_pieces(const struct zoid_state *state, zoid_piece_fn *piece, void *user);
/* Copies the values of a box, points of so many bytes. */
void zoid_values_copy(const struct zoid_box *box, size_t size, const struct zoid_values *from,
                      const struct zoid_values *to);
/* As zoid_job_look; `look` may be NULL. */
void zoid_fill_read(const struct zoid_state *state, int field, const struct zoid_box *box,
                    const struct zoid_values *to, zoid_box_fn *look, void *user);

#endif
