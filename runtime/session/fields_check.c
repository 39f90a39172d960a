/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of field sources: values that the operator allows, and stability. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "codelets/threads/parallel.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/fields.h"

/* Number of values in a buffer. */
enum { SOME = 1024 };

/* A value that is not allowed, and its position. */
struct fault {
    bool found;
    int field;
    long at[ZOID_AXES], index;
    double value;
};

/* State shared by the threads that check a rank's part. */
struct look {
    const struct zoid_fields *given;
    const struct zoid_initial *initial;
    const struct zoid_problem *problem;
    bool force;                          /* values may be no finite numbers */
    zoid_stability_fn *number;           /* of the coefficients of a point; or NULL */
    bool apart;                          /* find the maximum of each coefficient */
    int axis;                            /* axis along which the domain is partitioned */
    long parts, lo, hi;                  /* number of parts, and the range of this rank */
    pthread_mutex_t mutex;               /* protects: */
    struct fault fault;                  /* the first one found, by field and index */
    double most;                         /* maximum of that number */
    double coefficient[ZOID_MAX_FIELDS]; /* maximum of each coefficient */
};

/* Values of all fields of a box, as the job receives them. */
struct values {
    union {
        zoid_f32 f32[SOME];
        zoid_f64 f64[SOME];
        zoid_u8 u8[SOME];
    } raw;
    double field[ZOID_MAX_FIELDS][SOME];
};

static void make(const struct look *l, int field, const struct zoid_box *box, long count,
                 struct values *v)
{
    const enum zoid_type type = l->problem->op->type;
    const struct zoid_values to = zoid_values_packed(box, &v->raw);
    double *values = v->field[field];

    zoid_initial_box((void *)l->initial, field, box, &to);
    for (long i = 0; i < count; i++)
        values[i] = type == ZOID_F32   ? (double)v->raw.f32[i]
                    : type == ZOID_F64 ? v->raw.f64[i]
                                       : v->raw.u8[i];
}

/* Returns whether the operator allows the value. */
static bool fits(const struct look *l, int field, double value)
{
    const struct zoid_op *op = l->problem->op;
    const unsigned bit = 1u << field;

    return (l->force || isfinite(value)) && (!(op->positive & bit) || value > 0) &&
           (!(op->not_negative & bit) || value >= 0) &&
           (!(op->bits & bit) || value == 0 || value == 1);
}

static void note_fault(struct look *l, int field, const struct zoid_box *box, long i, double value)
{
    const long *n = l->problem->n;
    struct fault f = {.found = true, .field = field, .value = value};
    long rest = i;

    for (int a = 0; a < ZOID_AXES; a++) {
        const long width = box->hi[a] - box->lo[a];

        f.at[a] = box->lo[a] + rest % width;
        rest /= width;
    }
    f.index = f.at[0] + n[0] * (f.at[1] + n[1] * f.at[2]);
    pthread_mutex_lock(&l->mutex);
    if (!l->fault.found || field < l->fault.field ||
        (field == l->fault.field && f.index < l->fault.index))
        l->fault = f;
    pthread_mutex_unlock(&l->mutex);
}

static double most_of(const struct look *l, const struct values *v, long count)
{
    const struct zoid_op *op = l->problem->op;
    double most = 0;

    for (long i = 0; i < count; i++) {
        double coefficient[ZOID_MAX_FIELDS], number;

        for (int c = 0; c < op->ncoef; c++)
            coefficient[c] = v->field[op->nstate + c][i];
        number = l->number(op, &l->problem->params, coefficient);
        most = number > most ? number : most;
    }
    return most;
}

