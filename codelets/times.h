/* SPDX-License-Identifier: BSD-3-Clause */
/* One time of a running block after the other, or several in one launch where the device takes
 * them. */
#ifndef ZOID_CODELETS_TIMES_H
#define ZOID_CODELETS_TIMES_H

#include "codelets/list.h"

/* Every time of the block, or of the tile that it is at. */
void zoid_all_times(struct zoid_runner *r);
/* The sweep of time t for group g, or for all groups (g < 0), without its inputs. */
struct zoid_sweep zoid_sweep_of(struct zoid_runner *r, long t, int g);
/* What time t writes: a group; all (-1) at the first time of a block whose slab is carried. */
int zoid_written_at(const struct zoid_runner *r, long t);
/* Steps to time t, which computes group g: its sweep, and r->now. */
struct zoid_sweep zoid_begin(struct zoid_runner *r, long t, int g);
/* Computes the planes of a sweep's box that go to the given segments. */
void zoid_compute(struct zoid_runner *r, struct zoid_sweep *sweep, const struct zoid_list *out);

#endif
