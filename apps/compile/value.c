/* SPDX-License-Identifier: BSD-3-Clause */
/* Values with the types that C gives them. */
#include <limits.h>
#include <string.h>

#include "apps/compile/meaning.h"

static struct zoid_expr *new_expr(struct zoid_meaning *m, enum zoid_expr_kind kind,
                                  enum zoid_ctype type, size_t at)
{
    struct zoid_expr *e = zoid_text_new(m->text, sizeof *e);

    e->kind = kind;
    e->type = type;
    e->at = at;
    return e;
}

static bool is_real(enum zoid_ctype type)
{
    return type >= ZOID_FLOAT;
}

/* The first value of a type in a tree, at which a message points. */
static const struct zoid_expr *leaf(const struct zoid_expr *e, enum zoid_ctype type)
{
    const struct zoid_expr *const child[] = {e->a, e->b, e->c, e->d};

    for (int i = 0; i < 4 && e->kind != ZOID_EXPR_CALL; i++)
        if (child[i] && child[i]->type == type && child[i]->kind != ZOID_EXPR_CONVERT)
            return leaf(child[i], type);
    return e;
}

static _Noreturn void too_wide(struct zoid_meaning *m, const struct zoid_expr *e)
{
    e = leaf(e, ZOID_DOUBLE);
    if (e->kind == ZOID_EXPR_NUMBER)
        zoid_refuse(m->text, e->at,
                    "a double in float code; write it with f, as 0.5f, or take "
                    "--float-literals");
    zoid_refuse(m->text, e->at, "%s is double in float code; make it float",
                e->kind == ZOID_EXPR_PARAM  ? e->symbol->name
                : e->kind == ZOID_EXPR_CALL ? e->name
                                            : "this");
}

/* Refuses values of another type than the nest's. */
static void check_type(struct zoid_meaning *m, const struct zoid_expr *e, bool computed)
{
    if (e->type == ZOID_DOUBLE && m->nest->type == ZOID_FLOAT)
        too_wide(m, e);
    if (e->type == ZOID_FLOAT && m->nest->type == ZOID_DOUBLE && computed)
        zoid_refuse(m->text, leaf(e, ZOID_FLOAT)->at,
                    "float arithmetic in double code; write doubles");
}

struct zoid_expr *zoid_convert(struct zoid_meaning *m, struct zoid_expr *value,
                               enum zoid_ctype type)
{
    struct zoid_expr *e;

    if (value->type == type)
        return value;
    if (is_real(value->type) && !is_real(type))
        zoid_refuse(m->text, value->at, "a real number in the place of an integer; write one");
    if (value->type == ZOID_DOUBLE)
        too_wide(m, value);
    e = new_expr(m, ZOID_EXPR_CONVERT, type, value->at);
    e->a = value;
    e->height = value->height + 1;
    e->known = value->known && (type == ZOID_INT || type == ZOID_LONG);
    e->value = value->value;
    return e;
}

static bool most_of(enum zoid_ctype type, int64_t value)
{
    return type == ZOID_LONG || (value >= INT_MIN && value <= INT_MAX);
}

/* What an operation of two known integers gives; refuses an overflow, which C does not define. */
static void fold(struct zoid_meaning *m, struct zoid_expr *e)
{
    const int64_t a = e->a->value, b = e->b->value;
    bool over;

    if (is_real(e->type))
        return;
    if (e->op == '/' && e->b->known && b == 0)
        zoid_refuse(m->text, e->at, "an integer divided by 0; divide by another one");
    e->known = e->a->known && e->b->known && (e->type == ZOID_INT || e->type == ZOID_LONG);
    if (!e->known)
        return;
    over = e->op == '+'   ? __builtin_add_overflow(a, b, &e->value)
           : e->op == '-' ? __builtin_sub_overflow(a, b, &e->value)
           : e->op == '*' ? __builtin_mul_overflow(a, b, &e->value)
                          : a == INT64_MIN && b == -1;
    if (!over && e->op == '/')
        e->value = a / b;
    if (over || !most_of(e->type, e->value))
        zoid_refuse(m->text, e->at, "an integer that overflows; write a smaller one");
}

struct zoid_expr *zoid_operate(struct zoid_meaning *m, unsigned op, size_t at, struct zoid_expr *a,
                               struct zoid_expr *b)
{
    const enum zoid_ctype type = a->type > b->type ? a->type : b->type;
    struct zoid_expr *e = new_expr(m, ZOID_EXPR_BINARY, type, at);

