/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "runtime/boundary.h"
#include "runtime/initial.h"
#include "runtime/session/fields_given.h"

/* Number of values in a buffer. */
enum { SOME = 4096 };

/* Gaussian: exp(-r^2 / (2 width^2)), r from the centre of the domain. */
static double bell(const struct zoid_problem *p, const struct zoid_given *v,
                   const long at[ZOID_AXES])
{
    long least = p->n[0];
    double width, sum = 0;

    for (int a = 1; a < p->op->dims; a++)
        least = p->n[a] < least ? p->n[a] : least;
    width = v->text.numbers ? v->text.number[0] : (double)least / 16;
    for (int a = 0; a < p->op->dims; a++) {
        const double r = (double)(at[a] - p->n[a] / 2) / width;

        sum += r * r;
    }
    return exp(-sum / 2);
}

/* Sine along x, travelling if it has a speed, `age` steps ago. */
static double sine(const struct zoid_problem *p, const struct zoid_given *v, long x)
{
    static const double pi = 3.14159265358979323846;
    const double waves = v->text.numbers > 0 ? v->text.number[0] : 1;
    const double speed = v->text.numbers > 1 ? v->text.number[1] : 0;

    return sin(2 * pi * waves * ((double)x + speed * v->age) / (double)p->n[0]);
}

/* Layers of equal thickness along the slowest axis. */
static double layer(const struct zoid_problem *p, const struct zoid_given *v,
                    const long at[ZOID_AXES])
{
    const int chain = p->op->dims - 1;

    return v->text.number[(__int128)at[chain] * v->text.numbers / p->n[chain]];
}

static double value_at(const struct zoid_problem *p, const struct zoid_given *v,
                       const long at[ZOID_AXES])
{
    switch (v->text.kind) {
    case ZOID_GAUSSIAN:
        return bell(p, v, at);
    case ZOID_PLANE:
        return sine(p, v, at[0]);
    case ZOID_LAYERS:
        return layer(p, v, at);
    default:
        return v->text.number[0];
    }
}

/* Writes the values of a box as the settings define them, packed. */
static void make(const struct zoid_fields *g, const struct zoid_given *v,
                 const struct zoid_box *box, double *to)
{
    if (v->input) {
        zoid_input_read(v->input, box, to);
        return;
    }
    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++)
            for (long x = box->lo[0]; x < box->hi[0]; x++)
                *to++ = value_at(g->problem, v, (const long[ZOID_AXES]){x, y, z});
}

/* Writes rho, mu = rho vs^2 or lambda = rho (vp^2 - 2 vs^2), at most SOME values. */
static void make_medium(const struct zoid_fields *g, const char *made, const struct zoid_box *box,
                        double *to)
{
    const long count = zoid_box_volume(box);
    double vp[SOME], vs[SOME];

    make(g, &g->medium[2], box, to);
    if (*made == 'r')
        return;
    make(g, &g->medium[0], box, vp);
    make(g, &g->medium[1], box, vs);
    for (long i = 0; i < count; i++)
        to[i] *= *made == 'm' ? vs[i] * vs[i] : vp[i] * vp[i] - 2 * (vs[i] * vs[i]);
}

/* Writes kappa at the points one up an axis: beyond an open face, of those that stand for them; at
 * the last index of others, of the points themselves. */
static void make_next(const struct zoid_fields *g, int axis, const struct zoid_box *box, double *to)
{
    const struct zoid_shape shape = zoid_problem_shape(g->problem);
    const long n = shape.n[axis];
    const long width = box->hi[0] - box->lo[0], rows = box->hi[1] - box->lo[1];
    double some[SOME];

    /* All at once, except for the last index of the axis. */
    for (long at = box->lo[axis], end; at < box->hi[axis]; at = end) {
        const long next = zoid_min(zoid_fold(&shape, axis, at + 1), n - 1);
        struct zoid_box part = *box;
        const double *from = some;

        end = at == n - 1 ? n : zoid_min(box->hi[axis], n - 1);
        part.lo[axis] = next;
        part.hi[axis] = next + end - at;
        make(g, &g->kappa, &part, some);
        part.lo[axis] = at;
        part.hi[axis] = end;
        for (long z = part.lo[2]; z < part.hi[2]; z++)
            for (long y = part.lo[1]; y < part.hi[1]; y++)
                for (long x = part.lo[0]; x < part.hi[0]; x++)
                    to[((z - box->lo[2]) * rows + y - box->lo[1]) * width + x - box->lo[0]] =
                        *from++;
    }
}

/* Returns whether the face up an axis of value i of a box lies at a closed face of the domain. */
static bool closed(const struct zoid_fields *g, int axis, const struct zoid_box *box, long i)
{
    const struct zoid_shape shape = zoid_problem_shape(g->problem);
    const long width = box->hi[0] - box->lo[0], rows = box->hi[1] - box->lo[1];
    const long at[ZOID_AXES] = {i % width, i / width % rows, i / width / rows};

    return box->lo[axis] + at[axis] == shape.n[axis] - 1 &&
           !zoid_face_open(&shape, axis, ZOID_HIGH);
}

