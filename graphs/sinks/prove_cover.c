/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/sinks/prove_cover.h"

#include <stdlib.h>
#include <string.h>

static int reserve(struct zoid_boxes *set)
{
    size_t room = set->room ? 2 * set->room : 4;
    struct zoid_box *box;

    if (set->count < set->room)
        return 0;
    box = realloc(set->box, room * sizeof *box);
    if (!box)
        return -1;
    set->box = box;
    set->room = room;
    return 0;
}

int zoid_boxes_push(struct zoid_boxes *set, const struct zoid_box *box)
{
    if (zoid_box_empty(box))
        return 0;
    if (reserve(set))
        return -1;
    set->box[set->count++] = *box;
    return 0;
}

void zoid_boxes_free(struct zoid_boxes *set)
{
    free(set->box);
    *set = (struct zoid_boxes){.box = NULL};
}

bool zoid_box_within(const struct zoid_box *inner, const struct zoid_box *outer)
{
    for (int a = 0; a < ZOID_AXES; a++)
        if (inner->lo[a] < outer->lo[a] || inner->hi[a] > outer->hi[a])
            return zoid_box_empty(inner);
    return true;
}

bool zoid_box_meets(const struct zoid_box *a, const struct zoid_box *b)
{
    struct zoid_box both = zoid_box_intersect(a, b);

    return !zoid_box_empty(&both);
}

/* Push the part of `box` outside `hole`, in slices: at most two along each axis. */
static int push_rest(struct zoid_boxes *set, struct zoid_box box, const struct zoid_box *hole)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        struct zoid_box below = box, above = box;

        below.hi[a] = hole->lo[a];
        above.lo[a] = hole->hi[a];
        if (zoid_boxes_push(set, &below) || zoid_boxes_push(set, &above))
            return -1;
        if (box.lo[a] < hole->lo[a])
            box.lo[a] = hole->lo[a];
        if (box.hi[a] > hole->hi[a])
            box.hi[a] = hole->hi[a];
    }
    return 0;
}

int zoid_boxes_cut(struct zoid_boxes *set, const struct zoid_box *hole)
{
    for (size_t i = set->count; i-- > 0;) {
        struct zoid_box box = set->box[i];

        if (!zoid_box_meets(&box, hole))
            continue;
        set->box[i] = set->box[--set->count];
        if (push_rest(set, box, hole))
            return -1;
    }
    return 0;
}

/* Index of the first box whose low face is not below `lo`. */
static size_t search(const struct zoid_cover *cover, int axis, long lo)
{
    size_t first = 0, end = cover->set.count;

    while (first < end) {
        size_t middle = first + (end - first) / 2;

        if (cover->set.box[middle].lo[axis] < lo)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Merge b into a if the result is a box: they differ along one axis only and touch there. Returns
 * true if merged. */
static bool join(struct zoid_box *a, const struct zoid_box *b)
{
    int axis = -1;

    for (int i = 0; i < ZOID_AXES; i++) {
        if (a->lo[i] == b->lo[i] && a->hi[i] == b->hi[i])
            continue;
        if (axis >= 0 || (a->hi[i] != b->lo[i] && b->hi[i] != a->lo[i]))
            return false;
        axis = i;
    }
    if (axis < 0)
        return false;
    if (a->hi[axis] == b->lo[axis])
        a->hi[axis] = b->hi[axis];
    else
        a->lo[axis] = b->lo[axis];
    return true;
}

static void remove_at(struct zoid_boxes *set, size_t i)
{
    set->count--;
    memmove(&set->box[i], &set->box[i + 1], (set->count - i) * sizeof *set->box);
}

static int insert(struct zoid_cover *cover, int axis, const struct zoid_box *box)
{
    struct zoid_boxes *set = &cover->set;
    size_t at = search(cover, axis, box->lo[axis]);

    if (reserve(set))
        return -1;
    memmove(&set->box[at + 1], &set->box[at], (set->count - at) * sizeof *set->box);
    set->box[at] = *box;
    set->count++;
    if (cover->widest < box->hi[axis] - box->lo[axis])
        cover->widest = box->hi[axis] - box->lo[axis];
    return 0;
}

/* Add a box that shares no point with the set, merged with the boxes that it completes. */
static int absorb(struct zoid_cover *cover, int axis, struct zoid_box box)
{
    struct zoid_boxes *set = &cover->set;
    bool joined;

    cover->volume += zoid_box_volume(&box);
    do {
        joined = false;
        for (size_t i = search(cover, axis, box.lo[axis] - cover->widest);
             !joined && i < set->count && set->box[i].lo[axis] <= box.hi[axis]; i++) {
            joined = join(&box, &set->box[i]);
            if (joined)
                remove_at(set, i);
        }
    } while (joined);
    return insert(cover, axis, &box);
}

int zoid_cover_add(struct zoid_cover *cover, int axis, const struct zoid_box *box,
                   struct zoid_boxes *scratch, struct zoid_box *again)
{
    struct zoid_boxes *set = &cover->set;

    *again = (struct zoid_box){.lo = {0}};
    scratch->count = 0;
    if (zoid_boxes_push(scratch, box))
        return -1;
    for (size_t i = search(cover, axis, box->lo[axis] - cover->widest);
         i < set->count && set->box[i].lo[axis] < box->hi[axis]; i++) {
        struct zoid_box common = zoid_box_intersect(box, &set->box[i]);

        if (zoid_box_empty(&common))
            continue;
        if (zoid_box_empty(again))
            *again = common;
        if (zoid_boxes_cut(scratch, &common))
            return -1;
    }
    for (size_t i = 0; i < scratch->count; i++)
        if (absorb(cover, axis, scratch->box[i]))
            return -1;
    return 0;
}

void zoid_cover_free(struct zoid_cover *cover)
{
    zoid_boxes_free(&cover->set);
    cover->widest = 0;
}
