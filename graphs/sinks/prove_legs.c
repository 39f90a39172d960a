/* SPDX-License-Identifier: BSD-3-Clause */
/* Store of several legs: it has the data of all of them, and those that outlive a leg keep their
 * contents from one to the next. */
#include <stdlib.h>

#include "graphs/kinds.h"
#include "graphs/leg.h"
#include "graphs/sinks/prove_state.h"

/* Numbering of the data of all legs so far and of one more. */
static int join(const struct zoid_numbering *so_far, const struct zoid_census *more,
                struct zoid_numbering *all)
{
    struct zoid_census census = {.blocks = 0};

    for (int k = 0; k < ZOID_KINDS; k++)
        census.kind[k] =
            (struct zoid_census_row){.rows = so_far->kind[k].rows, .cols = so_far->kind[k].cols};
    zoid_census_join(&census, more);
    return zoid_numbering_init(all, &census);
}

static bool outlives(enum zoid_kind kind)
{
    const enum zoid_kind_home home = zoid_kinds[kind].home;

    return home == ZOID_HOME_FARTHEST || home == ZOID_HOME_RAM;
}

/* A datum without contents, which reuses the buffer of another one. */
static struct zoid_prove_datum emptied(const struct zoid_prove_datum *had)
{
    return (struct zoid_prove_datum){.holding = had->holding, .room = had->room};
}

/* State of a datum at the start of a leg. When borders move, what is for other cells is lost. */
static struct zoid_prove_datum carried(const struct zoid_prove *p, const struct zoid_datum *d)
{
    struct zoid_prove_datum *had = zoid_prove_find(p, d);

    if (p->moved && d->kind != ZOID_SLAB && !zoid_kind_stands(d->kind))
        return emptied(had);
    if (p->moved)
        zoid_prove_mark_read(had);
    if (!outlives(d->kind)) {
        had->state = ZOID_UNWRITTEN;
        had->holdings = 0;
    }
    return *had;
}

/* Same for the owners' messages. */
static void carry_messages(const struct zoid_prove *p, struct zoid_prove_datum *left)
{
    const long rows = p->numbering.kind[ZOID_MESSAGE].rows;

    for (long row = 0; row < rows; row += ZOID_MESSAGE_EPOCHS)
        for (long col = 0; col < p->numbering.kind[ZOID_MESSAGE].cols; col++) {
            const struct zoid_prove_datum *had =
                zoid_prove_left(p, &(struct zoid_datum){.row = row, .col = col});

            *left++ = p->moved ? emptied(had) : *had;
        }
}

/* Owners' relays are empty then; their buffers are reused. */
static void carry_relays(const struct zoid_prove *p, long cols, struct zoid_prove_datum *left)
{
    for (long row = 0; row < p->numbering.kind[ZOID_RELAY].rows; row++)
        for (long col = 0; col < p->numbering.kind[ZOID_RELAY].cols; col++) {
            const struct zoid_datum d = {.kind = ZOID_RELAY, .row = row, .col = col};

            left[row * cols + col] = emptied(zoid_prove_left(p, &d));
        }
}

int zoid_prove_data(struct zoid_prove *p, const struct zoid_census *census)
{
    struct zoid_numbering all;
    struct zoid_prove_datum *data;

    if (zoid_numbering_init(&p->own, census) || join(&p->numbering, census, &all))
        return zoid_prove_fail(p, "has more data than datum indices can name");
    data = calloc((size_t)(all.count + zoid_prove_lefts(&all)) + 1, sizeof *data);
    if (!data)
        return zoid_prove_no_memory(p);
    for (int k = 0; k < ZOID_KINDS; k++)
        for (long row = 0; row < p->numbering.kind[k].rows; row++)
            for (long col = 0; col < p->numbering.kind[k].cols; col++) {
                struct zoid_datum d = {.kind = (enum zoid_kind)k, .row = row, .col = col};

                data[all.kind[k].first + row * all.kind[k].cols + col] = carried(p, &d);
            }
    carry_relays(p, all.kind[ZOID_RELAY].cols, &data[all.count]);
    carry_messages(p, &data[all.count + zoid_prove_relays(&all)]);
    free(p->data);
    p->data = data;
    p->numbering = all;
    return 0;
}

void zoid_prove_free_data(struct zoid_prove *p)
{
    const long count = p->numbering.count + zoid_prove_lefts(&p->numbering);

    for (long i = 0; p->data && i < count; i++)
        free(p->data[i].holding);
    free(p->data);
}

/* ---- moves ------------------------------------------------------------------------------- */

/* Write the copied planes of a range that a load names. */
static int copy(struct zoid_prove *p, const struct zoid_access *load, struct zoid_range range)
{
    struct zoid_prove_datum *d = zoid_prove_find(p, &load->datum);
    struct zoid_access a = *load;
    int rc;

    a.out.lo = zoid_max(load->out.lo, range.lo);
    a.out.hi = zoid_min(load->out.hi, range.hi);
    a.out.slot += a.out.lo - load->out.lo;
    a.keeps = d->state == ZOID_HELD;
    if (a.out.lo >= a.out.hi)
        return 0;
    rc = zoid_prove_write(p, &a, &p->everywhere);
    zoid_prove_mark_read(d);
    return rc;
}

/* Add to a cover the planes of a load that a holding has. */
static int bring_held(struct zoid_prove *p, const struct zoid_access *load,
                      const struct zoid_prove_holding *holding, struct zoid_cover *cover)
{
    const long from = zoid_kind_stands(load->datum.kind) ? p->loaded : p->first;
    const struct zoid_box held = zoid_prove_planes(p, &holding->view, &holding->region, from);
    const struct zoid_box named = zoid_prove_planes(p, &load->out, &p->everywhere, p->first);
    const struct zoid_box box = zoid_box_intersect(&held, &named);
    const long plane = zoid_prove_plane(p, &box);
    long at, expected;

    if (zoid_box_empty(&box))
        return 0;
    at = zoid_view_slot(&holding->view, from, plane);
    expected = zoid_view_slot(&load->out, p->first, plane);
    if (at != expected)
        return zoid_prove_fail(p, "names plane %ld in slot %ld of %s, which has it in slot %ld",
                               plane, expected, zoid_prove_name(&load->datum).s, at);
    return zoid_prove_add(p, cover, &box, p->first, "brings", true);
}

int zoid_prove_bring(struct zoid_prove *p, const struct zoid_access *load, struct zoid_cover *cover)
{
    const struct zoid_prove_datum *d = zoid_prove_find(p, &load->datum);

    if (!zoid_kind_stands(load->datum.kind) &&
        (copy(p, load, p->gain.below) || copy(p, load, p->gain.above)))
        return -1;
    for (size_t i = 0; d->state == ZOID_HELD && i < d->holdings; i++)
        if (bring_held(p, load, &d->holding[i], cover))
            return -1;
    return 0;
}
