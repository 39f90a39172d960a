/* SPDX-License-Identifier: BSD-3-Clause */
/* Heads of loops: index, bounds, step. */
#include <string.h>

#include "apps/compile/parser.h"

/* size + integer, or an integer. */
static struct zoid_poly read_bound(struct zoid_parser *p)
{
    struct zoid_ast *ast = zoid_read_expression(p);
    struct zoid_poly bound = zoid_ast_poly(p->text, ast, "bound");
    int sizes = 0;

    for (int i = 0; i < bound.n; i++)
        for (int s = 0; s < ZOID_POLY_SYMBOLS; s++)
            if (bound.term[i].power[s])
                sizes += bound.term[i].factor == 1 && bound.term[i].power[s] == 1 ? 1 : 2;
    if (sizes > 1)
        zoid_refuse(p->text, ast->at, "a bound that is not a size and an integer; write n - 1");
    return bound;
}

/* Refuses a bound that holds a variable of a loop, at its name. */
static void independent(struct zoid_parser *p, size_t from, const char *const *names)
{
    for (size_t i = from; i < p->i; i++) {
        struct zoid_symbol *s =
            p->token[i].kind == ZOID_TOKEN_NAME ? zoid_find_symbol(p, &p->token[i]) : NULL;

        if (s && s->kind == ZOID_SYMBOL_LOOP && s->number < 0)
            zoid_refuse(p->text, p->token[i].at,
                        "%s has a value that is not known here; make it a parameter", s->name);
        if (s && s->kind == ZOID_SYMBOL_LOOP)
            zoid_refuse(p->text, p->token[i].at,
                        "depends on %s; take bounds that are the same for all loops",
                        names[s->number]);
    }
}

/* The variable: declared in the loop, or before. */
static struct zoid_symbol *read_variable(struct zoid_parser *p)
{
    struct zoid_specifier type;
    const size_t begin = p->i;
    const bool declared = zoid_read_type(p, &type);
    const struct zoid_token name = zoid_now(p);
    const struct zoid_macro *macro = zoid_find_macro(p, &name);
    struct zoid_symbol *s;

    if (name.kind != ZOID_TOKEN_NAME || macro)
        zoid_refuse(p->text, name.at, "unexpected text; expected the variable of a loop");
    if (declared && (type.other || type.stored || type.constant || type.type >= ZOID_FLOAT))
        zoid_refuse(p->text, p->token[begin].at, "a loop over no integers; write int");
    p->i++;
    if (declared)
        return zoid_declare(p, ZOID_SYMBOL_LOOP, &name, type.type);
    s = zoid_find_symbol(p, &name);
    if (!s)
        zoid_refuse(p->text, name.at, "%s is not declared; write int %s", zoid_word(p, &name),
                    zoid_word(p, &name));
    if (s->kind != ZOID_SYMBOL_LOOP)
        zoid_refuse(p->text, name.at, "%s is no variable of a loop; declare it in the loop",
                    s->name);
    if (s->number >= 0)
        zoid_refuse(p->text, name.at, "%s is the variable of a loop around this one; take another",
                    s->name);
    return s;
}

static void need_variable(struct zoid_parser *p, const struct zoid_symbol *s, const char *where)
{
    if (!zoid_at_name(p, s->name))
        zoid_refuse(p->text, zoid_now(p).at, "unexpected text; expected %s %s", s->name, where);
    p->i++;
}

/* v++, ++v, v += 1, v = v + 1, and down. Returns whether down. */
static bool read_step(struct zoid_parser *p, const struct zoid_symbol *s)
{
    const unsigned up = ZOID_MARK2('+', '+'), down = ZOID_MARK2('-', '-');
    const size_t begin = zoid_now(p).at;
    bool before = false, descends = false, good = true;

    if (zoid_at_mark(p, up) || zoid_at_mark(p, down)) {
        before = true;
        descends = zoid_take(p, down);
        (void)(descends || zoid_take(p, up));
    }
    need_variable(p, s, "in the step of its loop");
    if (before)
        return descends;
    if (zoid_at_mark(p, up) || zoid_at_mark(p, down)) {
        descends = zoid_take(p, down);
        (void)(descends || zoid_take(p, up));
        return descends;
    }
    if (zoid_at_mark(p, ZOID_MARK2('+', '=')) || zoid_at_mark(p, ZOID_MARK2('-', '='))) {
        descends = zoid_at_mark(p, ZOID_MARK2('-', '='));
        p->i++;
    } else if (zoid_take(p, '=')) {
        need_variable(p, s, "in the step of its loop");
        descends = zoid_at_mark(p, '-');
        good = zoid_take(p, '+') || zoid_take(p, '-');
    } else
        good = false;
    if (good) {
        struct zoid_ast *ast = zoid_read_expression(p);
        struct zoid_poly step = zoid_ast_poly(p->text, ast, "step");
        int64_t value;

        good = zoid_poly_constant(&step, &value) && value == 1;
    }
    if (!good)
        zoid_refuse(p->text, begin, "a loop that does not go by 1; write loops by 1");
    return descends;
}

