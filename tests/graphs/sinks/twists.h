/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors to put in one place of a legal graph. Only for sabotages.c, which says where, and with
 * what message the prover must refuse them. */
#ifndef ZOID_TESTS_GRAPHS_SINKS_TWISTS_H
#define ZOID_TESTS_GRAPHS_SINKS_TWISTS_H

#include "tests/graphs/sinks/sabotage.h"

#define TWIST(name) static void name(struct sabotage *s, struct sabotage_item *item)

TWIST(drop)
{
    (void)item;
    s->drop = true;
}

TWIST(twice)
{
    (void)item;
    s->twice = true;
}

TWIST(late)
{
    (void)item;
    s->late = true;
}

TWIST(deaf)
{
    (void)item;
    s->deaf = true;
}

static void forget(struct sabotage_item *item, const struct zoid_access *a)
{
    item->access[a - item->access] = item->access[--item->block.naccess];
}

static struct zoid_access *slab(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_SLAB, ZOID_UPDATE, 0);
}

static struct zoid_access *reuse(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_REUSE, ZOID_UPDATE, 0);
}

/* The planes of a slab that an inverted block keeps. */
static struct zoid_access *part(struct sabotage_item *item, int n)
{
    return sabotage_access(item, ZOID_SLAB, ZOID_WRITE, n);
}

static struct zoid_access *piece(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_COEFFICIENT, ZOID_READ, 0);
}

static struct zoid_access *memory(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_MEMORY, ZOID_UPDATE, 0);
}

static struct zoid_access *halo(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_HALO, ZOID_READ, 0);
}

static struct zoid_access *halo_of(struct sabotage_item *item, int n)
{
    return sabotage_access(item, ZOID_HALO, ZOID_READ, n);
}

/* The n-th halo that a block writes. */
static struct zoid_access *left_of(struct sabotage_item *item, int n)
{
    return sabotage_access(item, ZOID_HALO, ZOID_WRITE, n);
}

static struct zoid_access *left(struct sabotage_item *item)
{
    return left_of(item, 0);
}

static struct zoid_access *message(struct sabotage_item *item, enum zoid_mode mode)
{
    return sabotage_access(item, ZOID_MESSAGE, mode, 0);
}

static struct zoid_access *edge(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_EDGE, ZOID_READ, 0);
}

/* Keeps planes of a slope in place of slab planes. */
static void keep_of_slope(struct sabotage_item *item, long col)
{
    struct zoid_access *a = part(item, 1);

    a->datum = (struct zoid_datum){.kind = ZOID_REUSE, .col = col};
    a->out.slot = 0;
}

/* Pretends that the pass ends with the block. */
static void end_pass(struct sabotage_item *item)
{
    if (item->block.cell == 0)
        item->block.region.dim[0] = (struct zoid_face){-1, 7, 1, -1};
}

static struct zoid_datum datum(enum zoid_kind kind, long row, long col, int owner)
{
    return (struct zoid_datum){.kind = kind, .row = row, .col = col, .owner = owner};
}

/* Twists of one expression. */
#define SPOIL(name, expression) \
    TWIST(name)                 \
    {                           \
        (void)s;                \
        expression;             \
    }

/* clang-format off */
SPOIL(no_reuse, reuse(item)->mode = ZOID_WRITE)
SPOIL(no_slab, forget(item, slab(item)))
SPOIL(narrow_in, reuse(item)->in.hi--)
SPOIL(shifted_in, reuse(item)->in.lo++)
SPOIL(narrow_out, reuse(item)->out.lo++)
SPOIL(wide_in, reuse(item)->in.hi++)
SPOIL(short_in, reuse(item)->in.t1--)
SPOIL(other_layout, reuse(item)->in.advance++)
SPOIL(stale, slab(item)->out.t0 = slab(item)->out.t1 = item->block.zoid.t1 - 1;
             slab(item)->out.lo++)