    check_type(m, a, false);
    check_type(m, b, false);
    e->op = op;
    e->a = zoid_convert(m, a, type);
    e->b = zoid_convert(m, b, type);
    e->height = (e->a->height > e->b->height ? e->a->height : e->b->height) + 1;
    check_type(m, e, true);
    fold(m, e);
    return e;
}

static bool is_comparison(const struct zoid_ast *ast)
{
    return ast->kind == ZOID_AST_BINARY &&
           (ast->op == '<' || ast->op == '>' || ast->op == ZOID_MARK2('<', '=') ||
            ast->op == ZOID_MARK2('>', '=') || ast->op == ZOID_MARK2('=', '=') ||
            ast->op == ZOID_MARK2('!', '='));
}

static struct zoid_expr *choice(struct zoid_meaning *m, struct zoid_statement *s,
                                const struct zoid_ast *ast)
{
    struct zoid_expr *a, *b, *c, *d, *e;
    enum zoid_ctype type;

    if (!is_comparison(ast->a))
        zoid_refuse(m->text, ast->a->op_at, "no comparison of two values before ?; write x < y");
    a = zoid_value(m, s, ast->a->a);
    b = zoid_value(m, s, ast->a->b);
    c = zoid_value(m, s, ast->b);
    d = zoid_value(m, s, ast->c);
    check_type(m, a, false);
    check_type(m, b, false);
    check_type(m, c, false);
    check_type(m, d, false);
    type = a->type > b->type ? a->type : b->type;
    a = zoid_convert(m, a, type);
    b = zoid_convert(m, b, type);
    if (type == ZOID_FLOAT)
        check_type(m, a, true);
    e = new_expr(m, ZOID_EXPR_CHOICE, c->type > d->type ? c->type : d->type, ast->op_at);
    e->op = ast->a->op;
    e->a = a;
    e->b = b;
    e->c = zoid_convert(m, c, e->type);
    e->d = zoid_convert(m, d, e->type);
    check_type(m, e, true);
    for (int i = 0; i < 4; i++) {
        const unsigned height = (i == 0 ? a : i == 1 ? b : i == 2 ? e->c : e->d)->height;

        e->height = e->height > height ? e->height : height + 1;
    }
    return e;
}

static struct zoid_expr *call(struct zoid_meaning *m, struct zoid_statement *s,
                              const struct zoid_ast *ast)
{
    static const struct {
        const char *name;
        int arguments;
    } functions[] = {{"fabs", 1}, {"sqrt", 1}, {"fma", 3}, {"fmin", 2}, {"fmax", 2}};
    const size_t length = strlen(ast->name);
    const bool single = length && ast->name[length - 1] == 'f';
    const enum zoid_ctype type = single ? ZOID_FLOAT : ZOID_DOUBLE;
    struct zoid_expr *e = NULL, **to;
    int n = 0;

    for (size_t i = 0; i < sizeof functions / sizeof *functions && !ast->symbol; i++)
        if (!strncmp(functions[i].name, ast->name, length - single) &&
            strlen(functions[i].name) == length - single) {
            e = new_expr(m, ZOID_EXPR_CALL, type, ast->at);
            e->name = functions[i].name;
            n = functions[i].arguments;
        }
    if (!e)
        zoid_refuse(m->text, ast->at,
                    "%s is a function that a nest does not know; fabs, sqrt, fma, fmin, fmax and "
                    "their float forms are all that there are",
                    ast->name);
    to = &e->a;
    for (const struct zoid_ast *x = ast->a; x; x = x->next, n--) {
        struct zoid_expr *value;

        if (n == 0)
            zoid_refuse(m->text, x->at, "an argument too many for %s; give as many as it takes",
                        ast->name);
        value = zoid_value(m, s, x);
        if (type == ZOID_FLOAT && value->type == ZOID_DOUBLE)
            zoid_refuse(m->text, ast->at, "%s of a double; write %s", ast->name, e->name);
        *to = zoid_convert(m, value, type);
        e->height = e->height > (*to)->height ? e->height : (*to)->height + 1;
        to = to == &e->a ? &e->b : &e->c;
    }
    if (n)
        zoid_refuse(m->text, ast->at, "an argument too few for %s; give as many as it takes",
                    ast->name);
    e->name = ast->name;
    check_type(m, e, true);
    return e;
}

