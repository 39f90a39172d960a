/* SPDX-License-Identifier: BSD-3-Clause */
/* Stages from statements. All dependences of the nest hold among the stages, and within each. */
#include <string.h>

#include "apps/compile/depend.h"
#include "apps/compile/range.h"

/* Statements that compute one point in turns: [first, past). */
struct piece {
    int first, past;
    bool ordered; /* a point depends on others of the same step */
    int stage;
};

struct making {
    struct zoid_meaning *m;
    struct zoid_dependences *all;
    struct piece piece[ZOID_STATEMENTS];
    int n;
    int of[ZOID_STATEMENTS]; /* the piece of a statement */
    bool gone[ZOID_STATEMENTS];
    struct zoid_nest_array
        *copied[ZOID_STATEMENTS]; /* array that a statement writes instead of its own */
};

static bool moves(const struct making *k, const struct zoid_dependence *d)
{
    for (int a = 1; a < k->all->dims; a++)
        if (d->distance[a])
            return true;
    return false;
}

/* --- pieces */

static void find_pieces(struct making *k)
{
    for (int i = 0; i < k->m->n; i++) {
        const bool same = i && zoid_same_point(k->m->statement[i - 1], k->m->statement[i]);

        if (!same)
            k->piece[k->n++] = (struct piece){.first = i, .stage = -1};
        k->piece[k->n - 1].past = i + 1;
        k->of[i] = k->n - 1;
    }
    for (int i = 0; i < k->all->n; i++) {
        const struct zoid_dependence *d = &k->all->dependence[i];

        if (d->distance[0])
            continue;
        if (k->of[d->from] > k->of[d->to])
            zoid_refuse(k->m->text, d->at,
                        "statements of one loop that look at other points of "
                        "each other; give each a loop of its own");
        if (k->of[d->from] == k->of[d->to] && moves(k, d)) {
            k->piece[k->of[d->from]].ordered = true;
            if (k->m->statement[d->from]->array->turns)
                zoid_refuse(k->m->text, d->at,
                            "an array that takes turns, in place; read the time "
                            "before");
        }
    }
}

/* --- the order of points */

/* Returns whether a distance goes forward in the order of storage, in which some axes are mirrored.
 */
static bool forward(const struct making *k, const struct zoid_dependence *d, unsigned mirrors)
{
    for (int a = 0; a < k->m->ir->axes; a++)
        if (d->distance[1 + a])
            return (d->distance[1 + a] > 0) == !(mirrors >> a & 1);
    return true;
}

/* The first dependence of points in order that does not; NULL: all do. */
static const struct zoid_dependence *backward(const struct making *k, unsigned mirrors)
{
    for (int i = 0; i < k->all->n; i++) {
        const struct zoid_dependence *d = &k->all->dependence[i];

        if (!d->distance[0] && k->of[d->from] == k->of[d->to] && moves(k, d) &&
            !forward(k, d, mirrors))
            return d;
    }
    return NULL;
}

/* Axes along which the loops of a statement go down. */
static unsigned downward(const struct making *k, int statement)
{
    const struct zoid_statement *s = k->m->statement[statement];
    unsigned mirrors = 0;

    for (int a = 0; a < k->m->ir->axes; a++)
        if (s->depth[a] >= 0 && s->loop[s->depth[a]]->down)
            mirrors |= 1u << a;
    return mirrors;
}

static _Noreturn void refuse_signs(const struct making *k, const struct zoid_dependence *d)
{
    const struct zoid_statement *s = k->m->statement[d->from];
    const char *taken[ZOID_NEST_AXES] = {"", "", ""}, *stored[ZOID_NEST_AXES] = {"", "", ""};
    int n = 0;

    for (int a = 0; a < k->m->ir->axes; a++)
        if (s->depth[a] >= 0) {
            taken[s->depth[a]] = s->loop[s->depth[a]]->symbol->name;
            stored[n++] = taken[s->depth[a]];
        }
    if (strcmp(taken[0], stored[0]) || strcmp(taken[1], stored[1]) || strcmp(taken[2], stored[2]))
        zoid_refuse(k->m->text, d->at,
                    "in place, taken as (%s%s%s%s%s) but stored as "
                    "(%s%s%s%s%s); swap the loops",
                    taken[0], n > 1 ? ", " : "", taken[1], n > 2 ? ", " : "", taken[2], stored[0],
                    n > 1 ? ", " : "", stored[1], n > 2 ? ", " : "", stored[2]);
    zoid_refuse(k->m->text, d->at,
                "in place, in one direction here and in another elsewhere; let "
                "all loops in place go one way");
}

