/* SPDX-License-Identifier: BSD-3-Clause */
/* The region: the time loop, loops, statements. */
#include "apps/compile/parse.h"

#include <string.h>

#include "apps/compile/parser.h"

static struct zoid_item *read_item(struct zoid_parser *p);

struct zoid_item *zoid_new_item(struct zoid_parser *p, enum zoid_item_kind kind, size_t at)
{
    struct zoid_item *item = zoid_text_new(p->text, sizeof *item);

    item->kind = kind;
    item->at = at;
    return item;
}

/* The body of a loop or condition: { items }, or one item. Names end with it. */
static struct zoid_item *read_body(struct zoid_parser *p)
{
    struct zoid_symbol *const scope = p->scope;
    struct zoid_item *first = NULL, **last = &first;
    const bool braces = zoid_take(p, '{');
    const size_t open = p->token[p->i - 1].at;

    zoid_deeper(p);
    do {
        if (braces && zoid_take(p, '}'))
            break;
        if (zoid_now(p).kind == ZOID_TOKEN_END)
            zoid_refuse(p->text, open, "not closed in the region; close it before endscop");
        *last = read_item(p);
        while (*last)
            last = &(*last)->next;
    } while (braces);
    p->depth--;
    p->scope = scope;
    return first;
}

static struct zoid_item *read_loop(struct zoid_parser *p)
{
    struct zoid_symbol *const scope = p->scope;
    const size_t at = zoid_now(p).at;
    struct zoid_item *loop;

    p->i++;
    if (p->loops == ZOID_NEST_AXES)
        zoid_refuse(p->text, at, "a loop too many; 3 axes in space at most");
    loop = zoid_read_head(p, at, ZOID_POLY_LOOP + p->loops++);
    loop->body = read_body(p);
    loop->symbol->number = -1;
    p->loops--;
    p->scope = scope;
    return loop;
}

static struct zoid_item *read_if(struct zoid_parser *p)
{
    struct zoid_item *item = zoid_new_item(p, ZOID_ITEM_IF, zoid_now(p).at);

    p->i++;
    zoid_need(p, '(', "( after if");
    item->condition = zoid_read_expression(p);
    zoid_need(p, ')', ") after the condition");
    item->body = read_body(p);
    if (zoid_at_name(p, "else"))
        zoid_refuse(p->text, zoid_now(p).at, "else; write a second if");
    return item;
}

/* The statement's operator: = or += and its kin, as = + - * /. */
static unsigned read_assignment(struct zoid_parser *p)
{
    const struct zoid_token t = zoid_now(p);
    const unsigned op = t.mark > 255 && (t.mark & 255) == '=' ? t.mark >> 8 : t.mark;

    if (t.kind == ZOID_TOKEN_MARK &&
        (op == '=' || (t.mark > 255 && op < 128 && op && strchr("+-*/", (int)op)))) {
        if (t.mark == ZOID_MARK2('=', '='))
            zoid_refuse(p->text, t.at, "a comparison that is no statement; write =");
        p->i++;
        return op;
    }
    zoid_refuse(p->text, t.at, "unexpected text; expected =, +=, -=, *= or /=");
}

/* T name = value, name = value; or T name, name; which declares
 * indices of loops. */
static struct zoid_item *read_declaration(struct zoid_parser *p)
{
    const size_t at = zoid_now(p).at;
    struct zoid_item *first = NULL, **last = &first;
    struct zoid_specifier type;

