/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <limits.h>
#include <string.h>

#include "codelets/block/layer.h"
#include "codelets/cpu/run.h"
#include "codelets/op/range.h"
#include "codelets/op/traits.h"
#include "codelets/op/wrong_box.h"
#include "runtime/boundary.h"
#include "runtime/config.h"
#include "runtime/points.h"

struct zoid_box zoid_problem_planes(const struct zoid_problem *p, long lo, long hi)
{
    struct zoid_box box = {.hi = {p->n[0], p->n[1], p->n[2]}};

    box.lo[p->op->dims - 1] = lo;
    box.hi[p->op->dims - 1] = hi;
    return box;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t zoid_problem_bytes(const struct zoid_problem *p)
{
    const struct zoid_op *op = p->op;
    uint64_t values = saturating_mul((uint64_t)op->nstate, (uint64_t)zoid_op_width(op)), bytes;

    if (!op->coefficient_bytes)
        values = saturating_add(values, (uint64_t)op->ncoef);
    bytes = saturating_mul(values, zoid_type_size(op->type));
    for (int a = 0; a < ZOID_AXES; a++)
        bytes = saturating_mul(bytes, (uint64_t)p->n[a]);
    return op->coefficient_bytes
               ? saturating_add(bytes, op->coefficient_bytes(op, 0, p->n[op->dims - 1]))
               : bytes;
}

static enum zoid_status check_domain(const struct zoid_problem *p)
{
    uint64_t bytes;

    for (int a = 0; a < ZOID_AXES; a++)
        if (p->n[a] < 1 || (a >= p->op->dims && p->n[a] != 1))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "a domain of %ld points along axis %d; give at "
                             "least 1, on the operator's %d axes",
                             p->n[a], a, p->op->dims);
    bytes = zoid_problem_bytes(p);
    if (bytes > INT64_MAX)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "the domain has more than 2^63 - 1 bytes; give a smaller {size}");
    if (zoid_op_plain(p->op)) /* with the padding of its rows */
        bytes = saturating_mul(bytes / (uint64_t)p->n[0], (uint64_t)p->n[0] + 2 * ZOID_LINE);
    /* More than any machine can address. */
    if (bytes > 1ull << 58)
        return zoid_fail(ZOID_DOES_NOT_FIT, "needs more than 2^58 bytes of main memory, which no "
                                            "machine has; give a smaller {size}");
    return ZOID_OK;
}

static enum zoid_status refuse_boundary(const struct zoid_op *op, enum zoid_boundary boundary)
{
    char list[64] = "";

    if (op->own_edges)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has edges of its own and takes no other boundary; drop {boundary}",
                         op->family);
    if (zoid_op_in_order(op))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s sweeps in order, and whether a %s face stands for points before or after "
            "their turn is not defined; choose dirichlet",
            op->family, zoid_boundary_name(boundary));
    for (int b = 0; b < ZOID_BOUNDARIES; b++)
        if (zoid_op_allows(op, (enum zoid_boundary)b)) {
            strcat(list, *list ? ", " : "");
            strcat(list, zoid_boundary_name((enum zoid_boundary)b));
        }
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s cannot have %s %s boundary; choose from %s", op->family,
                     strchr("aeiou", *zoid_boundary_name(boundary)) ? "an" : "a",
                     zoid_boundary_name(boundary), list);
}

static enum zoid_status check_faces(const struct zoid_problem *p)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        const unsigned char *face = p->face[a];

        for (int side = 0; side < ZOID_SIDES; side++) {
            if (face[side] >= ZOID_BOUNDARIES)
                return zoid_fail(ZOID_BAD_ARGUMENT, "there is no boundary number %d", face[side]);
            if (a >= p->op->dims && face[side] != ZOID_DIRICHLET)
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "a boundary along %c, an axis that %s does not have; it has %d",
                                 "xyz"[a], p -> op -> name, p -> op -> dims);
            if (!zoid_op_allows(p->op, (enum zoid_boundary)face[side]))
                return refuse_boundary(p->op, (enum zoid_boundary)face[side]);
        }
        if ((face[ZOID_LOW] == ZOID_PERIODIC) != (face[ZOID_HIGH] == ZOID_PERIODIC))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%c is periodic at one face only; make it both, as in "
                             "%c-=periodic,%c+=periodic, or neither",
                             "xyz"[a], "xyz"[a], "xyz"[a]);
        if (p->op->colours && face[ZOID_LOW] == ZOID_PERIODIC && p->n[a] % 2)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s tells even points from odd ones, and the first and the last of "
                             "%ld along a periodic axis are alike; give an even {size} along %c",
                             p->op->family, p->n[a], "xyz"[a]);
    }
    return ZOID_OK;
}

