/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the neighbours of a point that share a face, an edge or a corner with it, in 3-D.
 * Mirroring the domain along an axis mirrors the sums bitwise: partners that a mirror swaps are
 * added to each other first. */
#ifndef ZOID_CODELETS_OPS_BOX_H
#define ZOID_CODELETS_OPS_BOX_H

#define BOX_FACES(field)                                              \
    ((BOTH(field, 0, 0) + (U(field, 0, -1, 0) + U(field, 0, 1, 0))) + \
     (U(field, 0, 0, -1) + U(field, 0, 0, 1)))

#define BOX_EDGES(field)                                                                     \
    (((BOTH(field, -1, 0) + BOTH(field, 1, 0)) + (BOTH(field, 0, -1) + BOTH(field, 0, 1))) + \
     ((U(field, 0, -1, -1) + U(field, 0, 1, -1)) + (U(field, 0, -1, 1) + U(field, 0, 1, 1))))

#define BOX_CORNERS(field) \
    ((BOTH(field, -1, -1) + BOTH(field, 1, -1)) + (BOTH(field, -1, 1) + BOTH(field, 1, 1)))

#endif
