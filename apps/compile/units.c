/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/units.h"

#include <string.h>

struct finding {
    struct zoid_meaning *m; /* with copies, if there are any */
    const struct zoid_copies *copies;
    struct zoid_units *units;
    struct zoid_token *token;
    size_t count;
    const struct zoid_item *body; /* whose text is being read */
    struct zoid_unit *now;        /* that the next statement may belong to; or NULL */
    const char *pending;          /* the text of locals that the next statement follows */
    unsigned loops;               /* that it has */
};

static bool is_mark(const struct finding *f, size_t i, unsigned mark)
{
    return f->token[i].kind == ZOID_TOKEN_MARK && f->token[i].mark == mark;
}

/* The token past the bracket that one opens. */
static size_t past_bracket(const struct finding *f, size_t i)
{
    int depth = 0;

    do {
        depth += is_mark(f, i, '(') || is_mark(f, i, '{');
        depth -= is_mark(f, i, ')') || is_mark(f, i, '}');
        i++;
    } while (depth > 0 && i < f->count);
    return i;
}

static bool is_headed(const struct finding *f, size_t i)
{
    return zoid_token_is(f->m->text, &f->token[i], "for") ||
           zoid_token_is(f->m->text, &f->token[i], "if");
}

static size_t past_statement(const struct finding *f, size_t i)
{
    while (is_headed(f, i))
        i = past_bracket(f, i + 1);
    if (is_mark(f, i, '{'))
        return past_bracket(f, i);
    while (i < f->count && !is_mark(f, i, ';'))
        i++;
    return i + 1;
}

/* Returns whether a value has the read at a place in the source, of that array and offset. */
static bool has_read(const struct zoid_expr *e, const struct zoid_copied *read, size_t at)
{
    return e && ((e->kind == ZOID_EXPR_READ && e->at == at && e->array == read->copy->of &&
                  !memcmp(e->offset, read->offset, sizeof e->offset)) ||
                 has_read(e->a, read, at) || has_read(e->b, read, at) || has_read(e->c, read, at) ||
                 has_read(e->d, read, at));
}

/* The copy that a name in the source stands for, or NULL. */
static const struct zoid_copy *copy_at(const struct finding *f, size_t at)
{
    for (int i = 0; f->copies && i < f->copies->reads; i++) {
        const struct zoid_copied *read = &f->copies->read[i];
        const struct zoid_statement *s = f->m->statement[read->statement];
        bool found = has_read(s->value, read, at);

        for (int k = 0; k < s->nlets; k++)
            found |= has_read(s->lets[k]->value, read, at);
        if (found)
            return read->copy;
    }
    return NULL;
}

/* Notes the variables of loops that a token names. */
static void note_loops(struct finding *f, const struct zoid_token *t)
{
    const struct zoid_statement *s = NULL;

    for (int k = 0; k < f->m->n; k++)
        if (f->m->statement[k]->body == f->body && f->m->statement[k]->value)
            s = f->m->statement[k];
    if (zoid_token_is(f->m->text, t, f->m->nest->time->symbol->name))
        f->loops |= 1;
    for (int d = 0; s && d < s->nloops; d++)
        if (zoid_token_is(f->m->text, t, s->loop[d]->symbol->name))
            f->loops |= 2u << d;
}

/* Adds tokens to the text before the next statement. */
static void add_text(struct finding *f, size_t from, size_t past)
{
    struct zoid_text *text = f->m->text;
    size_t size = strlen(f->pending) + 2, used = size - 2;
    char *to;

    for (size_t i = from; i < past; i++)
        size += f->token[i].length + 1 + (f->copies ? 12 : 0);
    to = zoid_text_new(text, size);
    memcpy(to, f->pending, used);
    for (size_t i = from; i < past; i++) {
        const struct zoid_token *t = &f->token[i];
        const struct zoid_copy *copy = t->kind == ZOID_TOKEN_NAME ? copy_at(f, t->at) : NULL;

        /* A copy has the name of its array, and a number. */
        memcpy(to + used, copy ? copy->to->name : text->bytes + t->at,
               copy ? strlen(copy->to->name) : t->length);
        used += copy ? strlen(copy->to->name) : t->length;
        if (i + 1 == past || t->at + t->length < f->token[i + 1].at)
            to[used++] = ' ';
        note_loops(f, t);
    }
    f->pending = to;
}

