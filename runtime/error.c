/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/config.h"

enum { OPEN = '\016', CLOSE = '\017', FORMAT = 1024 };

static _Thread_local struct zoid_failure last;
static _Thread_local char by_key[sizeof last.text], key[64];

/* ---- formatting ---------------------------------------------------------------------------- */

/* Braces of the format alone: those of arguments stay. */
static void mark(const char *format, char marked[FORMAT])
{
    size_t n = 0;

    for (; *format && n < FORMAT - 1; format++)
        marked[n++] = (char)(*format == '{' ? OPEN : *format == '}' ? CLOSE : *format);
    marked[n] = '\0';
}

void zoid_failure_format_list(char *text, size_t size, const char *format, va_list args)
{
    char marked[FORMAT];

    mark(format, marked);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    vsnprintf(text, size, marked, args);
#pragma GCC diagnostic pop
}

void zoid_failure_format(char *text, size_t size, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    zoid_failure_format_list(text, size, format, args);
    va_end(args);
}

/* ---- rendering ----------------------------------------------------------------------------- */

struct sink {
    char *to;
    size_t size, n;
};

static void put(struct sink *s, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++, s->n++)
        if (s->n + 1 < s->size)
            s->to[s->n] = from[i];
}

static bool python_keyword(const char *name, size_t n)
{
    static const char *const all[] = {
        "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
        "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
        "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
        "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == n && !strncmp(all[i], name, n))
            return true;
    return false;
}

static void put_key(struct sink *s, enum zoid_names names, const char *from, size_t n)
{
    const char between = names == ZOID_NAMES_OPTIONS ? '-' : '_';

    if (names == ZOID_NAMES_OPTIONS)
        put(s, "--", 2);
    for (size_t i = 0; i < n; i++)
        put(s, from[i] == '_' || from[i] == '-' ? &between : &from[i], 1);
    if (names == ZOID_NAMES_PYTHON && python_keyword(from, n))
        put(s, "_", 1);
}

static bool is_number(const char *from, size_t n)
{
    char text[64], *end;

    if (!n || n >= sizeof text)
        return false;
    memcpy(text, from, n);
    text[n] = '\0';
    strtod(text, &end);
    return !*end;
}

static void put_value(struct sink *s, enum zoid_names names, const char *from, size_t n)
{
    const bool quoted = names == ZOID_NAMES_PYTHON && !is_number(from, n);

    put(s, names == ZOID_NAMES_OPTIONS ? " " : "=", 1);
    put(s, "\"", quoted);
    put(s, from, n);
    put(s, "\"", quoted);
}

size_t zoid_failure_text(enum zoid_names names, const char *from, char *to, size_t size)
{
    struct sink s = {.to = to, .size = size};

    while (*from) {
        const size_t text = strcspn(from, "\016"),
                     n = from[text] ? strcspn(from + text, "\017") : 0;
        const char *name = from + text + 1, *value = n ? memchr(name, '=', n - 1) : NULL;

        put(&s, from, text);
        from += text + n;
        if (!n)
            continue;
        put_key(&s, names, name, value ? (size_t)(value - name) : n - 1);
        if (value)
            put_value(&s, names, value + 1, (size_t)(name + n - 1 - value) - 1);
        if (*from)
            from++;
    }
    if (size)
        to[s.n < size ? s.n : size - 1] = '\0';
    return s.n;
}

/* ---- the thread's last failure ------------------------------------------------------------- */

static enum zoid_status finish(enum zoid_status status)
{
    const char *first = strchr(last.text, OPEN);

    last.status = status;
    zoid_failure_text(ZOID_NAMES_KEYS, last.text, by_key, sizeof by_key);
    key[0] = '\0';
    if (first) {
        struct sink s = {.to = key, .size = sizeof key};

        put_key(&s, ZOID_NAMES_KEYS, first + 1, strcspn(first + 1, "=\017"));
        key[s.n < sizeof key ? s.n : sizeof key - 1] = '\0';
    }
    return status;
}

enum zoid_status zoid_fail(enum zoid_status status, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    zoid_failure_format_list(last.text, sizeof last.text, format, args);
    va_end(args);
    return finish(status);
}

enum zoid_status zoid_no_memory(void)
{
    return zoid_fail(ZOID_RESOURCE, "out of memory");
}

const char *zoid_error(void)
{
    return by_key;
}

const char *zoid_error_key(void)
{
    return key;
}

size_t zoid_error_text(enum zoid_names names, char *text, size_t size)
{
    return zoid_failure_text(names, last.text, text, size);
}

const char *zoid_error_as(enum zoid_names names)
{
    static _Thread_local char text[2 * sizeof last.text];

    zoid_failure_text(names, last.text, text, sizeof text);
    return text;
}

void zoid_failure_keep(struct zoid_failure *failure, enum zoid_status status)
{
    if (failure->status || !status)
        return;
    *failure = last;
    failure->status = status;
}

enum zoid_status zoid_failure_raise(const struct zoid_failure *failure)
{
    if (!failure->status)
        return ZOID_OK;
    last = *failure;
    return finish(failure->status);
}

const char *zoid_version(void)
{
    return ZOID_VERSION;
}
