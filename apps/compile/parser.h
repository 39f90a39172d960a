/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of the parser. */
#ifndef ZOID_APPS_COMPILE_PARSER_H
#define ZOID_APPS_COMPILE_PARSER_H

#include "apps/compile/parse.h"

/* A macro, or a typedef, that the file defines: a number, a type of numbers, or something else. */
enum zoid_macro_kind { ZOID_MACRO_NUMBER, ZOID_MACRO_TYPE, ZOID_MACRO_OTHER };

struct zoid_macro {
    struct zoid_macro *next;
    enum zoid_macro_kind kind;
    struct zoid_token name, number;
    bool negative;
    enum zoid_ctype type;
    const char *reason; /* OTHER: why it cannot be used */
};

struct zoid_parser {
    struct zoid_text *text;
    struct zoid_token *token;
    size_t i, end;  /* the current token, and the first one after those that may be read */
    size_t begin;   /* the region is [begin, end) when it is parsed */
    size_t endscop; /* the directive that ends it */
    struct zoid_macro *macros;
    struct zoid_symbol *scope; /* innermost first */
    struct zoid_nest *nest;
    int depth;      /* of expressions, blocks and loops */
    int loops;      /* that enclose the current statement, but the time loop */
    bool polybench; /* its macros occur */
};

/* The current token, which is ZOID_TOKEN_END past the last. */
struct zoid_token zoid_now(const struct zoid_parser *p);
bool zoid_at_mark(const struct zoid_parser *p, unsigned mark);
bool zoid_at_name(const struct zoid_parser *p, const char *name);
/* Skip the mark if it is here. */
bool zoid_take(struct zoid_parser *p, unsigned mark);
/* Skip the mark; refuse anything else: "expected WHAT". */
void zoid_need(struct zoid_parser *p, unsigned mark, const char *what);
/* The text of the token, terminated. */
const char *zoid_word(struct zoid_parser *p, const struct zoid_token *token);
/* Skip a bracket and all up to the one that closes it; false if it is not closed. */
bool zoid_skip_bracket(struct zoid_parser *p);
void zoid_deeper(struct zoid_parser *p);

/* Read the directives of tokens [0, end): macros, and refuse a condition that is open there. */
void zoid_read_macros(struct zoid_parser *p, size_t end);
const struct zoid_macro *zoid_find_macro(const struct zoid_parser *p,
                                         const struct zoid_token *token);

/* Read what stands before the region, in tokens [0, begin): globals, the function's parameters and
 * its local names. Leaves them in `scope`. */
void zoid_read_declarations(struct zoid_parser *p, size_t begin);
/* Returns whether a type begins here; if so, reads it. *other: not one that nests know. */
struct zoid_specifier {
    enum zoid_ctype type;
    bool other, constant, is_typedef, is_void;
    bool stored; /* static, register or the like */
    bool is_static, is_extern, has_attributes;
};
bool zoid_read_type(struct zoid_parser *p, struct zoid_specifier *type);
/* Read a declarator: n, *a, a[n][m], (*a)[n]. Stops before , or ; or ). */
void zoid_read_declarator(struct zoid_parser *p, const struct zoid_specifier *type, bool parameter);
/* Read a declaration of the file, such as float a, b[n]; whose ; is token `end`. */
void zoid_read_global(struct zoid_parser *p, size_t end);
/* Let a nest not use a symbol. */
void zoid_other(struct zoid_symbol *s, const char *reason);
/* Skip attributes and alignments; return whether there were any. */
bool zoid_skip_attributes(struct zoid_parser *p);
/* Skip to a mark outside brackets; false at the end. */
bool zoid_skip_to(struct zoid_parser *p, unsigned a, unsigned b);
struct zoid_symbol *zoid_declare(struct zoid_parser *p, enum zoid_symbol_kind kind,
                                 const struct zoid_token *name, enum zoid_ctype type);
struct zoid_symbol *zoid_find_symbol(struct zoid_parser *p, const struct zoid_token *name);

struct zoid_item *zoid_new_item(struct zoid_parser *p, enum zoid_item_kind kind, size_t at);
/* Read (v = first; v < last; v++) of a loop whose `for` was read. Leaves v in scope as an index,
 * with its symbol of polynomials. */
struct zoid_item *zoid_read_head(struct zoid_parser *p, size_t at, int symbol);

/* Read an expression: a whole one, or one that ends before a comma. */
struct zoid_ast *zoid_read_expression(struct zoid_parser *p);

#endif
