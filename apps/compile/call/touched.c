/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/call/touched.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"

int64_t zoid_call_points(const struct zoid_call *c, const struct zoid_call_array *array)
{
    int64_t n = 1;

    if (array->length)
        return array->length;
    for (int a = 0; a < c->axes; a++)
        n *= array->axes >> a & 1 ? c->extent[a] : 1;
    return n;
}

static long side(const struct zoid_call *c, const struct zoid_call_box *box, int axis, bool high)
{
    return zoid_call_coordinate(high ? box->hi[axis] : box->lo[axis], c->extent[axis]);
}

bool zoid_call_is_empty(const struct zoid_call *c, const struct zoid_call_box *box)
{
    bool empty = false;

    for (int a = 0; a < c->axes; a++)
        empty |= side(c, box, a, false) >= side(c, box, a, true);
    return empty;
}

/* Returns the end along an axis of the points of one colour in a box, or of all; 0 if it has no
 * such point.
 */
static long end_of(const struct zoid_call *c, const struct zoid_call_box *box, int colour, int axis)
{
    long sum = side(c, box, axis, true) - 1;
    bool single = true;

    if (zoid_call_is_empty(c, box))
        return 0;
    for (int a = 0; a < c->axes; a++)
        if (a != axis) {
            single &= side(c, box, a, true) - side(c, box, a, false) == 1;
            sum += side(c, box, a, false);
        }
    /* A plane of one point has one colour. */
    if (colour < 0 || !single || sum % 2 == colour)
        return side(c, box, axis, true);
    return side(c, box, axis, true) - side(c, box, axis, false) == 1 ? 0
                                                                     : side(c, box, axis, true) - 1;
}

bool zoid_call_runs(const struct zoid_call *c, int statement, int colour)
{
    return end_of(c, &c->box[statement], colour, 0) != 0;
}

/* Points of a plane along the first axis of an array, which goes to *axis. */
static int64_t plane_of(const struct zoid_call *c, const struct zoid_call_array *array, int *axis)
{
    *axis = 0;
    while (!(array->axes >> *axis & 1))
        ++*axis;
    return zoid_call_points(c, array) / c->extent[*axis];
}

/* Takes an access into account, at the first step, and the next ones, when buffers have turned. */
static void measure(struct zoid_call *c, const struct zoid_call_access *access)
{
    struct zoid_call_array *array = &c->array[access->array];
    int axis;
    const int64_t plane = plane_of(c, array, &axis);
    const long end = end_of(c, &c->box[access->statement], access->colour, axis);
    const int turns = zoid_call_turns(array);

    for (int step = 0; end && step < turns && step < c->steps; step++) {
        int64_t *points = &array->points[(array->first + step + access->role) % turns];

        if ((end + access->offset) * plane > *points)
            *points = (end + access->offset) * plane;
    }
}

void zoid_call_measure(struct zoid_call *c)
{
    for (int i = 0; i < c->narrays; i++)
        for (int k = 0; k < zoid_call_turns(&c->array[i]); k++)
            c->array[i].points[k] = c->array[i].open ? 0 : zoid_call_points(c, &c->array[i]);
    for (int i = 0; i < c->naccesses; i++)
        if (c->array[c->access[i].array].open)
            measure(c, &c->access[i]);
}

enum zoid_status zoid_call_extend(struct zoid_call *c)
{
    const size_t size = zoid_type_size(c->type);

    for (int i = 0; i < c->narrays; i++) {
        struct zoid_call_array *a = &c->array[i];
        const int64_t all = zoid_call_points(c, a);

        for (int k = 0; k < zoid_call_turns(a); k++) {
            char *copy;

            if (a->points[k] >= all)
                continue;
            copy = calloc((size_t)all, size);
            if (!copy)
                return zoid_fail(ZOID_RESOURCE, "memory ran out; free some");
            if (a->points[k])
                memcpy(copy, a->data[k], (size_t)a->points[k] * size);
            a->data[k] = copy;
        }
    }
    return ZOID_OK;
}

void zoid_call_shrink(struct zoid_call *c, const struct zoid_call *caller, bool whole)
{
    const size_t size = zoid_type_size(c->type);

    for (int i = 0; i < c->narrays; i++)
        for (int k = 0; k < ZOID_CALL_TURNS; k++) {
            struct zoid_call_array *a = &c->array[i];

            if (a->data[k] == caller->array[i].data[k])
                continue;
            if (whole && a->written && a->points[k])
                memcpy(caller->array[i].data[k], a->data[k], (size_t)a->points[k] * size);
            free(a->data[k]);
        }
}
