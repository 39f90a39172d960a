/* SPDX-License-Identifier: BSD-3-Clause */
/* Points of a caller's arrays that the loops of a nest reach. */
#ifndef ZOID_APPS_COMPILE_CALL_TOUCHED_H
#define ZOID_APPS_COMPILE_CALL_TOUCHED_H

#include "apps/compile/call/call.h"

/* Set the number of points of each buffer that the nest may read: all, or for arrays whose first
 * extent is not declared, the planes that loops reach. */
void zoid_call_measure(struct zoid_call *call);
/* Replace buffers that have fewer points than the domain by copies that have all, zeros beyond. */
enum zoid_status zoid_call_extend(struct zoid_call *call);
/* Copy the points that the caller's buffers have back to them, if `whole`, and free the copies. */
void zoid_call_shrink(struct zoid_call *call, const struct zoid_call *caller, bool whole);

/* Return a coordinate of a side of a box. */
static inline long zoid_call_coordinate(struct zoid_call_side side, long extent)
{
    return side.end ? extent - side.at : side.at;
}
/* Return the number of points of a buffer that has all. */
int64_t zoid_call_points(const struct zoid_call *call, const struct zoid_call_array *array);
/* Return whether a box has no points. */
bool zoid_call_is_empty(const struct zoid_call *call, const struct zoid_call_box *box);
/* Return the number of buffers of an array. */
static inline int zoid_call_turns(const struct zoid_call_array *array)
{
    return array->turns ? array->turns : 1;
}

#endif
