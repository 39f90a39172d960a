/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/copies.h"

#include <string.h>

/* The offset of the read that an anti-dependence begins at: the element that the later statement
 * writes, which is its point. */
static void offset_of(const struct zoid_meaning *m, const struct zoid_dependence *d,
                      int offset[ZOID_NEST_AXES])
{
    memset(offset, 0, ZOID_NEST_AXES * sizeof *offset);
    for (int a = 0; a < m->ir->axes; a++)
        offset[a] = m->ir->mirrored[a] ? -d->distance[1 + a] : d->distance[1 + a];
}

bool zoid_copy_removes(const struct zoid_meaning *m, int dependence)
{
    const struct zoid_dependences *all = m->dependences;
    const struct zoid_dependence *d = &all->dependence[dependence];
    const struct zoid_statement *reader = m->statement[d->from];
    const struct zoid_nest_array *array = m->statement[d->to]->array;

    if (d->kind != ZOID_ANTI || array->turns)
        return false;
    for (int i = 0; i < all->n; i++) {
        const struct zoid_dependence *flow = &all->dependence[i];
        bool same = flow->kind == ZOID_FLOW && flow->to == d->from && !flow->distance[0] &&
                    m->statement[flow->from]->array == array &&
                    m->statement[flow->from]->place[0] == reader->place[0];

        for (int a = 1; a < all->dims; a++)
            same &= flow->distance[a] == -d->distance[a];
        if (same)
            return false;
    }
    return true;
}

static bool is_name(const struct zoid_text *text, const struct zoid_token *token, const void *name)
{
    return zoid_token_is(text, token, name);
}

/* The name of an array and the first number that make a name which the file has not. */
static const char *name_copy(struct zoid_text *text, const struct zoid_copies *k, const char *name)
{
    for (int number = 0;; number++) {
        const char *now = zoid_text_print(text, "%s%d", name, number);
        bool taken = zoid_lex_find(text, is_name, now).kind != ZOID_TOKEN_END;

        for (int i = 0; i < k->n && !taken; i++)
            taken = !strcmp(k->copy[i].to->name, now);
        if (!taken)
            return now;
    }
}

/* Has a range along an axis hold another one. Returns false if that depends on sizes. */
static bool widen(struct zoid_poly *lo, struct zoid_poly *hi, const struct zoid_statement *s,
                  int axis)
{
    int64_t before, past;

    if (!zoid_poly_difference(&s->lo[axis], lo, &before) ||
        !zoid_poly_difference(&s->hi[axis], hi, &past))
        return false;
    *lo = before < 0 ? s->lo[axis] : *lo;
    *hi = past > 0 ? s->hi[axis] : *hi;
    return true;
}

/* The statement that makes a copy: at the points of a box around those that the nest writes; along
 * an axis where the ends of this depend on sizes, at all points. */
static struct zoid_statement *copying(struct zoid_meaning *m, const struct zoid_statement *before,
                                      const struct zoid_copy *copy)
{
    struct zoid_statement *s = zoid_text_new(m->text, sizeof *s);
    struct zoid_item *up = zoid_text_new(m->text, sizeof *up);
    const struct zoid_statement *one = NULL;

    s->item = before->item;
    s->array = copy->to;
    s->colour = s->reading = -1;
    s->nloops = m->ir->axes;
    for (int a = 0; a < m->ir->axes; a++) {
        s->depth[a] = a;
        s->loop[a] = up;
        one = NULL;
        for (int i = 0; i < m->n; i++) {
            if (m->statement[i]->array != copy->of)
                continue;
            if (!one) {
                one = m->statement[i];
                s->lo[a] = one->lo[a];
                s->hi[a] = one->hi[a];
            } else if (!widen(&s->lo[a], &s->hi[a], m->statement[i], a)) {
                s->lo[a] = zoid_poly_integer(0);
                s->hi[a] = m->ir->extent[a];
                break;
            }
        }
    }
    s->reads = zoid_text_new(m->text, sizeof *s->reads);
    *s->reads = (struct zoid_nest_read){.array = copy->of, .colour = -1, .at = s->item->at};
    return s;
}

