/* SPDX-License-Identifier: BSD-3-Clause */
/* The statements of a nest that compute one point in turns, and their text in C. */
#ifndef ZOID_APPS_COMPILE_UNITS_H
#define ZOID_APPS_COMPILE_UNITS_H

#include "apps/compile/copies.h"

/* Statements that compute one point in turns, with their locals, or a statement that copies. */
struct zoid_unit {
    int n, statement[ZOID_STATEMENTS]; /* in the nest with copies, if there are any */
    const char *text;                  /* as in the source, where reads go to copies */
    unsigned loops; /* bit 0: the text has the time; bit 1 + d: the variable of loop d */
};

struct zoid_units {
    int n;
    struct zoid_unit unit[ZOID_STATEMENTS];
};

/* Find them. `copies`: or NULL. Refuses a block whose statements compute different points. */
struct zoid_units *zoid_units_find(struct zoid_meaning *m, const struct zoid_copies *copies);

#endif