    (void)zoid_read_type(p, &type);
    if (type.stored || type.is_typedef)
        zoid_refuse(p->text, at, "a declaration that is no local's; write the type alone");
    if (type.other)
        zoid_refuse(p->text, at, "a type that a nest cannot use; take float, double or int");
    do {
        const struct zoid_token name = zoid_now(p);
        struct zoid_item *item;

        if (name.kind != ZOID_TOKEN_NAME || zoid_find_macro(p, &name))
            zoid_refuse(p->text, name.at, "unexpected text; expected the name of a local");
        p->i++;
        if (type.type < ZOID_FLOAT) {
            if (!zoid_at_mark(p, ',') && !zoid_at_mark(p, ';'))
                zoid_refuse(p->text, name.at,
                            "a local that is an integer; write its value where it is used");
            zoid_declare(p, ZOID_SYMBOL_LOOP, &name, type.type);
            continue;
        }
        item = zoid_new_item(p, ZOID_ITEM_LOCAL, name.at);
        if (!zoid_take(p, '='))
            zoid_refuse(p->text, name.at, "a local without a value; declare it with one");
        /* In C the name is known in its own value already. */
        item->op = '=';
        item->symbol = zoid_declare(p, ZOID_SYMBOL_OTHER, &name, type.type);
        item->symbol->reason = "has no value yet; declare it with another one";
        item->right = zoid_read_expression(p);
        item->symbol->kind = ZOID_SYMBOL_LOCAL;
        item->symbol->constant = type.constant;
        *last = item;
        last = &item->next;
    } while (zoid_take(p, ','));
    zoid_need(p, ';', "; after a declaration");
    return first;
}

/* The array that is the current token, alone; NULL: it is something else. */
static struct zoid_symbol *array_alone(struct zoid_parser *p, unsigned after)
{
    const struct zoid_token t = zoid_now(p);
    struct zoid_symbol *s = t.kind == ZOID_TOKEN_NAME ? zoid_find_symbol(p, &t) : NULL;

    if (!s || s->kind != ZOID_SYMBOL_ARRAY || p->token[p->i + 1].mark != after)
        return NULL;
    p->i += 2;
    return s;
}

/* T *tmp = a; a = b; b = tmp; as the current tokens. */
static struct zoid_item *read_swap(struct zoid_parser *p)
{
    const size_t begin = p->i;
    struct zoid_specifier type;
    struct zoid_item *item = zoid_new_item(p, ZOID_ITEM_SWAP, zoid_now(p).at);
    struct zoid_symbol *a, *b;
    struct zoid_token name;
    bool good;

    (void)zoid_read_type(p, &type);
    if (!zoid_take(p, '(') && !zoid_at_mark(p, '*'))
        goto other;
    if (!zoid_take(p, '*'))
        goto other;
    while (zoid_at_name(p, "restrict") || zoid_at_name(p, "const"))
        p->i++;
    name = zoid_now(p);
    if (name.kind != ZOID_TOKEN_NAME)
        goto other;
    p->i++;
    (void)zoid_take(p, ')');
    while (zoid_take(p, '[')) {
        (void)zoid_ast_poly(p->text, zoid_read_expression(p), "extent");
        zoid_need(p, ']', "] after an extent");
    }
    good = zoid_take(p, '=');
    good &= !type.other && !type.stored && !type.is_typedef && !type.constant;
    a = good ? array_alone(p, ';') : NULL;
    if (a && a->type != type.type)
        a = NULL;
    if (!a)
        zoid_refuse(p->text, name.at,
                    "a pointer that swaps no two arrays; write T *c = a; a = b; "
                    "b = c;");
    item->symbol = a;
    item->other = NULL;
    good = array_alone(p, '=') == a;
    b = good ? array_alone(p, ';') : NULL;
    good = b && b != a && array_alone(p, '=') == b;
    if (!good || zoid_now(p).length != name.length ||
        memcmp(p->text->bytes + name.at, p->text->bytes + zoid_now(p).at, name.length))
        zoid_refuse(p->text, name.at,
                    "a pointer that swaps no two arrays; write T *c = a; a = b; "
                    "b = c;");
    p->i++;
    zoid_need(p, ';', "; after a swap");
    item->other = b;
    return item;
other:
    p->i = begin;
    return NULL;
}

static struct zoid_item *read_assign(struct zoid_parser *p)
{
    const struct zoid_token t = zoid_now(p);
    struct zoid_item *item = zoid_new_item(p, ZOID_ITEM_PUT, t.at);
    struct zoid_symbol *s = zoid_find_symbol(p, &t);

