/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/block/stage.h"

#include "codelets/op/traits.h"

struct zoid_sweep zoid_sweep_of(struct zoid_runner *r, long t, int g)
{
    return (struct zoid_sweep){.op = r->run->op,
                               .params = r->run->params,
                               .shape = r->run->shape,
                               .layout = r->run->layout,
                               .t = t,
                               .box = zoid_clipped_at(&r->run->zoid, &r->run->region, t),
                               .fields = zoid_fields_of(r, g),
                               .rises = r->scratch.drift.planes > 0,
                               .spare = r->run->spare,
                               .memory = {r->memory.n, r->memory.segment},
                               .sample_points = r->sample_points};
}

int zoid_written_at(const struct zoid_runner *r, long t)
{
    return zoid_slab_carried(r) && t == r->run->zoid.t0 + 1
               ? -1
               : zoid_op_written(r->run->op, zoid_stage_of(r->run->op, t));
}

void zoid_stage_sweep(struct zoid_runner *r, const struct zoid_sweep *sweep,
                      const struct zoid_list *out)
{
    if (zoid_box_empty(&sweep->box))
        return;
    zoid_list_turn(r, sweep);
    if (!r->error)
        r->error = r->device->sweep(r->self, sweep, out->n, out->segment);
}

void zoid_stage_compute(struct zoid_runner *r, struct zoid_sweep *sweep,
                        const struct zoid_list *out)
{
    if (out->n == 0 || r->error)
        return;
    sweep->box.lo[r->chain] = out->segment[0].lo;
    sweep->box.hi[r->chain] = out->segment[out->n - 1].hi;
    sweep->updated = (struct zoid_segments){r->updated.n, r->updated.segment};
    zoid_list_inputs(r, sweep);
    zoid_stage_sweep(r, sweep, out);
}

struct zoid_sweep zoid_stage_begin(struct zoid_runner *r, long t, int g)
{
    struct zoid_sweep sweep = zoid_sweep_of(r, t, g);

    if (r->tile.skew) {
        int axis = r->chain - 1;
        long shift = (t - r->run->zoid.t0) * r->tile.skew;

        r->now.from = zoid_max(r->tile.lo - shift, sweep.box.lo[axis]);
        r->now.to = zoid_max(zoid_min(r->tile.hi - shift, sweep.box.hi[axis]), r->now.from);
        sweep.box.lo[axis] = r->now.from;
        sweep.box.hi[axis] = r->now.to;
    }
    r->now.lo = sweep.box.lo[r->chain];
    r->now.hi = sweep.box.hi[r->chain];
    return sweep;
}
