/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/ir.h"

#include <stdlib.h>
#include <string.h>

const char *zoid_ir_axis(const struct zoid_ir *ir, int axis)
{
    static const char *const names[] = {"z", "y", "x"};

    return names[ZOID_NEST_AXES - ir->axes + axis];
}

static const char *type_name(enum zoid_ctype type)
{
    static const char *const names[] = {"int", "unsigned", "long", "size_t", "f32", "f64"};

    return names[type];
}

static void print_mark(unsigned mark, FILE *to)
{
    if (mark > 255)
        fputc((int)(mark >> 8), to);
    fputc((int)(mark & 255), to);
}

static void print_number(const struct zoid_expr *e, FILE *to)
{
    char text[64];

    if (e->type < ZOID_FLOAT) {
        fprintf(to, "%llu%s%s", e->literal.integer,
                e->type == ZOID_UNSIGNED || e->type == ZOID_ULONG ? "u" : "",
                e->type >= ZOID_LONG ? "l" : "");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, e->literal.real);
        if (e->type == ZOID_FLOAT ? strtof(text, NULL) == (float)e->literal.real
                                  : strtod(text, NULL) == e->literal.real)
            break;
    }
    fprintf(to, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0", e->type == ZOID_FLOAT ? "f" : "");
}

static void print_read(const struct zoid_ir *ir, const struct zoid_expr *e, FILE *to)
{
    const struct zoid_nest_array *a = e->array;
    const char *comma = "";

    fprintf(to, "%s%s[", a->name, a->turns && e->role ? "_before" : "");
    if (a->kind == ZOID_ARRAY_TABLE)
        fprintf(to, e->offset[0] ? "%s%+d" : "%s", ir->time, e->offset[0]);
    if (a->kind == ZOID_ARRAY_LIST)
        fprintf(to, "%d", e->offset[0]);
    for (int x = 0; x < ir->axes && !zoid_ir_of_run(a); x++)
        if (a->kind != ZOID_ARRAY_PROFILE || (a->axes >> x & 1)) {
            fprintf(to, "%s%d", comma, e->offset[x]);
            comma = ",";
        }
    fputc(']', to);
}

static void print_expr(const struct zoid_ir *ir, const struct zoid_expr *e, FILE *to)
{
    const struct zoid_expr *const child[] = {e->a, e->b, e->c, e->d};

    switch (e->kind) {
    case ZOID_EXPR_NUMBER:
        print_number(e, to);
        return;
    case ZOID_EXPR_PARAM:
    case ZOID_EXPR_SIZE:
        fputs(e->symbol->name, to);
        return;
    case ZOID_EXPR_TIME:
        fputs(ir->time, to);
        return;
    case ZOID_EXPR_READ:
        print_read(ir, e, to);
        return;
    case ZOID_EXPR_LET:
        fprintf(to, "%s.%d", e->let->name, e->let->number);
        return;
    default:
        break;
    }
    fputc('(', to);
    if (e->kind == ZOID_EXPR_CALL)
        fputs(e->name, to);
    else if (e->kind == ZOID_EXPR_CONVERT)
        fputs(type_name(e->type), to);
    else if (e->kind == ZOID_EXPR_CHOICE) {
        fputs("? ", to);
        print_mark(e->op, to);
    } else if (e->kind == ZOID_EXPR_NEGATE)
        fputc('-', to);
    else
        print_mark(e->op, to);
    for (int i = 0; i < 4 && child[i]; i++) {
        fputc(' ', to);
        print_expr(ir, child[i], to);
    }
    fputc(')', to);
}

static void print_side(struct zoid_side side, FILE *to)
{
    if (side.end)
        fprintf(to, side.at ? "n-%d" : "n", side.at);
    else
        fprintf(to, "%d", side.at);
}

/* Axes that are fixed are faces, the others make a box. */
static void print_range(const struct zoid_ir *ir, const struct zoid_ir_box *range, FILE *to)
{
    const char *word = " box";

    for (int a = 0; a < ir->axes; a++)
        if (range->lo[a].end == range->hi[a].end) {
            fprintf(to, " face %s ", zoid_ir_axis(ir, a));
            print_side(range->lo[a], to);
        }
    for (int a = 0; a < ir->axes; a++)
        if (range->lo[a].end != range->hi[a].end) {
            fprintf(to, "%s %s ", word, zoid_ir_axis(ir, a));
            print_side(range->lo[a], to);
            fputs("..", to);
            print_side(range->hi[a], to);
            word = "";
        }
}