/* Damping goes by numbers of its own. */
static enum zoid_status check_absorb(const struct zoid_problem *p)
{
    const struct zoid_absorb *absorb = &p->params.absorb;

    if (!zoid_problem_absorbs(p))
        return ZOID_OK;
    if (absorb->points < 1 || absorb->points > ZOID_ABSORB_MOST)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{absorb_points=%ld} is out of range; give 1 to %d",
                         absorb->points, ZOID_ABSORB_MOST);
    if (!(absorb->reflection >= DBL_MIN) || !(absorb->reflection < 1))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{absorb_reflection=%g} is no reflection of a layer that damps; give a "
                         "number above 0 and below 1",
                         absorb->reflection);
    if (!(p->params.speed >= 0) || !isfinite(p->params.speed))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "faces that absorb go by the largest speed of waves, and %g is none; set "
                         "the speed of params",
                         p->params.speed);
    return ZOID_OK;
}

/* Values of held faces are rounded to the type once. */
static enum zoid_status check_held(const struct zoid_problem *p)
{
    const struct zoid_shape shape = zoid_problem_shape(p);

    for (int face = 0; face < ZOID_AXES * ZOID_SIDES; face++) {
        const int axis = face / ZOID_SIDES, side = face % ZOID_SIDES;
        const struct zoid_held *held = &p->params.held[axis][side];
        const char name[] = {"xyz"[axis], "-+"[side], '\0'};

        if (held->samples && !zoid_op_allows(p->op, ZOID_DRIVEN))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{held=%s=...}: %s cannot have a held boundary; drop it", name,
                             p->op->family);
        if (held->samples && axis >= p->op->dims)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{held=%s=...}: the domain has %d dimensions, and no face along %c; "
                             "drop it",
                             name, p->op->dims, "xyz"[axis]);
        if (held->samples && shape.face[axis][side] != ZOID_DRIVEN)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{held=%s=...}: the boundary %s is %s; give {boundary=%s=held}, or "
                             "drop it",
                             name, name, zoid_boundary_name(shape.face[axis][side]), name);
        if (held->samples < 0 || (held->samples && !held->series))
            return zoid_fail(ZOID_BAD_ARGUMENT, "{held=%s=...}: %ld values are none; give some",
                             name, held->samples);
        for (long s = 0; s < held->samples; s++)
            if (!isfinite(held->series[s]) ||
                (p->op->type == ZOID_F32 && fabs(held->series[s]) > (double)FLT_MAX))
                return zoid_fail(ZOID_BAD_ARGUMENT,
                                 "{held=%s=...} is %g in step %ld, and %s takes finite values; "
                                 "mend it",
                                 name, held->series[s], s, zoid_type_name(p->op->type));
    }
    return ZOID_OK;
}

/* Along each axis there is a point besides its layers and what the reach leaves out. */
static enum zoid_status check_room(const struct zoid_problem *p)
{
    const struct zoid_shape shape = zoid_problem_shape(p);
    const long r = p->op->radius, points = p->params.pml.points;

    for (int a = 0; a < shape.dims; a++) {
        long least = 1, layers = 0;

        for (int side = 0; side < ZOID_SIDES; side++) {
            layers += shape.face[a][side] == ZOID_PML;
            least += zoid_face_open(&shape, a, side) ? 0 : r;
        }
        least += layers * points;
        if (layers && shape.n[a] < least)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%ld points along %c, and with %s of {pml_points=%ld} it needs at "
                             "least %ld; give fewer of them, or a larger {size}",
                             shape.n[a], "xyz"[a], layers > 1 ? "two layers" : "a layer", points,
                             least);
    }
    return ZOID_OK;
}

static enum zoid_status check_pml(const struct zoid_problem *p)
{
    const struct zoid_pml *pml = &p->params.pml;

