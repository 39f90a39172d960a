/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/definition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/codelets/sample.h"

/* ---- points and boundaries ----------------------------------------------------------------- */

long definition_points(const struct zoid_shape *shape)
{
    return shape->n[0] * shape->n[1] * shape->n[2];
}

void definition_place(const struct zoid_shape *shape, long i, long p[ZOID_AXES])
{
    for (int a = 0; a < ZOID_AXES; a++) {
        p[a] = i % shape->n[a];
        i /= shape->n[a];
    }
}

/* Reflects or wraps i until it lies in the domain; at a free face *sign turns. */
static long image(const struct zoid_shape *shape, int axis, long i, int *sign)
{
    long n = shape->n[axis];

    while (i < 0 || i >= n)
        if (shape->face[axis][ZOID_LOW] == ZOID_PERIODIC) {
            i += i < 0 ? n : -n;
        } else {
            if (shape->face[axis][i < 0 ? ZOID_LOW : ZOID_HIGH] == ZOID_ODD)
                *sign = -*sign;
            i = n == 1 ? 0 : i < 0 ? -i : 2 * (n - 1) - i;
        }
    return i;
}

static long double look(const struct definition *d, int field, const long p[ZOID_AXES],
                        const long offset[ZOID_AXES])
{
    long q[ZOID_AXES];
    int sign = 1;

    for (int a = 0; a < ZOID_AXES; a++)
        q[a] = image(d->shape, a, p[a] + offset[a], &sign);
    return (field < d->op->nstate ? sign : 1) *
           d->field[field][q[0] + d->shape->n[0] * (q[1] + d->shape->n[1] * q[2])];
}

static long double here(const struct definition *d, int field, const long p[ZOID_AXES])
{
    return look(d, field, p, (long[ZOID_AXES]){0});
}

/* Value at an offset along one axis. */
static long double along(const struct definition *d, int field, const long p[ZOID_AXES], int axis,
                         long distance)
{
    long offset[ZOID_AXES] = {0};

    offset[axis] = distance;
    return look(d, field, p, offset);
}

static bool keeps(const struct zoid_shape *shape, int axis, int side)
{
    const int face = shape->face[axis][side];

    return face == ZOID_DIRICHLET || face == ZOID_SPONGE || face == ZOID_ABSORB;
}

/* True in boundary layers that keep their values: within `margin` of a face with nothing beyond. */
static bool kept(const struct zoid_shape *shape, long margin, const long p[ZOID_AXES])
{
    for (int a = 0; a < shape->dims; a++) {
        bool low = keeps(shape, a, ZOID_LOW), high = keeps(shape, a, ZOID_HIGH);

        if ((low && p[a] < margin) || (high && p[a] >= shape->n[a] - margin))
            return true;
    }
    return false;
}

/* Cerjan's taper at a point: the product over all faces. */
static long double taper(const struct zoid_shape *shape, const long p[ZOID_AXES])
{
    long double exponent = 0;

    for (int a = 0; a < shape->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            long distance = side == ZOID_LOW ? p[a] : shape->n[a] - 1 - p[a];

            if (shape->face[a][side] == ZOID_SPONGE && distance < 20)
                exponent -= powl(0.015L * (20 - distance), 2);
        }
    return expl(exponent);
}

/* Distance of points along x over that along an axis. */
static long double closer(const struct definition *d, int axis)
{
    return (long double)d->params.spacing[0] / (long double)d->params.spacing[axis];
}

/* Damps a new value by the layers of all faces that absorb: towards the one before it, or to 0. */
static long double absorbed(const struct definition *d, long margin, bool turns, int field,
                            const long p[ZOID_AXES], long double value)
{
    const struct zoid_absorb *absorb = &d->params.absorb;
    const long double most = logl(1 / (long double)absorb->reflection);

    for (int a = 0; a < d->shape->dims; a++)
        for (int side = 0; side < ZOID_SIDES; side++) {
            long distance = side == ZOID_LOW ? p[a] : d->shape->n[a] - 1 - p[a];
            long double inside = (long double)(margin + absorb->points - distance);
            long double depth = fminl(inside / (long double)absorb->points, 1);
            long double damping = 2 * (long double)d->params.speed * closer(d, a) * most /
                                  (long double)absorb->points * powl(depth, 3);

            if (d->shape->face[a][side] != ZOID_ABSORB || depth <= 0)
                continue;
            value = turns ? (value + damping * here(d, field, p)) / (1 + damping)
                          : value * expl(-damping);
        }
    return value;
}