static bool is_unsigned(enum zoid_ctype type)
{
    return type == ZOID_UNSIGNED || type == ZOID_ULONG;
}

/* Returns whether C compares the variable with a bound as unsigned integers. */
static bool compares_unsigned(const struct zoid_parser *p, const struct zoid_symbol *variable,
                              const struct zoid_poly *bound)
{
    bool found = is_unsigned(variable->type);

    for (int s = 0; s < p->nest->nsizes; s++)
        found |= zoid_poly_has(bound, s, s + 1) && is_unsigned(p->nest->size[s]->type);
    return found;
}

/* Refuses numbers below 0 that C compares as unsigned integers, with the mark at `at`. */
static void check_signs(struct zoid_parser *p, const struct zoid_item *loop, size_t at, bool closed,
                        const struct zoid_poly *last)
{
    int64_t lo, end, rest = 0;

    if (!compares_unsigned(p, loop->symbol, last))
        return;
    if ((zoid_poly_constant(&loop->lo, &lo) && lo < 0) ||
        (zoid_poly_constant(last, &end) && end < 0))
        zoid_refuse(p->text, at, "a negative number compared as unsigned integers; make them int");
    if (loop->down && closed && !last->n)
        zoid_refuse(p->text, at, "an unsigned variable is always >= 0; make it int");
    if (last->n &&
        !zoid_poly_has(&(struct zoid_poly){1, {last->term[last->n - 1]}}, 0, ZOID_POLY_SYMBOLS))
        rest = last->term[last->n - 1].factor;
    /* In space the arrays have no such extents. */
    if (rest < 0 && !loop->down && p->nest->time == NULL)
        zoid_refuse(p->text, at,
                    "fewer steps than an unsigned number, which may be 0; make it int");
}

/* Sets the bounds from the first value and the comparison. */
static void set_bounds(struct zoid_parser *p, struct zoid_item *loop, unsigned mark, size_t at,
                       const struct zoid_poly *first, const struct zoid_poly *last)
{
    const struct zoid_poly one = zoid_poly_integer(1);
    const bool below = mark == '<' || mark == ZOID_MARK2('<', '=');
    const bool closed = mark > 255;
    bool fits;

    if (below == loop->down)
        zoid_refuse(p->text, at,
                    loop->down ? "a loop that goes down to no end; write > or >="
                               : "a loop that goes up to no end; write < or <=");
    if (loop->down) {
        fits = zoid_poly_add(first, &one, 1, &loop->hi) &&
               zoid_poly_add(last, &one, closed ? 0 : 1, &loop->lo);
    } else {
        loop->lo = *first;
        fits = zoid_poly_add(last, &one, closed ? 1 : 0, &loop->hi);
    }
    if (!fits)
        zoid_refuse(p->text, at, "a bound that overflows; write a smaller one");
}

struct zoid_item *zoid_read_head(struct zoid_parser *p, size_t at, int symbol)
{
    struct zoid_item *loop = zoid_new_item(p, ZOID_ITEM_FOR, at);
    struct zoid_poly first, last;
    struct zoid_token mark;
    size_t begin;

    zoid_need(p, '(', "( after for");
    loop->symbol = read_variable(p);
    zoid_need(p, '=', "= and the first value");
    begin = p->i;
    zoid_read_expression(p);
    independent(p, begin, p->nest->names);
    p->i = begin;
    first = read_bound(p);
    zoid_need(p, ';', "; after the first value");
    need_variable(p, loop->symbol, "on the left of the comparison");
    mark = zoid_now(p);
    if (mark.kind != ZOID_TOKEN_MARK ||
        (mark.mark != '<' && mark.mark != '>' && mark.mark != ZOID_MARK2('<', '=') &&
         mark.mark != ZOID_MARK2('>', '=')))
        zoid_refuse(p->text, mark.at, "unexpected text; expected <, <=, > or >=");
    begin = ++p->i;
    zoid_read_expression(p);
    independent(p, begin, p->nest->names);
    p->i = begin;
    last = read_bound(p);
    zoid_need(p, ';', "; after the comparison, which is the only one");
    loop->down = read_step(p, loop->symbol);
    zoid_need(p, ')', ") after the step");
    set_bounds(p, loop, mark.mark, mark.at, &first, &last);
    check_signs(p, loop, mark.at, mark.mark > 255, &last);
    loop->symbol->number = symbol;
    p->nest->names[symbol] = loop->symbol->name;
    return loop;
}