/* Reads a statement that is no loop: an assignment, a condition, locals, or a block of them. */
static void read_span(struct finding *f, size_t from, size_t past)
{
    struct zoid_unit *unit = NULL;

    add_text(f, from, past);
    for (int k = 0; k < f->m->n; k++) {
        const struct zoid_statement *s = f->m->statement[k];

        if (!s->value || s->item->at < f->token[from].at || s->item->at >= f->token[past - 1].at)
            continue;
        if (!f->now || !zoid_same_point(f->m->statement[f->now->statement[0]], s)) {
            if (unit)
                zoid_refuse(f->m->text, s->item->at,
                            "a block whose statements compute different points; take it apart");
            f->now = &f->units->unit[f->units->n++];
            f->now->text = "";
        }
        unit = f->now;
        unit->statement[unit->n++] = k;
    }
    if (!unit)
        return;
    unit->text = zoid_text_print(f->m->text, "%s%s", unit->text, f->pending);
    unit->loops |= f->loops;
    f->pending = "";
    f->loops = 0;
}

/* Reads statements [i, past), without the loops among them. */
static void read_spans(struct finding *f, size_t i, size_t past)
{
    while (i < past && !(f->m->swap[0] && f->token[i].at >= f->m->swap_at)) {
        const size_t end = past_statement(f, i);
        bool loops = false;

        for (size_t k = i; k < end; k++)
            loops |= zoid_token_is(f->m->text, &f->token[k], "for");
        if (!loops)
            read_span(f, i, end);
        else if (is_mark(f, i, '{'))
            read_spans(f, i + 1, end - 1);
        else
            f->now = NULL;
        i = end;
    }
}

/* Reads the body of the loop around a statement. */
static void read_body(struct finding *f, const struct zoid_statement *s)
{
    const size_t at = s->body ? s->body->at : f->m->nest->time->at;
    size_t i = 0, end;

    while (f->token[i].at < at)
        i++;
    i = past_bracket(f, i + 1);
    end = past_statement(f, i);
    f->body = s->body;
    f->now = NULL;
    f->pending = "";
    f->loops = 0;
    read_spans(f, i, end);
}

/* The text of a statement that copies, at the point zoid_i0, zoid_i1, zoid_i2. */
static const char *copying(struct zoid_meaning *m, const struct zoid_copy *copy)
{
    const struct zoid_ir *ir = m->ir;
    const char *at = "zoid_i0";
    char extent[256];

    for (int a = 1; a < ir->axes; a++) {
        zoid_poly_print(&ir->extent[a], ir->names, extent, sizeof extent);
        at = copy->of->symbol->dims == ir->axes
                 ? zoid_text_print(m->text, "%s][zoid_i%d", at, a)
                 : zoid_text_print(m->text, "(%s) * (long)(%s) + zoid_i%d", at, extent, a);
    }
    return zoid_text_print(m->text, "%s[%s] = %s[%s];", copy->to->name, at, copy->of->name, at);
}

struct zoid_units *zoid_units_find(struct zoid_meaning *m, const struct zoid_copies *copies)
{
    struct finding f = {.m = copies ? copies->nest : m,
                        .copies = copies,
                        .units = zoid_text_new(m->text, sizeof *f.units)};
    bool read[ZOID_STATEMENTS] = {false};

    f.token = zoid_lex_all(m->text, &f.count);
    for (int k = 0; k < f.m->n; k++) {
        const struct zoid_statement *s = f.m->statement[k];
        struct zoid_unit *unit = &f.units->unit[f.units->n];

        for (int c = 0; copies && c < copies->n; c++)
            if (copies->copy[c].statement == k) {
                unit->text = copying(m, &copies->copy[c]);
                unit->statement[unit->n++] = k;
                unit->loops = (2u << m->ir->axes) - 2;
                f.units->n++;
            }
        if (!s->value || read[k])
            continue;
        read_body(&f, s);
        for (int other = k; other < f.m->n; other++)
            read[other] |= f.m->statement[other]->body == s->body;
    }
    return f.units;
}
