/* SPDX-License-Identifier: BSD-3-Clause */
/* Intermediate representation of a nest: fields, and the stages of a step, which put values into
 * fields at the points (indices) of boxes. */
#ifndef ZOID_APPS_COMPILE_IR_H
#define ZOID_APPS_COMPILE_IR_H

#include <stdio.h>

#include "apps/compile/parse.h"

enum {
    ZOID_IR_REACH = 8,
    ZOID_IR_STAGES = 4,
    ZOID_IR_FIELDS = 16,
    ZOID_IR_GROUPS = 4,
    ZOID_IR_PARAMS = 8,
    ZOID_IR_ITEMS = 256
};

/* A coordinate: `at`, or the extent less `at`. */
struct zoid_side {
    bool end;
    int at;
};

/* [lo, hi) along each axis, slowest first. */
struct zoid_ir_box {
    struct zoid_side lo[ZOID_NEST_AXES], hi[ZOID_NEST_AXES];
};

/* STATE: written by the nest. PROFILE: a coefficient along some of the axes. TABLE: a value for
 * each time. LIST: values at fixed indices. */
enum zoid_nest_array_kind {
    ZOID_ARRAY_STATE,
    ZOID_ARRAY_COEFFICIENT,
    ZOID_ARRAY_PROFILE,
    ZOID_ARRAY_TABLE,
    ZOID_ARRAY_LIST
};

/* How many arrays take turns, by [t % turns] or a swap (`partner`); 0: one array. Roles in a step:
 * 0 the newest when it begins, 1 the one that it writes, and, of three, 2 the one before. Of two,
 * role 1 is the one before until it is written. */
struct zoid_nest_array {
    struct zoid_nest_array *next;
    const char *name;
    enum zoid_nest_array_kind kind;
    struct zoid_symbol *symbol, *partner;
    int turns;
    int first;     /* by [t % turns]: which one is the newest when the run begins */
    unsigned axes; /* of a profile: bit a, axis a */
    bool older;    /* the nest reads the one before the newest */
    bool shown;    /* a stage reads or puts it */
    int number;    /* among fields, states first; -1: not a field */
    struct zoid_nest_array *copy_of; /* no field: a step ends with its points equal to that one's */
    const struct zoid_ir_box *copied; /* in this box */
};

enum zoid_expr_kind {
    ZOID_EXPR_NUMBER,
    ZOID_EXPR_PARAM,
    ZOID_EXPR_SIZE,
    ZOID_EXPR_TIME,
    ZOID_EXPR_READ,
    ZOID_EXPR_LET,
    ZOID_EXPR_NEGATE,
    ZOID_EXPR_BINARY,
    ZOID_EXPR_CHOICE, /* compare(a, b) ? c : d */
    ZOID_EXPR_CALL,
    ZOID_EXPR_CONVERT
};

struct zoid_statement; /* meaning.h */

struct zoid_expr {
    enum zoid_expr_kind kind;
    enum zoid_ctype type;
    unsigned op;
    unsigned height;
    size_t at;
    struct zoid_literal literal;
    bool known; /* an integer whose value is */
    int64_t value;
    struct zoid_symbol *symbol;    /* parameter, size */
    struct zoid_nest_array *array; /* of a read; `offset` of a table: added to the time; of
                                    * a list: the index */
    int offset[ZOID_NEST_AXES], role;
    struct zoid_let *let;
    const char *name; /* of a function */
    int number;       /* of fmin and fmax in an update */
    struct zoid_expr *a, *b, *c, *d;
};

/* A value of a point that has a name. */
struct zoid_let {
    const char *name;
    struct zoid_expr *value;
    const struct zoid_statement *point; /* which computes it */
    int colour;                         /* of the points that have it; -1: all */
    int statement;                      /* whose points have it */
    int number;                         /* in its stage, when that is printed */
};

/* Points of one colour, the sum of whose coordinates is even (0) or odd (1); -1: all. */
struct zoid_put {
    size_t at;
    struct zoid_nest_array *array;
    struct zoid_ir_box box;
    int colour;
    int statement;
    struct zoid_expr *value;
};

/* Items of a stage are computed at each point in this order. A put that stands later wins. Without
 * an order, reads return the values before the stage; in ascending order, the current ones. */
struct zoid_step_item {
    struct zoid_let *let; /* or: */
    struct zoid_put *put;
};

struct zoid_ir_stage {
    bool ascending;
    int n;
    struct zoid_step_item *item; /* ZOID_IR_ITEMS of them fit */
};

struct zoid_ir {
    const char *name;
    enum zoid_ctype type;
    int axes;
    struct zoid_poly extent[ZOID_NEST_AXES];
    bool mirrored[ZOID_NEST_AXES]; /* indices run down along this axis */
    int least[ZOID_NEST_AXES];     /* points that a domain has at least along this axis */
    const char *time;
    enum zoid_ctype time_type;
    struct zoid_poly from, steps;
    struct zoid_nest_array *arrays;
    struct zoid_symbol *param[ZOID_IR_PARAMS];
    int nparams;
    const char *const *names; /* of symbols of polynomials */
    /* A -> B, B -> A: where both arrays are equal beyond the box at the start, one field and stage
     * 0 with halves of a step do the same. */
    bool halves;
    int nstages;
    struct zoid_ir_stage stage[ZOID_IR_STAGES];
};

/* Print it, as tests compare it. */
void zoid_ir_print(const struct zoid_ir *ir, FILE *to);
/* Whether an array is read at the same place by all points: a table, or a list. */
static inline bool zoid_ir_of_run(const struct zoid_nest_array *array)
{
    return array->kind == ZOID_ARRAY_TABLE || array->kind == ZOID_ARRAY_LIST;
}
/* Name of an axis: z, y or x. */
const char *zoid_ir_axis(const struct zoid_ir *ir, int axis);

#endif
