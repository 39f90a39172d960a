/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of operators: fields, stages with their reach and boxes, parameters. */
#include <math.h>
#include <string.h>

#include "apps/compile/emit.h"

/* Adds the read of a written field to a stage without reads. */
static void read_own(struct zoid_emit_row *r, int s)
{
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, s);
    const struct zoid_put *put = NULL;
    bool reads = false;

    for (int i = 0; i < stage->n && !put; i++)
        put = stage->item[i].put;
    for (int f = 0; f < r->nfields; f++)
        reads |= r->reach[s][f][0][0] >= 0;
    r->stage = s;
    if (!reads)
        zoid_emit_own(r, zoid_emit_target(r, put));
}

/* ---- the operator -------------------------------------------------------------------------- */

/* Sets the boxes of the fields that a stage leaves other points of than its reads do. */
static void set_boxes(const struct zoid_emit_row *r, int s, bool second, struct zoid_op *op)
{
    struct zoid_stage *to = &op->stage[second ? 1 : s];
    const struct zoid_reach reach = zoid_op_reach(op, second ? 1 : s);

    for (int f = 0; f < r->nstate; f++) {
        struct zoid_stage_box *box = &to->box[to->nboxes];

        if (r->leaves[s][f][0][0] < 0)
            continue;
        *box = (struct zoid_stage_box){.field = second ? 1 - f : f};
        for (int a = 0; a < r->ir->axes; a++) {
            const bool m = r->ir->mirrored[a];

            box->leaves.lo[zoid_emit_axis(r->ir, a)] = r->leaves[s][f][m][a];
            box->leaves.hi[zoid_emit_axis(r->ir, a)] = r->leaves[s][f][!m][a];
        }
        to->nboxes += memcmp(&box->leaves, &reach, sizeof reach) != 0;
    }
}

/* Sets reads, writes and boxes of a stage. Fields 0 and 1 change roles in the second of two turns.
 */
static void set_stage(struct zoid_emit_row *r, int s, bool second, struct zoid_op *op)
{
    struct zoid_stage *to = &op->stage[second ? 1 : s];
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, s);

    *to = (struct zoid_stage){.order = stage->ascending ? ZOID_ASCENDING : ZOID_ANY_ORDER,
                              .writes = r->written[s]};
    if (r->turns)
        to->writes = second ? 1u << 0 : 1u << 1;
    for (int f = 0; f < r->nfields; f++) {
        struct zoid_read *read = &to->read[to->nreads];

        if (r->reach[s][f][0][0] < 0)
            continue;
        to->nreads++;
        *read = (struct zoid_read){.field = second && f < 2 ? 1 - f : f};
        for (int a = 0; a < r->ir->axes; a++) {
            read->reach.lo[zoid_emit_axis(r->ir, a)] = r->reach[s][f][0][a];
            read->reach.hi[zoid_emit_axis(r->ir, a)] = r->reach[s][f][1][a];
        }
    }
    set_boxes(r, s, second, op);
}

static void set_stages(struct zoid_emit_row *r, struct zoid_op *op)
{
    int values = 0;

    for (int s = 0; s < r->stages; s++) {
        const struct zoid_ir_stage *stage = zoid_emit_stage(r, s);

        read_own(r, s);
        set_stage(r, s, false, op);
        for (int i = 0; i < stage->n; i++)
            op->colours |= stage->item[i].put && stage->item[i].put->colour >= 0;
        for (int f = 0; f < r->nfields; f++)
            for (int a = 0; a < 2 * r->ir->axes; a++)
                if (r->reach[s][f][a / r->ir->axes][a % r->ir->axes] > op->radius)
                    op->radius = r->reach[s][f][a / r->ir->axes][a % r->ir->axes];
        values += op->stage[s].nreads + __builtin_popcount(op->stage[s].writes);
    }
    if (r->turns)
        set_stage(r, 0, true, op);
    op->bytes = values;
}

void zoid_emit_op(struct zoid_emit_row *r, struct zoid_op *op)
{
    const struct zoid_ir *ir = r->ir;

    *op = (struct zoid_op){.name = r->family,
                           .family = r->family,
                           .dims = ir->axes,
                           .radius = 1,
                           .type = ir->type == ZOID_FLOAT ? ZOID_F32 : ZOID_F64,
                           .nstate = r->nstate,
                           .ncoef = r->nfields - r->nstate,
                           .nstages = r->turns ? 2 : r->stages,
                           .step = r->turns ? 1 : r->stages,
                           .rotates = r->turns,
                           .keeps_own = r->own,
                           .by_words = !r->placed,
                           .flops = r->flops,
                           .nparams = ir->nparams,
                           .ntables = r->tables->n};
    for (int f = 0; f < r->nfields; f++)
        op->field[f] = zoid_emit_name(r, f);
    for (int i = 0; i < ir->nparams; i++)
        op->param[i] =
            (struct zoid_param){.name = ir->param[i]->name, .least = -INFINITY, .most = INFINITY};
    for (int i = 0; i < r->tables->n; i++)
        op->table[i].name = r->tables->table[i].name;
    set_stages(r, op);
}