static void print_stage(const struct zoid_ir *ir, int number, FILE *to)
{
    const struct zoid_ir_stage *stage = &ir->stage[number];

    fprintf(to, "stage %d order %s\n", number, stage->ascending ? "ascending" : "none");
    for (int i = 0; i < stage->n; i++) {
        const struct zoid_let *let = stage->item[i].let;
        const struct zoid_put *put = stage->item[i].put;

        if (let) {
            fprintf(to, "  let %s.%d value ", let->name, let->number);
            print_expr(ir, let->value, to);
        } else {
            fprintf(to, "  put %s", put->array->name);
            print_range(ir, &put->box, to);
            if (put->colour >= 0)
                fprintf(to, " colour %s", put->colour ? "odd" : "even");
            fputs(" value ", to);
            print_expr(ir, put->value, to);
        }
        fputc('\n', to);
    }
}

static void print_axes(const struct zoid_ir *ir, unsigned axes, FILE *to)
{
    for (int a = 0; a < ir->axes; a++)
        if (axes >> a & 1)
            fprintf(to, "[%s]", zoid_ir_axis(ir, a));
}

static void print_array(const struct zoid_ir *ir, const struct zoid_nest_array *a, FILE *to)
{
    static const char *const kinds[] = {"state", "coefficient", "profile"};

    if (zoid_ir_of_run(a)) {
        fprintf(to, "table %s[%s]\n", a->name, a->kind == ZOID_ARRAY_TABLE ? ir->time : "");
        return;
    }
    if (a->copy_of) {
        fprintf(to, "copy %s of %s\n", a->name, a->copy_of->name);
        return;
    }
    fprintf(to, "field %s", a->name);
    print_axes(ir, a->kind == ZOID_ARRAY_PROFILE ? a->axes : ~0u, to);
    fprintf(to, " %s", kinds[a->kind]);
    if (a->kind == ZOID_ARRAY_STATE && a->partner)
        fprintf(to, " turns %d swap %s %s", a->turns, a->symbol->name, a->partner->name);
    else if (a->kind == ZOID_ARRAY_STATE && a->turns)
        fprintf(to, " turns %d first %d", a->turns, a->first);
    fputc('\n', to);
    if (a->older) {
        fprintf(to, "field %s_before", a->name);
        print_axes(ir, ~0u, to);
        fprintf(to, " state\n");
    }
}

void zoid_ir_print(const struct zoid_ir *ir, FILE *to)
{
    char from[256], steps[256];

    for (int s = 0; s < ir->nstages; s++)
        for (int i = 0, n = 0; i < ir->stage[s].n; i++)
            if (ir->stage[s].item[i].let)
                ir->stage[s].item[i].let->number = n++;
    fprintf(to, "nest %s type %s axes", ir->name, type_name(ir->type));
    for (int a = 0; a < ir->axes; a++)
        fprintf(to, " %s", zoid_ir_axis(ir, a));
    fputs("\nextent", to);
    for (int a = 0; a < ir->axes; a++) {
        zoid_poly_print(&ir->extent[a], ir->names, from, sizeof from);
        fprintf(to, "%s %s %s", a ? "," : "", zoid_ir_axis(ir, a), from);
        if (ir->least[a] > 1)
            fprintf(to, " least %d", ir->least[a]);
        if (ir->mirrored[a])
            fprintf(to, " mirrored");
    }
    zoid_poly_print(&ir->from, ir->names, from, sizeof from);
    zoid_poly_print(&ir->steps, ir->names, steps, sizeof steps);
    fprintf(to, "\ntime %s from %s step 1 steps %s\n", ir->time, from, steps);
    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        print_array(ir, a, to);
    for (int i = 0; i < ir->nparams; i++)
        fprintf(to, "parameter %s\n", ir->param[i]->name);
    if (ir->halves)
        fprintf(to, "halves: one field does where both arrays begin equal beyond the box\n");
    for (int s = 0; s < ir->nstages; s++)
        print_stage(ir, s, to);
}