SPOIL(not_given, forget(item, sabotage_access(item, ZOID_SLAB, ZOID_READ, 0)))
SPOIL(early_slab, slab(item)->in.t1 = --slab(item)->in.t0)
SPOIL(late_in, reuse(item)->in.t1++)
SPOIL(upside_down, slab(item)->in.hi = slab(item)->in.lo - 1)
SPOIL(late_out, slab(item)->out.t1++)
SPOIL(short_out, reuse(item)->out.t1--)
SPOIL(empty_out, slab(item)->out.hi = slab(item)->out.lo)
SPOIL(narrow_region, item->block.region.dim[0].lo = 12; item->block.region.dim[0].dlo = 1)
SPOIL(high_out, slab(item)->out.hi++)
SPOIL(high_reuse, reuse(item)->out.hi += 2)
SPOIL(deep_reuse, reuse(item)->out.lo -= 6)
SPOIL(dense, reuse(item)->out.advance--)
SPOIL(sparse, reuse(item)->out.advance++)
SPOIL(negative_slot, slab(item)->out.slot = -1)
SPOIL(wide_circle, reuse(item)->in.around = ++reuse(item)->out.around)
SPOIL(other_circle, reuse(item)->out.around = 0)
SPOIL(close_behind, reuse(item)->out.slot += 2)
SPOIL(far_behind, reuse(item)->out.slot -= 2)
SPOIL(no_turns, reuse(item)->in.by_turns = true)
SPOIL(few_old, reuse(item)->in.lo++; reuse(item)->in.slot++)
SPOIL(all_fields, reuse(item)->in.by_turns = false)
SPOIL(dead_slab, slab(item)->next = ZOID_NEXT_DEAD)
SPOIL(dead_reuse, reuse(item)->next = ZOID_NEXT_DEAD)
SPOIL(dead_edge, sabotage_access(item, ZOID_EDGE, ZOID_READ, 0)->next = ZOID_NEXT_DEAD)
SPOIL(few_edges, sabotage_access(item, ZOID_EDGE, ZOID_READ, 0)->in.hi--;
                 forget(item, sabotage_access(item, ZOID_EDGE, ZOID_READ, 1)))
SPOIL(one_row, for (size_t i = 0; i < item->block.naccess; i++) item->access[i].datum.row = 0)
SPOIL(one_edge, for (size_t i = 0; i < item->block.naccess; i++)
                    if (item->access[i].datum.kind == ZOID_EDGE) item->access[i].datum.row = 0)
SPOIL(other_kind, slab(item)->datum.kind = ZOID_KINDS)
SPOIL(other_col, slab(item)->datum.col = 99)
SPOIL(negative_row, slab(item)->datum.row = -1)
SPOIL(other_owner, slab(item)->datum.owner = 3)
SPOIL(no_mode, slab(item)->mode = (enum zoid_mode)0)
SPOIL(no_next, slab(item)->next = (enum zoid_next)9)
SPOIL(update_emerging, sabotage_access(item, ZOID_SLAB, ZOID_WRITE, 0)->mode = ZOID_UPDATE)
SPOIL(write_slab, slab(item)->mode = ZOID_WRITE)
SPOIL(below_domain, item->block.region.dim[0].lo = -3)
SPOIL(left_faces, item->block.zoid.dim[0].lo--; item->block.zoid.dim[0].hi--)
SPOIL(narrow_rows, item->block.zoid.dim[0].hi--)
SPOIL(late_block, item->block.zoid.t1 += 2)
SPOIL(past_end, item->block.zoid.t1 += 9)
SPOIL(before_start, item->block.zoid.t0 = -1)
SPOIL(back_in_time, item->block.zoid.t1 = item->block.zoid.t0 - 1)
SPOIL(lane_one, item->block.lane = 1)
SPOIL(lane_minus, item->block.lane = -1)
SPOIL(lane_zero, item->block.lane = 0)
SPOIL(next_pass, item->block.pass++)
SPOIL(skip_pass, item->block.pass += 2)
SPOIL(stall, item->block.position--)
SPOIL(far, item->block.position += 2)
SPOIL(negative_pass, item->block.pass = -1)
SPOIL(read_load, item->access[0].mode = ZOID_READ)
SPOIL(shift_load, item->access[0].out.lo--; item->access[0].out.hi--)
SPOIL(tall_load, item->access[0].out.lo--)
SPOIL(late_load, item->access[0].out.t0 = item->access[0].out.t1 = 1)
SPOIL(early_store, item->access[0].in.t0 = item->access[0].in.t1 = 5)
SPOIL(shift_store, item->access[0].in.lo--)
SPOIL(update_store, item->access[0].mode = ZOID_UPDATE)
SPOIL(no_piece, forget(item, piece(item)))
SPOIL(no_memory, forget(item, memory(item)))
SPOIL(other_memory, memory(item)->datum.col = (memory(item)->datum.col + 3) % 4;
      item->block.nfetch = 0)
