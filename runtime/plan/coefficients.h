/* SPDX-License-Identifier: BSD-3-Clause */
/* What the planner knows of an operator's coefficients: which ones blocks want, and how many bytes
 * they have where they come in pieces whose bytes the operator says. */
#ifndef ZOID_RUNTIME_PLAN_COEFFICIENTS_H
#define ZOID_RUNTIME_PLAN_COEFFICIENTS_H

#include "runtime/zoid.h"

/* Whether data of a kind are such pieces. */
bool zoid_kind_in_pieces(const struct zoid_op *op, int kind);
/* Tells a graph which coefficients a plane is computed from. */
void zoid_coefficients_apply(const struct zoid_op *op, struct zoid_graph *graph);
/* Bytes of the coefficients of a plane, on average, where planes have so many. */
double zoid_coefficients_of_plane(const struct zoid_problem *problem, size_t plane_bytes);

/* Planes of the domain that piece i of a cell has. */
struct zoid_range zoid_piece_planes(const struct zoid_plan *plan, long cell, long i);
/* Bytes that it takes where it is at home: whole lines there, or grains. */
uint64_t zoid_piece_bytes(const struct zoid_plan *plan, long cell, long i);

/* Sums that were made already for the same problem; a newer one takes the place of an older. */
enum { ZOID_PIECES_KNOWN = 256 };
struct zoid_pieces_known {
    struct {
        long planes;      /* of a piece; 0: nothing is known */
        long line, cells; /* and of all pieces of a cell; of how many */
        enum zoid_tier_kind home;
        struct zoid_byte_sums sums;
    } at[ZOID_PIECES_KNOWN];
};

/* Those of all pieces of a plan whose graph, census, tiers and home are there; of several ranks, as
 * if all had what the one has that has most, so that all of them know the same. Where what StarPU
 * keeps about so many data is more than `capacity`, which leaves no room for any such plan, no
 * piece is looked at, and they are as if all were alike. */
struct zoid_byte_sums zoid_piece_sums(struct zoid_pieces_known *known, const struct zoid_plan *plan,
                                      uint64_t capacity);

#endif
