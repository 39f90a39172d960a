/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of a C file without comments, and their offsets in it. */
#ifndef ZOID_APPS_COMPILE_LEX_H
#define ZOID_APPS_COMPILE_LEX_H

#include "apps/compile/text.h"

/* DIRECTIVE: a line that begins with #, as one token. OTHER: a byte that begins no token of C. */
enum zoid_token_kind {
    ZOID_TOKEN_END,
    ZOID_TOKEN_NAME,
    ZOID_TOKEN_NUMBER,
    ZOID_TOKEN_STRING,
    ZOID_TOKEN_MARK,
    ZOID_TOKEN_DIRECTIVE,
    ZOID_TOKEN_OTHER
};

/* A punctuator of one, two or three characters as a number. */
#define ZOID_MARK2(a, b) ((unsigned)(a) << 8 | (unsigned)(b))
#define ZOID_MARK3(a, b, c) ((unsigned)(a) << 16 | ZOID_MARK2(b, c))

struct zoid_token {
    enum zoid_token_kind kind;
    unsigned mark, at, length;
};

/* Read the token that begins at or after *at, before `end`, and move *at past it. Refuses a comment
 * without an end. `line`: whether nothing but space came before in this line, so that # begins a
 * directive; updated. */
struct zoid_token zoid_lex(struct zoid_text *text, size_t *at, size_t end, bool *line);
/* All tokens of the file; the last one is ZOID_TOKEN_END. */
struct zoid_token *zoid_lex_all(struct zoid_text *text, size_t *count);

/* Returns whether a token has that text. */
bool zoid_token_is(const struct zoid_text *text, const struct zoid_token *token, const char *name);

/* Return the first name of the file, in directives, too, for which `is` holds; ZOID_TOKEN_END:
 * none.
 */
struct zoid_token zoid_lex_find(struct zoid_text *text,
                                bool (*is)(const struct zoid_text *text,
                                           const struct zoid_token *token, const void *data),
                                const void *data);

/* The C type of a number, and of values that are made from it. */
enum zoid_ctype { ZOID_INT, ZOID_UNSIGNED, ZOID_LONG, ZOID_ULONG, ZOID_FLOAT, ZOID_DOUBLE };

struct zoid_literal {
    enum zoid_ctype type;
    unsigned long long integer;
    double real; /* rounded to its type */
    bool suffix; /* of a real number: it says its type */
};

/* Read a number; `use` is the place where refusals point. */
struct zoid_literal zoid_lex_number(struct zoid_text *text, const struct zoid_token *token,
                                    size_t use);

#endif