/* Mirrors axes so that what depends on other points of its step does so upwards. */
static void find_mirrors(struct making *k)
{
    unsigned best = 0;
    const struct zoid_dependence *d = NULL;

    for (int p = k->n - 1; p >= 0; p--)
        if (k->piece[p].ordered)
            best = downward(k, k->piece[p].first);
    d = backward(k, best);
    for (unsigned mirrors = 0; d && mirrors < 1u << k->m->ir->axes; mirrors++)
        if (!backward(k, mirrors)) {
            best = mirrors;
            d = NULL;
        }
    if (d)
        refuse_signs(k, d);
    for (int a = 0; a < k->m->ir->axes; a++)
        k->m->ir->mirrored[a] = best >> a & 1;
    zoid_depend_mirror(k->m, k->all);
}

/* --- B = f(A); A = B */

static bool reads(const struct zoid_statement *s, const struct zoid_nest_array *array)
{
    for (const struct zoid_nest_read *r = s->reads; r; r = r->next)
        if (r->array == array)
            return true;
    return false;
}

static bool same_box(const struct making *k, const struct zoid_statement *a,
                     const struct zoid_statement *b)
{
    return zoid_range_inside(k->m->ir->axes, &a->box, &b->box) &&
           zoid_range_inside(k->m->ir->axes, &b->box, &a->box);
}

/* Returns whether statement `second` copies what `first` wrote, which nothing else reads. */
static bool copies(const struct making *k, int first, int second)
{
    const struct zoid_statement *a = k->m->statement[first], *b = k->m->statement[second];
    const struct zoid_expr *v = b->value;

    if (v->kind != ZOID_EXPR_READ || v->array != a->array || a->array == b->array ||
        a->array->turns || b->array->turns || a->colour >= 0 || b->colour >= 0 || v->offset[0] ||
        v->offset[1] || v->offset[2] || !same_box(k, a, b) ||
        k->piece[k->of[first]].past - k->piece[k->of[first]].first != 1 ||
        k->piece[k->of[second]].past - k->piece[k->of[second]].first != 1 ||
        k->piece[k->of[first]].ordered || b->nlets)
        return false;
    for (int i = 0; i < k->m->n; i++) {
        const struct zoid_statement *s = k->m->statement[i];

        if ((i != first && s->array == a->array) || (i != second && reads(s, a->array)) ||
            (i > second && s->array == b->array))
            return false;
    }
    return true;
}

static void find_copies(struct making *k)
{
    for (int i = 0; i + 1 < k->m->n; i++)
        if (copies(k, i, i + 1)) {
            k->m->statement[i]->array->copy_of = k->m->statement[i + 1]->array;
            k->m->statement[i]->array->copied = &k->m->statement[i]->box;
            k->copied[i] = k->m->statement[i + 1]->array;
            k->gone[i + 1] = true;
        }
}

/* --- stages */

/* Names the value of a put, before it. */
static struct zoid_let *name_value(struct zoid_meaning *m, struct zoid_ir_stage *stage, int item)
{
    struct zoid_put *put = stage->item[item].put;
    struct zoid_let *let;
    struct zoid_expr *e;

    if (put->value->kind == ZOID_EXPR_LET)
        return put->value->let;
    let = zoid_text_new(m->text, sizeof *let);
    let->name = zoid_text_print(m->text, "new_%s", put->array->name);
    let->value = put->value;
    let->colour = put->colour;
    let->statement = put->statement;
    e = zoid_text_new(m->text, sizeof *e);
    e->kind = ZOID_EXPR_LET;
    e->type = let->value->type;
    e->at = let->value->at;
    e->let = let;
    put->value = e;
    if (stage->n == ZOID_IR_ITEMS)
        zoid_refuse(m->text, put->at, "a stage of too many values; write fewer");
    memmove(&stage->item[item + 1], &stage->item[item],
            (size_t)(stage->n++ - item) * sizeof *stage->item);
    stage->item[item] = (struct zoid_step_item){.let = let};
    return let;
}

