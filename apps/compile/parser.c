/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/parser.h"

#include <string.h>

struct zoid_token zoid_now(const struct zoid_parser *p)
{
    struct zoid_token t = p->token[p->i];

    if (p->i >= p->end)
        t.kind = ZOID_TOKEN_END, t.mark = 0;
    return t;
}

bool zoid_at_mark(const struct zoid_parser *p, unsigned mark)
{
    const struct zoid_token t = zoid_now(p);

    return t.kind == ZOID_TOKEN_MARK && t.mark == mark;
}

bool zoid_at_name(const struct zoid_parser *p, const char *name)
{
    const struct zoid_token t = zoid_now(p);

    return zoid_token_is(p->text, &t, name);
}

bool zoid_take(struct zoid_parser *p, unsigned mark)
{
    if (!zoid_at_mark(p, mark))
        return false;
    p->i++;
    return true;
}

void zoid_need(struct zoid_parser *p, unsigned mark, const char *what)
{
    if (!zoid_take(p, mark))
        zoid_refuse(p->text, zoid_now(p).at, "unexpected text; expected %s", what);
}

const char *zoid_word(struct zoid_parser *p, const struct zoid_token *token)
{
    const unsigned most = token->length < 60 ? token->length : 60;

    return zoid_text_copy(p->text, p->text->bytes + token->at, most);
}

bool zoid_skip_bracket(struct zoid_parser *p)
{
    int open = 0;

    for (; p->i < p->end; p->i++) {
        const struct zoid_token t = zoid_now(p);

        if (t.kind != ZOID_TOKEN_MARK)
            continue;
        if (t.mark == '(' || t.mark == '[' || t.mark == '{')
            open++;
        if ((t.mark == ')' || t.mark == ']' || t.mark == '}') && --open == 0) {
            p->i++;
            return true;
        }
    }
    return false;
}

void zoid_deeper(struct zoid_parser *p)
{
    if (++p->depth > ZOID_TEXT_NESTING)
        zoid_refuse(p->text, zoid_now(p).at, "nested more than %d times; nest less",
                    ZOID_TEXT_NESTING);
}

struct zoid_symbol *zoid_declare(struct zoid_parser *p, enum zoid_symbol_kind kind,
                                 const struct zoid_token *name, enum zoid_ctype type)
{
    struct zoid_symbol *s = zoid_text_new(p->text, sizeof *s);

    if (name->length > 60)
        zoid_refuse(p->text, name->at, "a name of more than 60 characters; take a shorter one");
    s->next = p->scope;
    s->kind = kind;
    s->name = zoid_word(p, name);
    s->at = name->at;
    s->type = type;
    s->number = -1;
    p->scope = s;
    return s;
}

struct zoid_symbol *zoid_find_symbol(struct zoid_parser *p, const struct zoid_token *name)
{
    for (struct zoid_symbol *s = p->scope; s; s = s->next)
        if (zoid_token_is(p->text, name, s->name))
            return s;
    return NULL;
}
