/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of the run: values that are the same at all points, which the caller has, or computes. */
#include <stdlib.h>
#include <string.h>

#include "apps/compile/emit.h"

static bool same(const struct zoid_expr *a, const struct zoid_expr *b)
{
    const struct zoid_expr *const x[] = {a->a, a->b, a->c, a->d};
    const struct zoid_expr *const y[] = {b->a, b->b, b->c, b->d};
    bool equal = a->kind == b->kind && a->type == b->type && a->op == b->op &&
                 a->symbol == b->symbol && a->array == b->array && a->offset[0] == b->offset[0] &&
                 a->literal.integer == b->literal.integer;

    for (int i = 0; i < 4 && equal; i++)
        equal = !x[i] == !y[i] && (!x[i] || same(x[i], y[i]));
    return equal;
}

bool zoid_emit_timed(const struct zoid_expr *e)
{
    const struct zoid_expr *const child[] = {e->a, e->b, e->c, e->d};
    bool timed = e->kind == ZOID_EXPR_TIME ||
                 (e->kind == ZOID_EXPR_READ && e->array->kind == ZOID_ARRAY_TABLE);

    for (int i = 0; i < 4 && child[i]; i++)
        timed |= zoid_emit_timed(child[i]);
    return timed;
}

/* Returns whether a size is the extent of an axis, but for an integer. */
static bool is_extent(const struct zoid_ir *ir, const struct zoid_symbol *symbol)
{
    const struct zoid_poly size = zoid_poly_symbol(symbol->number);
    int64_t number;

    for (int a = 0; a < ir->axes; a++)
        if (zoid_poly_difference(&size, &ir->extent[a], &number))
            return true;
    return false;
}

bool zoid_emit_of_run(const struct zoid_ir *ir, const struct zoid_expr *e)
{
    const struct zoid_expr *const child[] = {e->a, e->b, e->c, e->d};
    int64_t number;
    bool of_run = (e->kind == ZOID_EXPR_SIZE && !is_extent(ir, e->symbol)) ||
                  (e->kind == ZOID_EXPR_TIME && !zoid_poly_constant(&ir->from, &number)) ||
                  (e->kind == ZOID_EXPR_BINARY && e->op == '*' && e->type >= ZOID_LONG &&
                   ir->type == ZOID_FLOAT);

    /* What real numbers choose differs from point to point. */
    if (e->kind == ZOID_EXPR_CHOICE && e->a->type >= ZOID_FLOAT)
        return false;
    for (int i = 0; i < 4 && child[i]; i++)
        of_run |= zoid_emit_of_run(ir, child[i]);
    return of_run;
}

/* ---- names --------------------------------------------------------------------------------- */

static bool is_taken(const struct zoid_emit_row *r, const char *name)
{
    bool taken = false;

    for (const struct zoid_nest_array *a = r->ir->arrays; a; a = a->next)
        taken |= !zoid_ir_of_run(a) && !strcmp(a->name, name);
    for (int i = 0; i < r->tables->n; i++)
        taken |= !strcmp(r->tables->table[i].name, name);
    return taken;
}

/* As the array, with the offset or index: fict, fict_p1, fict_m1, c_2; as the integer, or value. */
static const char *name_of(struct zoid_emit_row *r, const struct zoid_expr *e)
{
    const struct zoid_nest_array *a = e->kind == ZOID_EXPR_READ ? e->array : NULL;
    const char *name = e->kind == ZOID_EXPR_SIZE ? e->symbol->name : "value";
    const int offset = a ? e->offset[0] : 0;

    if (a && a->kind == ZOID_ARRAY_LIST)
        name = zoid_text_print(r->text, "%s_%d", a->name, offset);
    else if (a && offset)
        name = zoid_text_print(r->text, "%s_%c%d", a->name, offset < 0 ? 'm' : 'p',
                               offset < 0 ? -offset : offset);
    else if (a)
        name = a->name;
    while (is_taken(r, name))
        name = zoid_text_print(r->text, "%s_", name);
    return name;
}

/* ---- when values are taken ----------------------------------------------------------------- */

