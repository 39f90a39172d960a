/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of a point, stage by stage. */
#include "apps/compile/emit.h"

/* Returns whether a put has all points along an axis that its field has in the stage. */
static bool fills(const struct zoid_emit_row *r, int s, const struct zoid_put *put, int axis)
{
    const struct zoid_side lo = put->box.lo[axis], hi = put->box.hi[axis];
    const int f = zoid_emit_target(r, put);

    return !lo.end && hi.end && lo.at == r->leaves[s][f][0][axis] &&
           hi.at == r->leaves[s][f][1][axis];
}

static int bound(struct zoid_side side, bool mirrored, bool *end)
{
    *end = side.end != mirrored;
    return side.at;
}

static void put_bound(const struct zoid_emit_row *r, int axis, struct zoid_side side, FILE *to)
{
    bool end;
    const int at = bound(side, r->ir->mirrored[axis], &end);

    if (end)
        fprintf(to, at ? "at->n[%d] - %d" : "at->n[%d]", zoid_emit_axis(r->ir, axis), at);
    else
        fprintf(to, "%d", at);
}

/* A condition on indices along the axes of planes: the point is in the box of the put. Nothing
 * along axes where that is the box of the field. The library tries boxes on smaller domains than a
 * nest has, which lack points that faces read. */
static void put_condition(struct zoid_emit_row *r, const struct zoid_put *put, FILE *to)
{
    bool any = false;

    for (int a = 0; a < r->ir->axes; a++) {
        const bool m = r->ir->mirrored[a];

        if (put->box.lo[a].end == put->box.hi[a].end && r->ir->least[a] > 1) {
            fprintf(to, "%sat->n[%d] >= %d", any ? " && " : "    if (", zoid_emit_axis(r->ir, a),
                    r->ir->least[a]);
            any = true;
        }
        if (fills(r, r->stage, put, a) || a == r->ir->axes - 1)
            continue;
        r->placed = true;
        fprintf(to, "%sat->p[%d] >= ", any ? " && " : "    if (", zoid_emit_axis(r->ir, a));
        put_bound(r, a, m ? put->box.hi[a] : put->box.lo[a], to);
        fprintf(to, " && at->p[%d] < ", zoid_emit_axis(r->ir, a));
        put_bound(r, a, m ? put->box.lo[a] : put->box.hi[a], to);
        any = true;
    }
    fputs(any ? ")\n        " : "    ", to);
}

/* pF = value, where the point is in the box of the put. The value, wN, is computed everywhere: GPU
 * kernels load the neighbours that an update reads in the middle of the domain. */
static void put_put(struct zoid_emit_row *r, const struct zoid_put *put, int number, FILE *to)
{
    const struct zoid_ir *ir = r->ir;
    const int f = zoid_emit_target(r, put);
    const int x = ir->axes - 1;
    const bool m = ir->mirrored[x];

    r->statement = put->statement;
    r->colour = put->colour;
    zoid_emit_before(r, put->value, to);
    fprintf(to, "    const VALUE w%d = ", number);
    zoid_emit_value(r, put->value, to);
    fputs(";\n\n", to);
    put_condition(r, put, to);
    fprintf(to, "p%d = ", f);
    if (put->colour >= 0) {
        fprintf(to, "EVERY_OTHER(%d", put->colour);
        /* Indices along mirrored axes run from the other boundary. */
        for (int a = 0; a < ir->axes; a++)
            if (ir->mirrored[a])
                fprintf(to, " + at->n[%d] - 1", zoid_emit_axis(ir, a));
        fputs(", ", to);
    }
    if (!fills(r, r->stage, put, x)) {
        fputs("SELECT_X(", to);
        put_bound(r, x, m ? put->box.hi[x] : put->box.lo[x], to);
        fputs(", ", to);
        put_bound(r, x, m ? put->box.lo[x] : put->box.hi[x], to);
        fprintf(to, ", w%d, p%d)", number, f);
    } else {
        fprintf(to, "w%d", number);
    }
    fprintf(to, put->colour >= 0 ? ", p%d);\n" : ";\n", f);
}

