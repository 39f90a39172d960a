/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators from nests: NAME.h, the updates; NAME.def, their rows; NAME_call.c, the function, with
 * its header; CMakeLists.txt. */
#ifndef ZOID_APPS_COMPILE_EMIT_H
#define ZOID_APPS_COMPILE_EMIT_H

#include <stdio.h>

#include "apps/compile/meaning.h"
#include "codelets/op.h"

/* The tables of the run of an operator, which all operators of a nest share: reads of tables and
 * lists, and integers that updates cannot compute. */
struct zoid_emit_tables {
    int n;
    struct zoid_emit_table {
        const char *name;
        const struct zoid_expr *value; /* a read, or an integer */
        const char *when; /* an expression in C: a statement that runs takes the value */
        /* The parts of it where no comparison of real numbers decides whether the value is taken,
         * and that of others, all of them together if they are several; or NULL. */
        const char *sure, *perhaps;
    } table[ZOID_MAX_TABLES];
};

/* The texts of an operator's files. */
struct zoid_emitted {
    char *header, *rows, *cmake; /* released by zoid_text_free */
    char *call, *call_header;    /* NULL: not of this function */
    char *more;                  /* then: the lines that say why */
    struct zoid_op op[2];        /* as their rows say, without functions; bytes in values */
    int nops;
};

/* Write the texts of an operator of that name. Refuses values that rows cannot express yet, at
 * their place. */
struct zoid_emitted zoid_emit(struct zoid_text *text, const struct zoid_meaning *m,
                              const char *name);

/* Inside. A row that is being written: one field and half steps in place of two (`half`), or a
 * field for each of the arrays that take turns, with its own points beyond the box (`own`). */
struct zoid_emit_row {
    struct zoid_text *text;
    const struct zoid_ir *ir;
    struct zoid_emit_tables *tables;
    const char *family;
    bool half; /* one field for A -> B -> A */
    bool own;
    bool turns; /* fields 0 and 1 change roles */
    bool moves; /* each of the arrays that take turns is a field, and values move to the older ones
                 * when a new one is written */
    int stages; /* of a step */
    int stage;  /* that is being written */
    int nstate, nfields;
    struct zoid_nest_array *field[3 * ZOID_IR_FIELDS]; /* by their number */
    int age[3 * ZOID_IR_FIELDS];      /* of that array: 0 the newest, 1 the one before, 2 */
    unsigned written[ZOID_IR_STAGES]; /* fields, by stages */
    int reach[ZOID_IR_STAGES][3 * ZOID_IR_FIELDS][2][ZOID_NEST_AXES]; /* lo, hi; -1: not read */
    /* Layers that a stage leaves out of a field: lo, hi, as indices run; -1: not written. */
    int leaves[ZOID_IR_STAGES][3 * ZOID_IR_FIELDS][2][ZOID_NEST_AXES];
    int flops;
    bool placed; /* an update depends on the time, or on indices by other means than words */
    /* What takes the value that is being written: points of one colour of a statement, if a choice,
     * and those around it, are so. */
    int statement, colour;
    const struct zoid_emit_choice {
        const struct zoid_emit_choice *outer;
        const struct zoid_expr *e;
        bool other; /* the last value of e is taken, not the first */
    } * choice;
    int chosen;   /* comparisons of real numbers around the value that is being written */
    int extremes; /* of an update, fmin and fmax, whose arguments have names */
};

/* Number the fields of a row, and set their boxes by stages (emit_fields.c). Refuses. */
void zoid_emit_fields(struct zoid_emit_row *r);
/* Return whether rows of the nest have arrays that take turns as fields which values move through:
 * written in order, or at points of one colour, or with a time before that fields which change
 * roles cannot have. */
bool zoid_emit_moves(const struct zoid_ir *ir);
/* Return whether another row can keep the arrays apart that take turns, and are alike in the first.
 */
bool zoid_emit_can_own(const struct zoid_ir *ir);
const char *zoid_emit_name(const struct zoid_emit_row *r, int field);
/* Return the number of a field, by the age of its values. */
int zoid_emit_field(const struct zoid_emit_row *r, const struct zoid_nest_array *array, int age);
/* Return the field that a put writes, and the number of fields of its array, which follow it. */
int zoid_emit_target(const struct zoid_emit_row *r, const struct zoid_put *put);
int zoid_emit_ages(const struct zoid_emit_row *r, const struct zoid_put *put);
/* Write the update of a point (emit_update.c). */
void zoid_emit_update(struct zoid_emit_row *r, FILE *to);
/* Write names of values that a value takes more than once, before the statement of zoid_emit_value,
 * which writes it in the words of updates. */
void zoid_emit_before(struct zoid_emit_row *r, struct zoid_expr *e, FILE *to);
void zoid_emit_value(struct zoid_emit_row *r, const struct zoid_expr *e, FILE *to);
/* Return the stage of the nest that a stage of the row computes. */
const struct zoid_ir_stage *zoid_emit_stage(const struct zoid_emit_row *r, int s);
/* Note that the stage that is being written reads a field at the point. */
void zoid_emit_own(struct zoid_emit_row *r, int field);
/* Set the operator, after the update of which all values were written; and write its row. */
void zoid_emit_op(struct zoid_emit_row *r, struct zoid_op *op);
void zoid_emit_row(const struct zoid_op *op, FILE *to);
/* Describe an operator for calls, after its row was written. */
void zoid_emit_call_operator(const struct zoid_emit_row *r, FILE *to);
/* Write NAME_call.c and its header around these descriptions. */
struct zoid_emit_calls {
    const char *name, *operators; /* their descriptions */
    int count;
    const struct zoid_emit_tables *tables;
};
void zoid_emit_call(const struct zoid_meaning *m, const struct zoid_emit_calls *calls, FILE *call,
                    FILE *header);
/* Write arrays of the file for the function (emit_globals.c): declarations before it, which refuses
 * those that another file cannot see; pointers inside it; their swap after the nest; and the names
 * of those that the module defines. */
void zoid_emit_globals(const struct zoid_meaning *m, FILE *to);
void zoid_emit_global_locals(const struct zoid_meaning *m, FILE *to);
void zoid_emit_global_swap(const struct zoid_meaning *m, FILE *to);
void zoid_emit_global_names(const struct zoid_meaning *m, FILE *to);
/* Return the index of the table of the run that has a value, a new one if need be; refuses one too
 * many. */
int zoid_emit_table(struct zoid_emit_row *r, const struct zoid_expr *value);
/* Return whether an integer is no number that an update computes exactly: it is one for a table. */
bool zoid_emit_of_run(const struct zoid_ir *ir, const struct zoid_expr *e);
/* C's names of the types of integers. */
extern const char *const zoid_emit_integers[];
/* Write the condition of a choice by integers, in parentheses. */
void zoid_emit_condition(const struct zoid_ir *ir, const struct zoid_expr *e, const char *time,
                         FILE *to);
/* The time in expressions of tables. */
#define ZOID_EMIT_TIME "zoid_nest_time"
/* Write an integer, or a read, as C has it, with the time under that name. */
void zoid_emit_c(const struct zoid_ir *ir, const struct zoid_expr *e, const char *time, FILE *to);
/* Return whether a value depends on the time. */
bool zoid_emit_timed(const struct zoid_expr *e);
/* Return an axis of the nest among those of updates, where x is 0. */
int zoid_emit_axis(const struct zoid_ir *ir, int axis);

#endif