SPOIL(read_memory, memory(item)->mode = ZOID_READ)
SPOIL(short_memory, memory(item)->out.hi--)
SPOIL(dead_memory, memory(item)->next = ZOID_NEXT_DEAD)
SPOIL(write_piece, piece(item)->mode = ZOID_UPDATE)
SPOIL(dead_piece, piece(item)->next = ZOID_NEXT_DEAD)
SPOIL(short_piece, piece(item)->in.t1--)
SPOIL(late_piece, piece(item)->in.t0++)
SPOIL(moving_piece, piece(item)->in.drift = 1)
SPOIL(growing_piece, piece(item)->in.advance = 1)
SPOIL(wide_piece, piece(item)->in.hi++)
SPOIL(shifted_piece, piece(item)->in.lo++)
SPOIL(store_piece, item->access[0].datum = (struct zoid_datum){.kind = ZOID_COEFFICIENT})
SPOIL(no_edge, forget(item, edge(item)))
SPOIL(wide_edge, edge(item)->in.hi++)
SPOIL(shifted_edge, edge(item)->in.lo++)
SPOIL(other_lap, edge(item)->in.lo += 20; edge(item)->in.hi += 20)
SPOIL(part_alone, part(item, 1)->keeps = false)
SPOIL(wide_part, part(item, 1)->out.hi++)
SPOIL(low_part, part(item, 1)->out.slot++)
SPOIL(narrow_part, part(item, 1)->out.hi--)
SPOIL(parts_of_times, part(item, 1)->out.t0--)
SPOIL(keep_read, slab(item)->keeps = true; slab(item)->mode = ZOID_READ)
SPOIL(keep_slope, keep_of_slope(item, 1))
SPOIL(keep_dead, keep_of_slope(item, 0))
SPOIL(keep_load, item->access[0].keeps = true)
SPOIL(narrow_halo, left(item)->out.patch.axis[0].hi--)
SPOIL(wide_halo, left(item)->out.patch.axis[0].hi++)
SPOIL(no_halo, if (item->block.cell == 1) forget(item, halo(item)))
SPOIL(halo_of_another_epoch, if (item->block.cell == 1) halo(item)->datum.row ^= 1)
SPOIL(halo_elsewhere, if (item->block.cell == 1) halo(item)->in.patch.axis[0].lo++)
SPOIL(wide_cell, if (item->block.cell == 1) item->block.region.dim[0].hi++)
SPOIL(no_cell, item->block.cell = 3)
SPOIL(halo_alone, left(item)->keeps = false)
SPOIL(halo_not_begun, if (item->block.cell == 0) forget(item, left_of(item, 3)))
SPOIL(upright_halo_not_begun, if (item->block.cell == 0) forget(item, left(item)))
SPOIL(early_halo, if (item->block.cell == 0) left_of(item, 3)->out.hi++)
SPOIL(own_points_early, end_pass(item))
SPOIL(unfilled, edge(item)->fills = false)
SPOIL(filled, halo(item)->fills = true)
SPOIL(wide_window, item->access[0].out.patch.axis[0].hi++)
SPOIL(narrow_window, item->access[0].out.patch.axis[0].hi -= 3)
SPOIL(wide_store, item->access[0].in.patch.axis[0].hi = 5)
SPOIL(no_corner, if (item->block.cell == 0) forget(item, halo_of(item, 2)))
SPOIL(corner_of_another, if (item->block.cell == 0) halo_of(item, 2)->datum.row = 3)
SPOIL(corner_elsewhere, if (item->block.cell == 0) halo_of(item, 2)->in.patch.axis[1].hi--)
SPOIL(shallow_x, if (item->block.cell == 0) item->block.region.dim[0].hi -= 2)
SPOIL(shallow_y, if (item->block.cell == 0) item->block.region.dim[1].hi -= 2)
SPOIL(no_halo_left, if (item->block.cell == 0) forget(item, left(item)))
SPOIL(halo_of_this_epoch, if (item->block.cell == 0) left(item)->datum.row ^= 1)
SPOIL(halo_without_planes, if (item->block.cell == 0) left(item)->out.lo--)
SPOIL(more_kept, if (item->block.cell == 0) slab(item)->in.patch.axis[1].hi++)
SPOIL(less_kept, if (item->block.cell == 0) slab(item)->in.patch.axis[0].hi--)
SPOIL(new_border_early, if (item->block.cell == 0) slab(item)->in.patch.axis[1].hi = 5)
SPOIL(old_border, if (item->block.cell == 0) halo_of(item, 1)->in.patch.axis[1].lo = 5)
SPOIL(not_filled, if (item->block.cell == 0) slab(item)->fills = true)
SPOIL(cell_too_early, item->block.cell = 3)
SPOIL(upside_down_patch, if (item->block.cell == 0) halo_of(item, 0)->in.patch.axis[0].hi = 3)
SPOIL(wide_y, item->access[0].out.patch.axis[1].hi++)
SPOIL(narrow_x, item->access[0].out.patch.axis[0].hi -= 2)
SPOIL(wide_store_y, item->access[0].in.patch.axis[1].hi++)
SPOIL(narrow_store_x, item->access[0].in.patch.axis[0].hi--)
SPOIL(other_rank, if (item->block.cell == 1) item->block.owner = 0)
SPOIL(slab_of_rank, if (item->block.cell == 0)
                        slab(item)->datum = datum(ZOID_SLAB, 1, 1, 1))
