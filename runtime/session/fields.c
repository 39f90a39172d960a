/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/traits.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/initial.h"
#include "runtime/io/input.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/number.h"

/* Number of values in a buffer. */
enum { SOME = 4096 };

/* Source of one field. */
struct value {
    bool given;
    const char *source; /* text of the setting */
    struct zoid_field_shape text;
    struct zoid_input *input; /* of kind ZOID_INPUT; owned unless borrowed */
    bool borrowed;            /* owned by another field */
    bool speeds;              /* wave speeds; the field is (speed dt / dx)^2 */
    const char *made;         /* name of what is made of all of the medium; NULL: this value */
    double factor;
    double age; /* of kind ZOID_PLANE: age of the values, in steps */
};

struct zoid_fields {
    const struct zoid_problem *problem;
    const struct zoid_settings *settings;
    const struct zoid_array_views *arrays;
    struct zoid_initial plain; /* initial state of the other fields */
    struct value field[ZOID_MAX_FIELDS];
    struct value medium[3]; /* vp, vs, density, of which elastic coefficients are made */
    struct value kappa;     /* of which coefficients of faces are made */
    struct value rate;      /* of u in time, of which the field before it is made */
};

/* ---- which fields ------------------------------------------------------------------------ */

static enum zoid_status no_field(const struct zoid_op *op, const char *option, const char *text,
                                 bool state)
{
    char list[200] = "";
    FILE *out = fmemopen(list, sizeof list, "w");
    const int first = state ? 0 : op->nstate, end = state ? op->nstate : op->nstate + op->ncoef;

    for (int f = first; out && f < end; f++)
        fprintf(out, "%s%s", f > first ? ", " : "", op->field[f]);
    if (out)
        fclose(out);
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s}: %s has no such %s; it has %s", option, text,
                     op->family, state ? "field" : "coefficient", *list ? list : "none");
}

/* Returns the field that FIELD=VALUE names, and its value; NULL, after zoid_fail: no such field. */
static struct value *find_field(struct zoid_fields *g, const char *option, const char *text,
                                const char **value)
{
    const struct zoid_op *op = g->problem->op;
    const bool state = !strcmp(option, "init");
    const size_t length = (size_t)(strchr(text, '=') - text);

    for (int f = state ? 0 : op->nstate; f < (state ? op->nstate : op->nstate + op->ncoef); f++)
        if (strlen(op->field[f]) == length && !strncmp(op->field[f], text, length)) {
            *value = text + length + 1;
            return &g->field[f];
        }
    if (state && op->rotates && length == 3 && !strncmp(text, "u_t", length)) {
        *value = text + length + 1;
        return &g->rate;
    }
    no_field(op, option, text, state);
    return NULL;
}

static void drop(struct value *v)
{
    if (!v->borrowed)
        zoid_input_close(&v->input);
    *v = (struct value){.factor = v->factor, .speeds = v->speeds, .made = v->made};
}

/* Fields of bytes take whole numbers only. */
static enum zoid_status check_bytes(const struct zoid_op *op, const char *option,
                                    const struct zoid_field_shape *t)
{
    bool fit = t->kind != ZOID_GAUSSIAN && t->kind != ZOID_PLANE;

    for (int i = 0; i < t->numbers; i++)
        fit =
            fit && t->number[i] >= 0 && t->number[i] <= 255 && t->number[i] == trunc(t->number[i]);
    return fit || op->type != ZOID_U8
               ? ZOID_OK
               : zoid_fail(
                     ZOID_BAD_ARGUMENT,
                     "{%s}: fields of %s are bytes; give whole numbers from 0 to 255, or a file",
                     option, op->name);
}

static enum zoid_status take(struct zoid_fields *g, struct value *v, const char *option,
                             const char *text)
{
    const bool field = v >= g->field && v < g->field + ZOID_MAX_FIELDS;
    const char *name = v == &g->rate ? "u_t" : option;
    const struct zoid_input_wish wish = {.name = text,
                                         .field =
                                             field ? g->problem->op->field[v - g->field] : name,
                                         .problem = g->problem,
                                         .arrays = g->arrays};
    enum zoid_status status;

    drop(v);
    v->source = text;
    status = zoid_shape_read(option, text, &v->text);
    if (!status)
        status = check_bytes(g->problem->op, option, &v->text);
    if (!status && v->text.kind == ZOID_INPUT)
        status = zoid_input_open(&wish, &v->input);
    v->given = !status;
    return status;
}

/* Takes FIELD=VALUE. */
static enum zoid_status take_one(struct zoid_fields *g, const char *option, const char *text)
{
    const char *value;
    struct value *v = find_field(g, option, text, &value);

    return v ? take(g, v, option, value) : ZOID_BAD_ARGUMENT;
}

static enum zoid_status take_list(struct zoid_fields *g, const char *option,
                                  const struct zoid_setting_texts *list)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < list->n && !status; i++)
        status = take_one(g, option, list->text[i]);
    return status;
}

