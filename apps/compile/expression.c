/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions, as C parses them; the readers of the tree refuse operators that nests lack. */
#include <ctype.h>
#include <string.h>

#include "apps/compile/parser.h"

enum { TALLEST = 2000 };

static struct zoid_ast *read_choice(struct zoid_parser *p);

static struct zoid_ast *new_ast(struct zoid_parser *p, enum zoid_ast_kind kind, size_t at)
{
    struct zoid_ast *ast = zoid_text_new(p->text, sizeof *ast);

    ast->kind = kind;
    ast->at = ast->op_at = at;
    ast->height = 1;
    return ast;
}

/* Sets the height of a node whose children are set. */
static struct zoid_ast *grown(struct zoid_parser *p, struct zoid_ast *ast)
{
    struct zoid_ast *const child[] = {ast->a, ast->b, ast->c};

    for (int i = 0; i < 3; i++)
        for (const struct zoid_ast *c = child[i]; c; c = c->next)
            if (c->height >= ast->height)
                ast->height = c->height + 1;
    if (ast->height > TALLEST)
        zoid_refuse(p->text, ast->op_at,
                    "an expression of more than %d operations in a row; "
                    "cut it with locals",
                    TALLEST);
    return ast;
}

static struct zoid_ast *number(struct zoid_parser *p, const struct zoid_token *token, size_t at,
                               bool negative)
{
    struct zoid_ast *ast = new_ast(p, ZOID_AST_NUMBER, at), *minus;

    ast->literal = zoid_lex_number(p->text, token, at);
    if (!negative)
        return ast;
    minus = new_ast(p, ZOID_AST_UNARY, at);
    minus->op = '-';
    minus->a = ast;
    return grown(p, minus);
}

/* Subscripts or arguments up to the bracket that closes them. */
static struct zoid_ast *read_arguments(struct zoid_parser *p)
{
    struct zoid_ast *first = NULL, **last = &first;

    if (zoid_take(p, ')'))
        return NULL;
    do {
        *last = read_choice(p);
        last = &(*last)->next;
    } while (zoid_take(p, ','));
    zoid_need(p, ')', ") or , in a call");
    return first;
}

/* PolyBench writes a size as _PB_N, or as the macro N, for the parameter n. */
static struct zoid_symbol *polybench_size(struct zoid_parser *p, const struct zoid_token *name)
{
    char *word = zoid_text_copy(p->text, p->text->bytes + name->at, name->length), *c;
    const bool bound = strncmp(word, "_PB_", 4) == 0;

    if (!bound && !p->polybench)
        return NULL;
    for (c = word; *c; c++) {
        if (islower((unsigned char)*c))
            return NULL;
        *c = (char)tolower((unsigned char)*c);
    }
    word += bound ? 4 : 0;
    for (struct zoid_symbol *s = p->scope; s; s = s->next)
        if (s->kind == ZOID_SYMBOL_SIZE && !strcmp(s->name, word))
            return s;
    return NULL;
}

/* SCALAR_VAL(x) of PolyBench: a number of the type of the data. */
static struct zoid_ast *scalar_value(struct zoid_parser *p, size_t at)
{
    struct zoid_ast *ast;
    struct zoid_token t;
    const bool before = p->text->float_literals;

    zoid_need(p, '(', "(");
    t = zoid_now(p);
    if (t.kind != ZOID_TOKEN_NUMBER)
        zoid_refuse(p->text, t.at, "SCALAR_VAL of no number; write a number");
    p->text->float_literals = p->text->float_data;
    ast = number(p, &t, at, false);
    p->text->float_literals = before;
    p->i++;
    zoid_need(p, ')', ")");
    return ast;
}

static struct zoid_ast *read_name(struct zoid_parser *p)
{
    const struct zoid_token name = zoid_now(p);
    const struct zoid_macro *macro = zoid_find_macro(p, &name);
    struct zoid_symbol *symbol = zoid_find_symbol(p, &name);
    struct zoid_ast *ast, **last;

