/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/boundary.h"

#include <string.h>

#include "codelets/block/absorb.h"
#include "codelets/op/traits.h"

static const char *const boundary_names[ZOID_BOUNDARIES] = {
    [ZOID_DIRICHLET] = "dirichlet",
    [ZOID_NEUMANN] = "neumann",
    [ZOID_PERIODIC] = "periodic",
    [ZOID_SPONGE] = "sponge",
    [ZOID_ABSORB] = "absorb",
    [ZOID_PML] = "pml",
    [ZOID_ODD] = "free",
    [ZOID_DRIVEN] = "held",
};

const char *zoid_boundary_name(enum zoid_boundary boundary)
{
    return boundary_names[boundary];
}

bool zoid_op_allows(const struct zoid_op *op, enum zoid_boundary boundary)
{
    if (op->own_edges || zoid_op_in_order(op))
        return boundary == ZOID_DIRICHLET;
    if (zoid_op_boxed(op) &&
        (boundary == ZOID_NEUMANN || boundary == ZOID_ODD || boundary == ZOID_PERIODIC))
        return false;
    if (boundary == ZOID_ABSORB)
        return op->speed;
    if (boundary == ZOID_PML)
        return op->pml;
    if (boundary == ZOID_ODD)
        return op->odd;
    if (boundary == ZOID_DRIVEN)
        return op->held && op->type != ZOID_U8;
    return boundary != ZOID_SPONGE || op->sponge;
}

struct zoid_shape zoid_problem_shape(const struct zoid_problem *p)
{
    struct zoid_shape shape = zoid_op_shape(p->op, p->n);

    if (!p->op->own_edges)
        memcpy(shape.face, p->face, sizeof shape.face);
    return shape;
}

bool zoid_problem_absorbs(const struct zoid_problem *p)
{
    const struct zoid_shape shape = zoid_problem_shape(p);

    return zoid_absorbs(&shape);
}

bool zoid_problem_remembers(const struct zoid_problem *p)
{
    const struct zoid_shape shape = zoid_problem_shape(p);

    return zoid_remembers(&shape);
}
