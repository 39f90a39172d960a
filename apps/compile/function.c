/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations before the region: globals, the function around it, its parameters and locals. */
#include "apps/compile/parser.h"

/* Notes the first reason why the function is not the nest alone. */
static void note_more(struct zoid_parser *p, size_t token, const char *why)
{
    if (p->nest->more)
        return;
    p->nest->more = why;
    p->nest->more_at = p->token[token].at;
}

/* Notes a parameter that was declared, or not, since the scope was `before`. */
static void note_parameter(struct zoid_parser *p, size_t token, const struct zoid_symbol *before)
{
    struct zoid_nest *nest = p->nest;
    struct zoid_symbol *s = p->scope;

    if (s == before || s->kind == ZOID_SYMBOL_OTHER)
        note_more(p, token,
                  s == before
                      ? "a parameter that has no name; give it one"
                      : zoid_text_print(p->text, "the parameter %s %s", s->name, s->reason));
    else if (nest->nparameters == ZOID_NEST_PARAMETERS)
        note_more(p, token, "more than 64 parameters; take fewer");
    else
        nest->parameter[nest->nparameters++] = s;
}

/* The parameters between the parentheses of a function. */
static void read_parameters(struct zoid_parser *p, size_t open, size_t close)
{
    const size_t end = p->end;
    struct zoid_specifier type;

    p->i = open + 1;
    p->end = close;
    while (p->i < close) {
        const size_t begin = p->i;
        const struct zoid_symbol *before = p->scope;

        if (!zoid_read_type(p, &type))
            type = (struct zoid_specifier){.other = true};
        if (!(type.is_void && p->i == close)) {
            zoid_read_declarator(p, &type, true);
            note_parameter(p, begin, before);
        }
        if (!zoid_skip_to(p, ',', ','))
            break;
        p->i++;
    }
    p->end = end;
}

/* Returns whether the token before the current one, or the one after, gives the name another value.
 */
static bool assigned(const struct zoid_parser *p, size_t i)
{
    const struct zoid_token *before = &p->token[i - 1], *after = &p->token[i + 1];
    static const unsigned marks[] = {'=',
                                     ZOID_MARK2('+', '='),
                                     ZOID_MARK2('-', '='),
                                     ZOID_MARK2('*', '='),
                                     ZOID_MARK2('/', '='),
                                     ZOID_MARK2('%', '='),
                                     ZOID_MARK2('&', '='),
                                     ZOID_MARK2('|', '='),
                                     ZOID_MARK2('^', '='),
                                     ZOID_MARK3('<', '<', '='),
                                     ZOID_MARK3('>', '>', '='),
                                     ZOID_MARK2('+', '+'),
                                     ZOID_MARK2('-', '-')};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (after->mark == marks[i])
            return true;
    return before->mark == ZOID_MARK2('+', '+') || before->mark == ZOID_MARK2('-', '-') ||
           before->mark == '&';
}

/* int t, i; or another declaration inside the function. */
static void read_local(struct zoid_parser *p)
{
    struct zoid_specifier type;

    if (!zoid_read_type(p, &type))
        return;
    do {
        const bool pointer = zoid_at_mark(p, '*') || zoid_at_mark(p, '(');
        struct zoid_token name;
        struct zoid_symbol *s;

        while (zoid_take(p, '*') || zoid_take(p, '('))
            continue;
        while (zoid_at_name(p, "restrict") || zoid_at_name(p, "const"))
            p->i++;
        name = zoid_now(p);
        if (name.kind != ZOID_TOKEN_NAME)
            return;
        p->i++;
        s = zoid_declare(p, ZOID_SYMBOL_LOOP, &name, type.type);
        if (pointer || zoid_at_mark(p, '['))
            zoid_other(s, "is no parameter of the function; make it one");
        else if (type.other || type.type >= ZOID_FLOAT)
            zoid_other(s,
                       "outlives the point; declare it with a value where the point is computed");
        if (!zoid_skip_to(p, ',', ';'))
            return;
    } while (zoid_take(p, ','));
}

/* Notes statements of the function outside its region; not declarations without values. */
static void note_statements(struct zoid_parser *p, size_t begin, size_t end, bool after)
{
    const size_t was = p->i, was_end = p->end;
    struct zoid_specifier type;

    p->end = end;
    for (p->i = begin; p->i < end && !p->nest->more;) {
        const size_t start = p->i;

        if (zoid_take(p, ';'))
            continue;
        if (after && zoid_at_name(p, "return") && p->token[start + 1].mark == ';')
            p->i++;
        else if (!after && zoid_read_type(p, &type))
            while (p->i < end && !zoid_at_mark(p, ';') && !zoid_at_mark(p, '=') &&
                   !zoid_at_mark(p, '('))
                p->i++;
        if (!zoid_at_mark(p, ';'))
            note_more(p, start, "the function does more than its region; leave that to its caller");
    }
    p->i = was;
    p->end = was_end;
}

