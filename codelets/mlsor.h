/* SPDX-License-Identifier: BSD-3-Clause */
/* MLSOR: sor whose points take turns in another order, so that many of them may be relaxed at the
 * same time. The domain is cut into subdomains of P points an edge, and each goes through several
 * sweeps, its *layers*, before the next kernel begins. From layer to layer a subdomain moves by one
 * point, and is cut in two along each axis; which parts of it a kernel relaxes tells kernels apart.
 *
 *     k = 2    1 1|2 2 2 2 2           one subdomain, P = 7, K = 3: part 1 shrinks, and part 2
 *     k = 1      1 1 1 1|2 2 2         grows into the next subdomain; a layer back, part 1 is
 *     k = 0        1 1 1 1 1 1|2       where it has not yet been
 *
 * A line is what has one coordinate along the slowest axis: a row in 2-D, an xy plane in 3-D. The
 * operator's planes are P lines, so it has two dimensions: along x all points of a plane, one after
 * the other. A *visit* is its step: K layers, of a subdomain's part 1 of lines in the first stage,
 * of part 2 in the second. So a stage reads what lies one plane below or above, and all methods
 * take it.
 *
 *     plane 0      . . . . . . 0       before the first line (0) that is computed there are P: the
 *     plane 1      1 2 3 4 5 6 7       outermost one of the domain is the last of plane 0
 *     plane 2      8 9 | . . . .       and the other outermost one follows the last; points that
 *                                      are none of the domain's are never looked at
 */
#ifndef ZOID_CODELETS_MLSOR_H
#define ZOID_CODELETS_MLSOR_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_mlsor_kind {
    int dims; /* 2 or 3 */
    enum zoid_type type;
    long n[ZOID_AXES]; /* of the domain, outermost points included; 1 beyond dims */
    long subdomain;    /* P, at least 2 */
    long layers;       /* K, from 1 to P / 2 */
    long sweeps;       /* after which the run ends, so that its last visit may have fewer layers */
    bool forward;      /* all visits are alike; otherwise every other one is mirrored */
    bool rhs;          /* there is a right-hand side: field 1 */
};

struct zoid_mlsor {
    struct zoid_mlsor_kind kind;
    long line;         /* points of a line */
    long n[ZOID_AXES]; /* of the operator's domain */
    char name[64];
    struct zoid_op op; /* its only parameter is omega */
};

/* Makes the operator, which points into *mlsor: that must stay where it is. */
void zoid_mlsor_make(const struct zoid_mlsor_kind *kind, struct zoid_mlsor *mlsor);
/* Visits that do so many sweeps. */
long zoid_mlsor_visits(const struct zoid_mlsor_kind *kind, long sweeps);
/* Where the domain's line z begins, counted in points from the operator's first one. */
long zoid_mlsor_at(const struct zoid_mlsor *mlsor, long z);

#ifdef __cplusplus
}
#endif
#endif
