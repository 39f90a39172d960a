/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "apps/compile/emit.h"

const char *const zoid_emit_integers[] = {"int", "unsigned", "long", "unsigned long"};

int zoid_emit_axis(const struct zoid_ir *ir, int axis)
{
    return ir->axes - 1 - axis;
}

static _Noreturn void not_yet(const struct zoid_emit_row *r, size_t at, const char *what)
{
    zoid_refuse(r->text, at, "%s, which operators do not have yet; see --explain for what it means",
                what);
}

static void put_mark(unsigned mark, FILE *to)
{
    fprintf(to, " ");
    if (mark > 255)
        fputc((int)(mark >> 8), to);
    fprintf(to, "%c ", (int)(mark & 255));
}

typedef void put_fn(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to);

static void put_integer(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to);

static void put_sides(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to)
{
    put_integer(r, e->a, to);
    put_mark(e->op, to);
    put_integer(r, e->b, to);
}

/* Chooses between two values, which `put` writes, by integers. */
static void put_choice(struct zoid_emit_row *r, const struct zoid_expr *e, put_fn *put, FILE *to)
{
    struct zoid_emit_choice choice = {.outer = r->choice, .e = e};

    fputc('(', to);
    put_sides(r, e, to);
    fputs(" ? ", to);
    r->choice = &choice;
    put(r, e->c, to);
    fputs(" : ", to);
    choice.other = true;
    put(r, e->d, to);
    r->choice = choice.outer;
    fputc(')', to);
}

/* The same by real numbers. Words are of < <= ==: others exchange the sides, or the values. */
static void put_comparison(struct zoid_emit_row *r, const struct zoid_expr *e, put_fn *put,
                           FILE *to)
{
    const bool equal = e->op == ZOID_MARK2('=', '='), other = e->op == ZOID_MARK2('!', '=');
    const bool above = e->op == '>' || e->op == ZOID_MARK2('>', '=');

    r->flops++;
    fputs(equal || other                                 ? "SAME_AS("
          : e->op == ZOID_MARK2('<', '=') || e->op > 255 ? "AT_MOST("
                                                         : "LESS(",
          to);
    zoid_emit_value(r, above ? e->b : e->a, to);
    fputs(", ", to);
    zoid_emit_value(r, above ? e->a : e->b, to);
    fputs(", ", to);
    r->chosen++;
    put(r, other ? e->d : e->c, to);
    fputs(", ", to);
    put(r, other ? e->c : e->d, to);
    r->chosen--;
    fputc(')', to);
}

/* An integer of the run: literals, the time, sizes, as C computes them. */
static void put_integer(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to)
{
    const struct zoid_ir *ir = r->ir;
    int64_t number;

    switch (e->kind) {
    case ZOID_EXPR_NUMBER:
        zoid_emit_c(ir, e, "", to);
        return;
    case ZOID_EXPR_TIME:
        if (!zoid_poly_constant(&ir->from, &number))
            not_yet(r, e->at, "a time from a size");
        r->placed = true;
        fprintf(to, "(%s)(%lld + (at->t - 1) / %d)", zoid_emit_integers[e->type], (long long)number,
                r->half    ? 2
                : r->turns ? 1
                           : r->stages);
        return;
    case ZOID_EXPR_SIZE:
        for (int a = 0; a < ir->axes; a++) {
            const struct zoid_poly size = zoid_poly_symbol(e->symbol->number);

            if (!zoid_poly_difference(&size, &ir->extent[a], &number))
                continue;
            fprintf(to, "(%s)(at->n[%d] + %lld)", zoid_emit_integers[e->type],
                    zoid_emit_axis(ir, a), (long long)number);
            return;
        }
        not_yet(r, e->at, "the value of an integer that is no extent");
    case ZOID_EXPR_NEGATE:
        fputs("(-", to);
        break;
    case ZOID_EXPR_CONVERT:
        fprintf(to, "((%s)", zoid_emit_integers[e->type]);
        break;
    case ZOID_EXPR_CHOICE:
        if (e->a->type >= ZOID_FLOAT)
            not_yet(r, e->at, "arithmetic of integers that a comparison of real numbers chooses");
        put_choice(r, e, put_integer, to);
        return;
    default:
        if (e->op == '*' && e->type >= ZOID_LONG && ir->type == ZOID_FLOAT)
            not_yet(r, e->at, "a product of long integers in float code");
        fputc('(', to);
        put_integer(r, e->a, to);
        put_mark(e->op, to);
        /* On domains that the nest does not have, too, on which the library tries boxes. */
        fputs(e->op == '/' && !e->b->known ? "(" : "", to);
        put_integer(r, e->b, to);
        fputs(e->op == '/' && !e->b->known ? " ?: 1))" : ")", to);
        return;
    }
    put_integer(r, e->a, to);
    fputc(')', to);
}

