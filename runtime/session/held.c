/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/held.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/boundary.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/session.h"

enum { FACES = ZOID_AXES * ZOID_SIDES };

/* Writes the name of a face, as z-, after `before`. */
static void name_of(int face, const char *before, char name[16])
{
    snprintf(name, 16, "%s%c%c", before, "xyz"[face / ZOID_SIDES], "-+"[face % ZOID_SIDES]);
}

/* Sets the series of a face from `samples` numbers, or as long as the run from a recipe without. */
static enum zoid_status set(const struct zoid_session *s, struct zoid_held_face *f,
                            const struct zoid_source_recipe *recipe, const double *numbers,
                            long samples)
{
    const long steps = s->problem.start + s->problem.steps;

    free(f->series);
    f->recipe = *recipe;
    f->samples = recipe->frequency == 0 ? samples : recipe->frequency < 0 ? 1 : zoid_max(steps, 1);
    f->series = zoid_point_series_make(recipe, 1, numbers, f->samples);
    return f->series ? ZOID_OK : zoid_no_memory();
}

/* Takes FACE=SERIES. A later one replaces an earlier one. */
static enum zoid_status take(struct zoid_session *s, const char *text)
{
    const struct zoid_units units = zoid_settings_units(&s->settings);
    const char *from = strchr(text, '=') + 1;
    const struct zoid_array_view *view = zoid_array_view_find(&s->arrays, from);
    struct zoid_source_recipe recipe = {.amplitude = 1};
    int axis, side;
    long samples = 0;
    double *numbers = NULL;
    enum zoid_status status;

    if (!zoid_setting_face(text, (size_t)(from - 1 - text), &axis, &side))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{held} '%s' names no face; they are x-, x+, y-, y+, z- and z+, as in "
                         "z-=constant:1",
                         text);
    status = view ? zoid_run_numbers("held", view, &samples, &numbers)
                  : zoid_point_series("held", from, &units, &recipe, &numbers, &samples);
    if (!status && recipe.frequency == 0 && samples < 1)
        status =
            zoid_fail(ZOID_BAD_ARGUMENT, "{held}: %s has no values; give one for each step", from);
    if (!status)
        status = set(s, &s->held.face[axis * ZOID_SIDES + side], &recipe, numbers, samples);
    free(numbers);
    return status;
}

static enum zoid_status take_stored(struct zoid_session *s, int face)
{
    struct zoid_source_recipe recipe = {.amplitude = 1};
    const struct zoid_stored_table *then;
    char name[16];

    name_of(face, "held.", name);
    then = s->restart.then ? zoid_stored_find_table(s->restart.then, name) : NULL;
    if (!then || then->rows < 1)
        return ZOID_OK;
    if (then->columns == ZOID_RECIPE_COLUMNS)
        recipe = zoid_point_recipe_load(then->number);
    return set(s, &s->held.face[face], &recipe, then->number, then->rows);
}

static enum zoid_status open_all(struct zoid_session *s)
{
    const struct zoid_setting_texts *given = &s->settings.held;
    struct zoid_problem *p = &s->problem;
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < given->n && !status; i++)
        status = take(s, given->text[i]);
    for (int i = 0; i < FACES && !status; i++) {
        const bool driven = p->face[i / ZOID_SIDES][i % ZOID_SIDES] == ZOID_DRIVEN;
        struct zoid_held_face *f = &s->held.face[i];
        char name[16];

        if (driven && !f->samples)
            status = take_stored(s, i);
        p->params.held[i / ZOID_SIDES][i % ZOID_SIDES] = (struct zoid_held){f->samples, f->series};
        name_of(i, "", name);
        if (!status && driven && !f->samples)
            status = zoid_fail(ZOID_BAD_ARGUMENT,
                               "the boundary %s is held, and its values are missing; give "
                               "{held=%s=SERIES}, as in %s=constant:1",
                               name, name, name);
    }
    return status ? status : zoid_problem_check(p);
}

enum zoid_status zoid_held_open(struct zoid_session *s)
{
    const struct zoid_shape shape = zoid_problem_shape(&s->problem);
    bool held = s->settings.held.n;

    for (int i = 0; i < FACES; i++)
        held |= shape.face[i / ZOID_SIDES][i % ZOID_SIDES] == ZOID_DRIVEN;
    return held ? zoid_ranks_agree(open_all(s)) : ZOID_OK;
}

void zoid_held_close(struct zoid_held_faces *held)
{
    for (int i = 0; i < FACES; i++)
        free(held->face[i].series);
    *held = (struct zoid_held_faces){.face = {{.samples = 0}}};
}

enum zoid_status zoid_held_store(const struct zoid_held_faces *held, struct zoid_stored *stored)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < FACES && !status; i++) {
        const struct zoid_held_face *f = &held->face[i];
        double row[ZOID_RECIPE_COLUMNS];
        char name[16];

        name_of(i, "held.", name);
        zoid_point_recipe_store(&f->recipe, row);
        if (f->samples && f->recipe.frequency == 0)
            status = zoid_stored_add_table(stored, name, f->samples, 1, f->series);
        else if (f->samples)
            status = zoid_stored_add_table(stored, name, 1, ZOID_RECIPE_COLUMNS, row);
    }
    return status;
}