    if (s && s->kind == ZOID_SYMBOL_OTHER)
        zoid_refuse(p->text, t.at, "%s %s", s->name, s->reason);
    if (s &&
        (s->kind == ZOID_SYMBOL_REAL || s->kind == ZOID_SYMBOL_SIZE || s->kind == ZOID_SYMBOL_LOOP))
        zoid_refuse(p->text, t.at, "%s is a scalar that outlives the point; %s", s->name,
                    s->kind == ZOID_SYMBOL_REAL ? "sum into an array, or into a local of the point"
                                                : "leave it as it is");
    item->left = zoid_read_expression(p);
    if (item->left->kind == ZOID_AST_CALL)
        zoid_refuse(p->text, t.at, "a call that is no value; write assignments");
    if (item->left->kind != ZOID_AST_ARRAY && item->left->kind != ZOID_AST_NAME)
        zoid_refuse(p->text, t.at, "unexpected text; expected an array with subscripts");
    s = item->left->symbol;
    if (s->kind == ZOID_SYMBOL_ARRAY && item->left->kind == ZOID_AST_NAME)
        zoid_refuse(p->text, t.at,
                    "%s without subscripts; write them, or swap with T *c = a; a = "
                    "b; b = c;",
                    s->name);
    if (s->kind == ZOID_SYMBOL_LOCAL) {
        item->kind = ZOID_ITEM_LOCAL;
        item->symbol = s;
    }
    if (s->constant)
        zoid_refuse(p->text, t.at, "%s is const; take the const out, or write to another one",
                    s->name);
    item->op = read_assignment(p);
    item->right = zoid_read_expression(p);
    zoid_need(p, ';', "; after a statement");
    return item;
}

