/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that take turns: which of them a stage reads. */
#include "apps/compile/meaning.h"

/* Sets the role of reads to 0, the newest, or 1, the one before. */
static void set_turns(struct zoid_meaning *m, struct zoid_expr *e, int stage, const int *written)
{
    if (!e)
        return;
    if (e->kind == ZOID_EXPR_READ && e->array->turns && e->array->kind == ZOID_ARRAY_STATE) {
        const int writer = written[e->array->number];

        if (stage > writer && e->role != 1)
            zoid_refuse(m->text, e->at,
                        "%s of the time before, after that of the new time is "
                        "written; read it before",
                        e->array->name);
        if (stage <= writer && e->role == 1 && e->array->turns == 3)
            zoid_refuse(m->text, e->at,
                        "%s three times before the new one, which it overwrites; read the last two",
                        e->array->name);
        if (stage > writer)
            e->role = 0;
        else if (e->role) {
            e->role = 1;
            e->array->older = true;
        }
        return;
    }
    set_turns(m, e->a, stage, written);
    set_turns(m, e->b, stage, written);
    set_turns(m, e->c, stage, written);
    set_turns(m, e->d, stage, written);
}

void zoid_order_turns(struct zoid_meaning *m)
{
    struct zoid_ir *ir = m->ir;
    int n = 0, *written;

    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        a->number = n++;
    written = zoid_text_new(m->text, (size_t)(n + 1) * sizeof *written);
    for (int s = 0; s < ir->nstages; s++)
        for (int i = 0; i < ir->stage[s].n; i++) {
            const struct zoid_put *put = ir->stage[s].item[i].put;

            if (!put || !put->array->turns)
                continue;
            if (written[put->array->number])
                zoid_refuse(m->text, put->at,
                            "%s takes turns and is written by two statements; "
                            "write it by one",
                            put->array->name);
            written[put->array->number] = s + 1;
        }
    for (int i = 0; i < n; i++)
        written[i]--;
    for (int s = 0; s < ir->nstages; s++)
        for (int i = 0; i < ir->stage[s].n; i++) {
            const struct zoid_step_item *item = &ir->stage[s].item[i];

            set_turns(m, item->put ? item->put->value : item->let->value, s, written);
        }
    for (struct zoid_nest_array *a = ir->arrays; a; a = a->next)
        a->number = -1;
}