/* ---- values -------------------------------------------------------------------------------- */

static long double weighted(const struct definition *d, int field, const long p[ZOID_AXES])
{
    long double sum = 0;

    for (int i = 0; i < d->weights.n; i++)
        sum += d->weights.sample_point[i].weight *
               look(d, field, p, d->weights.sample_point[i].offset);
    return sum;
}

/* Overwrites u(t - 1), which then is u(t + 1). */
static long double wave(const struct definition *d, int field, const long p[ZOID_AXES])
{
    return 2 * here(d, 0, p) - here(d, field, p) + here(d, 2, p) * weighted(d, 0, p);
}

/* Fluxes through the faces down and up each axis, whose coefficients follow u. */
static long double faces(const struct definition *d, int field, const long p[ZOID_AXES])
{
    long double sum = here(d, field, p);

    for (int a = 0; a < d->op->dims; a++)
        sum += here(d, 1 + a, p) * (along(d, field, p, a, 1) - here(d, field, p)) +
               along(d, 1 + a, p, a, -1) * (along(d, field, p, a, -1) - here(d, field, p));
    return sum;
}

static long double life(const struct definition *d, int field, const long p[ZOID_AXES])
{
    bool alive = here(d, field, p) == 1;
    int n = -alive;

    for (int i = 0; i < 27; i++)
        n += (int)look(d, field, p, (const long[]){i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1});
    if (alive && (n <= 1 || n >= 8))
        return 0;
    if (!alive && n == 5)
        return 1;
    return alive;
}

enum { EX, EY, HZ };

static long double electric(const struct definition *d, int field, const long p[ZOID_AXES])
{
    const int axis = field == EX ? 0 : 1;

    if (field == EY && p[1] == 0)
        return d->step;
    if (p[axis] == 0)
        return here(d, field, p);
    return here(d, field, p) - (long double)d->params.value[0] * closer(d, axis) *
                                   (here(d, HZ, p) - along(d, HZ, p, axis, -1));
}

static long double magnetic(const struct definition *d, int field, const long p[ZOID_AXES])
{
    if (p[0] == d->shape->n[0] - 1 || p[1] == d->shape->n[1] - 1)
        return here(d, field, p);
    return here(d, field, p) - (long double)d->params.value[1] *
                                   (along(d, EX, p, 0, 1) - here(d, EX, p) +
                                    closer(d, 1) * (along(d, EY, p, 1, 1) - here(d, EY, p)));
}

/* Seismic fields: velocities 0 ... 2, then stresses, then the medium. */
enum { RHO = 9, LAMBDA, MU };
static const int stress_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static int stress_of(int a, int b)
{
    for (int i = 0; i < 6; i++)
        if ((stress_axes[i][0] == a && stress_axes[i][1] == b) ||
            (stress_axes[i][0] == b && stress_axes[i][1] == a))
            return 3 + i;
    return -1;
}

/* True if the field is staggered by half a point up the axis. */
static bool staggered(int field, int axis)
{
    if (field < 3)
        return field == axis;
    return stress_axes[field - 3][0] != stress_axes[field - 3][1] &&
           (stress_axes[field - 3][0] == axis || stress_axes[field - 3][1] == axis);
}

/* First difference along an axis, at the points of the field that is staggered by half a point
 * along it. */
static long double slope(const struct definition *d, int field, const long p[ZOID_AXES], int axis)
{
    long up = staggered(field, axis) ? 0 : 1;
    long double near = along(d, field, p, axis, up) - along(d, field, p, axis, up - 1);
    long double far = along(d, field, p, axis, up + 1) - along(d, field, p, axis, up - 2);

    return closer(d, axis) * (9 * near / 8 - far / 24);
}