/* The put whose value an iteration of a box reads at its own point of an array; -1: the value
 * before the stage; -2: it depends on the point. */
static int newest(const struct making *k, const struct zoid_ir_stage *stage,
                  const struct zoid_nest_array *array, const struct zoid_ir_box *box, int colour)
{
    for (int i = stage->n - 1; i >= 0; i--) {
        const struct zoid_put *put = stage->item[i].put;

        if (!put || put->array != array || (colour >= 0 && put->colour == !colour) ||
            zoid_range_disjoint(k->m->ir->axes, box, NULL, &put->box))
            continue;
        if ((put->colour < 0 || put->colour == colour) &&
            zoid_range_inside(k->m->ir->axes, box, &put->box))
            return i;
        return -2;
    }
    return -1;
}

static bool is_here(const struct zoid_expr *e)
{
    return e->kind == ZOID_EXPR_READ && e->array->kind == ZOID_ARRAY_STATE && !e->offset[0] &&
           !e->offset[1] && !e->offset[2] && (!e->array->turns || e->role == 1);
}

/* Returns whether all reads of a value at its point are of one put, or of the time before. */
static bool settled(const struct making *k, const struct zoid_ir_stage *stage,
                    const struct zoid_expr *e, const struct zoid_ir_box *box, int colour)
{
    if (!e)
        return true;
    if (is_here(e))
        return newest(k, stage, e->array, box, colour) != -2;
    return settled(k, stage, e->a, box, colour) && settled(k, stage, e->b, box, colour) &&
           settled(k, stage, e->c, box, colour) && settled(k, stage, e->d, box, colour);
}

/* Takes new values where a value reads its point. */
static void settle(struct making *k, struct zoid_ir_stage *stage, struct zoid_expr *e,
                   const struct zoid_ir_box *box, int colour)
{
    if (!e)
        return;
    if (is_here(e)) {
        const int put = newest(k, stage, e->array, box, colour);

        if (put == -2)
            zoid_refuse(k->m->text, e->at,
                        "%s has a new value at some of these points only; write "
                        "the same condition",
                        e->array->name);
        if (put >= 0) {
            e->let = name_value(k->m, stage, put);
            e->kind = ZOID_EXPR_LET;
        }
        return;
    }
    settle(k, stage, e->a, box, colour);
    settle(k, stage, e->b, box, colour);
    settle(k, stage, e->c, box, colour);
    settle(k, stage, e->d, box, colour);
}

/* Appends a piece to a stage. */
static void add_piece(struct making *k, struct zoid_ir_stage *stage, const struct piece *p)
{
    for (int i = p->first; i < p->past; i++) {
        struct zoid_statement *s = k->m->statement[i];
        struct zoid_put *put;

        if (k->gone[i])
            continue;
        if (stage->n + s->nlets + 1 > ZOID_IR_ITEMS)
            zoid_refuse(k->m->text, s->item->at, "a stage of too many values; write fewer");
        for (int l = 0; l < s->nlets; l++) {
            settle(k, stage, s->lets[l]->value, &s->box, s->lets[l]->colour);
            s->lets[l]->statement = i;
            stage->item[stage->n++].let = s->lets[l];
        }
        settle(k, stage, s->value, &s->box, s->colour);
        put = zoid_text_new(k->m->text, sizeof *put);
        *put = (struct zoid_put){.at = s->item->at,
                                 .array = k->copied[i] ? k->copied[i] : s->array,
                                 .box = s->box,
                                 .colour = s->colour,
                                 .statement = i,
                                 .value = s->value};
        if (stage->n == ZOID_IR_ITEMS)
            zoid_refuse(k->m->text, s->item->at, "a stage of too many values; write fewer");
        stage->item[stage->n++].put = put;
    }
}

/* Returns whether a piece may be computed with the stage before it: it reads nothing of what that
 * one writes but at the point, and there all of one put. */