/* ---- its row ------------------------------------------------------------------------------- */

static void put_layers(const struct zoid_op *op, const char *name, const struct zoid_reach *reach,
                       FILE *to)
{
    bool any = false;

    for (int a = 0; a < op->dims; a++)
        any |= reach->lo[a] || reach->hi[a];
    if (!any)
        return;
    fprintf(to, ", .%s = {", name);
    for (int side = 0; side < 2; side++) {
        fprintf(to, "%s = {", side ? ", .hi" : ".lo");
        for (int a = 0; a < op->dims; a++)
            fprintf(to, "%s%ld", a ? ", " : "", (long)(side ? reach->hi[a] : reach->lo[a]));
        fputc('}', to);
    }
    fputc('}', to);
}

static void put_row_stage(const struct zoid_op *op, const struct zoid_stage *stage, FILE *to)
{
    fprintf(to, "{.nreads = %d,\n                       .read = {", stage->nreads);
    for (int i = 0; i < stage->nreads; i++) {
        fprintf(to, "%s{.field = %d", i ? ",\n                                " : "",
                stage->read[i].field);
        put_layers(op, "reach", &stage->read[i].reach, to);
        fputc('}', to);
    }
    fprintf(to, "},\n                       .writes = %uu", stage->writes);
    if (stage->order == ZOID_ASCENDING)
        fputs(",\n                       .order = ZOID_ASCENDING", to);
    if (stage->nboxes)
        fprintf(to, ",\n                       .nboxes = %d,\n                       .box = {",
                stage->nboxes);
    for (int i = 0; i < stage->nboxes; i++) {
        fprintf(to, "%s{.field = %d", i ? ",\n                               " : "",
                stage->box[i].field);
        put_layers(op, "leaves", &stage->box[i].leaves, to);
        fputc('}', to);
    }
    if (stage->nboxes)
        fputc('}', to);
    fputc('}', to);
}

void zoid_emit_row(const struct zoid_op *op, FILE *to)
{
    fprintf(to, "\nZOID_SINGLE(%s, DIMS_%d, NEST_RADII_%d, NEST_TYPES_%s, %s_%d,\n", op->family,
            op->dims, op->radius, op->type == ZOID_F32 ? "f32" : "f64",
            op->rotates ? "TURNS" : "NEST_STAGES", op->nstages);
    fprintf(to, "            .nstate = %d,", op->nstate);
    if (op->ncoef)
        fprintf(to, " .ncoef = %d,", op->ncoef);
    fputs("\n            .field = {", to);
    for (int f = 0; f < op->nstate + op->ncoef; f++)
        fprintf(to, "%s\"%s\"", f ? ", " : "", op->field[f]);
    fputs("},\n", to);
    if (op->keeps_own)
        fputs("            .keeps_own = true,\n", to);
    if (op->colours)
        fputs("            .colours = true,\n", to);
    fputs("            .stage = {", to);
    for (int s = 0; s < op->nstages; s++) {
        fputs(s ? ",\n                      " : "", to);
        put_row_stage(op, &op->stage[s], to);
    }
    fprintf(to, "},\n            .flops = %g,\n            .bytes = %g * SIZE", op->flops,
            op->bytes);
    if (op->nparams)
        fprintf(to, ",\n            .nparams = %d,\n            .param = {", op->nparams);
    for (int i = 0; i < op->nparams; i++)
        fprintf(to,
                "%s{.name = \"%s\", .summary = \"%s of the nest\",\n"
                "                       .value = 0, .least = -INFINITY, .most = INFINITY}",
                i ? ",\n                      " : "", op->param[i].name, op->param[i].name);
    fputs(op->nparams ? "}" : "", to);
    if (op->ntables)
        fprintf(to, ",\n            .ntables = %d,\n            .table = {", op->ntables);
    for (int i = 0; i < op->ntables; i++)
        fprintf(to, "%s{.name = \"%s\"}", i ? ", " : "", op->table[i].name);
    fputs(op->ntables ? "}" : "", to);
    fputs(op->by_words ? ",\n            .by_words = true)\n" : ")\n", to);
}
