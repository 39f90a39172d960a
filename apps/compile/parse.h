/* SPDX-License-Identifier: BSD-3-Clause */
/* The nest as it stands in the source: declarations, loops, statements, expressions. */
#ifndef ZOID_APPS_COMPILE_PARSE_H
#define ZOID_APPS_COMPILE_PARSE_H

#include "apps/compile/lex.h"
#include "apps/compile/poly.h"

enum { ZOID_NEST_AXES = 3, ZOID_NEST_DIMS = ZOID_NEST_AXES + 1, ZOID_NEST_PARAMETERS = 64 };

/* OTHER: a name that a nest cannot use, for `reason`. */
enum zoid_symbol_kind {
    ZOID_SYMBOL_SIZE,
    ZOID_SYMBOL_REAL,
    ZOID_SYMBOL_ARRAY,
    ZOID_SYMBOL_LOOP,
    ZOID_SYMBOL_LOCAL,
    ZOID_SYMBOL_OTHER
};

struct zoid_symbol {
    struct zoid_symbol *next; /* that was declared before */
    enum zoid_symbol_kind kind;
    const char *name, *reason;
    size_t at;
    enum zoid_ctype type;
    int number;    /* of a size, and of a loop that runs: its symbol in polynomials; else -1 */
    bool changed;  /* the function assigns to it before the region */
    bool constant; /* an array of const */
    /* Of the file; a pointer, not an array; declared so, or with initial values. */
    bool global, pointer, is_static, is_extern, has_values;
    bool has_attributes; /* __attribute__, _Alignas or the like */
    /* An array T a[dims...]; `open`: the first extent is not stated. A pointer T *a has one. */
    int dims;
    bool open;
    struct zoid_poly extent[ZOID_NEST_DIMS];
    void *data; /* owned by the reader of the nest */
};

enum zoid_ast_kind {
    ZOID_AST_NUMBER,
    ZOID_AST_NAME,
    ZOID_AST_ARRAY, /* symbol; a: list of subscripts */
    ZOID_AST_CALL,  /* name; a: list of arguments */
    ZOID_AST_UNARY,
    ZOID_AST_BINARY,
    ZOID_AST_CHOICE /* a ? b : c */
};

struct zoid_ast {
    enum zoid_ast_kind kind;
    unsigned op;     /* a mark */
    unsigned height; /* of the tree below */
    size_t at, op_at;
    struct zoid_literal literal;
    struct zoid_symbol *symbol;
    int number; /* the symbol's in polynomials, or -1 */
    const char *name;
    struct zoid_ast *a, *b, *c, *next;
};

enum zoid_item_kind { ZOID_ITEM_FOR, ZOID_ITEM_IF, ZOID_ITEM_PUT, ZOID_ITEM_LOCAL, ZOID_ITEM_SWAP };

/* for (v from lo to hi - 1, or down), if (condition), left op= right, T symbol op= right. */
struct zoid_item {
    enum zoid_item_kind kind;
    size_t at;
    struct zoid_item *next, *body;
    struct zoid_symbol *symbol, *other; /* of a loop, a local; both of a swap */
    struct zoid_poly lo, hi;
    bool down;
    unsigned op; /* = or + - * / */
    struct zoid_ast *condition, *left, *right;
};

struct zoid_nest {
    const char *name;
    size_t at;         /* of the region's first token */
    size_t begin, end; /* of the region, with its two directives */
    enum zoid_ctype type;
    struct zoid_symbol *symbols; /* parameters and globals */
    struct zoid_symbol *size[ZOID_POLY_SIZES];
    int nsizes;
    const char *names[ZOID_POLY_SYMBOLS]; /* of symbols of polynomials */
    struct zoid_symbol *parameter[ZOID_NEST_PARAMETERS];
    int nparameters;
    struct zoid_item *time; /* the time loop */
    /* Why the function is not the nest alone, in the form of refusals, and where; NULL: it is. */
    const char *more;
    size_t more_at;
};

/* Read the nest of a file. Refuses. */
struct zoid_nest *zoid_parse(struct zoid_text *text);
/* Read a polynomial; `what` names it in refusals, such as "subscript". */
struct zoid_poly zoid_ast_poly(struct zoid_text *text, const struct zoid_ast *ast,
                               const char *what);

#endif
