/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/lex.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int byte(const struct zoid_text *text, size_t at, size_t end)
{
    return at < end ? (unsigned char)text->bytes[at] : -1;
}

static bool in_name(int c)
{
    return c == '_' || (c >= 0 && c < 128 && isalnum(c));
}

/* A backslash and the end of its line join two lines; returns how many bytes these are. */
static size_t joint(const struct zoid_text *text, size_t at, size_t end)
{
    if (byte(text, at, end) != '\\')
        return 0;
    if (byte(text, at + 1, end) == '\n')
        return 2;
    return byte(text, at + 1, end) == '\r' && byte(text, at + 2, end) == '\n' ? 3 : 0;
}

/* Moves past a comment that begins at `at`; returns `at` otherwise. */
static size_t past_comment(struct zoid_text *text, size_t at, size_t end)
{
    const size_t begin = at;

    if (byte(text, at, end) != '/')
        return at;
    if (byte(text, at + 1, end) == '/') {
        while (at < end && text->bytes[at] != '\n') {
            const size_t join = joint(text, at, end);

            at += join ? join : 1;
        }
        return at;
    }
    if (byte(text, at + 1, end) != '*')
        return at;
    for (at += 2; at + 1 < end; at++)
        if (text->bytes[at] == '*' && text->bytes[at + 1] == '/')
            return at + 2;
    zoid_refuse(text, begin, "a comment without an end; close it with */");
}

/* Moves past a string or a character; one without an end stops at the end of its line. */
static size_t past_string(const struct zoid_text *text, size_t at, size_t end)
{
    const char quote = text->bytes[at++];

    while (at < end && text->bytes[at] != '\n') {
        if (text->bytes[at] == quote)
            return at + 1;
        at += text->bytes[at] == '\\' && at + 1 < end ? 2 : 1;
    }
    return at < end ? at : end;
}

static size_t past_directive(struct zoid_text *text, size_t at, size_t end)
{
    while (at < end && text->bytes[at] != '\n') {
        const size_t join = joint(text, at, end), comment = past_comment(text, at, end);

        if (join)
            at += join;
        else if (comment > at)
            at = comment;
        else if (text->bytes[at] == '"')
            at = past_string(text, at, end);
        else
            at++;
    }
    return at < end ? at : end;
}

static size_t past_number(const struct zoid_text *text, size_t at, size_t end)
{
    while (in_name(byte(text, at, end)) || byte(text, at, end) == '.') {
        const int c = text->bytes[at++], sign = byte(text, at, end);

        if ((sign == '+' || sign == '-') && strchr("eEpP", c))
            at++;
    }
    return at;
}

/* The longest punctuator at `at`. */
static struct zoid_token mark(const struct zoid_text *text, size_t at, size_t end)
{
    static const char *const many[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                       "<=",  ">=",  "==",  "!=", "&&", "||", "*=", "/=",
                                       "%=",  "+=",  "-=",  "&=", "^=", "|=", "##"};
    struct zoid_token token = {.kind = ZOID_TOKEN_MARK, .at = (unsigned)at, .length = 1};

    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        const size_t length = strlen(many[i]);

        if (length <= end - at && !memcmp(text->bytes + at, many[i], length)) {
            token.length = (unsigned)length;
            break;
        }
    }
    for (unsigned i = 0; i < token.length; i++)
        token.mark = token.mark << 8 | (unsigned char)text->bytes[at + i];
    if (token.length == 1 && !strchr("()[]{}<>=+-*/%&|^!~?:;,.#", (int)token.mark))
        token.kind = ZOID_TOKEN_OTHER;
    return token;
}

/* Moves past spaces and comments. */
static size_t past_space(struct zoid_text *text, size_t at, size_t end, bool *line)
{
    for (;;) {
        const int c = byte(text, at, end);
        const size_t comment = past_comment(text, at, end);

        if (comment > at)
            at = comment;
        else if (c == '\n')
            *line = true, at++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f')
            at++;
        else
            return at;
    }
}

struct zoid_token zoid_lex(struct zoid_text *text, size_t *at, size_t end, bool *line)
{
    struct zoid_token token = {.kind = ZOID_TOKEN_END};
    size_t next;
    int c;

    *at = past_space(text, *at, end, line);
    token.at = (unsigned)*at;
    c = byte(text, *at, end);
    if (c < 0)
        return token;
    next = *at + 1;
    if (*line && c == '#') {
        token.kind = ZOID_TOKEN_DIRECTIVE;
        next = past_directive(text, *at, end);
    } else if (c >= '0' && c <= '9') {
        token.kind = ZOID_TOKEN_NUMBER;
        next = past_number(text, *at, end);
    } else if (c == '.' && byte(text, next, end) >= '0' && byte(text, next, end) <= '9') {
        token.kind = ZOID_TOKEN_NUMBER;
        next = past_number(text, *at, end);
    } else if (in_name(c)) {
        token.kind = ZOID_TOKEN_NAME;
        while (in_name(byte(text, next, end)))
            next++;
    } else if (c == '"' || c == '\'') {
        token.kind = ZOID_TOKEN_STRING;
        next = past_string(text, *at, end);
    } else {
        token = mark(text, *at, end);
        next = *at + token.length;
    }
    token.length = (unsigned)(next - *at);
    *at = next;
    *line = false;
    return token;
}