static long double velocity(const struct definition *d, int field, const long p[ZOID_AXES])
{
    long double force = 0;

    for (int b = 0; b < ZOID_AXES; b++)
        force += slope(d, stress_of(field, b), p, b);
    return here(d, field, p) + (long double)d->params.value[0] * force / here(d, RHO, p);
}

static long double stress(const struct definition *d, int field, const long p[ZOID_AXES])
{
    const int a = stress_axes[field - 3][0], b = stress_axes[field - 3][1];
    long double rate = here(d, MU, p) * (slope(d, a, p, b) + slope(d, b, p, a));

    for (int c = 0; c < ZOID_AXES && a == b; c++)
        rate += here(d, LAMBDA, p) * slope(d, c, p, c);
    return here(d, field, p) + (long double)d->params.value[0] * rate;
}

/* Weighted relaxation of Poisson's equation: (1 - omega) u + omega times the mean of the
 * neighbours, plus b. */
static long double relaxed(const struct definition *d, int field, const long p[ZOID_AXES])
{
    const long double omega = (long double)d->params.value[0];
    long double sum = d->op->ncoef ? here(d, 1, p) : 0;

    for (int a = 0; a < d->op->dims; a++)
        sum += along(d, field, p, a, -1) + along(d, field, p, a, 1);
    return (1 - omega) * here(d, field, p) + omega * sum / (2 * d->op->dims);
}

static long double red(const struct definition *d, int field, const long p[ZOID_AXES])
{
    return (p[0] + p[1] + p[2]) % 2 ? here(d, field, p) : relaxed(d, field, p);
}

static long double black(const struct definition *d, int field, const long p[ZOID_AXES])
{
    return (p[0] + p[1] + p[2]) % 2 ? relaxed(d, field, p) : here(d, field, p);
}

/* ---- steps --------------------------------------------------------------------------------- */

typedef long double value_fn(const struct definition *d, int field, const long p[ZOID_AXES]);

/* The fields [first, end) are updated, all from old values unless IN_PLACE. */
struct rule {
    int first, end;
    value_fn *value;
};

/* TURNS: fields 0 and 1 swap roles after a step. IN_PLACE: points are updated one after the other,
 * so that earlier ones are new. */
enum manner { AT_ONCE, TURNS, IN_PLACE };

static const struct family {
    const char *name;
    int margin; /* kept boundary layers; 0: the radius; -1: the rules know them */
    int nrules;
    struct rule rule[2];
    enum manner manner;
} families[] = {
    {"heat", 0, 1, {{0, 1, weighted}}, AT_ONCE},
    {"heatk", 1, 1, {{0, 1, faces}}, AT_ONCE},
    {"heat2d7", 1, 1, {{0, 1, weighted}}, AT_ONCE},
    {"jacobi1d", 1, 1, {{0, 1, weighted}}, AT_ONCE},
    {"jacobi2d", 1, 1, {{0, 1, weighted}}, AT_ONCE},
    {"jacobi", 1, 1, {{0, 1, relaxed}}, AT_ONCE},
    {"jacobi_rhs", 1, 1, {{0, 1, relaxed}}, AT_ONCE},
    {"sor", 1, 1, {{0, 1, relaxed}}, IN_PLACE},
    {"sor_rhs", 1, 1, {{0, 1, relaxed}}, IN_PLACE},
    {"rbsor", 1, 2, {{0, 1, red}, {0, 1, black}}, AT_ONCE},
    {"rbsor_rhs", 1, 2, {{0, 1, red}, {0, 1, black}}, AT_ONCE},
    {"box19", 1, 1, {{0, 1, weighted}}, AT_ONCE},
    {"box27", 1, 1, {{0, 1, weighted}}, AT_ONCE},
    {"life3d", 1, 1, {{0, 1, life}}, AT_ONCE},
    {"wave", 0, 1, {{1, 2, wave}}, TURNS},
    {"fdtd2d", -1, 2, {{EX, HZ, electric}, {HZ, HZ + 1, magnetic}}, AT_ONCE},
    {"seismic", 2, 2, {{0, 3, velocity}, {3, 9, stress}}, AT_ONCE},
};

