/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a row: which arrays they are, and the boxes in which its stages write them. */
#include "apps/compile/emit.h"

static bool takes_turns(const struct zoid_nest_array *a)
{
    return a->kind == ZOID_ARRAY_STATE && a->turns;
}

/* ---- how arrays that take turns become fields ---------------------------------------------- */

/* What decides it. */
struct kinds {
    const struct zoid_nest_array *turning; /* the last one, or NULL */
    int states;
    bool older;   /* the time before the last is read */
    bool away;    /* at another point than its own, too */
    bool partial; /* one is written at points of one colour */
    bool ordered; /* or by a stage in order; else `ascending`: another one is in order */
    bool ascending;
};

static bool reads_away(const struct zoid_expr *e)
{
    const struct zoid_expr *const child[] = {e->a, e->b, e->c, e->d};
    bool away = e->kind == ZOID_EXPR_READ && takes_turns(e->array) && e->role &&
                (e->offset[0] || e->offset[1] || e->offset[2]);

    for (int i = 0; i < 4 && child[i]; i++)
        away |= reads_away(child[i]);
    return away;
}

static struct kinds kinds_of(const struct zoid_ir *ir)
{
    struct kinds k = {.turning = NULL};

    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next) {
        k.states += a->kind == ZOID_ARRAY_STATE && !a->copy_of;
        k.older |= a->older;
        if (takes_turns(a))
            k.turning = a;
    }
    for (int s = 0; s < ir->nstages; s++) {
        k.ascending |= ir->stage[s].ascending;
        for (int i = 0; i < ir->stage[s].n; i++) {
            const struct zoid_put *put = ir->stage[s].item[i].put;

            k.away |= reads_away(put ? put->value : ir->stage[s].item[i].let->value);
            if (!put || !takes_turns(put->array))
                continue;
            k.partial |= put->colour >= 0;
            k.ordered |= ir->stage[s].ascending;
        }
    }
    return k;
}

static bool is_alone(const struct zoid_ir *ir, const struct kinds *k)
{
    return k->states == 1 && ir->nstages == 1 && !k->ascending;
}