/* Words of C that have no place in a nest. */
static void refuse_word(struct zoid_parser *p)
{
    static const char *const words[][2] = {
        {"while", "a loop with an end that is not known; write for loops by 1"},
        {"do", "a loop with an end that is not known; write for loops by 1"},
        {"break", "a loop that is left; let loops run to their ends"},
        {"continue", "a point that is left out; write ? :"},
        {"goto", "a jump; write for loops by 1"},
        {"return", "a loop that is left; let loops run to their ends"},
        {"switch", "other ways; write ? :"},
        {"else", "else without if; write if of two colours"},
        {"asm", "code that is no C; write assignments"},
        {"__asm__", "code that is no C; write assignments"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (zoid_at_name(p, words[i][0]))
            zoid_refuse(p->text, zoid_now(p).at, "%s", words[i][1]);
}

static struct zoid_item *read_item(struct zoid_parser *p)
{
    const struct zoid_token t = zoid_now(p);
    struct zoid_specifier type;
    struct zoid_item *swap;
    const size_t begin = p->i;

    if (zoid_take(p, ';'))
        return NULL;
    if (t.kind == ZOID_TOKEN_MARK && t.mark == '{')
        return read_body(p);
    if (zoid_at_name(p, "for"))
        return read_loop(p);
    if (zoid_at_name(p, "if"))
        return read_if(p);
    if (t.kind == ZOID_TOKEN_DIRECTIVE)
        zoid_refuse(p->text, t.at, "a directive inside the region; take it out");
    refuse_word(p);
    if (t.kind != ZOID_TOKEN_NAME)
        zoid_refuse(p->text, t.at, "unexpected text; expected a loop or an assignment");
    if (!zoid_find_symbol(p, &t) && zoid_read_type(p, &type)) {
        p->i = begin;
        swap = read_swap(p);
        return swap ? swap : read_declaration(p);
    }
    p->i = begin;
    return read_assign(p);
}

/* Returns whether a directive is #pragma scop or endscop. */
static bool is_pragma(struct zoid_parser *p, const struct zoid_token *d, const char *which)
{
    size_t at = d->at + 1;
    const size_t end = d->at + d->length;
    bool line = false;
    struct zoid_token t;

    if (d->kind != ZOID_TOKEN_DIRECTIVE)
        return false;
    t = zoid_lex(p->text, &at, end, &line);
    if (!zoid_token_is(p->text, &t, "pragma"))
        return false;
    t = zoid_lex(p->text, &at, end, &line);
    return zoid_token_is(p->text, &t, which);
}

/* Finds the region: tokens (*scop, *endscop). */
static void find_region(struct zoid_parser *p, size_t count, size_t *scop, size_t *endscop)
{
    bool open = false, closed = false;

    for (size_t i = 0; i < count; i++) {
        const struct zoid_token *t = &p->token[i];

        if (is_pragma(p, t, "scop")) {
            if (open || closed)
                zoid_refuse(p->text, t->at, "a second region; one region a file");
            open = true;
            *scop = i;
        } else if (is_pragma(p, t, "endscop")) {
            if (!open || closed)
                zoid_refuse(p->text, t->at, "the end of no region; #pragma scop begins one");
            closed = true;
            *endscop = i;
        }
    }
    if (!open)
        zoid_refuse(p->text, p->text->size,
                    "no region; write #pragma scop before the time loop "
                    "and #pragma endscop after it");
    if (!closed)
        zoid_refuse(p->text, p->text->size, "a region without an end; write #pragma endscop");
}

/* The type of the first array in the region. */
static void find_type(struct zoid_parser *p)
{
    for (size_t i = p->begin; i < p->end; i++) {
        struct zoid_symbol *s =
            p->token[i].kind == ZOID_TOKEN_NAME ? zoid_find_symbol(p, &p->token[i]) : NULL;

        if (s && s->kind == ZOID_SYMBOL_ARRAY) {
            p->nest->type = s->type;
            return;
        }
    }
}

static void read_region(struct zoid_parser *p)
{
    struct zoid_specifier type;
    size_t begin;

    /* Variables of loops may be declared here. */
    for (begin = p->i;
         zoid_now(p).kind == ZOID_TOKEN_NAME && !zoid_at_name(p, "for") && zoid_read_type(p, &type);
         begin = p->i) {
        p->i = begin;
        if (read_declaration(p))
            zoid_refuse(p->text, p->token[begin].at,
                        "a local that outlives the point; declare it where the point is computed");
    }
    p->i = begin;
    refuse_word(p);
    if (!zoid_at_name(p, "for") && zoid_now(p).kind == ZOID_TOKEN_NAME)
        zoid_refuse(p->text, zoid_now(p).at,
                    "text before the time loop; let one time loop be all "
                    "of the region");
    if (!zoid_at_name(p, "for"))
        zoid_refuse(p->text, zoid_now(p).at,
                    "no time loop; write for (t = 0; t < steps; t++) "
                    "around all loops");
    p->nest->at = zoid_now(p).at;
    p->i++;
    p->nest->time = zoid_read_head(p, p->nest->at, ZOID_POLY_TIME);
    if (p->nest->time->down)
        zoid_refuse(p->text, p->nest->at, "a time loop that goes down; let the time go up");
    p->nest->time->body = read_body(p);
    if (zoid_now(p).kind != ZOID_TOKEN_END)
        zoid_refuse(p->text, zoid_now(p).at,
                    "text after the time loop; let one time loop be all "
                    "of the region");
}

struct zoid_nest *zoid_parse(struct zoid_text *text)
{
    struct zoid_parser p = {.text = text};
    size_t count, scop, endscop;

    if (text->size > ZOID_TEXT_MOST)
        zoid_refuse(text, 0, "a file of more than 1 MB; put the nest into a file of its own");
    p.token = zoid_lex_all(text, &count);
    p.nest = zoid_text_new(text, sizeof *p.nest);
    p.end = count;
    find_region(&p, count, &scop, &endscop);
    p.endscop = endscop;
    p.nest->begin = p.token[scop].at;
    p.nest->end = p.token[endscop].at + p.token[endscop].length;
    zoid_read_macros(&p, scop);
    zoid_read_declarations(&p, scop);
    p.begin = p.i = scop + 1;
    p.end = endscop;
    for (size_t i = p.begin; i < p.end; i++) {
        const struct zoid_macro *macro = zoid_find_macro(&p, &p.token[i]);

        if (macro && macro->kind == ZOID_MACRO_OTHER)
            zoid_refuse(text, p.token[i].at, "%s %s", zoid_word(&p, &p.token[i]), macro->reason);
    }
    find_type(&p);
    read_region(&p);
    p.nest->symbols = p.scope;
    return p.nest;
}