static const struct family *family_of(const struct zoid_op *op)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(op->family, families[i].name) == 0)
            return &families[i];
    ck_abort_msg("%s has no definition in this test", op->family);
    return NULL;
}

static void apply(struct definition *d, long margin, const struct rule *rule, enum manner manner)
{
    const long n = definition_points(d->shape);
    long double *next = sample_memory((size_t)(n * (rule->end - rule->first)) * sizeof *next);

    for (int f = rule->first; f < rule->end; f++)
        for (long i = 0; i < n; i++) {
            long double *to = &next[(f - rule->first) * n + i];
            long p[ZOID_AXES];

            definition_place(d->shape, i, p);
            /* Kept points of the new u(t) have the values of u(t - 1). */
            *to = d->field[manner == TURNS ? 0 : f][i];
            if (!kept(d->shape, margin, p))
                *to = absorbed(d, margin, manner == TURNS, 0, p, rule->value(d, f, p)) *
                      taper(d->shape, p);
            if (manner == IN_PLACE)
                d->field[f][i] = *to;
        }
    for (int f = rule->first; f < rule->end; f++)
        memcpy(d->field[f], &next[(f - rule->first) * n], (size_t)n * sizeof *next);
    free(next);
}

void definition_step(struct definition *d)
{
    const struct family *family = family_of(d->op);
    long double *swap = d->field[0];

    for (int r = 0; r < family->nrules; r++)
        apply(d, family->margin ? family->margin : d->op->radius, &family->rule[r], family->manner);
    if (family->manner == TURNS) {
        d->field[0] = d->field[1];
        d->field[1] = swap;
    }
    d->step++;
}

struct definition *definition_create(const struct zoid_op *op, const struct zoid_shape *shape,
                                     const struct zoid_params *params)
{
    struct definition *d = sample_memory(sizeof *d);

    *d = (struct definition){
        .op = op, .shape = shape, .params = *params, .weights = weights_of(op, params)};
    family_of(op);
    for (int f = 0; f < op->nstate + op->ncoef; f++) {
        d->field[f] = sample_memory((size_t)definition_points(shape) * sizeof(long double));
        for (long i = 0; i < definition_points(shape); i++)
            d->field[f][i] = 0;
    }
    return d;
}

void definition_destroy(struct definition **definition)
{
    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        free((*definition)->field[f]);
    weights_free(&(*definition)->weights);
    free(*definition);
    *definition = NULL;
}

/* ---- numbers ------------------------------------------------------------------------------- */

double definition_initial(const struct zoid_op *op, int field, double value)
{
    const char *name = op->field[field];

    if (strcmp(op->family, "life3d") == 0)
        return value < 0.25;
    if (strcmp(op->family, "wave") == 0 && strcmp(name, "v2") == 0)
        return 0.01 + 0.09 * value;
    if (strcmp(op->family, "seismic") == 0 && field >= op->nstate)
        return strcmp(name, "rho") == 0 ? 1 + value : 0.5 + 0.5 * value;
    return value;
}

double definition_get(const struct zoid_op *op, const void *field, long i)
{
    switch (op->type) {
    case ZOID_F32:
        return (double)((const zoid_f32 *)field)[i];
    case ZOID_F64:
        return ((const zoid_f64 *)field)[i];
    default:
        return ((const zoid_u8 *)field)[i];
    }
}

void definition_set(const struct zoid_op *op, void *field, long i, double value)
{
    switch (op->type) {
    case ZOID_F32:
        ((zoid_f32 *)field)[i] = (zoid_f32)value;
        break;
    case ZOID_F64:
        ((zoid_f64 *)field)[i] = value;
        break;
    default:
        ((zoid_u8 *)field)[i] = (zoid_u8)value;
    }
}

double definition_epsilon(const struct zoid_op *op)
{
    return op->type == ZOID_F32 ? 0x1p-23 : op->type == ZOID_F64 ? 0x1p-52 : 0;
}
