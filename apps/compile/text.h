/* SPDX-License-Identifier: BSD-3-Clause */
/* A C file with a loop nest, the memory of everything made from it, and its refusal.
 *
 * All functions of the compiler that take a zoid_text, or an object that has one, may refuse: they
 * write `refusal` and jump to `escape`, which the caller has set. Memory from zoid_text_new is
 * owned by the text and stays valid until zoid_text_free, also after a refusal. */
#ifndef ZOID_APPS_COMPILE_TEXT_H
#define ZOID_APPS_COMPILE_TEXT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

enum { ZOID_TEXT_MOST = 1 << 20, ZOID_TEXT_MEMORY = 96 << 20, ZOID_TEXT_NESTING = 200 };

struct zoid_text {
    const char *file;  /* as in messages */
    const char *bytes; /* borrowed, and not terminated */
    size_t size;
    bool float_literals; /* literals without a suffix are float */
    bool float_data;     /* DATA_TYPE of PolyBench is float, not double */
    jmp_buf escape;      /* set by the caller that starts a compilation */
    char refusal[2048];  /* three lines: message, source line, caret */
    struct zoid_text_chunk *chunk;
    size_t held;
};

/* Allocate zeroed memory that zoid_text_free releases. Refuses beyond ZOID_TEXT_MEMORY. */
void *zoid_text_new(struct zoid_text *text, size_t size);
/* Copy bytes into a terminated string. */
char *zoid_text_copy(struct zoid_text *text, const char *bytes, size_t size);
/* Format a string. */
__attribute__((format(printf, 2, 3))) char *zoid_text_print(struct zoid_text *text,
                                                            const char *format, ...);
void zoid_text_free(struct zoid_text *text);

/* Refuse: format "what; what to do instead" for the byte at an offset. Does not return. */
__attribute__((format(printf, 3, 4))) _Noreturn void zoid_refuse(struct zoid_text *text, size_t at,
                                                                 const char *format, ...);

#endif
