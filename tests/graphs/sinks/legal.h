/* SPDX-License-Identifier: BSD-3-Clause */
/* Legal graphs, one of each sort that the prover distinguishes. Only for sabotages.c, which
 * corrupts them. */
#ifndef ZOID_TESTS_GRAPHS_SINKS_LEGAL_H
#define ZOID_TESTS_GRAPHS_SINKS_LEGAL_H

#include "graphs/method.h"
#include "tests/graphs/cases.h"
#include "tests/graphs/sinks/sabotage.h"

static struct zoid_graph lanes(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.lanes = 2;
    return g;
}

/* Five steps a pass, two fused: in a circle of 8 rows of 2 planes a block writes 5 rows, three
 * slots behind those that it reads. */
static struct zoid_graph launches(void)
{
    struct zoid_graph g = case_line(&zoid_leaning, 20, 5, 5, 10);

    g.at_once = 2;
    return g;
}

/* Successive times write two groups of fields alternately. */
static struct zoid_graph turns(void)
{
    struct zoid_graph g = case_line(&zoid_leaning, 20, 5, 5, 10);

    g.shape.alternates = true;
    return g;
}

/* A time reads planes above from the time before it; its own fields it reads at the time before
 * that, farther down. */
static struct zoid_graph downward_turns(void)
{
    struct zoid_graph g = turns();

    g.shape.reach[0].lo[0] = 0;
    return g;
}

static struct zoid_graph launches_of_turns(void)
{
    struct zoid_graph g = turns();

    g.depth = g.steps = 14;
    g.at_once = 2;
    return g;
}

/* Pass 0 writes edges only; block (1, 2) advances planes [10, 15) of time 0 to time 2. */
static struct zoid_graph overlapped(void)
{
    return case_line(&zoid_overlapped, 20, 5, 2, 6);
}

/* Slabs of 2 with a depth of 3: edges have two readers on either side. */
static struct zoid_graph flat(void)
{
    return case_line(&zoid_overlapped, 20, 2, 3, 6);
}

/* U0, U1 I1, U2 I2, U3 I3. Block (1, 3) is U2: it advances planes [10, 15) of time 2 to [12, 13) of
 * time 4, and writes slopes [12, 14) ... for I3 and [10, 12) ... for I2; block (1, 4), I2, writes
 * [8, 10) in slab 1 and [10, 12) in slab 2. */
static struct zoid_graph upright(void)
{
    return case_line(&zoid_trapezoid, 20, 5, 2, 6);
}

static struct zoid_graph naive(void)
{
    return case_line(&zoid_naive, 20, 5, 1, 6);
}

/* Block (0, 3) writes planes [18, 20) of time 0, which do not exist, [17, 19) of time 1, ... */
static struct zoid_graph deep(void)
{
    return case_line(&zoid_leaning, 18, 5, 4, 8);
}

/* The same with memory, in four pieces of 5 planes. */
static struct zoid_graph remembering(struct zoid_graph g)
{
    g.shape.face[0][ZOID_LOW] = ZOID_PML;
    return g;
}

static struct zoid_graph leaning_memory(void)
{
    return remembering(sabotage_leaning());
}

static struct zoid_graph upright_memory(void)
{
    return remembering(upright());
}

static struct zoid_graph naive_memory(void)
{
    return remembering(naive());
}

/* Leaves of one step. */
static struct zoid_graph recursive_memory(void)
{
    struct zoid_graph g = case_line(&zoid_recursive, 33, 3, 5, 10);

    g.leaf = 15;
    return remembering(g);
}

/* Points are computed twice. */
static struct zoid_graph overlapped_memory(void)
{
    return remembering(overlapped());
}

static struct zoid_graph cells(void)
{
    return sabotage_cells(sabotage_leaning());
}

static struct zoid_graph cells_memory(void)
{
    return remembering(cells());
}

static struct zoid_graph overlapped_cells(void)
{
    struct zoid_graph g = cells();

    g.method = &zoid_overlapped;
    return g;
}

/* Two cells of 6 points and five steps a pass, in leaves of one to four steps: block (0, 5) is an
 * inner one; block (0, 0) reads slabs 0 to 4 and writes none of their last planes, block (0, 1)
 * writes those of slabs 0 to 2 and one of slab 3, block (0, 11) the other two. */
static struct zoid_graph recursive_cells(void)
{
    struct zoid_graph g = case_line(&zoid_recursive, 33, 3, 5, 10);

    g.shape = (struct zoid_shape){
        .dims = 2, .n = {12, 33, 1}, .stages = 1, .reach = {{{1, 1, 0}, {1, 1, 0}}}};
    g.cut[0].cells = 2;
    g.epoch = g.depth;
    g.leaf = 15;
    return g;
}

/* As without cells, see upright: block (0, 4) is I2. */
static struct zoid_graph upright_cells(void)
{
    struct zoid_graph g = cells();

    g.method = &zoid_trapezoid;
    return g;
}

/* Four cells of 4 x 4 points, and epochs of two passes of two steps; cells 0 and 3 are diagonal. */
static struct zoid_graph grid(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.shape = (struct zoid_shape){
        .dims = 3, .n = {8, 8, 20}, .stages = 1, .reach = {{{1, 1, 1}, {1, 1, 1}}}};
    g.cut[0].cells = g.cut[1].cells = 2;
    g.steps = 8;
    g.epoch = 4;
    return g;
}

