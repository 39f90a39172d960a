/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "codelets/op.h"
#include "codelets/ops/lists.h"

#define ZOID_INLINE static inline
#include "codelets/op/traits.h"
#include "codelets/ops/difference.h"

static const struct {
    const char *name;
    size_t size;
} types[ZOID_TYPES] = {
    [ZOID_F32] = {"f32", sizeof(zoid_f32)},
    [ZOID_F64] = {"f64", sizeof(zoid_f64)},
    [ZOID_U8] = {"u8", sizeof(zoid_u8)},
};

static const char *const isa_names[ZOID_ISAS] = {
    [ZOID_PORTABLE] = "portable",
    [ZOID_V3] = "v3",
    [ZOID_V4] = "v4",
};

size_t zoid_type_size(enum zoid_type type)
{
    return types[type].size;
}

const char *zoid_type_name(enum zoid_type type)
{
    return types[type].name;
}

static void join(struct zoid_reach *all, const struct zoid_reach *one)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        all->lo[a] = zoid_max(all->lo[a], one->lo[a]);
        all->hi[a] = zoid_max(all->hi[a], one->hi[a]);
    }
}

struct zoid_reach zoid_op_reach(const struct zoid_op *op, int stage)
{
    const struct zoid_stage *s = &op->stage[stage];
    struct zoid_reach all = {.lo = {0}};

    for (int r = 0; r < s->nreads; r++)
        join(&all, &s->read[r].reach);
    return all;
}

struct zoid_reach zoid_op_leaves(const struct zoid_op *op, int stage, int field)
{
    const struct zoid_stage *s = &op->stage[stage];

    for (int i = 0; i < s->nboxes; i++)
        if (s->box[i].field == field)
            return s->box[i].leaves;
    return zoid_op_reach(op, stage);
}

struct zoid_reach zoid_op_coefficient_reach(const struct zoid_op *op)
{
    struct zoid_reach all = {.lo = {0}};

    for (int s = 0; s < op->nstages; s++)
        for (int r = 0; r < op->stage[s].nreads; r++)
            if (op->stage[s].read[r].field >= op->nstate)
                join(&all, &op->stage[s].read[r].reach);
    return all;
}

/* Returns the mask of stages that write a field. */
static unsigned writers(const struct zoid_op *op, int field)
{
    unsigned mask = 0;

    for (int s = 0; s < op->nstages; s++)
        mask |= (op->stage[s].writes >> field & 1) << s;
    return mask;
}

struct zoid_groups zoid_op_groups(const struct zoid_op *op)
{
    struct zoid_groups g = {.n = 1};

    for (int f = 1; f < op->nstate; f++)
        if (!(writers(op, f) & writers(op, f - 1)))
            g.first[g.n++] = f;
    g.first[g.n] = op->nstate;
    g.first[g.n + 1] = op->nstate + op->ncoef;
    return g;
}

int zoid_op_written(const struct zoid_op *op, int stage)
{
    struct zoid_groups groups = zoid_op_groups(op);
    int g = 0;

    while (!(op->stage[stage].writes >> groups.first[g] &
             ((1u << (groups.first[g + 1] - groups.first[g])) - 1)))
        g++;
    return g;
}

bool zoid_op_pointwise(const struct zoid_op *op, int g)
{
    const struct zoid_groups groups = zoid_op_groups(op);

    for (int s = 0; s < op->nstages; s++)
        for (int i = 0; i < op->stage[s].nreads && zoid_op_written(op, s) == g; i++) {
            const struct zoid_read *read = &op->stage[s].read[i];
            const bool own = read->field >= groups.first[g] && read->field < groups.first[g + 1];

            for (int a = 0; a < op->dims && own; a++)
                if (read->reach.lo[a] || read->reach.hi[a])
                    return false;
        }
    return true;
}

size_t zoid_op_point_bytes(const struct zoid_op *op)
{
    return zoid_type_size(op->type) * (size_t)zoid_op_width(op);
}

bool zoid_op_plain(const struct zoid_op *op)
{
    return zoid_op_width(op) == 1 && !op->coefficient_bytes;
}

bool zoid_op_in_order(const struct zoid_op *op)
{
    for (int s = 0; s < op->nstages; s++)
        if (op->stage[s].order != ZOID_ANY_ORDER)
            return true;
    return false;
}