static void put_real(const struct zoid_expr *e, bool minus, FILE *to)
{
    char text[64];

    snprintf(text, sizeof text, "%.17g", e->literal.real);
    fprintf(to, "SPLAT(%s%s%s)", minus ? "-" : "", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_param(const struct zoid_emit_row *r, const struct zoid_expr *e, bool minus,
                      FILE *to)
{
    int i = 0;

    while (r->ir->param[i] != e->symbol)
        i++;
    fprintf(to, "SPLAT(%s%sPARAM(%d))", minus ? "-" : "",
            e->type == ZOID_FLOAT && r->ir->type == ZOID_DOUBLE ? "(double)(float)" : "", i);
}

/* Returns whether points that are computed before this one, in a stage in order, are read. */
static bool is_behind(const struct zoid_emit_row *r, const struct zoid_expr *e)
{
    for (int a = 0; a < r->ir->axes; a++)
        if (e->offset[a])
            return (e->offset[a] < 0) != r->ir->mirrored[a];
    return false;
}

/* Returns the age of the field that a read of an array finds: where a stage in order has moved the
 * values of an array already, they are older by one. */
static int age_of(const struct zoid_emit_row *r, const struct zoid_expr *e)
{
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, r->stage);
    int age = e->array->turns ? e->role != 0 : 0;
    bool moved = false;

    for (int i = 0; i < stage->n && r->moves && e->array->turns; i++)
        moved |= stage->item[i].put && stage->item[i].put->array == e->array;
    age += moved && stage->ascending && is_behind(r, e);
    if (r->moves && e->array->turns && age == e->array->turns)
        not_yet(r, e->at, "the time before the last, where its points are overwritten in order");
    return age;
}

static void put_read(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to)
{
    const struct zoid_ir *ir = r->ir;
    int offset[ZOID_NEST_AXES] = {0}, f;

    if (zoid_ir_of_run(e->array)) {
        fprintf(to, "TABLE(%d)", zoid_emit_table(r, e));
        return;
    }
    f = zoid_emit_field(r, e->array, age_of(r, e));
    for (int a = 0; a < ir->axes; a++) {
        const int move = ir->mirrored[a] ? -e->offset[a] : e->offset[a];
        int *lo = &r->reach[r->stage][f][0][a], *hi = &r->reach[r->stage][f][1][a];

        /* Nothing is read yet where they are -1. */
        offset[zoid_emit_axis(ir, a)] = move;
        *lo = move < 0 && -move > *lo ? -move : *lo < 0 ? 0 : *lo;
        *hi = move > *hi ? move : *hi < 0 ? 0 : *hi;
    }
    if (r->turns && f < 2)
        fprintf(to, "U(%s", f ? "1 - S" : "S");
    else
        fprintf(to, "U(%d", f);
    fprintf(to, ", %d, %d, %d)", offset[0], offset[1], offset[2]);
}

/* An integer as a value. One that a comparison of real numbers chooses is a choice of values. */
static void put_converted(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to)
{
    if (e->kind == ZOID_EXPR_CHOICE && e->a->type >= ZOID_FLOAT) {
        put_comparison(r, e, put_converted, to);
        return;
    }
    if (zoid_emit_of_run(r->ir, e)) {
        fprintf(to, "TABLE(%d)", zoid_emit_table(r, e));
        return;
    }
    fputs("SPLAT((double)", to);
    put_integer(r, e, to);
    fputc(')', to);
}

/* Returns whether it is fmin or fmax, whose words take their arguments several times. */
static bool is_extreme(const struct zoid_expr *e)
{
    return e->kind == ZOID_EXPR_CALL &&
           (!strncmp(e->name, "fmin", 4) || !strncmp(e->name, "fmax", 4));
}

void zoid_emit_before(struct zoid_emit_row *r, struct zoid_expr *e, FILE *to)
{
    struct zoid_expr *const child[] = {e->a, e->b, e->c, e->d};
    struct zoid_emit_choice choice = {.outer = r->choice, .e = e};
    const bool by_real = e->kind == ZOID_EXPR_CHOICE && e->a->type >= ZOID_FLOAT;

    for (int i = 0; i < 4 && child[i]; i++) {
        if (e->kind == ZOID_EXPR_CHOICE && !by_real && i >= 2) {
            choice.other = i == 3;
            r->choice = &choice;
        }
        r->chosen += by_real && i >= 2;
        zoid_emit_before(r, child[i], to);
        r->chosen -= by_real && i >= 2;
    }
    r->choice = choice.outer;
    if (!is_extreme(e))
        return;
    e->number = r->extremes++;
    for (int i = 0; i < 2; i++) {
        fprintf(to, "    const VALUE %c%d = ", "xy"[i], e -> number);
        zoid_emit_value(r, child[i], to);
        fputs(";\n", to);
    }
}

static void put_call(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to)
{
    const struct zoid_expr *const argument[] = {e->a, e->b, e->c};
    const int n = e->number;

    r->flops++;
    /* As the C library: the number, not a NaN; the second one of two zeros, whose signs C leaves
     * open: gcc exchanges arguments. */
    if (is_extreme(e)) {
        fprintf(to, "LESS(%c%d, %c%d, x%d, SAME_AS(y%d, y%d, y%d, x%d))",
                e->name[2] == 'i' ? 'x' : 'y', n, e->name[2] == 'i' ? 'y' : 'x', n, n, n, n, n, n);
        return;
    }
    r->flops += e->c != NULL;
    fputs(e->c ? "FMA(" : e->name[0] == 'f' ? "ABS(" : "SQRT(", to);
    for (int i = 0; i < 3 && argument[i]; i++) {
        fputs(i ? ", " : "", to);
        zoid_emit_value(r, argument[i], to);
    }
    fputc(')', to);
}

void zoid_emit_value(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to)
{
    switch (e->kind) {
    case ZOID_EXPR_NUMBER:
        put_real(e, false, to);
        break;
    case ZOID_EXPR_PARAM:
        put_param(r, e, false, to);
        break;
    case ZOID_EXPR_READ:
        put_read(r, e, to);
        break;
    case ZOID_EXPR_LET:
        fprintf(to, "v%d", e->let->number);
        break;
    case ZOID_EXPR_NEGATE:
        if (e->a->kind == ZOID_EXPR_NUMBER)
            put_real(e->a, true, to);
        else if (e->a->kind == ZOID_EXPR_PARAM)
            put_param(r, e->a, true, to);
        else {
            fputs("NEG(", to);
            zoid_emit_value(r, e->a, to);
            fputc(')', to);
        }
        break;
    case ZOID_EXPR_CONVERT:
        if (e->a->type >= ZOID_FLOAT)
            zoid_emit_value(r, e->a, to);
        else
            put_converted(r, e->a, to);
        break;
    case ZOID_EXPR_CHOICE:
        if (e->a->type >= ZOID_FLOAT)
            put_comparison(r, e, zoid_emit_value, to);
        else
            put_choice(r, e, zoid_emit_value, to);
        break;
    case ZOID_EXPR_CALL:
        put_call(r, e, to);
        break;
    default:
        r->flops++;
        fputc('(', to);
        zoid_emit_value(r, e->a, to);
        put_mark(e->op, to);
        zoid_emit_value(r, e->b, to);
        fputc(')', to);
    }
}