/* Returns whether a put leaves some points of the update as they are. */
static bool partial(const struct zoid_emit_row *r, const struct zoid_put *put)
{
    bool part = put->colour >= 0;

    for (int a = 0; a < r->ir->axes; a++)
        part |= !fills(r, r->stage, put, a);
    return part;
}

void zoid_emit_own(struct zoid_emit_row *r, int field)
{
    for (int a = 0; a < r->ir->axes; a++)
        for (int side = 0; side < 2; side++)
            if (r->reach[r->stage][field][side][a] < 0)
                r->reach[r->stage][field][side][a] = 0;
}

/* pF, which a put that leaves some points keeps there: its own value, or that of the array which it
 * is going to overwrite. */
static void put_kept(struct zoid_emit_row *r, const struct zoid_put *put, FILE *to)
{
    const int f = zoid_emit_target(r, put), kept = f + zoid_emit_ages(r, put) - 1;

    /* The library keeps the newest beyond the box of fields that change roles. */
    if (r->turns && !r->own)
        zoid_emit_own(r, 0);
    if (!partial(r, put)) {
        fprintf(to, "    VALUE p%d;\n", f);
        return;
    }
    if (r->turns)
        fprintf(to, "    VALUE p%d = U(%s, 0, 0, 0);\n", f, r->own ? "1 - S" : "S");
    else
        fprintf(to, "    VALUE p%d = U(%d, 0, 0, 0);\n", f, kept);
    zoid_emit_own(r, r->turns ? r->own : kept);
}

/* The values of the times before, which move on by one. Returns the fields that are written. */
static unsigned put_moved(struct zoid_emit_row *r, const struct zoid_put *put, FILE *to)
{
    const int f = zoid_emit_target(r, put), ages = zoid_emit_ages(r, put);
    unsigned written = 1u << f;

    for (int k = f + 1; k < f + ages; k++) {
        fprintf(to, "    const VALUE p%d = U(%d, 0, 0, 0);\n", k, k - 1);
        zoid_emit_own(r, k - 1);
        written |= 1u << k;
    }
    return written;
}

static void put_stage(struct zoid_emit_row *r, int number, FILE *to)
{
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, number);
    unsigned written = 0;

    r->stage = number;
    for (int i = 0, n = 0; i < stage->n; i++)
        if (stage->item[i].let)
            stage->item[i].let->number = n++;
    for (int i = 0; i < stage->n; i++) {
        const struct zoid_put *put = stage->item[i].put;

        if (!put || written >> zoid_emit_target(r, put) & 1)
            continue;
        put_kept(r, put, to);
        written |= put_moved(r, put, to);
    }
    for (int i = 0; i < stage->n; i++)
        if (stage->item[i].let) {
            r->statement = stage->item[i].let->statement;
            r->colour = stage->item[i].let->colour;
            zoid_emit_before(r, stage->item[i].let->value, to);
            fprintf(to,
                    "    const VALUE v%d __attribute__((unused)) = ", stage->item[i].let->number);
            zoid_emit_value(r, stage->item[i].let->value, to);
            fputs(";\n", to);
        } else
            put_put(r, stage->item[i].put, i, to);
    for (int f = 0; f < r->nstate; f++)
        if (written >> f & 1)
            fprintf(to, r->turns ? "    PUT(1 - S, p%d);\n" : "    PUT(%d, p%d);\n", f, f);
    r->written[number] = written;
}

void zoid_emit_update(struct zoid_emit_row *r, FILE *to)
{
    fprintf(to, "\nZOID_POINT(%s)\n{\n", r->family);
    for (int s = 0; s < r->stages; s++) {
        if (r->stages > 1)
            fprintf(to, "    if (S == %d) {\n", s);
        put_stage(r, s, to);
        if (r->stages > 1)
            fputs("    }\n", to);
    }
    fputs("}\n", to);
}