SPOIL(slab_from_rank, if (item->block.cell == 0) slab(item)->datum.row = 1)
SPOIL(owner_of_message, if (item->block.cell == 0) message(item, ZOID_READ)->datum.owner = 0)
SPOIL(message_to_other, if (item->block.cell == 0) message(item, ZOID_READ)->datum.row += 6)
SPOIL(message_of_other, if (item->block.cell == 0) message(item, ZOID_WRITE)->datum =
                            datum(ZOID_MESSAGE, 118, 1, 1))
SPOIL(message_of_last_epoch, if (item->block.cell == 0) message(item, ZOID_READ)->datum.row--)
SPOIL(message_in_turn, if (item->block.cell == 0) message(item, ZOID_WRITE)->datum.row++)
SPOIL(no_message, if (item->block.cell == 0) forget(item, message(item, ZOID_READ)))
SPOIL(no_message_left, if (item->block.cell == 0) forget(item, message(item, ZOID_WRITE)))
SPOIL(fill_message, if (item->block.cell == 0) message(item, ZOID_READ)->fills = true)
SPOIL(message_elsewhere, if (item->block.cell == 0)
                             message(item, ZOID_READ)->in.patch.axis[0].lo--)
SPOIL(narrow_message, if (item->block.cell == 0) message(item, ZOID_READ)->in.patch.axis[0].hi--)
SPOIL(shallow_message, if (item->block.cell == 0)
                           message(item, ZOID_WRITE)->out.patch.axis[0].lo++)