/* Borders that move from one epoch to the next. */
static struct zoid_graph moving(void)
{
    static const long border[] = {0, 3, 8, 0, 5, 8};
    struct zoid_graph g = grid();

    g.cut[1] = (struct zoid_axis_cells){.cells = 2, .epochs = 2, .border = border};
    return g;
}

/* Three ranks of one cell, which await, read and write messages 15:j ... 17:j (cell 0 to cell 1),
 * 36:j ... 38:j (back), 42:j ... 44:j and 63:j ... 65:j (cells 1 and 2). */
static struct zoid_graph ranks(void)
{
    struct zoid_graph g = cells();

    g.ranks[0] = 3;
    g.rank = ZOID_EVERY_RANK;
    return g;
}

/* Four cells on two neighbouring ranks. */
static struct zoid_graph ranks_of_cells(void)
{
    struct zoid_graph g = grid();

    g.ranks[0] = 2;
    g.rank = ZOID_EVERY_RANK;
    return g;
}

static struct zoid_graph upright_ranks(void)
{
    struct zoid_graph g = ranks();

    g.method = &zoid_trapezoid;
    return g;
}

/* Ordered points: block (1, 2) writes plane 12 of time 2, plane 11 of time 3 and plane 10 of time 4
 * for the next one. */
static struct zoid_graph in_order(void)
{
    struct zoid_graph g = sabotage_leaning();

    g.shape.order[0] = ZOID_ASCENDING;
    return g;
}

/* Only the first of two stages is ordered; it reads two planes down. */
static struct zoid_graph partly_in_order(void)
{
    struct zoid_graph g = in_order();

    g.shape.stages = 2;
    g.shape.reach[1] = g.shape.reach[0];
    g.shape.reach[0].lo[0] = 2;
    g.depth = 1;
    g.steps = 3;
    return g;
}

/* A method without support for order. */
static struct zoid_graph trapezoid_in_order(void)
{
    struct zoid_graph g = in_order();

    g.method = &zoid_trapezoid;
    return g;
}

static struct zoid_graph overlapped_in_order(void)
{
    struct zoid_graph g = in_order();

    g.method = &zoid_overlapped;
    return g;
}

static struct zoid_graph recursive_in_order(void)
{
    struct zoid_graph g = in_order();

    g.method = &zoid_recursive;
    g.shape.n[0] = 200;
    g.leaf = 15;
    return g;
}

/* Cells of rows whose neighbours in another cell are not computed yet. */
static struct zoid_graph cells_in_order(void)
{
    struct zoid_graph g = cells();

    g.shape.order[0] = ZOID_ASCENDING;
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

/* With coefficients in pieces of 5 planes: block (1, 2) reads those of planes [5, 13). The first
 * four loads are of slabs. */
static struct zoid_graph constant(void)
{
    return sabotage_coefficients(sabotage_leaning(), ZOID_COEFFICIENTS_ALL);
}

static struct zoid_graph constant_lanes(void)
{
    return sabotage_coefficients(lanes(), ZOID_COEFFICIENTS_ALL);
}

/* Overlapped on a circle: block (1, 0) reads planes [-2, 7) of time 0. */
static struct zoid_graph circle(void)
{
    struct zoid_graph g = overlapped();

    g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_PERIODIC;
    return sabotage_coefficients(g, ZOID_COEFFICIENTS_ALL);
}

/* Each plane needs only its own coefficients: block (1, 2) those of [6, 12), and on a circle block
 * (1, 0) those of [-1, 6). */
static struct zoid_graph own_constant(void)
{
    return sabotage_coefficients(sabotage_leaning(), ZOID_COEFFICIENTS_NEAR);
}

static struct zoid_graph own_circle(void)
{
    return sabotage_coefficients(circle(), ZOID_COEFFICIENTS_NEAR);
}

/* Plus those of the plane below. */
static struct zoid_graph lower_constant(void)
{
    struct zoid_graph g = own_constant();

    g.coefficient_reach.lo = 1;
    return g;
}

/* Three planes with a halo of ten: every edge is read several times. */
static struct zoid_graph tight(void)
{
    struct zoid_graph g = circle();

    g.shape.n[0] = 3;
    g.shape.reach[0] = (struct zoid_reach){.lo = {10}, .hi = {10}};
    g.block = 2;
    g.depth = 1;
    return g;
}

/* Two stacked cells of 10 planes with a halo of 2 an epoch; lines: planes [0, 12) and [8, 20). */
static struct zoid_graph lines(void)
{
    struct zoid_graph g = overlapped();

    g.cut[0].cells = 2;
    g.epoch = 2;
    return g;
}

/* One cell per rank. */
static struct zoid_graph ranks_in_line(void)
{
    struct zoid_graph g = lines();

    g.ranks[0] = 2;
    g.rank = ZOID_EVERY_RANK;
    return g;
}

/* Mirrored at both faces, which a reach of 12 crosses several times. */
static struct zoid_graph mirrored(void)
{
    struct zoid_graph g = case_line(&zoid_leaning, 5, 24, 2, 6);

    g.shape.face[0][ZOID_LOW] = g.shape.face[0][ZOID_HIGH] = ZOID_NEUMANN;
    g.shape.reach[0] = (struct zoid_reach){.lo = {12}};
    return g;
}

#endif
