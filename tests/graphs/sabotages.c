/* SPDX-License-Identifier: BSD-3-Clause */
/* Legal graphs, what can be wrong in one place of them, and why that must not be proved. */
#include "tests/graphs/cases.h"
#include "tests/graphs/sabotage.h"

/* ---- the legal graphs -------------------------------------------------------------------- */

/* 20 planes in slabs of 5, three passes of 2 steps. Leaning, every pass drifts the slabs by 2:
 * block (1, 2) takes planes [8, 13) of time 2 to planes [6, 11) of time 4. */
struct zoid_graph sabotage_leaning(void)
{
    return case_line(&zoid_leaning, 20, 5, 2, 6);
}

static struct zoid_graph lanes(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.lanes = 2;
    return g;
}

/* Pass 0 makes edges only; block (1, 2) takes planes [10, 15) of time 0 to time 2. */
static struct zoid_graph overlapped(void)
{
    return case_line(&zoid_overlapped, 20, 5, 2, 6);
}

/* Slabs of 2 with a depth of 3: edges have two readers on either side. */
static struct zoid_graph flat(void)
{
    return case_line(&zoid_overlapped, 20, 2, 3, 6);
}

/* U0, U1 I1, U2 I2, U3 I3. Block (1, 3) is U2: it takes planes [10, 15) of time 2 to [12, 13) of time
 * 4, and leaves slopes [12, 14) ... to I3 and [10, 12) ... to I2; block (1, 4), I2, leaves [8, 10) in
 * slab 1 and [10, 12) in slab 2. */
static struct zoid_graph upright(void)
{
    return case_line(&zoid_trapezoid, 20, 5, 2, 6);
}

static struct zoid_graph naive(void)
{
    return case_line(&zoid_naive, 20, 5, 1, 6);
}

/* Block (0, 3) leaves planes [18, 20) of time 0, which do not exist, [17, 19) of time 1, ... */
static struct zoid_graph deep(void)
{
    return case_line(&zoid_leaning, 18, 5, 4, 8);
}

/* Three strips of 4 points, of which blocks look at 2 more on either side. */
static struct zoid_graph strips(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {12, 20, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g.strip = 4;
    return g;
}

static struct zoid_graph overlapped_strips(void)
{
    struct zoid_graph g = strips();

    g.method = &zoid_overlapped;
    return g;
}

/* Two strips of 6 points and five steps a pass, of which leaves have one to four: block (0, 5) is one
 * between, block (0, 0) takes slabs 0 to 4 and leaves none of their last planes, block (0, 1) those of
 * slabs 0 to 2 and one of slab 3, block (0, 11) the other two. */
static struct zoid_graph recursive_strips(void)
{
    struct zoid_graph g = case_line(&zoid_recursive, 33, 3, 5, 10);

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {12, 33, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g.strip = 6;
    g.leaf = 15;
    return g;
}

/* As without strips, see upright: block (0, 4) is I2. */
static struct zoid_graph upright_strips(void)
{
    struct zoid_graph g = strips();

    g.method = &zoid_trapezoid;
    return g;
}

static struct zoid_graph still(void)
{
    return case_line(&zoid_leaning, 20, 5, 2, 0);
}

/* Rows of 4 points. */
static struct zoid_graph rows(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {4, 20, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    return g;
}

/* With coefficients, pieces of 5 planes: block (1, 2) looks at planes [5, 13). The first four loads
 * bring slabs. */
static struct zoid_graph constant(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.coefficients = true;
    return g;
}

/* Overlapped, round and round: block (1, 0) takes planes [-2, 7) of time 0. */
static struct zoid_graph circle(void)
{
    struct zoid_graph g = overlapped();

    g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_PERIODIC;
    g.coefficients = true;
    return g;
}

/* Three planes that see ten: every edge is read several times over. */
static struct zoid_graph tight(void)
{
    struct zoid_graph g = circle();

    g.shape.n[0] = 3;
    g.shape.reach[0] = (struct zoid_reach){.lo = {10}, .hi = {10}};
    g.block = 2;
    g.depth = 1;
    return g;
}

/* Mirrored in both faces, which a reach of 12 sees several times over. */
static struct zoid_graph mirrored(void)
{
    struct zoid_graph g = case_line(&zoid_leaning, 5, 24, 2, 6);

    g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_NEUMANN;
    g.shape.reach[0] = (struct zoid_reach){.lo = {12}};
    return g;
}

/* ---- what can go wrong ------------------------------------------------------------------- */

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

static struct zoid_access *reuse_in(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_REUSE, ZOID_READ, 0);
}

static struct zoid_access *reuse_out(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_REUSE, ZOID_WRITE, 0);
}

/* What an inverted block keeps something of. */
static struct zoid_access *part(struct sabotage_item *item, int n)
{
    return sabotage_access(item, ZOID_SLAB, ZOID_WRITE, n);
}

static struct zoid_access *piece(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_COEFFICIENT, ZOID_READ, 0);
}

