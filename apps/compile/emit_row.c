/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of operators: fields, stages with their reach, parameters. */
#include <string.h>

#include "apps/compile/emit.h"

/* Widens the reach of a stage to the boundary that its box leaves out. */
static void widen(struct zoid_emit_row *r, int s)
{
    const struct zoid_ir_stage *stage = &r->ir->stage[r->half ? 1 : s];
    const struct zoid_put *put = NULL;
    bool reads = false;

    for (int i = 0; i < stage->n && !put; i++)
        put = stage->item[i].put;
    for (int f = 0; f < r->nfields; f++)
        reads |= r->reach[s][f][0][0] >= 0;
    r->stage = s;
    if (!reads)
        zoid_emit_own(r, zoid_emit_field(r, put->array, r->turns));
    for (int a = 0; a < r->ir->axes && !r->edges; a++)
        for (int side = 0; side < 2; side++) {
            const bool low = (side == 0) != r->ir->mirrored[a];
            const int box = low ? put->box.lo[a].at : put->box.hi[a].at;
            int best = -1;

            for (int f = 0; f < r->nfields; f++)
                if (r->reach[s][f][0][0] >= 0 &&
                    (best < 0 || r->reach[s][f][side][a] > r->reach[s][best][side][a]))
                    best = f;
            if (r->reach[s][best][side][a] < box)
                r->reach[s][best][side][a] = box;
        }
}

static void put_reach(const struct zoid_emit_row *r, const int reach[2][ZOID_NEST_AXES], FILE *to)
{
    bool any = false;

    for (int side = 0; side < 2; side++)
        for (int a = 0; a < r->ir->axes; a++)
            any |= reach[side][a] > 0;
    if (!any)
        return;
    fputs(", .reach = {", to);
    for (int side = 0; side < 2; side++) {
        fprintf(to, "%s = {", side ? ", .hi" : ".lo");
        for (int x = 0; x < r->ir->axes; x++)
            fprintf(to, "%s%d", x ? ", " : "", reach[side][r->ir->axes - 1 - x]);
        fputc('}', to);
    }
    fputc('}', to);
}

/* Reads and writes of a stage. Fields 0 and 1 change roles in the second of two turns. */
static void put_row_stage(struct zoid_emit_row *r, int s, bool second, FILE *to)
{
    const struct zoid_ir_stage *stage = &r->ir->stage[r->half ? 1 : s];
    unsigned writes = 0;
    int n = 0;

    for (int i = 0; i < stage->n; i++)
        if (stage->item[i].put)
            writes |= 1u << zoid_emit_field(r, stage->item[i].put->array, r->turns);
    if (r->turns)
        writes = second ? 1u << 0 : 1u << 1;
    for (int f = 0; f < r->nfields; f++)
        n += r->reach[s][f][0][0] >= 0;
    fprintf(to, "{.nreads = %d,\n                       .read = {", n);
    for (int f = 0, k = 0; f < r->nfields; f++) {
        if (r->reach[s][f][0][0] < 0)
            continue;
        fprintf(to, "%s{.field = %d", k++ ? ",\n                                " : "",
                second && f < 2 ? 1 - f : f);
        put_reach(r, r->reach[s][f], to);
        fputc('}', to);
    }
    fprintf(to, "},\n                       .writes = %uu", writes);
    if (stage->ascending)
        fputs(",\n                       .order = ZOID_ASCENDING", to);
    fputc('}', to);
}

static void put_fields(const struct zoid_emit_row *r, FILE *to)
{
    fputs("            .field = {", to);
    for (int f = 0; f < r->nfields; f++)
        fprintf(to, "%s\"%s%s\"", f ? ", " : "", r->field[f]->name, r->before[f] ? "_before" : "");
    fputs("},\n", to);
}

static int bytes_per_point(const struct zoid_emit_row *r)
{
    int fields = 0;

    for (int s = 0; s < r->stages; s++) {
        const struct zoid_ir_stage *stage = &r->ir->stage[r->half ? 1 : s];
        unsigned writes = 0;

        for (int f = 0; f < r->nfields; f++)
            fields += r->reach[s][f][0][0] >= 0;
        for (int i = 0; i < stage->n; i++)
            if (stage->item[i].put)
                writes |= 1u << zoid_emit_field(r, stage->item[i].put->array, r->turns);
        fields += __builtin_popcount(writes);
    }
    return fields;
}

void zoid_emit_row(struct zoid_emit_row *r, FILE *to)
{
    const struct zoid_ir *ir = r->ir;
    const int coefficients = r->nfields - r->nstate;
    bool colours = false;
    int radius = 1;

    for (int s = 0; s < r->stages; s++) {
        const struct zoid_ir_stage *stage = &ir->stage[r->half ? 1 : s];

        widen(r, s);
        for (int i = 0; i < stage->n; i++)
            colours |= stage->item[i].put && stage->item[i].put->colour >= 0;
        for (int f = 0; f < r->nfields; f++)
            for (int a = 0; a < 2 * ir->axes; a++)
                if (r->reach[s][f][a / ir->axes][a % ir->axes] > radius)
                    radius = r->reach[s][f][a / ir->axes][a % ir->axes];
    }
    fprintf(to, "\nZOID_SINGLE(%s, DIMS_%d, NEST_RADII_%d, NEST_TYPES_%s, %s_%d,\n", r->family,
            ir->axes, radius, ir->type == ZOID_FLOAT ? "f32" : "f64",
            r->turns ? "TURNS" : "NEST_STAGES", r->turns ? 2 : r->stages);
    fprintf(to, "            .nstate = %d,", r->nstate);
    if (coefficients)
        fprintf(to, " .ncoef = %d,", coefficients);
    fputc('\n', to);
    put_fields(r, to);
    if (r->edges)
        fputs("            .own_edges = true,\n", to);
    if (colours)
        fputs("            .colours = true,\n", to);
    fputs("            .stage = {", to);
    for (int s = 0; s < r->stages; s++) {
        fputs(s ? ",\n                      " : "", to);
        put_row_stage(r, s, false, to);
    }
    if (r->turns) {
        fputs(",\n                      ", to);
        put_row_stage(r, 0, true, to);
    }
    fprintf(to, "},\n            .flops = %d,\n            .bytes = %d * SIZE", r->flops,
            bytes_per_point(r));
    if (ir->nparams)
        fprintf(to, ",\n            .nparams = %d,\n            .param = {", ir->nparams);
    for (int i = 0; i < ir->nparams; i++) {
        fprintf(to,
                "%s{.name = \"%s\", .summary = \"%s of the nest\",\n"
                "                       .value = 0, .least = -INFINITY, .most = INFINITY}",
                i ? ",\n                      " : "", ir->param[i]->name, ir->param[i]->name);
    }
    fputs(ir->nparams ? "})\n" : ")\n", to);
}
