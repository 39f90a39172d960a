/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/points.h"

#include <math.h>
#include <string.h>

#include "codelets/op/interpolation.h"
#include "runtime/boundary.h"

/* A source or a receiver, as named in messages. */
struct one {
    const struct zoid_problem *problem;
    const char *what;
    size_t number;
    int field;
    const double *at;
    bool adds; /* a source */
};

static enum zoid_status check_field(const struct one *one)
{
    const struct zoid_op *op = one->problem->op;
    char list[128] = "";

    if (one->field >= 0 && one->field < op->nstate && op->sources >> one->field & 1)
        return ZOID_OK;
    for (int f = 0; f < op->nstate; f++)
        if (op->sources >> f & 1) {
            strcat(list, *list ? ", " : "");
            strcat(list, op->field[f]);
        }
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s %zu names a field that %s has none in; choose from %s",
                     one->what, one->number, op->family, list);
}

static enum zoid_status check_place(const struct one *one)
{
    const struct zoid_problem *p = one->problem;
    const struct zoid_shape shape = zoid_problem_shape(p);

    for (int a = 0; a < ZOID_AXES; a++) {
        const double most = (double)(p->n[a] - !zoid_axis_periodic(&shape, a));
        const bool inside = one->at[a] >= 0 && (zoid_axis_periodic(&shape, a) ? one->at[a] < most
                                                                              : one->at[a] <= most);

        if (!inside)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s %zu is at %g along %c, outside of the domain; give a place from 0 "
                             "%s %g",
                             one->what, one->number, one->at[a], "xyz"[a],
                             zoid_axis_periodic(&shape, a) ? "to below" : "to", most);
    }
    return ZOID_OK;
}

/* The stages that write the field determine the range, wherever the field is stored. */
void zoid_points_range(const struct zoid_problem *p, int field, int axis, long *first, long *last)
{
    const struct zoid_shape shape = zoid_problem_shape(p);
    const struct zoid_op *op = p->op;

    *first = 0;
    *last = p->n[axis] - 1;
    for (int s = 0; s < op->nstages; s++) {
        const int stored = zoid_op_stored(op, field, s / op->step + 1);
        const struct zoid_reach leaves = zoid_op_leaves(op, s, stored);

        if (!(op->stage[s].writes >> stored & 1))
            continue;
        if (!zoid_face_open(&shape, axis, ZOID_LOW))
            *first = zoid_max(*first, leaves.lo[axis]);
        if (!zoid_face_open(&shape, axis, ZOID_HIGH))
            *last = zoid_min(*last, p->n[axis] - 1 - leaves.hi[axis]);
    }
}

static enum zoid_status check_layers(const struct one *one)
{
    const struct zoid_shape shape = zoid_problem_shape(one->problem);
    struct zoid_interpolation_node corner[ZOID_INTERPOLATION_NODES];
    const int n = zoid_interpolation_nodes(&shape, one->at, corner);

    for (int a = 0; a < shape.dims; a++) {
        long first, last;

        zoid_points_range(one->problem, one->field, a, &first, &last);
        first += one->adds && shape.face[a][ZOID_LOW] == ZOID_ODD;
        last -= one->adds && shape.face[a][ZOID_HIGH] == ZOID_ODD;
        for (int c = 0; c < n; c++) {
            const bool low = corner[c].at[a] < first;
            const int side = low ? ZOID_LOW : ZOID_HIGH;

            if (low || corner[c].at[a] > last)
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "%s %zu is at %g along %c, in the layers at a face %s; %s %ld to "
                                 "%ld",
                                 one->what, one->number, one->at[a], "xyz"[a],
                                 shape.face[a][side] == ZOID_DRIVEN ? "that is held"
                                                                    : "whose values stay",
                                 first > last ? "the domain is too small to have others than"
                                              : "give a place from",
                                 first, last);
        }
    }
    return ZOID_OK;
}

static enum zoid_status check_one(const struct one *one)
{
    enum zoid_status status = check_field(one);

    if (!status)
        status = check_place(one);
    return status ? status : check_layers(one);
}

static enum zoid_status check_series(const struct zoid_source *source, size_t number)
{
    for (long i = 0; i < source->samples; i++)
        if (!isfinite(source->series[i]))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "sample %ld of the series of source %zu is not finite; give numbers",
                             i, number);
    return ZOID_OK;
}

enum zoid_status zoid_points_check(const struct zoid_problem *p)
{
    const struct zoid_points *points = p->points;
    enum zoid_status status = ZOID_OK;

    if (points && points->sources + points->receivers && !p->op->sources)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no sources and receivers; drop {source} and {receivers}",
                         p->op->family);
    for (size_t i = 0; points && i < points->sources && !status; i++) {
        const struct zoid_source *source = &points->source[i];

        status = check_one(&(struct one){p, "source", i + 1, source->field, source->at, true});
        if (!status)
            status = check_series(source, i + 1);
    }
    for (size_t i = 0; points && i < points->receivers && !status; i++)
        status = check_one(&(struct one){p, "receiver", i + 1, points->receiver[i].field,
                                         points->receiver[i].at, false});
    return status;
}