    if (macro && macro->kind != ZOID_MACRO_NUMBER)
        zoid_refuse(p->text, name.at, "%s %s", zoid_word(p, &name),
                    macro->kind == ZOID_MACRO_TYPE ? "is a type; write a value" : macro->reason);
    p->i++;
    if (macro)
        return number(p, &macro->number, name.at, macro->negative);
    if (!symbol && zoid_token_is(p->text, &name, "SCALAR_VAL"))
        return scalar_value(p, name.at);
    if (!symbol && !zoid_at_mark(p, '('))
        symbol = polybench_size(p, &name);
    ast = new_ast(p, ZOID_AST_NAME, name.at);
    ast->name = zoid_word(p, &name);
    ast->symbol = symbol;
    ast->number = symbol ? symbol->number : -1;
    if (zoid_take(p, '(')) {
        ast->kind = ZOID_AST_CALL;
        ast->a = read_arguments(p);
        return grown(p, ast);
    }
    if (!symbol)
        zoid_refuse(p->text, name.at, "%s is not declared; make it a parameter of the function",
                    ast->name);
    if (symbol->kind == ZOID_SYMBOL_OTHER)
        zoid_refuse(p->text, name.at, "%s %s", symbol->name, symbol->reason);
    if (symbol->changed)
        zoid_refuse(p->text, name.at,
                    "%s has another value than the function was given; leave it as it is",
                    symbol->name);
    for (last = &ast->a; zoid_take(p, '['); last = &(*last)->next) {
        ast->kind = ZOID_AST_ARRAY;
        *last = read_choice(p);
        zoid_need(p, ']', "] after a subscript");
    }
    if (ast->kind == ZOID_AST_ARRAY && symbol->kind != ZOID_SYMBOL_ARRAY)
        zoid_refuse(p->text, name.at, "%s is no array; declare it as one", symbol->name);
    return grown(p, ast);
}

static struct zoid_ast *read_primary(struct zoid_parser *p)
{
    const struct zoid_token t = zoid_now(p);
    struct zoid_ast *ast;
    struct zoid_specifier type;

    if (t.kind == ZOID_TOKEN_NUMBER) {
        p->i++;
        return number(p, &t, t.at, false);
    }
    if (zoid_token_is(p->text, &t, "sizeof"))
        zoid_refuse(p->text, t.at, "sizeof; write the number");
    if (t.kind == ZOID_TOKEN_NAME)
        ast = read_name(p);
    else if (zoid_take(p, '(')) {
        const size_t inner = p->i;

        if (zoid_read_type(p, &type))
            zoid_refuse(p->text, p->token[inner].at,
                        "a conversion; types follow C without one, take it out");
        ast = read_choice(p);
        if (zoid_at_mark(p, ','))
            zoid_refuse(p->text, zoid_now(p).at, "two values; write one");
        zoid_need(p, ')', ")");
    } else
        zoid_refuse(p->text, t.at,
                    "unexpected text; expected a number, a name or a value in parentheses");
    if (zoid_at_mark(p, '[') || zoid_at_mark(p, '(') || zoid_at_mark(p, '.') ||
        zoid_at_mark(p, ZOID_MARK2('-', '>')) || zoid_at_mark(p, ZOID_MARK2('+', '+')) ||
        zoid_at_mark(p, ZOID_MARK2('-', '-')))
        zoid_refuse(p->text, zoid_now(p).at, "unexpected text; expected an operator of values");
    return ast;
}

static struct zoid_ast *read_unary(struct zoid_parser *p)
{
    const struct zoid_token t = zoid_now(p);
    struct zoid_ast *ast;

    if (t.kind != ZOID_TOKEN_MARK || !t.mark || t.mark > 127 || !strchr("+-!~*&", (int)t.mark))
        return read_primary(p);
    if (t.mark == '*' || t.mark == '&')
        zoid_refuse(p->text, t.at, "a pointer; write an array with subscripts");
    p->i++;
    zoid_deeper(p);
    ast = new_ast(p, ZOID_AST_UNARY, t.at);
    ast->op = t.mark;
    ast->a = read_unary(p);
    p->depth--;
    return grown(p, ast);
}