/* Checks a box of at most SOME values. */
static void look_at(struct look *l, const struct zoid_box *box)
{
    const struct zoid_op *op = l->problem->op;
    const long count = (box->hi[0] - box->lo[0]) * (box->hi[1] - box->lo[1]);
    struct values v;
    double most = 0, coefficient[ZOID_MAX_FIELDS] = {0};

    for (int f = 0; f < op->nstate + op->ncoef; f++) {
        const bool given = zoid_fields_has(l->given, f);

        if (!given && !((l->number || l->apart) && f >= op->nstate))
            continue;
        make(l, f, box, count, &v);
        for (long i = 0; i < count && given; i++)
            if (!fits(l, f, v.field[f][i])) {
                note_fault(l, f, box, i, v.field[f][i]);
                break;
            }
    }
    if (l->number)
        most = most_of(l, &v, count);
    for (int c = 0; c < op->ncoef && l->apart; c++)
        for (long i = 0; i < count; i++)
            coefficient[c] = fmax(coefficient[c], v.field[op->nstate + c][i]);
    pthread_mutex_lock(&l->mutex);
    l->most = most > l->most ? most : l->most;
    for (int c = 0; c < op->ncoef && l->apart; c++)
        l->coefficient[c] = fmax(l->coefficient[c], coefficient[c]);
    pthread_mutex_unlock(&l->mutex);
}

static void look_at_part(void *arg, int thread, long i)
{
    struct look *l = arg;
    const long *n = l->problem->n, number = n[l->axis], part = l->lo + i;
    struct zoid_box box = {.hi = {n[0], n[1], n[2]}}, some;
    long points, rows;

    (void)thread;
    box.lo[l->axis] = (long)((__int128)number * part / l->parts);
    box.hi[l->axis] = (long)((__int128)number * (part + 1) / l->parts);
    points = zoid_min(box.hi[0] - box.lo[0], SOME);
    rows = points ? SOME / points : 1;
    for (long z = box.lo[2]; z < box.hi[2]; z++)
        for (long y = box.lo[1]; y < box.hi[1]; y = some.hi[1])
            for (long x = box.lo[0]; x < box.hi[0]; x = some.hi[0]) {
                some = (struct zoid_box){
                    .lo = {x, y, z},
                    .hi = {zoid_min(x + points, box.hi[0]), zoid_min(y + rows, box.hi[1]), z + 1}};
                look_at(l, &some);
            }
}

/* Checks this rank's parts, in parallel. */
static void look_at_all(struct look *l)
{
    static const long worth = 1 << 16; /* points */
    const struct zoid_problem *p = l->problem;
    const struct zoid_ranks *here = zoid_ranks_here();
    const long points = p->n[0] * p->n[1] * p->n[2];

    l->axis = p->op->dims - 1;
    while (l->axis > 0 && p->n[l->axis] == 1)
        l->axis--;
    l->parts = zoid_min(1 + points / worth, p->n[l->axis]);
    l->lo = l->parts * here->rank / here->size;
    l->hi = l->parts * (here->rank + 1) / here->size;
    pthread_mutex_init(&l->mutex, NULL);
    if (l->hi > l->lo)
        zoid_parallel(zoid_cores(), l->hi - l->lo, look_at_part, l);
    pthread_mutex_destroy(&l->mutex);
}

static enum zoid_status report_fault(const struct look *l)
{
    const struct fault *f = &l->fault;
    const struct zoid_op *op = l->problem->op;
    const unsigned bit = 1u << f->field;
    char should[80];

    if (!f->found)
        return ZOID_OK;
    if (!isfinite(f->value))
        snprintf(should, sizeof should, "no finite number of type %s", zoid_type_name(op->type));
    else
        snprintf(should, sizeof should, "%g, and should be %s", f->value,
                 op->bits & bit       ? "0 or 1"
                 : op->positive & bit ? "above 0"
                                      : "at least 0");
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "value %ld of %s from %s, at (%ld, %ld, %ld), is %s; correct "
                     "it",
                     f->index, op->field[f->field], zoid_fields_source(l->given, f->field),
                     f->at[0], f->at[1], f->at[2], should);
}

/* ---- the stability number ---------------------------------------------------------------- */