/* Notes a function that is no void NAME(...), or has other statements than the region. */
static void note_function(struct zoid_parser *p, size_t begin, size_t name, size_t body,
                          size_t region)
{
    const size_t was = p->i;
    struct zoid_specifier type;
    size_t past;

    p->i = begin;
    if (!zoid_read_type(p, &type) || !type.is_void || p->i != name)
        note_more(p, name, "a function that returns a value; make it void");
    if (zoid_token_is(p->text, &p->token[name], "main"))
        note_more(p, name, "the function main; write the nest in a function of its own");
    note_statements(p, body + 1, region, false);
    p->i = body;
    past = zoid_skip_bracket(p) ? p->i - 1 : p->end;
    note_statements(p, p->endscop + 1, past, true);
    p->i = was;
}

/* The names inside the function before the region. Those of a block that ends are dropped. */
static void read_locals(struct zoid_parser *p, size_t region)
{
    struct zoid_symbol *block[ZOID_TEXT_NESTING];
    const size_t end = p->end;
    int depth = 0;

    p->end = region;
    while (p->i < region) {
        const struct zoid_token t = zoid_now(p), before = p->token[p->i - 1];
        const bool start =
            before.mark == '{' || before.mark == '}' || before.mark == ';' || before.mark == ')' ||
            before.kind == ZOID_TOKEN_DIRECTIVE ||
            (before.mark == '(' && zoid_token_is(p->text, &p->token[p->i - 2], "for"));
        struct zoid_symbol *s = t.kind == ZOID_TOKEN_NAME ? zoid_find_symbol(p, &t) : NULL;
        const size_t now = p->i;

        if (t.mark == '{') {
            if (depth == ZOID_TEXT_NESTING)
                zoid_refuse(p->text, t.at, "nested more than %d times; nest less", depth);
            block[depth++] = p->scope;
        } else if (t.mark == '}' && depth)
            p->scope = block[--depth];
        else if (start && t.kind == ZOID_TOKEN_NAME && !s && !zoid_at_name(p, "return") &&
                 !zoid_at_name(p, "else") && !zoid_at_name(p, "goto"))
            read_local(p);
        if (p->i == now)
            p->i++;
        for (size_t i = now; i < p->i; i++) {
            s = p->token[i].kind == ZOID_TOKEN_NAME && assigned(p, i)
                    ? zoid_find_symbol(p, &p->token[i])
                    : NULL;
            if (s && s->kind != ZOID_SYMBOL_LOOP)
                s->changed = true;
        }
    }
    p->end = end;
}

/* The ( of the parameters of a function whose { is token `body`; refuses a file without one. */
static size_t parameters(struct zoid_parser *p, size_t begin, size_t body)
{
    size_t open = body;

    do {
        int depth = 0;

        for (; open > begin; open--) {
            const struct zoid_token *t = &p->token[open];

            if (t->kind == ZOID_TOKEN_MARK)
                depth += (t->mark == ')') - (t->mark == '(');
            if (t->mark == '(' && !depth)
                break;
        }
        if (open == begin)
            zoid_refuse(p->text, p->token[body].at, "not the head of a function; write NAME(...)");
        open--;
    } while (zoid_token_is(p->text, &p->token[open], "__attribute__"));
    return open + 1;
}

/* A function whose { is the current token; true if the region is inside. Else goes past it. */
static bool enter_function(struct zoid_parser *p, size_t begin, size_t region)
{
    const size_t body = p->i, open = parameters(p, begin, body);
    const struct zoid_token *name = &p->token[open - 1];
    struct zoid_symbol *s;

    if (zoid_skip_bracket(p) && p->i <= region) {
        if (name->kind == ZOID_TOKEN_NAME && name->length <= 60) {
            s = zoid_declare(p, ZOID_SYMBOL_OTHER, name, ZOID_INT);
            zoid_other(s, "is a function; write a value");
        }
        return false;
    }
    if (name->kind != ZOID_TOKEN_NAME || name->length > 40)
        zoid_refuse(p->text, name->at,
                    "not the name of a function; take one of 40 letters at most");
    p->nest->name = zoid_word(p, name);
    note_function(p, begin, open - 1, body, region);
    p->i = open;
    (void)zoid_skip_bracket(p);
    read_parameters(p, open, p->i - 1);
    p->i = body + 1;
    read_locals(p, region);
    return true;
}

void zoid_read_declarations(struct zoid_parser *p, size_t region)
{
    size_t begin;

    for (size_t i = 0; i < region; i++)
        p->polybench |= zoid_token_is(p->text, &p->token[i], "DATA_TYPE");
    for (p->i = begin = 0; p->i < region;) {
        const struct zoid_token t = zoid_now(p);

        if (t.kind == ZOID_TOKEN_DIRECTIVE) {
            begin = ++p->i;
        } else if (zoid_at_mark(p, ';')) {
            const size_t end = p->i;

            p->i = begin;
            zoid_read_global(p, end);
            begin = p->i = end + 1;
        } else if (zoid_at_mark(p, '{')) {
            const struct zoid_token *before = &p->token[p->i - (p->i > begin)];

            if (before->mark == ')') {
                if (enter_function(p, begin, region))
                    return;
                begin = p->i;
            } else if (!zoid_skip_bracket(p) || p->i > region)
                break;
        } else if (zoid_at_mark(p, '(') || zoid_at_mark(p, '[')) {
            if (!zoid_skip_bracket(p))
                break;
        } else
            p->i++;
    }
    zoid_refuse(p->text, p->token[region].at, "a region outside a function; write it in one");
}