/* How tightly an operator of two values binds; 0: not such an operator. */
static int binds(const struct zoid_parser *p)
{
    static const struct {
        unsigned mark;
        int binds;
    } operators[] = {{ZOID_MARK2('|', '|'), 1},
                     {ZOID_MARK2('&', '&'), 2},
                     {'|', 3},
                     {'^', 4},
                     {'&', 5},
                     {ZOID_MARK2('=', '='), 6},
                     {ZOID_MARK2('!', '='), 6},
                     {'<', 7},
                     {'>', 7},
                     {ZOID_MARK2('<', '='), 7},
                     {ZOID_MARK2('>', '='), 7},
                     {ZOID_MARK2('<', '<'), 8},
                     {ZOID_MARK2('>', '>'), 8},
                     {'+', 9},
                     {'-', 9},
                     {'*', 10},
                     {'/', 10},
                     {'%', 10}};

    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (zoid_at_mark(p, operators[i].mark))
            return operators[i].binds;
    return 0;
}

static struct zoid_ast *read_binary(struct zoid_parser *p, int least)
{
    struct zoid_ast *left = read_unary(p);
    int now;

    while ((now = binds(p)) >= least && now) {
        const struct zoid_token t = zoid_now(p);
        struct zoid_ast *ast = new_ast(p, ZOID_AST_BINARY, left->at);

        p->i++;
        ast->op = t.mark;
        ast->op_at = t.at;
        ast->a = left;
        ast->b = read_binary(p, now + 1);
        left = grown(p, ast);
    }
    return left;
}

static struct zoid_ast *read_choice(struct zoid_parser *p)
{
    struct zoid_ast *condition, *ast;

    zoid_deeper(p);
    condition = read_binary(p, 1);
    if (zoid_at_mark(p, '?')) {
        ast = new_ast(p, ZOID_AST_CHOICE, condition->at);
        ast->op_at = zoid_now(p).at;
        p->i++;
        ast->a = condition;
        ast->b = read_choice(p);
        zoid_need(p, ':', ": of ? :");
        ast->c = read_choice(p);
        condition = grown(p, ast);
    }
    p->depth--;
    return condition;
}

struct zoid_ast *zoid_read_expression(struct zoid_parser *p)
{
    return read_choice(p);
}

static _Noreturn void no_poly(struct zoid_text *text, const struct zoid_ast *ast, const char *what)
{
    zoid_refuse(text, ast->op_at, "a %s that is no sum of sizes and integers; write one", what);
}

struct zoid_poly zoid_ast_poly(struct zoid_text *text, const struct zoid_ast *ast, const char *what)
{
    struct zoid_poly a = {.n = 0}, b;
    bool fits = true;

    if (ast->height > ZOID_TEXT_NESTING)
        zoid_refuse(text, ast->op_at, "a %s of more than %d operations; write a shorter one", what,
                    ZOID_TEXT_NESTING);
    if (ast->kind == ZOID_AST_NUMBER && ast->literal.type < ZOID_FLOAT) {
        if (ast->literal.integer > INT32_MAX)
            zoid_refuse(text, ast->at, "an integer that overflows; %d is the largest in a %s",
                        INT32_MAX, what);
        return zoid_poly_integer((int64_t)ast->literal.integer);
    }
    if (ast->kind == ZOID_AST_NAME && ast->number >= 0)
        return zoid_poly_symbol(ast->number);
    if (ast->kind == ZOID_AST_UNARY && (ast->op == '-' || ast->op == '+')) {
        b = zoid_ast_poly(text, ast->a, what);
        fits = zoid_poly_add(&a, &b, ast->op == '-' ? -1 : 1, &a);
    } else if (ast->kind == ZOID_AST_BINARY && strchr("+-*", (int)(ast->op & 127)) &&
               ast->op < 128) {
        a = zoid_ast_poly(text, ast->a, what);
        b = zoid_ast_poly(text, ast->b, what);
        fits = ast->op == '*' ? zoid_poly_multiply(&a, &b, &a)
                              : zoid_poly_add(&a, &b, ast->op == '-' ? -1 : 1, &a);
    } else
        no_poly(text, ast, what);
    if (!fits)
        zoid_refuse(text, ast->op_at, "a %s that overflows, or is too long; write a shorter one",
                    what);
    return a;
}