/* The copy of an array before the loops of a statement. */
static const struct zoid_copy *copy_of(struct zoid_meaning *m, struct zoid_copies *k,
                                       const struct zoid_statement *reader,
                                       struct zoid_nest_array *array)
{
    struct zoid_meaning *to = k->nest;
    struct zoid_copy *copy = &k->copy[k->n];
    struct zoid_statement *s;
    int at = 0, other = 0;

    for (int i = 0; i < k->n; i++) {
        if (to->statement[k->copy[i].statement]->place[0] / ZOID_STATEMENTS != reader->place[0])
            continue;
        if (k->copy[i].of == array)
            return &k->copy[i];
        other++;
    }
    if (to->n == ZOID_STATEMENTS)
        zoid_refuse(m->text, reader->item->at, "a statement too many, with copies; %d at most",
                    ZOID_STATEMENTS);
    copy->of = array;
    copy->to = zoid_text_new(m->text, sizeof *copy->to);
    *copy->to = (struct zoid_nest_array){
        .name = name_copy(m->text, k, array->name), .kind = ZOID_ARRAY_STATE, .number = -1};
    s = copying(m, reader, copy);
    s->place[0] = reader->place[0] * ZOID_STATEMENTS + other;
    while (to->statement[at]->place[0] <= s->place[0])
        at++;
    memmove(&to->statement[at + 1], &to->statement[at],
            (size_t)(to->n++ - at) * sizeof *to->statement);
    to->statement[at] = s;
    for (int i = 0; i < k->n; i++)
        k->copy[i].statement += k->copy[i].statement >= at;
    for (int i = 0; i < k->reads; i++)
        k->read[i].statement += k->read[i].statement >= at;
    copy->statement = at;
    k->n++;
    return copy;
}

/* Has the reads of an anti-dependence go to a copy. */
static void copy_read(struct zoid_meaning *m, struct zoid_copies *k,
                      const struct zoid_dependence *d, struct zoid_statement *reader)
{
    struct zoid_copied *read = &k->read[k->reads];
    struct zoid_nest_array *array = m->statement[d->to]->array;

    bool found = false;

    offset_of(m, d, read->offset);
    for (struct zoid_nest_read *r = reader->reads; r; r = r->next)
        if (r->array == array && !memcmp(r->offset, read->offset, sizeof r->offset)) {
            read->copy = copy_of(m, k, m->statement[d->from], array);
            r->array = read->copy->to;
            found = true;
        }
    /* Not found: another dependence of the same read was marked, too. */
    if (!found)
        return;
    while (k->nest->statement[read->statement] != reader)
        read->statement++;
    k->reads++;
}

struct zoid_copies *zoid_copies_make(struct zoid_meaning *m, const bool *marked)
{
    const struct zoid_dependences *all = m->dependences;
    struct zoid_copies *k = zoid_text_new(m->text, sizeof *k);
    struct zoid_meaning *to = k->nest = zoid_text_new(m->text, sizeof *to);
    struct zoid_statement *now[ZOID_STATEMENTS];

    *to = *m;
    k->copy = zoid_text_new(m->text, ZOID_STATEMENTS * sizeof *k->copy);
    k->read = zoid_text_new(m->text, ((size_t)all->n + 1) * sizeof *k->read);
    for (int i = 0; i < m->n; i++) {
        struct zoid_nest_read **end;

        now[i] = to->statement[i] = zoid_text_new(m->text, sizeof *now[i]);
        *now[i] = *m->statement[i];
        /* Copies stand before the loops of the statements that read them. */
        now[i]->place[0] = now[i]->place[0] * ZOID_STATEMENTS + ZOID_STATEMENTS - 1;
        end = &now[i]->reads;
        for (const struct zoid_nest_read *r = m->statement[i]->reads; r; r = r->next) {
            *end = zoid_text_new(m->text, sizeof **end);
            **end = *r;
            end = &(*end)->next;
        }
        *end = NULL;
    }
    for (int i = 0; i < all->n; i++)
        if (marked[i] && zoid_copy_removes(m, i))
            copy_read(m, k, &all->dependence[i], now[all->dependence[i].from]);
    to->dependences = zoid_depend(to);
    return k;
}