struct zoid_token *zoid_lex_all(struct zoid_text *text, size_t *count)
{
    struct zoid_token *tokens;
    size_t n = 0, at = 0;
    bool line = true;

    while (zoid_lex(text, &at, text->size, &line).kind != ZOID_TOKEN_END)
        n++;
    tokens = zoid_text_new(text, (n + 1) * sizeof *tokens);
    at = 0;
    line = true;
    for (size_t i = 0; i <= n; i++)
        tokens[i] = zoid_lex(text, &at, text->size, &line);
    *count = n;
    return tokens;
}

bool zoid_token_is(const struct zoid_text *text, const struct zoid_token *token, const char *name)
{
    return token->kind == ZOID_TOKEN_NAME && strlen(name) == token->length &&
           !memcmp(text->bytes + token->at, name, token->length);
}

struct zoid_token zoid_lex_find(struct zoid_text *text,
                                bool (*is)(const struct zoid_text *text,
                                           const struct zoid_token *token, const void *data),
                                const void *data)
{
    size_t at = 0, directive = 0; /* up to its end */
    bool line = true;

    for (;;) {
        const size_t end = at < directive ? directive : text->size;
        const struct zoid_token token = zoid_lex(text, &at, end, &line);

        if (token.kind == ZOID_TOKEN_DIRECTIVE) {
            directive = at;
            at = token.at + 1;
        } else if (token.kind == ZOID_TOKEN_END) {
            if (end == text->size)
                return token;
            line = true;
        } else if (token.kind == ZOID_TOKEN_NAME && is(text, &token, data))
            return token;
    }
}

/* The type of an integer as C has it: the first of the types that hold it. */
static enum zoid_ctype integer_type(unsigned long long value, bool decimal, bool u, bool l)
{
    if (!u && !l && value <= INT_MAX)
        return ZOID_INT;
    if (!l && (u || !decimal) && value <= UINT_MAX)
        return ZOID_UNSIGNED;
    if (!u && value <= LONG_MAX)
        return ZOID_LONG;
    return ZOID_ULONG;
}

static struct zoid_literal integer(struct zoid_text *text, const char *digits, size_t use)
{
    const bool decimal = digits[0] != '0';
    struct zoid_literal value = {.type = ZOID_INT};
    char *rest;
    bool u = false, l = false;

    errno = 0;
    value.integer = strtoull(digits, &rest, 0);
    if (errno == ERANGE)
        zoid_refuse(text, use, "an integer that overflows; C has none of that size");
    for (; *rest; rest++)
        if ((*rest == 'u' || *rest == 'U') && !u)
            u = true;
        else if ((*rest == 'l' || *rest == 'L') && !l) {
            l = true;
            rest += rest[1] == rest[0];
        } else
            zoid_refuse(text, use, "%s is no number that C has; write an integer or a float",
                        digits);
    if (decimal && !u && value.integer > LONG_MAX)
        zoid_refuse(text, use, "an integer that overflows; the largest is %ld", LONG_MAX);
    value.type = integer_type(value.integer, decimal, u, l);
    value.real = (double)value.integer;
    return value;
}

struct zoid_literal zoid_lex_number(struct zoid_text *text, const struct zoid_token *token,
                                    size_t use)
{
    char *digits = zoid_text_copy(text, text->bytes + token->at, token->length), *rest;
    const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    struct zoid_literal value = {.type = ZOID_DOUBLE};

    if (token->length > 100)
        zoid_refuse(text, use, "a number of more than 100 characters; write it shorter");
    if (!strpbrk(digits, hex ? ".pP" : ".eE"))
        return integer(text, digits, use);
    value.real = strtod(digits, &rest);
    if ((*rest == 'f' || *rest == 'F') && !rest[1])
        value.suffix = true;
    else if (*rest || rest == digits)
        zoid_refuse(text, use,
                    *rest == 'l' || *rest == 'L'
                        ? "%s is long double; write a double, or a float with f"
                        : "%s is no number that C has; write an integer or a float",
                    digits);
    if (value.suffix || text->float_literals) {
        value.type = ZOID_FLOAT;
        value.real = (double)strtof(digits, NULL);
    }
    if (!isfinite(value.real))
        zoid_refuse(text, use, "%s overflows; write a number that its type holds", digits);
    return value;
}
