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

/* State of a datum at the start of a leg. */
static struct zoid_prove_datum carried(const struct zoid_prove *p, const struct zoid_datum *d)
{
    struct zoid_prove_datum datum = *zoid_prove_find(p, d);

    if (!outlives(d->kind)) {
        datum.state = ZOID_UNWRITTEN;
        datum.holdings = 0;
    }
    return datum;
}

/* Same for the owners' messages. */
static void carry_messages(const struct zoid_prove *p, struct zoid_prove_datum *left)
{
    const long rows = p->numbering.kind[ZOID_MESSAGE].rows;

    for (long row = 0; row < rows; row += ZOID_MESSAGE_EPOCHS)
        for (long col = 0; col < p->numbering.kind[ZOID_MESSAGE].cols; col++)
            *left++ = *zoid_prove_left(p, &(struct zoid_datum){.row = row, .col = col});
}

/* Owners' relays are empty then; their buffers are reused. */
static void carry_relays(const struct zoid_prove *p, long cols, struct zoid_prove_datum *left)
{
    for (long row = 0; row < p->numbering.kind[ZOID_RELAY].rows; row++)
        for (long col = 0; col < p->numbering.kind[ZOID_RELAY].cols; col++) {
            const struct zoid_datum d = {.kind = ZOID_RELAY, .row = row, .col = col};
            const struct zoid_prove_datum *had = zoid_prove_left(p, &d);

            left[row * cols + col] =
                (struct zoid_prove_datum){.holding = had->holding, .room = had->room};
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