static struct zoid_expr *name(struct zoid_meaning *m, struct zoid_statement *s,
                              const struct zoid_ast *ast)
{
    struct zoid_symbol *symbol = ast->symbol;
    struct zoid_expr *e;

    switch (symbol->kind) {
    case ZOID_SYMBOL_ARRAY:
        zoid_refuse(m->text, ast->at, "%s without subscripts; write them", symbol->name);
    case ZOID_SYMBOL_LOOP:
        if (ast->number < 0)
            zoid_refuse(m->text, ast->at,
                        "%s has a value that is not known here; make it a "
                        "parameter",
                        symbol->name);
        if (ast->number >= ZOID_POLY_LOOP)
            zoid_refuse(m->text, ast->at, "the index %s as a value; give it as a coefficient",
                        symbol->name);
        return new_expr(m, ZOID_EXPR_TIME, symbol->type, ast->at);
    case ZOID_SYMBOL_SIZE:
        e = new_expr(m, ZOID_EXPR_SIZE, symbol->type, ast->at);
        e->symbol = symbol;
        return e;
    case ZOID_SYMBOL_REAL:
        e = new_expr(m, ZOID_EXPR_PARAM, symbol->type, ast->at);
        e->symbol = symbol;
        for (int i = 0; i < m->ir->nparams; i++)
            if (m->ir->param[i] == symbol)
                return e;
        if (m->ir->nparams == ZOID_IR_PARAMS)
            zoid_refuse(m->text, ast->at, "%s is one parameter too many; %d at most", symbol->name,
                        ZOID_IR_PARAMS);
        m->ir->param[m->ir->nparams++] = symbol;
        return e;
    default:
        if (!symbol->data)
            zoid_refuse(m->text, ast->at, "%s is no local of this point; declare it here",
                        symbol->name);
        e = new_expr(m, ZOID_EXPR_LET, symbol->type, ast->at);
        e->let = symbol->data;
        if (!zoid_same_point(e->let->point, s))
            zoid_refuse(m->text, ast->at, "%s is a local of other points; declare it here",
                        symbol->name);
        return e;
    }
}

static struct zoid_expr *unary(struct zoid_meaning *m, struct zoid_statement *s,
                               const struct zoid_ast *ast)
{
    struct zoid_expr *a, *e;

    if (ast->op != '-' && ast->op != '+')
        zoid_refuse(m->text, ast->op_at,
                    "an operator that values do not have; write + - * / or "
                    "? :");
    a = zoid_value(m, s, ast->a);
    if (ast->op == '+')
        return a;
    check_type(m, a, true);
    e = new_expr(m, ZOID_EXPR_NEGATE, a->type, ast->at);
    e->a = a;
    e->height = a->height + 1;
    e->known = a->known;
    if (a->known && (__builtin_sub_overflow(0, a->value, &e->value) || !most_of(e->type, e->value)))
        zoid_refuse(m->text, ast->at, "an integer that overflows; write a smaller one");
    return e;
}

struct zoid_expr *zoid_value(struct zoid_meaning *m, struct zoid_statement *s,
                             const struct zoid_ast *ast)
{
    struct zoid_expr *e;

    switch (ast->kind) {
    case ZOID_AST_NUMBER:
        e = new_expr(m, ZOID_EXPR_NUMBER, ast->literal.type, ast->at);
        e->literal = ast->literal;
        e->known = e->type == ZOID_INT || e->type == ZOID_LONG;
        e->value = (int64_t)ast->literal.integer;
        return e;
    case ZOID_AST_NAME:
        return name(m, s, ast);
    case ZOID_AST_ARRAY:
        return zoid_read_value(m, s, ast);
    case ZOID_AST_CALL:
        return call(m, s, ast);
    case ZOID_AST_UNARY:
        return unary(m, s, ast);
    case ZOID_AST_CHOICE:
        return choice(m, s, ast);
    default:
        break;
    }
    if (is_comparison(ast))
        zoid_refuse(m->text, ast->op_at, "a comparison as a value; write x < y ? a : b");
    if (ast->op > 127 || !ast->op || !strchr("+-*/", (int)ast->op))
        zoid_refuse(m->text, ast->op_at,
                    "an operator that values do not have; write + - * / or "
                    "? :");
    e = zoid_value(m, s, ast->a);
    return zoid_operate(m, ast->op, ast->op_at, e, zoid_value(m, s, ast->b));
}