/* Where it is not so, the nest reads no array, and divides by no 0. */
static const char *when(struct zoid_emit_row *r)
{
    char *text = NULL;
    const char *copy = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    if (to) {
        fprintf(to, "(zoid_call_runs(&zoid_nest_call, %d, %d)", r->statement, r->colour);
        for (const struct zoid_emit_choice *c = r->choice; c; c = c->outer) {
            fputs(c->other ? " && !" : " && ", to);
            zoid_emit_condition(r->ir, c->e, ZOID_EMIT_TIME, to);
        }
        fputc(')', to);
        if (!fclose(to))
            copy = zoid_text_copy(r->text, text, size);
    }
    free(text);
    if (!copy)
        zoid_refuse(r->text, 0, "memory ran out; free some");
    return copy;
}

/* Notes whether the value is taken for sure, or where real numbers choose it. */
static void note(struct zoid_emit_row *r, struct zoid_emit_table *t, const char *now)
{
    if (!r->chosen) {
        t->sure = zoid_text_print(r->text, "%s%s", t->sure ? t->sure : "", now);
        if (t->perhaps && !strcmp(t->perhaps, now))
            t->perhaps = NULL;
    } else if (!t->sure || !strstr(t->sure, now)) {
        t->perhaps = t->perhaps && strcmp(t->perhaps, now) != 0
                         ? zoid_text_print(r->text, "%s%s", t->perhaps, now)
                         : now;
    }
}

int zoid_emit_table(struct zoid_emit_row *r, const struct zoid_expr *value)
{
    struct zoid_emit_tables *t = r->tables;
    const char *now = when(r);

    for (int i = 0; i < t->n; i++)
        if (same(t->table[i].value, value)) {
            if (!strstr(t->table[i].when, now))
                t->table[i].when = zoid_text_print(r->text, "%s || %s", t->table[i].when, now);
            note(r, &t->table[i], now);
            return i;
        }
    if (t->n == ZOID_MAX_TABLES)
        zoid_refuse(r->text, value->at, "one table of the run too many; %d at most",
                    ZOID_MAX_TABLES);
    t->table[t->n] =
        (struct zoid_emit_table){.name = name_of(r, value), .value = value, .when = now};
    note(r, &t->table[t->n], now);
    return t->n++;
}

/* ---- values -------------------------------------------------------------------------------- */

static void put_sides(const struct zoid_ir *ir, const struct zoid_expr *e, const char *time,
                      FILE *to)
{
    zoid_emit_c(ir, e->a, time, to);
    fputc(' ', to);
    if (e->op > 255)
        fputc((int)(e->op >> 8), to);
    fprintf(to, "%c ", (int)(e->op & 255));
    /* The value may be one that the nest does not take. */
    fputs(e->op == '/' && !e->b->known ? "(" : "", to);
    zoid_emit_c(ir, e->b, time, to);
    fputs(e->op == '/' && !e->b->known ? " ?: 1)" : "", to);
}

void zoid_emit_condition(const struct zoid_ir *ir, const struct zoid_expr *e, const char *time,
                         FILE *to)
{
    fputc('(', to);
    put_sides(ir, e, time, to);
    fputc(')', to);
}

void zoid_emit_c(const struct zoid_ir *ir, const struct zoid_expr *e, const char *time, FILE *to)
{
    switch (e->kind) {
    case ZOID_EXPR_READ:
        fprintf(to, "%s[", e->array->symbol->name);
        if (e->array->kind == ZOID_ARRAY_TABLE)
            fprintf(to, "%s + ", time);
        fprintf(to, "%d]", e->offset[0]);
        return;
    case ZOID_EXPR_NUMBER:
        fprintf(to, "%llu%s%s", e->literal.integer,
                e->type == ZOID_UNSIGNED || e->type == ZOID_ULONG ? "u" : "",
                e->type >= ZOID_LONG ? "l" : "");
        return;
    case ZOID_EXPR_TIME:
        fputs(time, to);
        return;
    case ZOID_EXPR_SIZE:
        fputs(e->symbol->name, to);
        return;
    case ZOID_EXPR_NEGATE:
        fputs("(-", to);
        break;
    case ZOID_EXPR_CONVERT:
        fprintf(to, "((%s)", zoid_emit_integers[e->type]);
        break;
    default:
        fputc('(', to);
        put_sides(ir, e, time, to);
        if (e->kind == ZOID_EXPR_CHOICE) {
            fputs(" ? ", to);
            zoid_emit_c(ir, e->c, time, to);
            fputs(" : ", to);
            zoid_emit_c(ir, e->d, time, to);
        }
        fputc(')', to);
        return;
    }
    zoid_emit_c(ir, e->a, time, to);
    fputc(')', to);
}