SPOIL(wide_message, if (item->block.cell == 0) message(item, ZOID_WRITE)->out.patch.axis[0].lo--)
SPOIL(message_of_few, if (item->block.cell == 0) message(item, ZOID_WRITE)->out.lo++)
SPOIL(message_alone, if (item->block.cell == 0) message(item, ZOID_WRITE)->keeps = false)
SPOIL(other_turn, item->message.datum.row += item->message.datum.row % 3 == 2 ? -2 : 1)
SPOIL(other_slab, item->message.datum.col++)
SPOIL(other_peer, item->message.peer = 2)
SPOIL(other_direction, item->message.datum = datum(ZOID_MESSAGE, 124, 0, 1))
SPOIL(no_message_at_all, item->message.datum.kind = ZOID_HALO)
SPOIL(to_itself, item->message.datum.row = 13 * 3 + 1)
SPOIL(load_message, item->access[0].datum = datum(ZOID_MESSAGE, 43, 0, 0))
SPOIL(no_end, if (item->block.cell == 0)
                  forget(item, sabotage_access(item, ZOID_END, ZOID_READ, 0)))
SPOIL(end_of_this_epoch, if (item->block.cell == 0)
                             sabotage_access(item, ZOID_END, ZOID_READ, 0)->datum.row ^= 1)
SPOIL(other_end, if (item->block.cell == 0)
                     sabotage_access(item, ZOID_END, ZOID_READ, 0)->datum.col ^= 1)
SPOIL(shifted_end, if (item->block.cell == 0)
                       sabotage_access(item, ZOID_END, ZOID_READ, 0)->in.slot++)
SPOIL(narrow_end, if (item->block.cell == 1)
                      sabotage_access(item, ZOID_END, ZOID_WRITE, 0)->out.hi--)
SPOIL(wide_end, if (item->block.cell == 1)
                    sabotage_access(item, ZOID_END, ZOID_WRITE, 0)->out.hi++)
SPOIL(low_end, if (item->block.cell == 1)
                   sabotage_access(item, ZOID_END, ZOID_WRITE, 0)->out.slot--)
SPOIL(more_planes_kept, if (item->block.cell == 0) slab(item)->in.patch.axis[0].hi++)
SPOIL(high_region, if (item->block.cell == 0) item->block.region.dim[0].hi += 2)
SPOIL(upright_region, if (item->block.cell == 0) item->block.region.dim[0].dhi = 0)
SPOIL(message_of_fewer, if (item->block.cell == 0) message(item, ZOID_WRITE)->out.hi--)
SPOIL(write_again, edge(item)->datum =
                       sabotage_access(item, ZOID_EDGE, ZOID_WRITE, 0)->datum)
/* clang-format on */

static void fetch(struct sabotage_item *item, struct zoid_datum datum)
{
    item->fetch[0] = datum;
    item->block.nfetch = 1;
}

SPOIL(fetch_emerging, fetch(item, (struct zoid_datum){.kind = ZOID_SLAB, .col = 4}))
SPOIL(fetch_dead, fetch(item, (struct zoid_datum){.kind = ZOID_SLAB, .col = 0}))
SPOIL(fetch_own, fetch(item, slab(item)->datum))
SPOIL(fetch_nothing, fetch(item, (struct zoid_datum){.kind = ZOID_HALO}))

static void add(struct sabotage_item *item, struct zoid_access a)
{
    item->access[item->block.naccess++] = a;
}

/* A superfluous reuse datum without a reader. */
SPOIL(extra_reuse, add(item, (struct zoid_access){.datum = {.kind = ZOID_REUSE, .row = 1},
                                                  .mode = ZOID_WRITE,
                                                  .out = {.t0 = 6, .t1 = 6, .lo = 19, .hi = 20}}))
SPOIL(slab_again, add(item, *slab(item)))
SPOIL(piece_again, forget(item, slab(item)); add(item, *piece(item)))
SPOIL(fetch_own_piece, fetch(item, piece(item)->datum))
SPOIL(fetch_more, item->fetch[item->block.nfetch++] = slab(item)->datum)
SPOIL(nothing, (void)item)

#endif
