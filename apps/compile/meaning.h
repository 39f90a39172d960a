/* SPDX-License-Identifier: BSD-3-Clause */
/* From the nest in the source to stages. */
#ifndef ZOID_APPS_COMPILE_MEANING_H
#define ZOID_APPS_COMPILE_MEANING_H

#include "apps/compile/ir.h"

enum { ZOID_STATEMENTS = 32, ZOID_LETS = 64 };

/* A place that a statement reads: relative to the point that it writes. */
struct zoid_nest_read {
    struct zoid_nest_read *next;
    struct zoid_nest_array *array;
    int offset[ZOID_NEST_AXES], role;
    int colour; /* of the points that read; -1: all */
    size_t at;
};

/* An assignment to an array at all points of a box. Loop d runs along axis `axis[d]`. */
struct zoid_statement {
    const struct zoid_item *item;
    const struct zoid_item *body; /* the innermost loop, whose points it is one of */
    const struct zoid_item *loop[ZOID_NEST_AXES];
    int nloops;
    /* Of each axis: the loop, or -1 where it is fixed; bounds of the points that are written; from
     * the loop's variable to the point. */
    int depth[ZOID_NEST_AXES], offset[ZOID_NEST_AXES];
    struct zoid_poly lo[ZOID_NEST_AXES], hi[ZOID_NEST_AXES];
    struct zoid_ir_box box;
    struct zoid_nest_array *array;
    int role;
    int colour;  /* as of a put */
    int reading; /* colour of the value that is read */
    struct zoid_expr *value;
    struct zoid_nest_read *reads;     /* of the value, and of the locals that stand before it */
    struct zoid_let *lets[ZOID_LETS]; /* that stand before it, for its points */
    int nlets;
    int place[ZOID_NEST_AXES + 1]; /* its number among the items at each depth */
};

struct zoid_dependences; /* depend.h */

struct zoid_meaning {
    struct zoid_text *text;
    struct zoid_nest *nest;
    struct zoid_ir *ir;
    int n;
    struct zoid_statement *statement[ZOID_STATEMENTS];
    bool extent_known[ZOID_NEST_AXES];
    struct zoid_symbol *swap[2];
    size_t swap_at;
    struct zoid_dependences *dependences;
    int64_t start; /* the first time, where turns need it */
};

/* Find the stages of a nest. Refuses. The result is owned by the text, and freed with its memory.
 */
struct zoid_meaning *zoid_mean(struct zoid_text *text, struct zoid_nest *nest);

/* Inside: read the statements of the nest (statement.c), with typed values (value.c). */
void zoid_read_statements(struct zoid_meaning *m);
struct zoid_expr *zoid_value(struct zoid_meaning *m, struct zoid_statement *s,
                             const struct zoid_ast *ast);
/* Convert to a type, with a node where it is another one. Refuses what would lose the nest's. */
struct zoid_expr *zoid_convert(struct zoid_meaning *m, struct zoid_expr *value,
                               enum zoid_ctype type);
struct zoid_expr *zoid_operate(struct zoid_meaning *m, unsigned op, size_t at, struct zoid_expr *a,
                               struct zoid_expr *b);
/* Set array, role, and the points of a statement from its left side. */
void zoid_set_point(struct zoid_meaning *m, struct zoid_statement *s, const struct zoid_ast *ast);
/* A read of an array by a statement whose point is known. */
struct zoid_expr *zoid_read_value(struct zoid_meaning *m, struct zoid_statement *s,
                                  const struct zoid_ast *ast);
/* Returns whether two statements compute the same points in turns: in the same loops, side by side.
 */
bool zoid_same_point(const struct zoid_statement *a, const struct zoid_statement *b);
/* The array's record, made at its first use. */
struct zoid_nest_array *zoid_array_of(struct zoid_meaning *m, struct zoid_symbol *symbol);
/* Stages from statements (stage.c). */
void zoid_make_stages(struct zoid_meaning *m, struct zoid_dependences *all);
/* Set the role of reads of arrays that take turns, in stages, to 0, the newest, or 1, the one
 * before. Refuses reads of overwritten values. */
void zoid_order_turns(struct zoid_meaning *m);
#endif
