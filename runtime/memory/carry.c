/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/memory/carry.h"

#include <stdlib.h>

#include "graphs/common/arith.h"
#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/memory/ghosts.h"
#include "runtime/ranks/ranks.h"

/* Buffer for planes of one field on their way. */
struct carried {
    size_t size; /* bytes of a point */
    struct zoid_box box;
    void *values;
};

/* Fill a box, part of those planes. */
static void unload(void *carried, int field, const struct zoid_box *box,
                   const struct zoid_values *to)
{
    const struct carried *c = carried;
    const struct zoid_values all = zoid_values_packed(&c->box, c->values);
    const struct zoid_values from = zoid_values_part(&all, c->size, &c->box, box);

    (void)field;
    zoid_values_copy(box, c->size, &from, to);
}

enum zoid_status zoid_carry(const struct zoid_state owner[], int owners,
                            const struct zoid_state *to, struct zoid_range fields,
                            struct zoid_range planes)
{
    static const size_t most = 1 << 25;
    const struct zoid_problem *p = &to->plan->problem;
    const struct zoid_shape *shape = &to->plan->graph.shape;
    const int chain = zoid_chain(shape);
    const struct zoid_box one = zoid_problem_planes(p, 0, 1);
    struct carried c = {.size = zoid_op_point_bytes(p->op)};
    enum zoid_status status;
    const size_t plane = (size_t)zoid_box_volume(&one) * c.size;
    const long at_once = zoid_max((long)(most / plane), 1);

    if (planes.lo >= planes.hi)
        return ZOID_OK;
    c.values = malloc((size_t)zoid_min(at_once, planes.hi - planes.lo) * plane);
    status = zoid_ranks_agree(c.values ? ZOID_OK : zoid_no_memory());
    for (long z = planes.lo, end; z < planes.hi && !status; z = end) {
        const long at = zoid_modulo(z, shape->n[chain]);
        const long high = zoid_min(zoid_min(at_once, planes.hi - z), shape->n[chain] - at);

        end = z + high;
        c.box = zoid_problem_planes(p, at, at + high);
        for (int field = (int)fields.lo; field < fields.hi && !status; field++) {
            const struct zoid_values values = zoid_values_packed(&c.box, c.values);

            for (int i = 0; i < owners; i++)
                zoid_fill_read(&owner[i], field, &c.box, &values, NULL, NULL);
            status = zoid_ghosts_exchange(&to->plan->graph, &c.box, c.size, c.values);
            if (!status)
                zoid_fill_planes(to, field, (struct zoid_range){z, end}, unload, &c);
        }
    }
    free(c.values);
    return status;
}