static struct zoid_access *side(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_SIDE, ZOID_READ, 0);
}

/* Of what a block has of several slabs. */
static struct zoid_access *left_of(struct sabotage_item *item, int n)
{
    return sabotage_access(item, ZOID_SIDE, ZOID_WRITE, n);
}

static struct zoid_access *left(struct sabotage_item *item)
{
    return left_of(item, 0);
}

static struct zoid_access *edge(struct sabotage_item *item)
{
    return sabotage_access(item, ZOID_EDGE, ZOID_READ, 0);
}

/* In place of slab planes. */
static void keep_of_slope(struct sabotage_item *item, long col)
{
    struct zoid_access *a = part(item, 1);

    a->datum = (struct zoid_datum){.kind = ZOID_REUSE, .col = col};
    a->out.slot = 0;
}

/* As if the pass ended with the block. */
static void end_pass(struct sabotage_item *item)
{
    if (item->block.strip == 0)
        item->block.region.dim[0] = (struct zoid_face){-1, 7, 1, -1};
}

/* Twists of one expression. */
#define SPOIL(name, expression) \
    TWIST(name)                 \
    {                           \
        (void)s;                \
        expression;             \
    }

/* clang-format off */
SPOIL(no_reuse, forget(item, reuse_in(item)))
SPOIL(no_slab, forget(item, slab(item)))
SPOIL(narrow_in, reuse_in(item)->in.hi--)
SPOIL(shifted_in, reuse_in(item)->in.lo++)
SPOIL(wide_in, reuse_in(item)->in.hi++)
SPOIL(short_in, reuse_in(item)->in.t1--)
SPOIL(other_layout, reuse_in(item)->in.advance++)
SPOIL(stale, slab(item)->out.t0 = slab(item)->out.t1 = item->block.zoid.t1 - 1;
             slab(item)->out.lo++)
SPOIL(not_given, forget(item, sabotage_access(item, ZOID_SLAB, ZOID_READ, 0)))
SPOIL(early_slab, slab(item)->in.t1 = --slab(item)->in.t0)
SPOIL(late_in, reuse_in(item)->in.t1++)
SPOIL(upside_down, slab(item)->in.hi = slab(item)->in.lo - 1)
SPOIL(late_out, slab(item)->out.t1++)
SPOIL(short_out, reuse_out(item)->out.t1--)
SPOIL(empty_out, slab(item)->out.hi = slab(item)->out.lo)
SPOIL(narrow_region, item->block.region.dim[0].lo = 12; item->block.region.dim[0].dlo = 1)
SPOIL(high_out, slab(item)->out.hi++)
SPOIL(high_reuse, reuse_out(item)->out.hi += 2)
SPOIL(deep_reuse, reuse_out(item)->out.lo -= 6)
SPOIL(dense, reuse_out(item)->out.advance--)
SPOIL(sparse, reuse_out(item)->out.advance++)
SPOIL(negative_slot, reuse_out(item)->out.advance = 0)
SPOIL(dead_slab, slab(item)->next = ZOID_NEXT_DEAD)
SPOIL(dead_reuse, reuse_out(item)->next = ZOID_NEXT_DEAD)
SPOIL(dead_edge, sabotage_access(item, ZOID_EDGE, ZOID_READ, 0)->next = ZOID_NEXT_DEAD)
SPOIL(few_edges, sabotage_access(item, ZOID_EDGE, ZOID_READ, 0)->in.hi--;
                 forget(item, sabotage_access(item, ZOID_EDGE, ZOID_READ, 1)))