/* Number of fields of a row. */
static int fields_of(const struct zoid_ir *ir, bool moves)
{
    int n = 0;

    for (const struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (!zoid_ir_of_run(a) && !a->copy_of)
            n += takes_turns(a) && moves ? a->turns : 1 + a->older;
    return n;
}

bool zoid_emit_moves(const struct zoid_ir *ir)
{
    const struct kinds k = kinds_of(ir);

    return k.partial || k.ordered || k.away || (k.older && !is_alone(ir, &k));
}

bool zoid_emit_can_own(const struct zoid_ir *ir)
{
    return kinds_of(ir).turning && !zoid_emit_moves(ir) && fields_of(ir, true) <= ZOID_MAX_FIELDS;
}

static void set_kind(struct zoid_emit_row *r)
{
    const struct kinds k = kinds_of(r->ir);
    const bool pair = k.turning && k.turning->turns == 2 && is_alone(r->ir, &k);

    r->moves = zoid_emit_moves(r->ir) || (r->own && !pair);
    r->turns = !r->moves && (k.older || r->own);
    if (r->moves && fields_of(r->ir, true) > ZOID_MAX_FIELDS)
        zoid_refuse(r->text, k.turning->symbol->at,
                    "%s takes turns, by a field for each time, and they are too many; %d fields "
                    "at most",
                    k.turning->name, ZOID_MAX_FIELDS);
}

/* ---- their numbers ------------------------------------------------------------------------- */

/* Puts arrays that one stage writes in one group. */
static void join_groups(struct zoid_emit_row *r, int n, int group[])
{
    const struct zoid_ir *ir = r->ir;

    for (int s = 0; s < ir->nstages && !r->half; s++) {
        int first = -1;

        for (int i = 0; i < ir->stage[s].n; i++) {
            const struct zoid_put *put = ir->stage[s].item[i].put;

            if (!put)
                continue;
            if (first < 0)
                first = group[put->array->number];
            for (int k = 0, old = group[put->array->number]; k < n; k++)
                if (group[k] == old)
                    group[k] = first;
        }
    }
}

/* Fields of an array, the newest first. */
static void add_fields(struct zoid_emit_row *r, struct zoid_nest_array *a)
{
    const int ages = !takes_turns(a) ? 1 : r->moves ? a->turns : 1 + (a->older || r->own);

    for (int age = 0; age < ages; age++) {
        r->age[r->nfields] = age;
        r->field[r->nfields++] = a;
    }
}

/* States that one stage writes are a group, and lie side by side. */
static void number_fields(struct zoid_emit_row *r)
{
    const struct zoid_ir *ir = r->ir;
    struct zoid_nest_array *list[2 * ZOID_IR_FIELDS];
    int group[2 * ZOID_IR_FIELDS], n = 0;

    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (a->kind == ZOID_ARRAY_STATE && !a->copy_of &&
            !(r->half && a == ir->stage[0].item[0].put->array)) {
            a->number = n;
            group[n] = n;
            list[n++] = a;
        }
    join_groups(r, n, group);
    r->nfields = 0;
    for (int g = 0, groups = 0; g < n; g++) {
        bool any = false;

        for (int k = 0; k < n; k++)
            if (group[k] == g) {
                any = true;
                add_fields(r, list[k]);
            }
        groups += any;
        if (groups > ZOID_IR_GROUPS)
            zoid_refuse(r->text, ir->stage[0].item[0].put->at,
                        "more than %d groups of fields that are written together; take fewer",
                        ZOID_IR_GROUPS);
    }
    r->nstate = r->nfields;
    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        if (a->kind == ZOID_ARRAY_COEFFICIENT || a->kind == ZOID_ARRAY_PROFILE)
            add_fields(r, a);
}

const char *zoid_emit_name(const struct zoid_emit_row *r, int field)
{
    const char *name = r->field[field]->name;

    return r->age[field] > 1 ? zoid_text_print(r->text, "%s_before_%d", name, r->age[field])
           : r->age[field]   ? zoid_text_print(r->text, "%s_before", name)
                             : name;
}

int zoid_emit_field(const struct zoid_emit_row *r, const struct zoid_nest_array *array, int age)
{
    for (int f = 0; f < r->nfields; f++)
        if (r->field[f] == array && r->age[f] == age)
            return f;
    return 0;
}

/* ---- those that a put writes --------------------------------------------------------------- */

int zoid_emit_target(const struct zoid_emit_row *r, const struct zoid_put *put)
{
    return zoid_emit_field(r, put->array, r->turns);
}

int zoid_emit_ages(const struct zoid_emit_row *r, const struct zoid_put *put)
{
    return r->moves && put->array->turns ? put->array->turns : 1;
}

const struct zoid_ir_stage *zoid_emit_stage(const struct zoid_emit_row *r, int s)
{
    return &r->ir->stage[r->half ? 1 : s];
}

/* Layers between a side of a box and the face, as far as rows leave them out. */
static int layers(struct zoid_side side, bool high)
{
    return side.end != high ? 0 : side.at < ZOID_IR_REACH ? side.at : ZOID_IR_REACH;
}

/* Gives each field of a stage the least box that has those of all its puts; fields that values move
 * through have all points. */
static void set_leaves(struct zoid_emit_row *r, int s)
{
    const struct zoid_ir_stage *stage = zoid_emit_stage(r, s);

    for (int i = 0; i < stage->n; i++) {
        const struct zoid_put *put = stage->item[i].put;
        const int f = put ? zoid_emit_target(r, put) : 0, ages = put ? zoid_emit_ages(r, put) : 0;

        for (int a = 0; a < r->ir->axes; a++)
            for (int k = 0; k < 2 * ages; k++) {
                const int side = k % 2;
                const int at = ages > 1 ? 0 : layers(side ? put->box.hi[a] : put->box.lo[a], side);
                int *to = &r->leaves[s][f + k / 2][side][a];

                *to = *to < 0 || at < *to ? at : *to;
            }
    }
}

void zoid_emit_fields(struct zoid_emit_row *r)
{
    set_kind(r);
    number_fields(r);
    r->stages = r->half ? 1 : r->ir->nstages;
    for (int s = 0; s < r->stages; s++)
        set_leaves(r, s);
}