static double mean(int kind, double p, double q)
{
    /* Keep the sign, so that a negative kappa is refused. */
    if (p < 0 || q < 0)
        return fmin(p, q);
    if (kind == ZOID_ARITHMETIC)
        return (p + q) * 0.5;
    return p + q == 0 ? 0 : 2 * p * q / (p + q);
}

/* Writes the coefficients of the faces between points and the next ones up an axis, at most SOME.
 */
static void make_faces(const struct zoid_fields *g, int axis, const struct zoid_box *box,
                       double *to)
{
    const double h = g->problem->params.spacing[axis], dt = g->settings->dt.value;
    const long count = zoid_box_volume(box);
    double next[SOME];

    make(g, &g->kappa, box, to);
    make_next(g, axis, box, next);
    for (long i = 0; i < count; i++)
        to[i] = mean(g->settings->mean, to[i], next[i]) * dt / (h * h);
    for (long i = 0; i < count && box->hi[axis] == g->problem->n[axis]; i++)
        if (closed(g, axis, box, i))
            to[i] = 0;
}

/* Writes u - dt u_t, at most SOME. A u without a source is of the operator's type. */
static void make_before(const struct zoid_fields *g, const struct zoid_box *box, double *to)
{
    const long count = zoid_box_volume(box);
    double rate[SOME];

    make(g, &g->rate, box, rate);
    if (g->field[0].given) {
        make(g, &g->field[0], box, to);
    } else if (g->problem->op->type == ZOID_F64) {
        const struct zoid_values plain = zoid_values_packed(box, to);

        zoid_initial_box((void *)&g->plain, 0, box, &plain);
    } else {
        zoid_f32 narrow[SOME];
        const struct zoid_values plain = zoid_values_packed(box, narrow);

        zoid_initial_box((void *)&g->plain, 0, box, &plain);
        for (long i = 0; i < count; i++)
            to[i] = (double)narrow[i];
    }
    for (long i = 0; i < count; i++)
        to[i] -= g->settings->dt.value * rate[i];
}

/* Converts values to those of the operator, before rounding. */
static void convert(const struct zoid_fields *g, const struct zoid_given *v, long count,
                    double *values)
{
    for (long i = 0; i < count && v->speeds; i++) {
        const double q = values[i] * g->settings->dt.value / g->settings->dx;

        /* Keep the sign, so that a negative speed is refused. */
        values[i] = q < 0 ? -(q * q) : q * q;
    }
    for (long i = 0; i < count && v->factor != 1; i++)
        values[i] *= v->factor;
}

/* Writes the values of `box`, at most SOME, to their offset in the larger box `whole`. */
static void put(const struct zoid_fields *g, const struct zoid_given *v, const struct zoid_box *box,
                const struct zoid_box *whole, const struct zoid_values *to)
{
    const enum zoid_type type = g->problem->op->type;
    const long points = box->hi[0] - box->lo[0], rows = box->hi[1] - box->lo[1];
    double values[SOME];

    if (v->made && *v->made == 'k')
        make_faces(g, v->made[1] - 'x', box, values);
    else if (v->made && *v->made == 'u')
        make_before(g, box, values);
    else if (v->made)
        make_medium(g, v->made, box, values);
    else
        make(g, v, box, values);
    convert(g, v, points * rows, values);
    for (long y = 0; y < rows; y++)
        zoid_initial_store(type, values + y * points, (size_t)points,
                           (size_t)(box->lo[0] - whole->lo[0]),
                           zoid_values_row(to, zoid_type_size(type), box->lo[1] + y - whole->lo[1],
                                           box->lo[2] - whole->lo[2]));
}

static void fill(const struct zoid_fields *g, const struct zoid_given *v,
                 const struct zoid_box *box, const struct zoid_values *to)
{
    const long points = zoid_min(box->hi[0] - box->lo[0], SOME), rows = SOME / points;
    struct zoid_box part;

    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y = part.hi[1])
            for (long x = box->lo[0]; x < box->hi[0]; x = part.hi[0]) {
                part = (struct zoid_box){.lo = {x, y, z},
                                         .hi = {zoid_min(x + points, box->hi[0]),
                                                zoid_min(y + rows, box->hi[1]), z + 1}};
                put(g, v, &part, box, to);
            }
}

/* zoid_box_fn of all fields; user: a struct zoid_fields. */
static void fields_box(void *fields, int field, const struct zoid_box *box,
                       const struct zoid_values *to)
{
    const struct zoid_fields *g = fields;

    if (!g->field[field].given) {
        zoid_initial_box((void *)&g->plain, field, box, to);
        return;
    }
    fill(g, &g->field[field], box, to);
    if (field < g->problem->op->nstate)
        zoid_initial_border(&g->plain, box, to);
}

void zoid_fields_start(struct zoid_fields *g, struct zoid_initial *initial)
{
    g->plain = *initial;
    initial->coefficients = initial->state = fields_box;
    initial->user = initial->of = g;
}
