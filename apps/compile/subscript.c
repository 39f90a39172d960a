/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/subscript.h"

#include <string.h>

/* Refuses a subscript that holds an array, at that array. */
static void no_data(struct zoid_meaning *m, const struct zoid_ast *ast)
{
    if (!ast || ast->height > ZOID_TEXT_NESTING)
        return;
    if (ast->kind == ZOID_AST_ARRAY)
        zoid_refuse(m->text, ast->at,
                    "a subscript from data; the distance must be the same at all "
                    "points");
    no_data(m, ast->a);
    no_data(m, ast->b);
    no_data(m, ast->c);
}

static bool number_is(const struct zoid_ast *ast, unsigned long long value)
{
    return ast->kind == ZOID_AST_NUMBER && ast->literal.type < ZOID_FLOAT &&
           ast->literal.integer == value;
}

static struct zoid_subscript read_subscript(struct zoid_meaning *m, const struct zoid_ast *ast)
{
    struct zoid_subscript s = {.turns = 0};

    no_data(m, ast);
    if (ast->kind == ZOID_AST_BINARY && (ast->op == '%' || ast->op == '&')) {
        s.turns = ast->op == '&' && number_is(ast->b, 1)   ? 2
                  : ast->op == '%' && number_is(ast->b, 2) ? 2
                  : ast->op == '%' && number_is(ast->b, 3) ? 3
                                                           : 0;
        if (!s.turns)
            zoid_refuse(m->text, ast->op_at,
                        "a subscript that is not t %% 2, t %% 3 or t & 1; "
                        "write one of them");
        s.poly = zoid_ast_poly(m->text, ast->a, "subscript");
        if (!zoid_poly_has(&s.poly, ZOID_POLY_TIME, ZOID_POLY_TIME + 1))
            zoid_refuse(m->text, ast->op_at, "%% in a subscript in space; write i + 1 or the like");
        return s;
    }
    s.poly = zoid_ast_poly(m->text, ast, "subscript");
    return s;
}

bool zoid_time_shift(const struct zoid_poly *poly, int64_t *shift)
{
    const struct zoid_poly t = zoid_poly_symbol(ZOID_POLY_TIME);

    return zoid_poly_difference(poly, &t, shift);
}

_Noreturn void zoid_not_uniform(struct zoid_meaning *m, const struct zoid_ast *ast)
{
    zoid_refuse(m->text, ast->at,
                "%s: the distance is not the same at all points; write i, i + 1 "
                "or the like, an axis each",
                ast->symbol->name);
}

/* The subscripts of an axis each, from a sum (k*ny + j)*nx + i. */
static void unflatten(struct zoid_meaning *m, const struct zoid_ast *ast,
                      const struct zoid_poly *sum, struct zoid_subscript *to)
{
    const int axes = m->ir->axes;
    struct zoid_poly stride[ZOID_NEST_AXES], rest = *sum, factor, next;

    stride[axes - 1] = zoid_poly_integer(1);
    for (int a = axes - 1; a > 0; a--)
        if (!zoid_poly_multiply(&stride[a], &m->ir->extent[a], &stride[a - 1]))
            zoid_not_uniform(m, ast);
    for (int a = 0; a < axes; a++)
        to[a] = (struct zoid_subscript){.turns = 0};
    for (int d = 0; d < ZOID_POLY_LOOPS; d++) {
        const struct zoid_poly variable = zoid_poly_symbol(ZOID_POLY_LOOP + d);
        int a = 0;

        if (!zoid_poly_factor(sum, ZOID_POLY_LOOP + d, &factor))
            zoid_not_uniform(m, ast);
        if (!factor.n)
            continue;
        while (a < axes && !zoid_poly_equal(&factor, &stride[a]))
            a++;
        if (a == axes || to[a].poly.n)
            zoid_not_uniform(m, ast);
        to[a].poly = variable;
        if (!zoid_poly_multiply(&variable, &factor, &next) ||
            !zoid_poly_add(&rest, &next, -1, &rest))
            zoid_not_uniform(m, ast);
    }
    for (int a = 0; a < axes; a++) {
        struct zoid_poly quotient, left;

        if (zoid_poly_has(&rest, ZOID_POLY_TIME, ZOID_POLY_SYMBOLS))
            zoid_not_uniform(m, ast);
        zoid_poly_divide(&rest, &stride[a], &quotient, &left);
        rest = left;
        if (!zoid_poly_add(&to[a].poly, &quotient, 1, &to[a].poly))
            zoid_not_uniform(m, ast);
    }
    if (rest.n)
        zoid_not_uniform(m, ast);
    /* A fixed index below 0 is one of the row before, near its end. */
    for (int a = axes - 1; a > 0; a--) {
        const struct zoid_poly one = zoid_poly_integer(1);
        int64_t fixed;

        if (zoid_poly_constant(&to[a].poly, &fixed) && fixed < 0 &&
            (!zoid_poly_add(&to[a].poly, &m->ir->extent[a], 1, &to[a].poly) ||
             !zoid_poly_add(&to[a - 1].poly, &one, -1, &to[a - 1].poly)))
            zoid_not_uniform(m, ast);
    }
}

void zoid_read_place(struct zoid_meaning *m, const struct zoid_ast *ast, struct zoid_place *p)
{
    struct zoid_subscript all[ZOID_NEST_DIMS];
    struct zoid_symbol *symbol = ast->symbol;
    int n = 0, first = 0;

    for (const struct zoid_ast *x = ast->a; x; x = x->next) {
        if (n == ZOID_NEST_DIMS || n == symbol->dims)
            zoid_refuse(m->text, x->at, "a subscript too many; %s has %d", symbol->name,
                        symbol->dims);
        all[n++] = read_subscript(m, x);
    }
    if (n < symbol->dims)
        zoid_refuse(m->text, ast->at, "%s has %d subscripts; write all of them", symbol->name,
                    symbol->dims);
    p->timed = zoid_poly_has(&all[0].poly, ZOID_POLY_TIME, ZOID_POLY_TIME + 1);
    if (p->timed) {
        p->time = all[0];
        first = 1;
    }
    for (int i = first; i < n; i++)
        if (all[i].turns || zoid_poly_has(&all[i].poly, ZOID_POLY_TIME, ZOID_POLY_TIME + 1))
            zoid_refuse(m->text, ast->at,
                        "%s: the time in another subscript than the first; make "
                        "it the first",
                        symbol->name);
    p->n = n - first;
    memcpy(p->space, all + first, (size_t)p->n * sizeof *p->space);
    if (p->n == 1 && !p->timed && m->ir->axes > 1) {
        struct zoid_poly sum = p->space[0].poly;
        int loops = 0;

        for (int d = 0; d < ZOID_POLY_LOOPS; d++)
            loops += zoid_poly_has(&sum, ZOID_POLY_LOOP + d, ZOID_POLY_LOOP + d + 1);
        /* A profile is a sum of one variable, with no size before it. */
        if (zoid_array_of(m, symbol)->kind == ZOID_ARRAY_STATE || loops > 1) {
            unflatten(m, ast, &sum, p->space);
            p->n = m->ir->axes;
        }
    }
}
