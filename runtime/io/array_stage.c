/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/array_stage.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/cuda/array.h"
#include "codelets/cuda/run.h"
#include "runtime/error.h"

/* ---- pieces -------------------------------------------------------------------------------- */

/* Axes of more than one value at different addresses, the smallest stride first. Returns their
 * number. */
static int axes_by_stride(const struct zoid_array_view *v, int order[ZOID_FILE_AXES])
{
    int axes = 0;

    for (int a = v->axes - 1; a >= 0; a--) {
        int i = axes;

        if (v->n[a] == 1 || v->stride[a] == 0)
            continue;
        for (; i > 0 && labs(v->stride[order[i - 1]]) > labs(v->stride[a]); i--)
            order[i] = order[i - 1];
        order[i] = a;
        axes++;
    }
    return axes;
}

/* Describes a copy of the values in `room`, without gaps, in the order of their addresses. */
static void pack(const struct zoid_array_view *from, char *room, struct zoid_array_view *packed)
{
    int order[ZOID_FILE_AXES];
    const int axes = axes_by_stride(from, order);
    long bytes = from->element.size, first = 0;

    *packed = *from;
    packed->device = -1;
    for (int a = 0; a < from->axes; a++)
        packed->stride[a] = 0;
    for (int i = 0; i < axes; i++) {
        const int a = order[i];

        packed->stride[a] = from->stride[a] < 0 ? -bytes : bytes;
        first += from->stride[a] < 0 ? (from->n[a] - 1) * bytes : 0;
        bytes *= from->n[a];
    }
    packed->at = room + first;
}

void zoid_array_stage_begin(struct zoid_array_stage *s, const struct zoid_array_view *array,
                            void *room, size_t bytes)
{
    size_t inner = (size_t)array->element.size;
    int a = array->axes - 1;

    *s = (struct zoid_array_stage){.array = array, .room = room};
    if (array->axes == 0)
        return;
    if (array->device < 0) {
        s->most = array->n[0];
        return;
    }
    while (a > 0 && inner * (size_t)array->n[a] <= bytes)
        inner *= (size_t)array->n[a--];
    if (inner == 0)
        return; /* no values */
    s->axis = a;
    s->most = bytes / inner < (size_t)array->n[a] ? (long)(bytes / inner) : array->n[a];
}

/* Goes to the next range of the array, or the first one. Returns false if there is none. */
static bool step(struct zoid_array_stage *s)
{
    const struct zoid_array_view *array = s->array;
    int a = s->axis;

    if (!s->begun) {
        s->begun = true;
        for (a = 0; a < array->axes && array->n[a] > 0; a++)
            ;
        return a == array->axes;
    }
    if (array->axes == 0)
        return false;
    for (s->at[a] += s->most; s->at[a] >= array->n[a]; s->at[a]++) {
        s->at[a] = 0;
        if (a-- == 0)
            return false;
    }
    return true;
}

bool zoid_array_stage_next(struct zoid_array_stage *s)
{
    const struct zoid_array_view *array = s->array;

    if (!step(s))
        return false;
    s->there = *array;
    for (int a = 0; a <= s->axis && a < array->axes; a++) {
        const long rest = array->n[a] - s->at[a], most = a < s->axis ? 1 : s->most;

        s->there.at += s->at[a] * array->stride[a];
        s->there.n[a] = most < rest ? most : rest;
    }
    if (array->device < 0)
        s->piece = s->there;
    else
        pack(&s->there, s->room, &s->piece);
    return true;
}

/* ---- copies -------------------------------------------------------------------------------- */

/* How the values of a piece lie in its array: rows of contiguous values, as many as are equally far
 * apart, and axes along which they repeat. */
struct rows {
    size_t bytes, n, stride;
    char *first;
    int axes;
    long repeats[ZOID_FILE_AXES], distance[ZOID_FILE_AXES];
};

