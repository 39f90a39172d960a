/* SPDX-License-Identifier: BSD-3-Clause */
/* The nest's file with the nest in the order of MLSOR, which gcc compiles: a pass for nests of one
 * statement in order that reads a star of its points. It does not keep all dependences; it is for
 * relaxations, which converge in other orders, too. */
#ifndef ZOID_APPS_COMPILE_MLSOR_H
#define ZOID_APPS_COMPILE_MLSOR_H

#include "apps/compile/meaning.h"

/* Most points of a subdomain along an axis. */
enum { ZOID_MLSOR_MOST = 1 << 20 };

struct zoid_mlsor_pass {
    int subdomain; /* P, 2 to ZOID_MLSOR_MOST */
    int layers;    /* K, 1 to P / 2 */
    bool forward;  /* visits do not alternate */
};

/* Return the file, which zoid_text_free releases. Steps of the nest are sweeps of MLSOR, as
 * docs/operators.md defines it: a point is computed K times a visit by the nest's own statement,
 * with the newest values. Refuses nests that are no star in order. */
const char *zoid_mlsor_text(struct zoid_meaning *m, const struct zoid_mlsor_pass *pass);

#endif
