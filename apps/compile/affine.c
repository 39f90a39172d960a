/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/affine.h"

#include <stdarg.h>
#include <stdio.h>

void zoid_affine_put(struct zoid_affine *w, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (w->used < sizeof w->text)
        w->used += (size_t)vsnprintf(w->text + w->used, sizeof w->text - w->used, format, list);
    va_end(list);
}

void zoid_affine_poly(struct zoid_affine *w, const struct zoid_poly *poly)
{
    char text[256];
    char names[ZOID_POLY_SYMBOLS][16];
    const char *list[ZOID_POLY_SYMBOLS];

    for (int s = 0; s < ZOID_POLY_SYMBOLS; s++) {
        snprintf(names[s], sizeof names[s], ZOID_AFFINE_SIZE "%d", s);
        list[s] = names[s];
    }
    zoid_poly_print(poly, list, text, sizeof text);
    zoid_affine_put(w, "(%s)", text);
}

void zoid_affine_sizes(struct zoid_affine *w, const struct zoid_meaning *m)
{
    zoid_affine_put(w, "[");
    for (int i = 0; i < m->nest->nsizes; i++)
        zoid_affine_put(w, "%s" ZOID_AFFINE_SIZE "%d", i ? ", " : "", i);
    zoid_affine_put(w, "] -> ");
}

void zoid_affine_point(struct zoid_affine *w, const struct zoid_meaning *m)
{
    zoid_affine_put(w, "t");
    for (int a = 0; a < m->ir->axes; a++)
        zoid_affine_put(w, ", p%d", a);
}

void zoid_affine_domain(struct zoid_affine *w, const struct zoid_meaning *m,
                        const struct zoid_statement *s, int colour)
{
    zoid_affine_put(w, "(");
    zoid_affine_poly(w, &m->nest->time->lo);
    zoid_affine_put(w, " <= t < ");
    zoid_affine_poly(w, &m->nest->time->hi);
    for (int a = 0; a < m->ir->axes; a++) {
        zoid_affine_put(w, " and ");
        zoid_affine_poly(w, &s->lo[a]);
        zoid_affine_put(w, " <= p%d < ", a);
        zoid_affine_poly(w, &s->hi[a]);
    }
    if (colour >= 0) {
        zoid_affine_put(w, " and (");
        for (int a = 0; a < m->ir->axes; a++)
            zoid_affine_put(w, "p%d + ", a);
        zoid_affine_put(w, "%d) mod 2 = 0", colour);
    }
    zoid_affine_put(w, ")");
}

void zoid_affine_order(struct zoid_affine *w, const struct zoid_meaning *m,
                       const struct zoid_statement *s)
{
    zoid_affine_put(w, "t, %d", s->place[0]);
    for (int d = 0; d < ZOID_NEST_AXES; d++) {
        int axis = -1;

        for (int a = 0; a < m->ir->axes; a++)
            if (d < s->nloops && s->depth[a] == d)
                axis = a;
        if (axis < 0)
            zoid_affine_put(w, ", 0, 0");
        else
            zoid_affine_put(w, ", %s(p%d - %d), %d", s->loop[d]->down ? "-" : "", axis,
                            s->offset[axis], s->place[d + 1]);
    }
}