SPOIL(one_ring, for (size_t i = 0; i < item->block.naccess; i++)
                    if (item->access[i].datum.kind == ZOID_REUSE) item->access[i].datum.col = 0)
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
SPOIL(few_rows, left(item)->out.rows.hi--)
SPOIL(many_rows, left(item)->out.rows.hi++)
SPOIL(no_side, if (item->block.strip == 1) forget(item, side(item)))
SPOIL(side_of_another_pass, if (item->block.strip == 1) side(item)->datum.row ^= 1)
SPOIL(side_elsewhere, if (item->block.strip == 1) side(item)->in.rows.lo++)
SPOIL(wide_strip, if (item->block.strip == 1) item->block.region.dim[0].hi++)
SPOIL(no_strip, item->block.strip = 3)
SPOIL(side_alone, left(item)->keeps = false)
SPOIL(side_not_begun, if (item->block.strip == 0) forget(item, left_of(item, 3)))
SPOIL(upright_side_not_begun, if (item->block.strip == 0) forget(item, left(item)))
SPOIL(early_side, if (item->block.strip == 0) left_of(item, 3)->out.hi++)
SPOIL(own_rows_early, end_pass(item))
SPOIL(unfilled, edge(item)->fills = false)
SPOIL(filled, side(item)->fills = true)
SPOIL(wide_window, item->access[0].out.rows.hi++)
SPOIL(narrow_window, item->access[0].out.rows.hi -= 3)
SPOIL(wide_store, item->access[0].in.rows.hi = 5)
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
SPOIL(fetch_nothing, fetch(item, (struct zoid_datum){.kind = ZOID_GRID}))

static void add(struct sabotage_item *item, struct zoid_access a)
{
    item->access[item->block.naccess++] = a;
}

/* A reuse datum too many, for nobody. */
SPOIL(extra_reuse, add(item, (struct zoid_access){.datum = {.kind = ZOID_REUSE, .col = 1},
                                                  .mode = ZOID_WRITE,
                                                  .out = {.t0 = 6, .t1 = 6, .lo = 19, .hi = 20}}))
SPOIL(slab_again, add(item, *slab(item)))
SPOIL(piece_again, forget(item, slab(item)); add(item, *piece(item)))
SPOIL(fetch_own_piece, fetch(item, piece(item)->datum))
SPOIL(fetch_more, item->fetch[item->block.nfetch++] = slab(item)->datum)
SPOIL(nothing, (void)item)

/* ---- the cases --------------------------------------------------------------------------- */

