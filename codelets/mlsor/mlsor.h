/* SPDX-License-Identifier: BSD-3-Clause */
/* MLSOR: SOR with another order of points, which lets many of them be relaxed concurrently. The
 * domain is partitioned into subdomains of P points per edge; each advances several sweeps, its
 * *layers*, before the next kernel begins. From layer to layer a subdomain moves by one point and
 * is split in two along each axis; kernels differ in the parts that they relax.
 *
 *     k = 2    1 1|2 2 2 2 2           one subdomain, P = 7, K = 3: part 1 shrinks, and part 2
 *     k = 1      1 1 1 1|2 2 2         grows into the next subdomain; one layer earlier, part 1 is
 *     k = 0        1 1 1 1 1 1|2       where it has not been yet
 *
 * A line is all points with one coordinate along the slowest axis: a row in 2-D, an xy plane in
 * 3-D. A plane of the operator is P lines, so the operator has two dimensions; along x it has all
 * points of a plane, contiguous. A *visit* is a step of the operator: K layers, of a subdomain's
 * part 1 of the lines in the first stage, of part 2 in the second. A stage thus reads at most one
 * plane below or above, and all methods apply.
 *
 *     plane 0      . . . . . . 0       P lines precede the first computed line (0): the low
 *     plane 1      1 2 3 4 5 6 7       boundary line of the domain is the last of plane 0,
 *     plane 2      8 9 | . . . .       and the high one follows the last computed line; points
 *                                      outside the domain are never read */
#ifndef ZOID_CODELETS_MLSOR_MLSOR_H
#define ZOID_CODELETS_MLSOR_MLSOR_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_mlsor_kind {
    int dims; /* 2 or 3 */
    enum zoid_type type;
    long n[ZOID_AXES]; /* of the domain, boundary points included; 1 beyond dims */
    long subdomain;    /* P, at least 2 */
    long layers;       /* K, from 1 to P / 2 */
    long sweeps;       /* of the whole run; its last visit may have fewer layers */
    bool forward;      /* all visits are alike; otherwise odd ones are mirrored */
    bool rhs;          /* with a right-hand side, field 1 */
};

struct zoid_mlsor {
    struct zoid_mlsor_kind kind;
    long line;         /* points per line */
    long n[ZOID_AXES]; /* of the operator's domain */
    char name[64];
    struct zoid_op op; /* its only parameter is omega */
};

/* Initialises *mlsor and its operator, which points into *mlsor: do not move or copy it. */
void zoid_mlsor_make(const struct zoid_mlsor_kind *kind, struct zoid_mlsor *mlsor);
/* Returns the number of visits that make `sweeps` sweeps. */
long zoid_mlsor_visits(const struct zoid_mlsor_kind *kind, long sweeps);
/* Offset of the domain's line z from the operator's first point, in points. */
long zoid_mlsor_at(const struct zoid_mlsor *mlsor, long z);

#ifdef __cplusplus
}
#endif
#endif
