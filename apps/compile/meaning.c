/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/meaning.h"

#include "apps/compile/depend.h"
#include "apps/compile/range.h"

struct zoid_meaning *zoid_mean(struct zoid_text *text, struct zoid_nest *nest)
{
    struct zoid_meaning *m = zoid_text_new(text, sizeof *m);
    const struct zoid_item *time = nest->time;

    m->text = text;
    m->nest = nest;
    m->ir = zoid_text_new(text, sizeof *m->ir);
    m->ir->name = nest->name;
    m->ir->type = nest->type;
    m->ir->names = nest->names;
    m->ir->time = time->symbol->name;
    m->ir->time_type = time->symbol->type;
    m->ir->from = time->lo;
    if (!zoid_poly_add(&time->hi, &time->lo, -1, &m->ir->steps))
        zoid_refuse(text, nest->at, "a number of steps that overflows; take fewer");
    zoid_read_statements(m);
    zoid_set_ranges(m);
    m->dependences = zoid_depend(m);
    zoid_make_stages(m, m->dependences);
    return m;
}