    if (!zoid_problem_remembers(p))
        return ZOID_OK;
    if (pml->points < 1 || pml->points > ZOID_PML_MOST)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{pml_points=%ld} is out of range; give 1 to %d",
                         pml->points, ZOID_PML_MOST);
    if (pml->reflection != 0 && (!(pml->reflection >= DBL_MIN) || !(pml->reflection < 1)))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{pml_reflection=%g} is no reflection of a layer that damps; give a "
                         "number above 0 and below 1",
                         pml->reflection);
    if (pml->reflection == 0 && !(zoid_layer_reflection(&p->params) >= DBL_MIN))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "layers of {pml_points=%ld} have no reflection by default; give "
                         "{pml_reflection}",
                         pml->points);
    if (!(pml->shift > 0) || !isfinite(pml->shift))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{pml_shift=%g} is no frequency above 0, without which values in layers "
                         "grow; give one, as 0.003",
                         pml->shift);
    if (!(pml->speed >= 0) || !isfinite(pml->speed) ||
        (pml->speed == 0 && (!(p->params.speed >= 0) || !isfinite(p->params.speed))))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "layers that match go by the largest speed of waves, and %g is none; set "
                         "the speed of params",
                         pml->speed == 0 ? p->params.speed : pml->speed);
    return check_room(p);
}

static enum zoid_status check_steps(const struct zoid_problem *p)
{
    struct zoid_shape shape = zoid_problem_shape(p);
    uint64_t reach = 1;

    for (int i = 0; i < shape.stages; i++)
        for (int a = 0; a < shape.dims; a++)
            reach = saturating_add(reach, saturating_add((uint64_t)shape.reach[i].lo[a],
                                                         (uint64_t)shape.reach[i].hi[a]));
    if (p->start < 0 || p->steps < 0 || p->start > LONG_MAX - p->steps ||
        saturating_mul(
            saturating_mul((uint64_t)zoid_max(p->start + p->steps, 1), (uint64_t)shape.stages),
            reach) > 1l << 60)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%ld steps cannot be counted; give fewer", p->steps);
    return ZOID_OK;
}

/* Parameters are rounded to the type once, and must not overflow in it. */
static enum zoid_status check_params(const struct zoid_problem *p)
{
    for (int i = 0; i < p->op->nparams; i++) {
        const struct zoid_param *param = &p->op->param[i];
        const double value = p->params.value[i];
        char range[96];

        zoid_param_range(param, range, sizeof range);
        if (!zoid_param_allows(param, value))
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%g} is out of range for %s; give %s",
                             param->name, value, p->op->family, range);
        if (p->op->type == ZOID_F32 && fabs(value) > (double)FLT_MAX)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{%s=%g} is too large for f32; give a smaller one or {type=f64}",
                             param->name, value);
    }
    return ZOID_OK;
}

/* So are values of tables, which need not be finite. */
static enum zoid_status check_tables(const struct zoid_problem *p)
{
    const struct zoid_params *params = &p->params;
    const double *value = params->rows ? params->row : params->table;

    if (!p->op->ntables)
        return ZOID_OK;
    if (params->rows < 0 || !value)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has tables of the run, and %ld rows of them are "
                         "none; give rows of values, or 0 rows",
                         p->op->family, params->rows);
    if (p->op->type != ZOID_F32)
        return ZOID_OK;
    for (long i = 0; i < zoid_max(params->rows, 1) * p->op->ntables; i++)
        if (isfinite(value[i]) && fabs(value[i]) > (double)FLT_MAX)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{table}: %s is %g in step %ld, too large for f32; give smaller "
                             "values or {type=f64}",
                             p->op->table[i % p->op->ntables].name, value[i], i / p->op->ntables);
    return ZOID_OK;
}

/* Constants are rounded to the type once, too. */
static enum zoid_status check_constants(const struct zoid_problem *p)
{
    struct zoid_params params = p->params;
    const double *h = params.spacing;
    double constant[ZOID_MAX_CONSTANTS];
    int n;

    zoid_op_derive(p->op, &params);
    for (int a = 0; a < p->op->dims; a++)
        if (!(h[a] > 0) || !isfinite(h[a]))
            return zoid_fail(ZOID_BAD_ARGUMENT, "a spacing of %g along %c; give more than 0", h[a],
                             "xyz"[a]);
    for (int a = 1; a < p->op->dims; a++)
        if (h[a] != h[0] && !zoid_op_spaced(p->op))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s has no distance of points in its formula, and {d%c} is not {dx}; "
                             "let them be the same",
                             p->op->family, "xyz"[a]);
    n = p->op->constants ? p->op->constants(p->op, &params, constant) : 0;
    if (n > ZOID_MAX_CONSTANTS)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has %d constants; let its row have at most %d",
                         p->op->name, n, ZOID_MAX_CONSTANTS);
    for (int i = 0; i < n; i++)
        if (!(fabs(constant[i]) <= (p->op->type == ZOID_F32 ? (double)FLT_MAX : DBL_MAX)))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "constant %d of %s is %g with these parameters and this spacing, "
                             "which %s cannot hold; give others",
                             i, p->op->family, constant[i], zoid_type_name(p->op->type));
    return ZOID_OK;
}

