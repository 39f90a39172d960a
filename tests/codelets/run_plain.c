/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codelets/run_plain.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"
#include "tests/check.h"
#include "tests/codelets/definition.h"
#include "tests/codelets/sample.h"

struct plain plain_create(const struct zoid_op *op, const long n[ZOID_AXES],
                          enum zoid_boundary boundary)
{
    struct plain p = {.op = op};
    size_t field;

    ck_assert_ptr_nonnull(op);
    p.params = zoid_op_defaults(op);
    p.shape = zoid_op_shape(op, n);
    if (!op->own_edges)
        memset(p.shape.face, boundary, sizeof p.shape.face);
    p.points = definition_points(&p.shape);
    field = (size_t)p.points * zoid_type_size(op->type);
    p.fields = sample_memory((size_t)(op->nstate + op->ncoef) * field);
    p.spare = sample_memory((size_t)op->nstate * field);
    p.result = p.fields;
    memset(p.fields, 0, (size_t)(op->nstate + op->ncoef) * field);
    return p;
}

void plain_destroy(struct plain *plain)
{
    free(plain->fields);
    free(plain->spare);
    *plain = (struct plain){.op = NULL};
}

void plain_run(struct plain *p, long steps)
{
    ck_assert_int_eq(p->steps, 0);
    p->steps = steps;
    p->result = zoid_reference_run(
        &(struct zoid_reference){
            .op = p->op, .params = &p->params, .shape = &p->shape, .steps = steps, .threads = 1},
        p->fields, p->spare);
}

double plain_get(const struct plain *p, int field, long i)
{
    return definition_get(p->op, p->result, zoid_op_stored(p->op, field, p->steps) * p->points + i);
}

void plain_set(struct plain *p, int field, long i, double value)
{
    definition_set(p->op, p->fields, field * p->points + i, value);
}

void plain_place(const struct plain *p, long i, long place[ZOID_AXES])
{
    definition_place(&p->shape, i, place);
}

long plain_index(const struct plain *p, long x, long y, long z)
{
    return x + p->shape.n[0] * (y + p->shape.n[1] * z);
}