/* Returns the largest squared stability number of generated coefficients. */
static double usual(const struct zoid_problem *p, const struct zoid_initial *initial)
{
    const struct zoid_op *op = p->op;
    double most = 0;

    /* Each coefficient at both ends of its range, or all in the middle. */
    for (unsigned ends = 0; ends < 1u << op->ncoef; ends++) {
        double coefficient[ZOID_MAX_FIELDS], number;

        for (int c = 0; c < op->ncoef; c++) {
            coefficient[c] = initial->kind != ZOID_INIT_RANDOM ? 0.5 : ends >> c & 1;
            if (op->fill[op->nstate + c])
                op->fill[op->nstate + c](1, &coefficient[c]);
        }
        number = op->stability(op, &p->params, coefficient);
        most = number > most ? number : most;
    }
    return most;
}

static enum zoid_status check_stable(const struct zoid_settings *s, const struct zoid_problem *p,
                                     double number)
{
    const struct zoid_op *op = p->op;
    char remedy[120] = "";

    if (!(number > 1) || s->force)
        return ZOID_OK;
    if (s->has_dt && (s->velocity || s->has_kappa || s->vp))
        zoid_failure_format(remedy, sizeof remedy, "{dt=%.6g}", s->dt.value / number);
    else if (op->nparams)
        zoid_failure_format(remedy, sizeof remedy, "{%s=%.6g}", op->param[0].name,
                            p->params.value[0] / number);
    else if (!op->apart)
        zoid_failure_format(remedy, sizeof remedy, "{scale=%s=%.6g}", op->field[op->nstate],
                            1 / (number * number));
    else /* the number is a sum of all of them */
        for (int c = op->nstate; c < op->nstate + op->ncoef; c++)
            zoid_failure_format(remedy + strlen(remedy), sizeof remedy - strlen(remedy),
                                "%s{scale=%s=%.6g}", *remedy ? " " : "", op->field[c], 1 / number);
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the stability number is %.6g, and beyond 1 values grow without end; give %s "
                     "or less, or {force}",
                     number, remedy);
}

static bool has_coefficients(const struct zoid_fields *g, const struct zoid_op *op)
{
    bool any = false;

    for (int f = op->nstate; f < op->nstate + op->ncoef; f++)
        any = any || zoid_fields_has(g, f);
    return any;
}

/* Returns the squared stability number of values that were looked at, of all ranks. */
static double looked_at(const struct look *l)
{
    const struct zoid_op *op = l->problem->op;
    double coefficient[ZOID_MAX_FIELDS];

    if (!l->apart)
        return zoid_ranks_longest(l->most);
    for (int c = 0; c < op->ncoef; c++)
        coefficient[c] = zoid_ranks_longest(l->coefficient[c]);
    return op->stability(op, &l->problem->params, coefficient);
}

enum zoid_status zoid_fields_check(const struct zoid_settings *s, const struct zoid_fields *given,
                                   const struct zoid_initial *initial, double *stability)
{
    const struct zoid_problem *p = initial->problem;
    const bool together = p->op->stability && has_coefficients(given, p->op);
    struct look look = {.given = given,
                        .initial = initial,
                        .problem = p,
                        .force = s->force,
                        .number = together && !p->op->apart ? p->op->stability : NULL,
                        .apart = together && p->op->apart};
    double number = NAN;
    enum zoid_status status = ZOID_OK;

    if (given)
        look_at_all(&look);
    if (given)
        status = zoid_fields_status(given);
    if (!status)
        status = zoid_ranks_agree(report_fault(&look));
    if (status)
        return status;
    if (p->op->stability)
        number = sqrt(together ? looked_at(&look) : usual(p, initial));
    *stability = number;
    return check_stable(s, p, number);
}

enum zoid_status zoid_fields_speed(const struct zoid_fields *given,
                                   const struct zoid_initial *initial, double *speed)
{
    struct look look = {
        .initial = initial, .problem = initial->problem, .number = initial->problem->op->speed};
    enum zoid_status status = ZOID_OK;

    look_at_all(&look);
    if (given)
        status = zoid_fields_status(given);
    if (!status)
        *speed = zoid_ranks_longest(look.most);
    return status;
}
