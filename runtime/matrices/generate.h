/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices by a rule: their rows are made when they are asked for. */
#ifndef ZOID_RUNTIME_MATRICES_GENERATE_H
#define ZOID_RUNTIME_MATRICES_GENERATE_H

#include "runtime/zoid.h"

/* Entries of row i are (1/2 + value(seed + i (2 w + 1) + j - i + w)) / (2 w + 1), value as of
 * zoid_random, for j from i - w to i + w: all of them, or the diagonal, and of the others those for
 * which another draw is below the density. */
struct zoid_band_rule {
    long n, width;
    uint64_t seed;
    double density; /* 1: all */
};

/* Minus the Laplacian on a grid, by the nearest neighbours, x fastest, as a matrix whose diagonal
 * is 1/2: 2 d on the diagonal and -1 beside it, divided by 4 d. */
struct zoid_grid_rule {
    int dims;
    long size[ZOID_AXES];
};

enum zoid_rule_kind { ZOID_RULE_NONE, ZOID_RULE_BAND, ZOID_RULE_GRID };

struct zoid_rule {
    enum zoid_rule_kind kind;
    struct zoid_band_rule band;
    struct zoid_grid_rule grid;
};

/* Reads what a command line says of a rule; of other texts the kind is NONE. */
enum zoid_status zoid_rule_read(const char *text, long rows, uint64_t seed, struct zoid_rule *rule);
/* The rows; the rule has to outlive them. */
struct zoid_matrix_rows zoid_rule_rows(const struct zoid_rule *rule);

#endif