bool zoid_op_boxed(const struct zoid_op *op)
{
    for (int s = 0; s < op->nstages; s++)
        if (op->stage[s].nboxes)
            return true;
    return false;
}

/* True if times write two groups alternately, and read the one that they write at the point only.
 */
static bool alternates(const struct zoid_op *op)
{
    const unsigned all = (1u << op->nstate) - 1;

    return op->nstages == 2 && zoid_op_groups(op).n == 2 && zoid_op_pointwise(op, 0) &&
           zoid_op_pointwise(op, 1) && (op->stage[0].writes ^ op->stage[1].writes) == all &&
           zoid_op_plain(op) && !op->runner && !zoid_op_in_order(op);
}

struct zoid_shape zoid_op_shape(const struct zoid_op *op, const long n[ZOID_AXES])
{
    struct zoid_shape shape = {.dims = op->dims, .stages = op->step, .alternates = alternates(op)};

    for (int a = 0; a < ZOID_AXES; a++) {
        shape.n[a] = a < op->dims ? n[a] : 1;
        shape.face[a][ZOID_LOW] = shape.face[a][ZOID_HIGH] =
            op->own_edges && a < op->dims ? ZOID_BARE : ZOID_DIRICHLET;
    }
    for (int a = 0; a < op->dims; a++)
        shape.grain[a] = a == op->dims - 1 ? 0 : op->coefficient_bytes ? ZOID_UNCUT : op->grain[a];
    for (int s = 0; s < op->nstages; s++) {
        struct zoid_reach reach = zoid_op_reach(op, s), *all = &shape.reach[s % op->step];

        join(all, &reach);
        if (op->stage[s].order != ZOID_ANY_ORDER)
            shape.order[s % op->step] = op->stage[s].order;
    }
    return shape;
}

/* Only in builds for x86-64. */
#ifdef __x86_64__
#define ON_X86(...) __VA_ARGS__
#else
#define ON_X86(...)
#endif

/* By features: older compilers do not know the levels (x86-64-v3 ...). */
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)

static bool processor_runs(enum zoid_isa isa)
{
    ON_X86(bool v3 = HAS("avx2") && HAS("fma") && HAS("bmi") && HAS("bmi2");)
    ON_X86(bool v4 = v3 && HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd");)

    ON_X86(if (isa == ZOID_V4) return v4 && HAS("avx512dq") && HAS("avx512vl");)
    ON_X86(if (isa == ZOID_V3) return v3;)
    return isa == ZOID_PORTABLE;
}

enum zoid_isa zoid_isa_best(void)
{
    int isa = ZOID_ISAS - 1;

    while (!processor_runs((enum zoid_isa)isa))
        isa--;
    return (enum zoid_isa)isa;
}

const char *zoid_isa_name(enum zoid_isa isa)
{
    return isa_names[isa];
}

bool zoid_isa_find(const char *name, enum zoid_isa *isa)
{
    for (int i = 0; i <= (int)zoid_isa_best(); i++)
        if (strcmp(name, isa_names[i]) == 0) {
            *isa = (enum zoid_isa)i;
            return true;
        }
    return false;
}

int zoid_star_weights(const struct zoid_op *op)
{
    return 1 + op->radius * op->dims;
}

static double axis_weight(const double *h, int axis)
{
    const double s = h[0] / h[axis];

    return s * s;
}

double zoid_star_axes(const struct zoid_op *op, const double *h)
{
    double sum = axis_weight(h, 0);

    for (int a = 1; a < op->dims; a++)
        sum += axis_weight(h, a);
    return sum;
}

double zoid_star_weight(const struct zoid_op *op, const double *h, int i)
{
    if (i == 0)
        return zoid_star_axes(op, h) * zoid_second_difference(op->radius, 0);
    return axis_weight(h, (i - 1) % op->dims) *
           zoid_second_difference(op->radius, 1 + (i - 1) / op->dims);
}

double zoid_second_along(const struct zoid_op *op, const double *h, int axis, int i)
{
    return axis_weight(h, axis) * zoid_second_difference(op->radius, i);
}

double zoid_first_along(const struct zoid_op *op, const double *h, int axis, int i)
{
    return h[0] / h[axis] * zoid_first_difference(op->radius, i);
}

double zoid_second_differences(int radius)
{
    double sum = fabs(zoid_second_difference(radius, 0));

    for (int i = 1; i <= radius; i++)
        sum += 2 * fabs(zoid_second_difference(radius, i));
    return sum;
}