static enum zoid_status take_scales(struct zoid_fields *g)
{
    const struct zoid_setting_texts *list = &g->settings->scale;
    enum zoid_status status = ZOID_OK;
    const char *text;

    for (int i = 0; i < list->n && !status; i++) {
        struct value *v = find_field(g, "scale", list->text[i], &text);

        status = v ? zoid_number_real("scale", text, &v->factor) : ZOID_BAD_ARGUMENT;
        if (!status && !v->given)
            status = zoid_fail(ZOID_BAD_ARGUMENT,
                               "{scale=%s} multiplies what is given; give that by {coefficient}",
                               list->text[i]);
    }
    return status;
}

static enum zoid_status take_velocity(struct zoid_fields *g)
{
    const struct zoid_op *op = g->problem->op;

    if (!g->settings->velocity)
        return ZOID_OK;
    for (int f = op->nstate; f < op->nstate + op->ncoef; f++)
        if (!strcmp(op->field[f], "v2")) {
            if (g->field[f].given)
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "{velocity} and {coefficient} both give v2; drop one");
            g->field[f].speeds = true;
            return take(g, &g->field[f], "velocity", g->settings->velocity);
        }
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no v2 to be made of speeds; drop {velocity}",
                     op->family);
}

/* Takes speeds and density, of which rho, lambda and mu are made. */
static enum zoid_status take_medium(struct zoid_fields *g)
{
    static const char *const option[] = {"vp", "vs", "density"};
    static const char *const made[] = {"rho", "lambda", "mu"};
    const struct zoid_settings *s = g->settings;
    const char *const text[] = {s->vp, s->vs, s->density};
    const struct zoid_op *op = g->problem->op;
    enum zoid_status status = ZOID_OK;
    int found = 0;

    if (!s->vp && !s->vs && !s->density)
        return ZOID_OK;
    if (!s->vp || !s->vs || !s->density)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{vp}, {vs} and {density} go together; give all three, or none");
    for (int i = 0; i < 3; i++)
        for (int f = op->nstate; f < op->nstate + op->ncoef; f++)
            if (!strcmp(op->field[f], made[i])) {
                if (g->field[f].given)
                    return zoid_fail(
                        ZOID_BAD_ARGUMENT,
                        "{vp}, {vs}, {density} and {coefficient} all give %s; drop one", made[i]);
                g->field[f].made = made[i];
                g->field[f].given = true;
                g->field[f].source = "vp, vs, density";
                found++;
            }
    if (found < 3)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has no rho, lambda and mu to be made of {vp}, {vs} and {density}; drop "
            "them",
            op->family);
    for (int i = 0; i < 3 && !status; i++)
        status = take(g, &g->medium[i], option[i], text[i]);
    return status;
}

/* Takes kappa, of which kx, ky and kz are made. Other operators have it as a parameter. */
static enum zoid_status take_kappa(struct zoid_fields *g)
{
    static const char *const made[] = {"kx", "ky", "kz"};
    const struct zoid_op *op = g->problem->op;

    if (!zoid_fields_kappa(g->settings, op))
        return ZOID_OK;
    for (int a = 0; a < op->dims; a++) {
        struct value *v = &g->field[op->nstate + a];

        if (v->given)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{kappa} and {coefficient} both give %s; drop one",
                             made[a]);
        v->made = made[a];
        v->given = true;
        v->source = "kappa";
    }
    return take(g, &g->kappa, "kappa", g->settings->kappa);
}

/* Takes the rate of u in time: the field of the previous step is u less a step of it. */
static enum zoid_status take_rate(struct zoid_fields *g)
{
    if (!g->rate.given)
        return ZOID_OK;
    if (g->field[1].given)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{init=u_t=%s} makes %s, which has a source, too; drop one",
                         g->rate.source, g->problem->op->field[1]);
    if (!g->settings->has_dt)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{init=u_t=%s} needs the length of a step; give {dt=T}, above 0",
                         g->rate.source);
    g->field[1] = (struct value){
        .given = true, .made = "u_t", .source = "u, u_t", .factor = g->field[1].factor};
    return ZOID_OK;
}

/* If only the first of two rotating fields has a source, the state is at rest: the field of the
 * previous step is the same. */
static enum zoid_status take_state(struct zoid_fields *g)
{
    const struct zoid_op *op = g->problem->op;
    enum zoid_status status = ZOID_OK;

    status = take_list(g, "init", &g->settings->init.fields);
    if (!status)
        status = take_rate(g);
    for (int f = 0; f < op->nstate && g->settings->init.all && !status; f++)
        if (!g->field[f].given)
            status = take(g, &g->field[f], "init", g->settings->init.all);
    if (!status && op->rotates && g->field[0].given && !g->field[1].given) {
        g->field[1] = g->field[0];
        g->field[1].borrowed = true;
    }
    g->field[1].age = op->rotates ? 1 : 0;
    return status;
}

static enum zoid_status take_all(struct zoid_fields *g, const char *rhs)
{
    enum zoid_status status = take_state(g);