static bool joins(const struct making *k, int stage, const struct piece *p)
{
    const struct zoid_ir_stage *to = &k->m->ir->stage[stage];

    if (to->ascending || p->ordered)
        return false;
    for (int i = 0; i < k->all->n; i++) {
        const struct zoid_dependence *d = &k->all->dependence[i];

        if (!d->distance[0] && d->kind == ZOID_FLOW && moves(k, d) &&
            k->piece[k->of[d->from]].stage == stage && d->to >= p->first && d->to < p->past)
            return false;
    }
    for (int i = p->first; i < p->past; i++) {
        const struct zoid_statement *s = k->m->statement[i];

        if (!settled(k, to, s->value, &s->box, s->colour))
            return false;
        for (int l = 0; l < s->nlets; l++)
            if (!settled(k, to, s->lets[l]->value, &s->box, s->lets[l]->colour))
                return false;
    }
    return true;
}

static void add_stages(struct making *k)
{
    struct zoid_ir *ir = k->m->ir;

    for (int i = 0; i < k->n; i++) {
        struct piece *p = &k->piece[i];

        /* The statement before a copy writes the copied array. */
        if (k->gone[p->first]) {
            p->stage = ir->nstages - 1;
            continue;
        }
        if (!ir->nstages || !joins(k, ir->nstages - 1, p)) {
            if (ir->nstages == ZOID_IR_STAGES)
                zoid_refuse(k->m->text, k->m->statement[p->first]->item->at,
                            "a stage too many; %d at most", ZOID_IR_STAGES);
            ir->stage[ir->nstages].ascending = p->ordered;
            ir->stage[ir->nstages].item =
                zoid_text_new(k->m->text, ZOID_IR_ITEMS * sizeof(struct zoid_step_item));
            ir->nstages++;
        }
        p->stage = ir->nstages - 1;
        add_piece(k, &ir->stage[p->stage], p);
    }
}

/* --- A -> B, B -> A */

/* Returns whether two values are the same after A and B change places. */
static bool swapped(const struct zoid_expr *x, const struct zoid_expr *y,
                    const struct zoid_nest_array *a, const struct zoid_nest_array *b)
{
    if (!x || !y)
        return x == y;
    if (x->kind != y->kind || x->type != y->type || x->op != y->op || x->symbol != y->symbol ||
        x->role != y->role || memcmp(x->offset, y->offset, sizeof x->offset) ||
        x->literal.integer != y->literal.integer ||
        memcmp(&x->literal.real, &y->literal.real, sizeof x->literal.real) ||
        (x->name && strcmp(x->name, y->name)) || x->kind == ZOID_EXPR_LET)
        return false;
    if (x->kind == ZOID_EXPR_READ && y->array != (x->array == a ? b : x->array == b ? a : x->array))
        return false;
    return swapped(x->a, y->a, a, b) && swapped(x->b, y->b, a, b) && swapped(x->c, y->c, a, b) &&
           swapped(x->d, y->d, a, b);
}

static void find_halves(struct making *k)
{
    const struct zoid_statement *x = k->m->statement[0], *y = k->m->statement[1];

    if (k->m->n != 2 || k->m->ir->nstages != 2 || k->piece[0].ordered || k->piece[1].ordered ||
        x->array == y->array || x->array->turns || y->array->turns || x->colour >= 0 ||
        y->colour >= 0 || x->nlets || y->nlets || !same_box(k, x, y) || reads(x, x->array) ||
        reads(y, y->array))
        return;
    k->m->ir->halves = swapped(x->value, y->value, y->array, x->array);
}

/* --- limits */

static void count(struct making *k)
{
    struct zoid_ir *ir = k->m->ir;
    int fields = 0;

    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next) {
        if (zoid_ir_of_run(a) || a->copy_of)
            continue;
        fields += 1 + a->older;
        if (fields > ZOID_IR_FIELDS)
            zoid_refuse(k->m->text, a->symbol->at, "%s is a field too many; %d at most", a->name,
                        ZOID_IR_FIELDS);
    }
}

void zoid_make_stages(struct zoid_meaning *m, struct zoid_dependences *all)
{
    struct making *k = zoid_text_new(m->text, sizeof *k);

    k->m = m;
    k->all = all;
    find_pieces(k);
    find_mirrors(k);
    find_copies(k);
    add_stages(k);
    zoid_order_turns(m);
    find_halves(k);
    count(k);
}