const struct sabotage_case sabotage_cases[] = {
    /* The graphs themselves are legal. */
    {sabotage_leaning, SABOTAGE_ALL, 0, nothing, ""},
    {lanes, SABOTAGE_ALL, 0, nothing, ""},
    {overlapped, SABOTAGE_ALL, 0, nothing, ""},
    {flat, SABOTAGE_ALL, 0, nothing, ""},
    {deep, SABOTAGE_ALL, 0, nothing, ""},
    {upright, SABOTAGE_ALL, 0, nothing, ""},
    {naive, SABOTAGE_ALL, 0, nothing, ""},
    {still, SABOTAGE_LOAD, 0, nothing, ""},
    {constant, SABOTAGE_ALL, 0, nothing, ""},
    {circle, SABOTAGE_ALL, 0, nothing, ""},
    {tight, SABOTAGE_ALL, 0, nothing, ""},
    {mirrored, SABOTAGE_ALL, 0, nothing, ""},
    {rows, SABOTAGE_ALL, 0, nothing, ""},
    /* What a block reads is there, and of the right time. */
    {sabotage_leaning, 1, 2, no_reuse,
     "block (pass 1, position 2) reads plane 6 of time 2, which none of its views has"},
    {sabotage_leaning, 1, 2, no_slab,
     "block (pass 1, position 2) reads plane 8 of time 2, which none of its views has"},
    {sabotage_leaning, 1, 2, write_slab,
     "block (pass 1, position 2) reads plane 8 of time 2, which none of its views has"},
    {sabotage_leaning, 1, 2, narrow_in,
     "block (pass 1, position 2) reads plane 7 of time 2, which none of its views has"},
    {sabotage_leaning, 1, 2, short_in,
     "block (pass 1, position 2) reads plane 5 of time 3, which none of its views has"},
    {sabotage_leaning, 1, 2, late_block,
     "block (pass 1, position 2) reads plane 4 of time 4, which none of its views has"},
    {overlapped, 1, 2, left_faces,
     "block (pass 1, position 2) reads plane 7 of time 0, which none of its views has"},
    {overlapped, 1, 2, few_edges,
     "block (pass 1, position 2) reads plane 9 of time 0, which none of its views has"},
    {rows, 1, 2, narrow_rows,
     "block (pass 1, position 2) reads plane 7 of time 3, which none of its views has"},
    /* A datum holds what views say it does. */
    {sabotage_leaning, 1, 2, wide_in,
     "block (pass 1, position 2) reads plane 8 of time 2, which reuse 0:1 does not hold (it holds "
     "planes [6, 8) of time 2)"},
    {sabotage_leaning, 0, 2, stale,
     "block (pass 1, position 2) reads plane 8 of time 2, which slab 0:2 does not hold (it holds "
     "planes [9, 13) of time 1)"},
    {sabotage_leaning, 1, 1, short_out,
     "block (pass 1, position 2) reads plane 5 of time 3, which reuse 0:1 does not hold (it holds "
     "planes [6, 8) of time 2)"},
    {lanes, 0, 2, empty_out,
     "block (pass 1, position 2) reads plane 8 of time 2, which slab 0:2 does not hold (it holds "
     "no planes of time 2)"},
    {sabotage_leaning, 0, 2, narrow_region,
     "block (pass 0, position 3) reads plane 12 of time 1, which reuse 0:0 does not hold (it holds "
     "planes [13, 14) of time 1)"},
    {sabotage_leaning, 0, 1, late,
     "block (pass 0, position 2) reads plane 8 of time 0, which reuse 0:1 does not hold (it was "
     "never written)"},
    {naive, 1, 2, drop,
     "block (pass 2, position 1) reads plane 10 of time 1, which edge 0:4 does not hold (it was "
     "never written)"},
    {flat, 1, 3, dead_edge,
     "block (pass 1, position 4) reads plane 4 of time 0, which edge 1:5 does not hold (it is "
     "dead)"},
    {sabotage_leaning, 0, 4, update_emerging,
     "block (pass 0, position 4) reads slab 0:4, which was never written"},
    {sabotage_leaning, 1, 2, shifted_in,
     "block (pass 1, position 2) reads plane 7 of time 2 in slot 0 of reuse 0:1, which holds it in "
     "slot 1"},
    {sabotage_leaning, 1, 2, other_layout,
     "block (pass 1, position 2) reads plane 5 of time 3 in slot 3 of reuse 0:1, which holds it in "
     "slot 2"},
    /* What a block leaves is its own, fits, and lies in slots of its own. */
    {sabotage_leaning, 1, 2, high_out,
     "block (pass 1, position 2) leaves plane 11 of time 4 in slab 0:2 without having it"},
    {sabotage_leaning, 1, 2, high_reuse,
     "block (pass 1, position 2) leaves plane 13 of time 2 in reuse 0:0 without having it"},
    {sabotage_leaning, 1, 2, deep_reuse,
     "block (pass 1, position 2) leaves plane 5 of time 2 in reuse 0:0 without having it"},
    {overlapped, 0, 1, not_given,
     "block (pass 0, position 1) leaves plane 8 of time 0 in edge 1:3 without having it"},
    {sabotage_leaning, 1, 2, dense,
     "block (pass 1, position 2) leaves plane 10 of time 3 in slot 1 of reuse 0:0, which the times "
     "before have taken"},
    {sabotage_leaning, 1, 2, sparse,
     "block (pass 1, position 2) leaves plane 11 of time 3 in slot 4 of reuse 0:0, which has 4 "
     "slots"},
    {sabotage_leaning, 1, 2, negative_slot,
     "block (pass 1, position 2) leaves plane 10 of time 3 in slot -1 of reuse 0:0, which has 4 "
     "slots"},
    /* What is kept is there, of one time, and for somebody. */
    {upright, 1, 4, part_alone,
     "block (pass 1, position 4) overwrites plane 12 of time 4 in slab 0:2, which nobody has read"},
    {upright, 1, 4, wide_part,
     "block (pass 1, position 4) leaves plane 12 of time 4 in slab 0:2 without having it"},
    {upright, 1, 4, low_part,
     "block (pass 1, position 4) overwrites plane 12 of time 4 in slab 0:2, which nobody has read"},
    {upright, 1, 4, narrow_part,
     "block (pass 2, position 3) reads plane 11 of time 4, which slab 0:2 does not hold (it holds "
     "planes [12, 13) of time 4 and [10, 11) of time 4 and [13, 15) of time 4)"},
    {upright, 1, 4, parts_of_times,
     "block (pass 1, position 4) keeps slab 0:2 beside no planes of one time"},
    {upright, 1, 3, keep_read,
     "block (pass 1, position 3) keeps slab 0:2 beside no planes of one time"},
    {upright, 1, 4, keep_slope,
     "block (pass 1, position 4) keeps what reuse 0:1 holds of several times"},
    {upright, 1, 6, keep_dead,
     "block (pass 1, position 6) keeps what reuse 0:0 holds, which is dead"},
    {upright, SABOTAGE_LOAD, 1, keep_load,
     "the load keeps what slab 0:1 holds, which was never written"},
    /* Round a circle planes are what they are modulo n, where views say they are. */
    {circle, 1, 0, no_edge,
     "block (pass 1, position 0) reads plane -2 of time 0, which none of its views has"},
    {circle, 1, 0, other_lap,
     "block (pass 1, position 0) reads plane -2 of time 0, which none of its views has"},
    {circle, 1, 0, wide_edge,
     "block (pass 1, position 0) reads plane 0 of time 0, which edge 1:7 does not hold (it holds "
     "planes [18, 20) of time 0)"},
    {circle, 1, 0, shifted_edge,
     "block (pass 1, position 0) reads plane -1 of time 0 in slot 0 of edge 1:7, which holds it in "
     "slot 1"},
    {circle, 1, 0, write_again, "block (pass 1, position 0) accesses edge 0:0 twice"},
    /* Coefficients are there, and constant. */
    {constant, 1, 2, no_piece,
     "block (pass 1, position 2) lacks the coefficients of plane 6 at time 3"},
    {circle, 1, 0, no_piece,
     "block (pass 1, position 0) lacks the coefficients of plane -2 at time 1"},
    {constant, 1, 2, write_piece,
     "block (pass 1, position 2) writes coefficient 0:1, which is constant"},
    {constant, 1, 2, dead_piece,
     "block (pass 1, position 2) lets coefficient 0:1 die, which is constant"},
    {constant, 1, 2, short_piece,
     "block (pass 1, position 2) has no legal `in` view of coefficient 0:1: planes [5, 10) of "
     "times "
     "2 to 3"},
    {constant, 1, 2, late_piece,
     "block (pass 1, position 2) has no legal `in` view of coefficient 0:1: planes [5, 10) of "
     "times "
     "3 to 4"},
    {constant, 1, 2, moving_piece,
     "block (pass 1, position 2) has no legal `in` view of coefficient 0:1: planes [5, 10) of "
     "times "
     "2 to 4"},
    {constant, 1, 2, growing_piece,
     "block (pass 1, position 2) has no legal `in` view of coefficient 0:1: planes [5, 10) of "
     "times "
     "2 to 4"},
    {constant, 1, 2, wide_piece,
     "block (pass 1, position 2) reads plane 10 of time 2, which coefficient 0:1 does not hold (it "
     "holds planes [5, 10) of time 0)"},
    {constant, 1, 2, shifted_piece,
     "block (pass 1, position 2) reads plane 6 of time 2 in slot 0 of coefficient 0:1, which holds "
     "it in slot 1"},
    {constant, 1, 2, piece_again, "block (pass 1, position 2) accesses coefficient 0:2 twice"},
    {constant, 1, 2, fetch_own_piece,
     "block (pass 1, position 2) fetches coefficient 0:1, which it accesses itself"},
    {constant, 1, 1, fetch_more,
     "block (pass 1, position 1) fetches slab 0:1, which it accesses itself"},
    {constant, SABOTAGE_LOAD, 5, drop, "the load never brings the coefficients of plane 5"},
    {constant, SABOTAGE_LOAD, 5, shift_load, "the load brings plane 4 of time 0 again"},
    {constant, SABOTAGE_LOAD, 5, twice,
     "the load overwrites plane 5 of time 0 in coefficient 0:1, which nobody has read"},
    {constant, SABOTAGE_STORE, 1, store_piece, "the store takes coefficients, which are no state"},
    /* Nothing is lost. */
    {sabotage_leaning, 0, 4, drop,
     "block (pass 1, position 1) overwrites plane 18 of time 0 in reuse 0:1, which nobody has "
     "read"},
    {lanes, SABOTAGE_ALL, 0, one_row,
     "block (pass 0, position 2) overwrites plane 1 of time 2 in reuse 0:0, which nobody has read"},
    {overlapped, SABOTAGE_ALL, 0, one_edge,
     "block (pass 1, position 0) overwrites plane 3 of time 0 in edge 0:1, which nobody has read"},
    {sabotage_leaning, 0, 1, dead_slab,
     "block (pass 0, position 1) drops plane 3 of time 2 in slab 0:1, which nobody has read"},
    {deep, 0, 3, dead_reuse,
     "block (pass 0, position 3) drops plane 17 of time 1 in reuse 0:1, which nobody has read"},
    {sabotage_leaning, 2, 5, extra_reuse,
     "the graph leaves plane 19 of time 6 in reuse 0:1, which nobody has read"},
    /* Everything is computed, inside the domain. */
    {sabotage_leaning, 2, 5, deaf, "the graph never computes plane 19 of time 6"},
    {sabotage_leaning, 0, 0, below_domain,
     "block (pass 0, position 0) computes plane -1 of time 1 outside the domain"},
    /* Accesses are legal. */
    {sabotage_leaning, SABOTAGE_ALL, 0, one_ring,
     "block (pass 0, position 1) accesses reuse 0:0 twice"},
    {sabotage_leaning, 0, 0, slab_again, "block (pass 0, position 0) accesses slab 0:0 twice"},
    {sabotage_leaning, 1, 2, slab_again,
     "block (pass 1, position 2) accesses 4 data, the census says 3 at most"},
    {sabotage_leaning, 1, 2, other_kind,
     "block (pass 1, position 2) accesses unknown 0:2, which the census does not have"},
    {sabotage_leaning, 1, 2, other_col,
     "block (pass 1, position 2) accesses slab 0:99, which the census does not have"},
    {sabotage_leaning, 1, 2, negative_row,
     "block (pass 1, position 2) accesses slab -1:2, which the census does not have"},
    {sabotage_leaning, 1, 2, other_owner,
     "block (pass 1, position 2) says that rank 3 owns slab 0:2, which is rank 0's"},
    {sabotage_leaning, 1, 2, no_mode,
     "block (pass 1, position 2) accesses slab 0:2 in no known mode"},
    {sabotage_leaning, 1, 2, no_next, "block (pass 1, position 2) sends slab 0:2 nowhere known"},
    {sabotage_leaning, 1, 2, early_slab,
     "block (pass 1, position 2) has no legal `in` view of slab 0:2: planes [8, 13) of times 1 to "
     "1"},
    {sabotage_leaning, 1, 2, late_in,
     "block (pass 1, position 2) has no legal `in` view of reuse 0:1: planes [6, 8) of times 2 to "
     "4"},
    {sabotage_leaning, 1, 2, upside_down,
     "block (pass 1, position 2) has no legal `in` view of slab 0:2: planes [8, 7) of times 2 to "
     "2"},
    {sabotage_leaning, 1, 2, late_out,
     "block (pass 1, position 2) has no legal `out` view of slab 0:2: planes [6, 11) of times 4 to "
     "5"},
    /* What is fetched is there, and for later. */
    {sabotage_leaning, 0, 3, fetch_emerging,
     "block (pass 0, position 3) fetches slab 0:4, which was never written"},
    {sabotage_leaning, 1, 2, empty_out,
     "block (pass 2, position 1) fetches slab 0:2, which holds no planes of time 4"},
    {sabotage_leaning, 2, 2, fetch_dead,
     "block (pass 2, position 2) fetches slab 0:0, which is dead"},
    {sabotage_leaning, 1, 2, fetch_own,
     "block (pass 1, position 2) fetches slab 0:2, which it accesses itself"},
    {sabotage_leaning, 1, 2, fetch_nothing,
     "block (pass 1, position 2) fetches grid 0:0, which the census does not have"},
    /* Times, lanes and the order of blocks. */
    {sabotage_leaning, 1, 2, past_end, "block (pass 1, position 2) computes times 2 to 13, of 6"},
    {sabotage_leaning, 0, 1, before_start,
     "block (pass 0, position 1) computes times -1 to 2, of 6"},
    {sabotage_leaning, 1, 2, back_in_time,
     "block (pass 1, position 2) computes times 2 to 1, of 6"},
    {sabotage_leaning, 1, 2, lane_one, "block (pass 1, position 2) runs on lane 1, of 1"},
    {sabotage_leaning, 1, 2, lane_minus, "block (pass 1, position 2) runs on lane -1, of 1"},
    {lanes, 1, 2, lane_zero, "block (pass 0, position 4) comes to lane 0 after pass 1"},
    {sabotage_leaning, 0, 1, next_pass, "block (pass 0, position 2) comes to lane 0 after pass 1"},
    {sabotage_leaning, 0, 1, skip_pass, "block (pass 2, position 1) opens its pass after pass 0"},
    {sabotage_leaning, 1, 2, negative_pass,
     "block (pass -1, position 2) opens its pass after pass 1"},
    {sabotage_leaning, 0, 2, stall,
     "block (pass 0, position 1) comes after position 1 of its pass"},
    {sabotage_leaning, 0, 1, twice,
     "block (pass 0, position 1) comes after position 1 of its pass"},
    {overlapped, 1, 1, late, "block (pass 1, position 1) comes after position 2 of its pass"},
    {lanes, 1, 0, far, "block (pass 0, position 2) comes after position 2 of the next pass"},
    /* Both ends of the graph. */
    {sabotage_leaning, SABOTAGE_LOAD, 1, drop, "the load never brings plane 5 of time 0"},
    {sabotage_leaning, SABOTAGE_LOAD, 1, twice,
     "the load overwrites plane 5 of time 0 in slab 0:1, which nobody has read"},
    {sabotage_leaning, SABOTAGE_LOAD, 1, shift_load, "the load brings plane 4 of time 0 again"},
    {sabotage_leaning, SABOTAGE_LOAD, 1, tall_load,
     "the load leaves plane 9 of time 0 in slot 5 of slab 0:1, which has 5 slots"},
    {sabotage_leaning, SABOTAGE_LOAD, 1, late_load,
     "the load has no legal `out` view of slab 0:1: planes [5, 10) of times 1 to 1"},
    {sabotage_leaning, SABOTAGE_LOAD, 1, read_load, "the load has an access of mode 1"},
    {sabotage_leaning, SABOTAGE_STORE, 1, drop, "the graph never stores plane 4 of time 6"},
    {still, SABOTAGE_STORE, 1, drop, "the graph never stores plane 5 of time 0"},
    {sabotage_leaning, SABOTAGE_STORE, 0, deaf, "the graph never stores plane 0 of time 6"},
    {sabotage_leaning, SABOTAGE_STORE, 1, twice, "the store takes plane 4 of time 6 again"},
    {sabotage_leaning, SABOTAGE_STORE, 1, early_store,
     "the store has no legal `in` view of slab 0:2: planes [4, 9) of times 5 to 5"},
    {sabotage_leaning, SABOTAGE_STORE, 1, shift_store,
     "the store reads plane 3 of time 6, which slab 0:2 does not hold (it holds planes [4, 9) of "
     "time 6)"},
    {sabotage_leaning, SABOTAGE_STORE, 1, update_store, "the store has an access of mode 3"},
    /* Strips. */
    {strips, 0, 1, few_rows,
     "block (pass 1, strip 0, position 1) reads rows [4, 6) of plane 3 of time 2, of which side "
     "3:2 has [4, 5)"},
    {strips, 0, 1, many_rows,
     "block (pass 0, strip 0, position 1) leaves rows [2, 5) in side 1:3, which has room for 2"},
    {strips, 1, 1, no_side,
     "block (pass 1, strip 1, position 1) reads row 2 of plane 3 of time 2, which none of its "
     "views has"},
    {strips, 1, 1, side_of_another_pass,
     "block (pass 1, strip 1, position 1) reads plane 3 of time 2, which side 0:3 does not hold "
     "(it holds planes [1, 6) of time 4)"},
    {strips, 1, 1, side_elsewhere,
     "block (pass 1, strip 1, position 1) reads side 1:3 from row 3 on, which starts at row 2"},
    {strips, 1, 1, wide_strip,
     "block (pass 1, strip 1, position 1) has rows [2, 11) of time 2, and its window [2, 10)"},
    {strips, 1, 1, no_strip, "block (pass 1, strip 3, position 1) is of a strip that is none of 3"},
    {strips, 1, 1, filled, "block (pass 1, strip 0, position 1) need not fill side 3:2"},
    {overlapped_strips, 1, 1, unfilled,
     "block (pass 1, strip 0, position 1) does not fill edge 1:1"},
    {recursive_strips, 0, 11, side_alone,
     "block (pass 0, strip 0, position 11) overwrites plane 9 of time 5 in side 1:7, which nobody "
     "has read"},
    {recursive_strips, 0, 0, side_not_begun,
     "block (pass 0, strip 0, position 1) keeps what side 1:7 holds, which was never written"},
    {recursive_strips, 0, 0, early_side,
     "block (pass 0, strip 0, position 1) overwrites plane 9 of time 4 in side 1:7, which nobody "
     "has read"},
    {recursive_strips, 0, 5, own_rows_early,
     "block (pass 0, strip 0, position 7) reads rows [0, 9) of plane 22 of time 2, of which reuse "
     "0:10 has [0, 7)"},
    {upright_strips, 0, 4, side_alone,
     "block (pass 0, strip 0, position 4) overwrites plane 7 of time 2 in side 1:3, which nobody "
     "has read"},
    {upright_strips, 0, 3, upright_side_not_begun,
     "block (pass 0, strip 0, position 4) keeps what side 1:5 holds, which was never written"},
    {strips, SABOTAGE_LOAD, 0, wide_window,
     "the load has rows [0, 9) of strip 0, whose window is [0, 8)"},
    {strips, SABOTAGE_LOAD, 0, narrow_window,
     "block (pass 0, strip 0, position 0) reads rows [0, 6) of plane 0 of time 0, of which slab "
     "0:0 has [0, 5)"},
    {strips, SABOTAGE_LOAD, 0, drop, "the load never brings row 0 of plane 0 of time 0"},
    {strips, SABOTAGE_STORE, 1, wide_store,
     "the store reads rows [0, 5) of plane 4 of time 6, of which slab 0:2 has [0, 4)"},
    {strips, SABOTAGE_STORE, 1, drop, "the graph never stores row 0 of plane 4 of time 6"},
    {NULL, 0, 0, NULL, NULL},
};
