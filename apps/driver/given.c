/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    const char *source; /* text of the option */
    struct zoid_field_shape text;
    struct zoid_input *input; /* of kind ZOID_INPUT; owned unless borrowed */
    bool borrowed;            /* owned by another field */
    bool speeds;              /* wave speeds; the field is (speed dt / dx)^2 */
    double factor;
    double age; /* of kind ZOID_PLANE: age of the values, in steps */
};

struct zoid_given {
    const struct zoid_problem *problem;
    const struct zoid_given_options *options;
    struct zoid_initial plain; /* initial state of the other fields */
    struct value field[ZOID_MAX_FIELDS];
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
static struct value *find_field(struct zoid_given *g, const char *option, const char *text,
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
    no_field(op, option, text, state);
    return NULL;
}

static void drop(struct value *v)
{
    if (!v->borrowed)
        zoid_input_close(&v->input);
    *v = (struct value){.factor = v->factor, .speeds = v->speeds};
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

static enum zoid_status take(struct zoid_given *g, struct value *v, const char *option,
                             const char *text)
{
    const struct zoid_input_wish wish = {.name = text,
                                         .field = g->problem->op->field[v - g->field],
                                         .problem = g->problem,
                                         .arrays = g->options->arrays};
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

static enum zoid_status take_list(struct zoid_given *g, const char *option,
                                  const struct zoid_given_list *list)
{
    enum zoid_status status = ZOID_OK;
    const char *text;

    for (int i = 0; i < list->n && !status; i++) {
        struct value *v = find_field(g, option, list->text[i], &text);

        status = v ? take(g, v, option, text) : ZOID_BAD_ARGUMENT;
    }
    return status;
}

static enum zoid_status take_scales(struct zoid_given *g)
{
    const struct zoid_given_list *list = &g->options->scales;
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

static enum zoid_status take_velocity(struct zoid_given *g)
{
    const struct zoid_op *op = g->problem->op;

    if (!g->options->velocity)
        return ZOID_OK;
    for (int f = op->nstate; f < op->nstate + op->ncoef; f++)
        if (!strcmp(op->field[f], "v2")) {
            if (g->field[f].given)
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "{velocity} and {coefficient} both give v2; drop one");
            g->field[f].speeds = true;
            return take(g, &g->field[f], "velocity", g->options->velocity);
        }
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no v2 to be made of speeds; drop {velocity}",
                     op->family);
}

/* If only the first of two rotating fields has a source, the state is at rest: the field of the
 * previous step is the same. */
static enum zoid_status take_state(struct zoid_given *g)
{
    const struct zoid_op *op = g->problem->op;
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < op->nstate && g->options->all && !status; f++)
        status = take(g, &g->field[f], "init", g->options->all);
    if (!status)
        status = take_list(g, "init", &g->options->state);
    if (!status && op->rotates && g->field[0].given && !g->field[1].given) {
        g->field[1] = g->field[0];
        g->field[1].borrowed = true;
    }
    g->field[1].age = op->rotates ? 1 : 0;
    return status;
}

static enum zoid_status take_all(struct zoid_given *g)
{
    enum zoid_status status = take_state(g);

