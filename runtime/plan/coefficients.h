/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces (segments) in the planner: which coefficients blocks need, the bytes of pieces of
 * coefficients whose size the operator determines, and of those of memory of layers. */
#ifndef ZOID_RUNTIME_PLAN_COEFFICIENTS_H
#define ZOID_RUNTIME_PLAN_COEFFICIENTS_H

#include "runtime/zoid_advanced.h"

/* Return whether data of a kind are pieces of that sort. */
bool zoid_kind_in_pieces(const struct zoid_op *op, int kind);
/* Set which coefficients the graph computes a plane from. */
void zoid_coefficients_apply(const struct zoid_op *op, struct zoid_graph *graph);
/* Return the mean bytes of the coefficients of a plane; `plane_bytes` is the size of a plane of one
 * field. */
double zoid_coefficients_of_plane(const struct zoid_problem *problem, size_t plane_bytes);

/* Return the mean bytes of the memory of a plane of a cell, of a plan whose memory is summed up; 0
 * without layers that match. */
double zoid_memory_of_plane(const struct zoid_plan *plan);

/* Return the planes of the domain that piece i of a kind holds of a cell. */
struct zoid_range zoid_piece_planes(const struct zoid_plan *plan, int kind, long cell, long i);
/* Return the bytes of that piece at home, rounded up to cache lines there, or to the tier's
 * grain. */
uint64_t zoid_piece_bytes(const struct zoid_plan *plan, int kind, long cell, long i);

/* Cache of byte sums that were computed for the same problem; a new one evicts the old one at its
 * index. */
enum { ZOID_PIECES_KNOWN = 256 };
struct zoid_pieces_known {
    struct {
        long planes;      /* of a piece; 0: empty */
        long line, cells; /* planes and number of cells */
        enum zoid_tier_kind home;
        struct zoid_byte_sums sums;
    } at[ZOID_PIECES_KNOWN];
};

/* Return the byte sums of all pieces of coefficients of a plan whose graph, census, tiers and home
 * are set; with several ranks, the maxima over the ranks, so that all ranks get the same. If the
 * handles of the pieces alone exceed `capacity`, which no such plan fits, the sums are approximate:
 * all pieces are taken to be alike. */
struct zoid_byte_sums zoid_piece_sums(struct zoid_pieces_known *known, const struct zoid_plan *plan,
                                      uint64_t capacity);
/* The same for memory, whose sums also depend on the windows of cells. */
struct zoid_memory_known {
    struct {
        long planes; /* of a piece; 0: empty */
        long line, epoch, cells[ZOID_AXES];
        enum zoid_tier_kind home;
        struct zoid_byte_sums sums;
    } at[ZOID_PIECES_KNOWN];
};

/* Return those of all pieces of memory of a rank, of a plan whose graph, census, layout, tiers and
 * home are set; with several ranks, the maxima over the ranks. */
struct zoid_byte_sums zoid_memory_sum(const struct zoid_plan *plan);
/* The same, from a cache; without layers that match, 0. */
struct zoid_byte_sums zoid_memory_sums(struct zoid_memory_known *known,
                                       const struct zoid_plan *plan);

#endif