static struct rows rows_of(const struct zoid_array_view *there)
{
    int order[ZOID_FILE_AXES], i = 0;
    const int axes = axes_by_stride(there, order);
    struct rows r = {.bytes = (size_t)there->element.size, .n = 1, .first = (char *)there->at};

    for (int k = 0; k < axes; k++) {
        const int a = order[k];

        r.repeats[k] = there->n[a];
        r.distance[k] = labs(there->stride[a]);
        r.first += there->stride[a] < 0 ? (there->n[a] - 1) * there->stride[a] : 0;
    }
    while (i < axes && (size_t)r.distance[i] == r.bytes)
        r.bytes *= (size_t)r.repeats[i++];
    r.stride = r.bytes;
    if (i < axes && (size_t)r.distance[i] > r.bytes && r.distance[i] <= INT_MAX) {
        r.stride = (size_t)r.distance[i];
        while (i < axes && (size_t)r.distance[i] == r.stride * r.n)
            r.n *= (size_t)r.repeats[i++];
    }
    r.axes = axes - i;
    memmove(r.repeats, r.repeats + i, (size_t)r.axes * sizeof *r.repeats);
    memmove(r.distance, r.distance + i, (size_t)r.axes * sizeof *r.distance);
    return r;
}

/* Copies the values of a piece between `room`, where they are packed, and the array, with a call
 * for each repetition of rows. Returns CUDA's error. */
static int copy(const struct zoid_array_view *there, char *room, bool send)
{
    const struct rows r = rows_of(there);
    struct zoid_cuda_rows c = {.bytes = r.bytes,
                               .rows = r.n,
                               .to_row = send ? r.stride : r.bytes,
                               .from_row = send ? r.bytes : r.stride};
    long at[ZOID_FILE_AXES] = {0};
    char *span = r.first;
    int k, error;

    do {
        c.to = send ? span : room;
        c.from = send ? room : span;
        error = zoid_cuda_array_copy(there->device, &c);
        room += r.bytes * r.n;
        for (k = 0; k < r.axes; k++) {
            span += r.distance[k];
            if (++at[k] < r.repeats[k])
                break;
            span -= r.repeats[k] * r.distance[k];
            at[k] = 0;
        }
    } while (k < r.axes && !error);
    return error;
}

static const char *error_text(int error)
{
    return zoid_cuda_error ? zoid_cuda_error(error) : "it has failed";
}

static enum zoid_status transfer(const struct zoid_array_stage *s, bool send)
{
    const int error = s->array->device < 0 ? 0 : copy(&s->there, s->room, send);

    if (!error)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "an array in the memory of GPU %d: CUDA: %s", s->array->device,
                     error_text(error));
}

enum zoid_status zoid_array_stage_bring(const struct zoid_array_stage *s)
{
    return transfer(s, false);
}

enum zoid_status zoid_array_stage_send(const struct zoid_array_stage *s)
{
    return transfer(s, true);
}

enum zoid_status zoid_array_stage_check(int device, const void *memory, char why[ZOID_STAGE_WHY])
{
    int found = -1, error;

    if (!zoid_cuda_array_open) {
        snprintf(why, ZOID_STAGE_WHY,
                 "is in the memory of GPU %d, and this build has no CUDA; copy it to main memory",
                 device);
        return ZOID_RESOURCE;
    }
    error = zoid_cuda_array_open(device, memory, &found);
    if (error)
        snprintf(why, ZOID_STAGE_WHY, "is in the memory of GPU %d: CUDA: %s", device,
                 error_text(error));
    else if (found < 0)
        snprintf(why, ZOID_STAGE_WHY, "is not in the memory of GPU %d, nor of another one", device);
    else if (found != device)
        snprintf(why, ZOID_STAGE_WHY, "is in the memory of GPU %d, not of GPU %d", found, device);
    return error || found != device ? ZOID_BAD_ARGUMENT : ZOID_OK;
}