    if (!status)
        status = take_list(g, "coefficient", &g->options->coefficients);
    if (!status)
        status = take_velocity(g);
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

enum zoid_status zoid_given_open(const struct zoid_options *options,
                                 const struct zoid_problem *problem, struct zoid_given **given)
{
    const struct zoid_given_options *o = &options->given;
    enum zoid_status status = ZOID_OK;
    struct zoid_given *g;

    if (!o->all && !o->velocity && !o->state.n && !o->coefficients.n && !o->scales.n)
        return ZOID_OK;
    g = calloc(1, sizeof *g);
    if (!g) {
        status = zoid_no_memory();
    } else {
        g->problem = problem;
        g->options = o;
        for (int f = 0; f < ZOID_MAX_FIELDS; f++)
            g->field[f].factor = 1;
        status = check_plain(problem);
        if (!status)
            status = take_all(g);
    }
    status = zoid_ranks_agree(status);
    if (status)
        zoid_given_close(&g);
    else
        *given = g;
    return status;
}

void zoid_given_close(struct zoid_given **given)
{
    if (!*given)
        return;
    for (int f = 0; f < ZOID_MAX_FIELDS; f++)
        drop(&(*given)->field[f]);
    free(*given);
    *given = NULL;
}

enum zoid_status zoid_given_status(const struct zoid_given *g)
{
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < ZOID_MAX_FIELDS && !status; f++)
        if (g->field[f].input)
            status = zoid_input_status(g->field[f].input);
    return zoid_ranks_agree(status);
}

bool zoid_given_has(const struct zoid_given *g, int field)
{
    return g && g->field[field].given;
}

const char *zoid_given_source(const struct zoid_given *g, int field)
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

/* Writes the values of a box as the options define them, packed. */
static void make(const struct zoid_given *g, const struct value *v, const struct zoid_box *box,
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

/* Converts values to those of the operator, before rounding. */
static void convert(const struct zoid_given *g, const struct value *v, long count, double *values)
{
    for (long i = 0; i < count && v->speeds; i++) {
        const double q = values[i] * g->options->dt / g->options->dx;

        /* Keep the sign, so that a negative speed is refused. */
        values[i] = q < 0 ? -(q * q) : q * q;
    }
    for (long i = 0; i < count && v->factor != 1; i++)
        values[i] *= v->factor;
}

/* Writes the values of `box`, at most SOME, to their offset in the larger box `whole`. */
static void put(const struct zoid_given *g, const struct value *v, const struct zoid_box *box,
                const struct zoid_box *whole, const struct zoid_values *to)
{
    const enum zoid_type type = g->problem->op->type;
    const long points = box->hi[0] - box->lo[0], rows = box->hi[1] - box->lo[1];
    double values[SOME];

    make(g, v, box, values);
    convert(g, v, points * rows, values);
    for (long y = 0; y < rows; y++)
        zoid_initial_store(type, values + y * points, (size_t)points,
                           (size_t)(box->lo[0] - whole->lo[0]),
                           zoid_values_row(to, zoid_type_size(type), box->lo[1] + y - whole->lo[1],
                                           box->lo[2] - whole->lo[2]));
}

static void fill(const struct zoid_given *g, const struct value *v, const struct zoid_box *box,
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

/* zoid_box_fn of all fields; user: a struct zoid_given. */
static void given_box(void *given, int field, const struct zoid_box *box,
                      const struct zoid_values *to)
{
    const struct zoid_given *g = given;

    if (!g->field[field].given) {
        zoid_initial_box((void *)&g->plain, field, box, to);
        return;
    }
    fill(g, &g->field[field], box, to);
    if (field < g->problem->op->nstate)
        zoid_initial_border(&g->plain, box, to);
}

void zoid_given_start(struct zoid_given *g, struct zoid_initial *initial)
{
    g->plain = *initial;
    initial->coefficients = initial->state = given_box;
    initial->user = initial->of = g;
}

enum zoid_status zoid_given_step(struct zoid_options *o)
{
    struct zoid_given_options *g = &o->given;
    int kept = 0;

    for (int i = 0; i < o->nparams && g->velocity; i++)
        if (strcmp(o->param[i].name, "dt") != 0)
            o->param[kept++] = o->param[i];
        else
            g->dt = o->param[i].value;
    o->nparams = g->velocity ? kept : o->nparams;
    if (g->velocity && (!(g->dx > 0) || !(g->dt > 0)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{velocity} needs the distance of two points and the "
                                            "length of a step; give {dx=H} {dt=T}, both above 0");
    if (!g->velocity && (g->dx > 0 || g->dt > 0))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{dx} and {dt} are for {velocity}; give that or drop them");
    return ZOID_OK;
}
