/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices by a rule: their rows are computed on demand. */
#ifndef ZOID_RUNTIME_MATRICES_GENERATE_H
#define ZOID_RUNTIME_MATRICES_GENERATE_H

#include "runtime/zoid_advanced.h"

/* A band matrix. Entry j of row i, for j from i - w to i + w, is (1/2 + value(seed + i (2 w + 1) +
 * j - i + w)) / (2 w + 1), with value as in zoid_random: all of them, or the diagonal and those
 * others for which another draw is below the density. */
struct zoid_band_rule {
    long n, width;
    uint64_t seed;
    double density; /* 1: all entries */
};

/* The negative Laplacian on a grid (nearest-neighbour stencil), x fastest, scaled to a diagonal of
 * 1/2: 2 d on the diagonal and -1 for each neighbour, divided by 4 d. */
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

/* Parse a rule of a command line; the kind is NONE for other texts. ZOID_BAD_ARGUMENT: its numbers
 * are not valid. */
enum zoid_status zoid_rule_read(const char *text, long rows, uint64_t seed, struct zoid_rule *rule);
/* The rows of a rule, which must outlive them. */
struct zoid_matrix_rows zoid_rule_rows(const struct zoid_rule *rule);

#endif
