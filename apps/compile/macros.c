/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/parser.h"

#include <string.h>

/* Tokens of a directive. */
struct line {
    size_t at, end;
};

static struct zoid_token in_line(struct zoid_parser *p, struct line *line)
{
    bool begins = false;

    return zoid_lex(p->text, &line->at, line->end, &begins);
}

static bool same(const struct zoid_parser *p, const struct zoid_token *a,
                 const struct zoid_token *b)
{
    return a->length == b->length &&
           !memcmp(p->text->bytes + a->at, p->text->bytes + b->at, a->length);
}

const struct zoid_macro *zoid_find_macro(const struct zoid_parser *p,
                                         const struct zoid_token *token)
{
    for (const struct zoid_macro *m = p->macros; m; m = m->next)
        if (token->kind == ZOID_TOKEN_NAME && same(p, &m->name, token))
            return m;
    return NULL;
}

static bool type_of(const struct zoid_parser *p, const struct zoid_token *token,
                    enum zoid_ctype *type)
{
    *type = zoid_token_is(p->text, token, "float") ? ZOID_FLOAT : ZOID_DOUBLE;
    return *type == ZOID_FLOAT || zoid_token_is(p->text, token, "double");
}

/* What follows the name: a number, perhaps with a sign and in parentheses, or a type. */
static void read_body(struct zoid_parser *p, struct zoid_macro *m, struct line line)
{
    struct zoid_token t;
    const bool function = line.at < line.end && p->text->bytes[line.at] == '(';
    bool closed;

    m->kind = ZOID_MACRO_OTHER;
    m->reason = "is a macro that is no number; write its text";
    if (function)
        return;
    t = in_line(p, &line);
    closed = t.mark != '(';
    if (!closed)
        t = in_line(p, &line);
    if (t.mark == '-' || t.mark == '+') {
        m->negative = t.mark == '-';
        t = in_line(p, &line);
    }
    m->number = t;
    if (t.kind != ZOID_TOKEN_NUMBER && !(type_of(p, &t, &m->type) && closed && !m->negative))
        return;
    if (!closed && in_line(p, &line).mark != ')')
        return;
    if (in_line(p, &line).kind == ZOID_TOKEN_END)
        m->kind = t.kind == ZOID_TOKEN_NUMBER ? ZOID_MACRO_NUMBER : ZOID_MACRO_TYPE;
}

static void define(struct zoid_parser *p, struct line line, bool conditional, bool undefine)
{
    struct zoid_macro *m = zoid_text_new(p->text, sizeof *m);
    const struct zoid_macro *old;

    m->name = in_line(p, &line);
    if (m->name.kind != ZOID_TOKEN_NAME)
        return;
    read_body(p, m, line);
    old = zoid_find_macro(p, &m->name);
    if (undefine || old || conditional) {
        m->kind = ZOID_MACRO_OTHER;
        m->reason = conditional ? "is defined under a condition (#if); define it without one"
                    : undefine  ? "is undefined again; take the #undef out"
                                : "is defined twice; define it once";
    }
    m->next = p->macros;
    p->macros = m;
}

void zoid_read_macros(struct zoid_parser *p, size_t end)
{
    size_t open[64];
    int conditions = 0;

    for (size_t i = 0; i < end; i++) {
        const struct zoid_token *d = &p->token[i];
        struct line line = {d->at + 1, d->at + d->length};
        struct zoid_token word;

        if (d->kind != ZOID_TOKEN_DIRECTIVE)
            continue;
        word = in_line(p, &line);
        if (word.kind == ZOID_TOKEN_NAME && word.length >= 2 &&
            !memcmp(p->text->bytes + word.at, "if", 2)) {
            if (conditions == 64)
                zoid_refuse(p->text, d->at, "64 conditions in one another; take some out");
            open[conditions++] = d->at;
        } else if (zoid_token_is(p->text, &word, "endif") && conditions)
            conditions--;
        else if (zoid_token_is(p->text, &word, "define"))
            define(p, line, conditions > 0, false);
        else if (zoid_token_is(p->text, &word, "undef"))
            define(p, line, conditions > 0, true);
    }
    if (conditions)
        zoid_refuse(p->text, open[conditions - 1],
                    "the region stands under a condition; take the #if out");
}