    if (!status)
        status = take_list(g, "coefficient", &g->settings->coefficient);
    if (!status && rhs)
        status = take_one(g, "coefficient", rhs);
    if (!status)
        status = take_velocity(g);
    if (!status)
        status = take_medium(g);
    if (!status)
        status = take_kappa(g);
    return status ? status : take_scales(g);
}

/* Fields with several values per point can be set by their operator only. */
static enum zoid_status check_plain(const struct zoid_problem *p)
{
    return zoid_op_plain(p->op) ? ZOID_OK
                                : zoid_fail(ZOID_BAD_ARGUMENT,
                                            "fields of %s are no numbers of points; drop what "
                                            "gives them",
                                            p->op->name);
}

static bool none_given(const struct zoid_fields_wish *wish)
{
    const struct zoid_settings *s = wish->settings;

    return !zoid_fields_kappa(s, wish->problem->op) && !s->init.all && !s->velocity && !s->vp &&
           !s->vs && !s->density && !wish->rhs && !s->init.fields.n && !s->coefficient.n &&
           !s->scale.n;
}

enum zoid_status zoid_fields_open(const struct zoid_fields_wish *wish, struct zoid_fields **fields)
{
    enum zoid_status status = ZOID_OK;
    struct zoid_fields *g;

    if (none_given(wish))
        return ZOID_OK;
    g = calloc(1, sizeof *g);
    if (!g) {
        status = zoid_no_memory();
    } else {
        g->problem = wish->problem;
        g->settings = wish->settings;
        g->arrays = wish->arrays;
        for (int f = 0; f < ZOID_MAX_FIELDS; f++)
            g->field[f].factor = 1;
        status = check_plain(wish->problem);
        if (!status)
            status = take_all(g, wish->rhs);
    }
    status = zoid_ranks_agree(status);
    if (status)
        zoid_fields_close(&g);
    else
        *fields = g;
    return status;
}

void zoid_fields_close(struct zoid_fields **fields)
{
    if (!*fields)
        return;
    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        drop(&(*fields)->field[f]);
    for (int i = 0; i < 3; i++)
        drop(&(*fields)->medium[i]);
    drop(&(*fields)->kappa);
    drop(&(*fields)->rate);
    free(*fields);
    *fields = NULL;
}

enum zoid_status zoid_fields_status(const struct zoid_fields *g)
{
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < ZOID_MAX_FIELDS && !status; f++)
        if (g->field[f].input)
            status = zoid_input_status(g->field[f].input);
    for (int i = 0; i < 3 && !status; i++)
        if (g->medium[i].input)
            status = zoid_input_status(g->medium[i].input);
    if (!status && g->kappa.input)
        status = zoid_input_status(g->kappa.input);
    if (!status && g->rate.input)
        status = zoid_input_status(g->rate.input);
    return zoid_ranks_agree(status);
}

bool zoid_fields_kappa(const struct zoid_settings *s, const struct zoid_op *op)
{
    return s->kappa && op->ncoef > 0 && !strcmp(op->field[op->nstate], "kx");
}

bool zoid_fields_has(const struct zoid_fields *g, int field)
{
    return g && g->field[field].given;
}

const char *zoid_fields_source(const struct zoid_fields *g, int field)
{
    return g->field[field].source;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Gaussian: exp(-r^2 / (2 width^2)), r from the centre of the domain. */
static double bell(const struct zoid_problem *p, const struct value *v, const long at[ZOID_AXES])
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
static double sine(const struct zoid_problem *p, const struct value *v, long x)
{
    static const double pi = 3.14159265358979323846;
    const double waves = v->text.numbers > 0 ? v->text.number[0] : 1;
    const double speed = v->text.numbers > 1 ? v->text.number[1] : 0;

    return sin(2 * pi * waves * ((double)x + speed * v->age) / (double)p->n[0]);
}

/* Layers of equal thickness along the slowest axis. */
static double layer(const struct zoid_problem *p, const struct value *v, const long at[ZOID_AXES])
{
    const int chain = p->op->dims - 1;

    return v->text.number[(__int128)at[chain] * v->text.numbers / p->n[chain]];
}

static double value_at(const struct zoid_problem *p, const struct value *v,
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
static void make(const struct zoid_fields *g, const struct value *v, const struct zoid_box *box,
                 double *to)
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
static void convert(const struct zoid_fields *g, const struct value *v, long count, double *values)
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
static void put(const struct zoid_fields *g, const struct value *v, const struct zoid_box *box,
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

static void fill(const struct zoid_fields *g, const struct value *v, const struct zoid_box *box,
                 const struct zoid_values *to)
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

enum zoid_status zoid_fields_check_step(const struct zoid_settings *s)
{
    if (s->velocity && (!(s->dx > 0) || !(s->dt.value > 0)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{velocity} needs the distance of two points and the "
                                            "length of a step; give {dx=H} {dt=T}, both above 0");
    return ZOID_OK;
}