/* Refuse orders of points that no method supports. */
static enum zoid_status check_order(const struct zoid_op *op)
{
    bool ascends = false, descends = false;

    for (int s = 0; s < op->nstages; s++) {
        ascends = ascends || op->stage[s].order > 0;
        descends = descends || op->stage[s].order < 0;
    }
    if (descends)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s sweeps %s, and blocks lean so that points can ascend only; choose "
                         "another operator",
                         op->family,
                         ascends ? "both up and down in a step" : "in descending order");
    if (ascends && (op->rotates || op->own_edges))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s sweeps in order, in place, which operators cannot that %s; choose "
                         "another operator",
                         op->family,
                         op->rotates ? "let fields change roles" : "have edges of their own");
    return ZOID_OK;
}

/* Feature that only a runner of the operator's own supports, as in "OP has ..."; NULL: no such
 * feature. */
static const char *not_plain(const struct zoid_op *op)
{
    if (zoid_op_plain(op))
        return NULL;
    return op->coefficient_bytes ? "coefficients that come in pieces" : "several values a point";
}

static enum zoid_status check_fields(const struct zoid_op *op)
{
    const char *what = not_plain(op);

    if (op->width < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a point of %s has %ld values; give it at least 1",
                         op->name, op->width);
    if (zoid_op_width(op) > 1 && op->dims > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has %ld values a point in %d dimensions; they go with lines only, "
                         "give it 1",
                         op->name, op->width, op->dims);
    if (op->coefficient_bytes && op->ncoef != 1)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has %s, and %d coefficient fields; give it one",
                         op->name, what, op->ncoef);
    if (what && !op->own_edges)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has %s, which no face but a bare one knows; let it have edges of its "
                         "own",
                         op->name, what);
    if (what && !op->runner)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has %s, which sweeps do not know; give it a runner of its own",
                         op->name, what);
    return ZOID_OK;
}

/* An operator that reaches farther than the compiled sweeps needs a runner of its own. */
static enum zoid_status check_reach(const struct zoid_op *op)
{
    if (!op->runner && !zoid_cpu_runners[0]->fits(&(struct zoid_blocks){.op = op}))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "%s has no sweeps, or looks further than the %d points of theirs; give it a "
            "runner of its own",
            op->name, ZOID_MAX_REACH);
    return ZOID_OK;
}

/* Operators of tables were tried when those were added, Zoid's own by tests. */
static bool is_tried(const struct zoid_op *op)
{
    const struct zoid_op *one;

    for (size_t i = 0; (one = zoid_op_at(i)); i++)
        if (one == op)
            return true;
    return false;
}

/* Refuse boxes that fields cannot have. */
static enum zoid_status check_boxes(const struct zoid_op *op)
{
    struct zoid_wrong_box wrong = {.why = NULL};

    /* Updates of points tell, which simulations lack. */
    if (!ZOID_SIMULATED && !is_tried(op))
        wrong = zoid_wrong_box(op);
    if (!wrong.why)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "box %d of stage %d of %s %s; mend its row", wrong.box,
                     wrong.stage, op->name, wrong.why);
}

enum zoid_status zoid_problem_check(const struct zoid_problem *problem)
{
    enum zoid_status status = check_order(problem->op);

    if (!status)
        status = check_fields(problem->op);
    if (!status)
        status = check_reach(problem->op);
    if (!status)
        status = check_boxes(problem->op);
    if (!status)
        status = check_domain(problem);
    if (!status)
        status = check_params(problem);
    if (!status)
        status = check_tables(problem);
    if (!status)
        status = check_constants(problem);
    if (!status)
        status = check_faces(problem);
    if (!status)
        status = check_absorb(problem);
    if (!status)
        status = check_pml(problem);
    if (!status)
        status = check_held(problem);
    if (!status)
        status = check_steps(problem);
    return status ? status : zoid_points_check(problem);
}
