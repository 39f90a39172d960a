/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, LINE_SHOWN = 200 };

struct zoid_text_chunk {
    struct zoid_text_chunk *next;
    size_t used, size;
    max_align_t bytes[];
};

void *zoid_text_new(struct zoid_text *text, size_t size)
{
    struct zoid_text_chunk *chunk = text->chunk;
    void *new;

    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!chunk || chunk->size - chunk->used < size) {
        const size_t whole = size > CHUNK ? size : CHUNK;

        if (size > ZOID_TEXT_MEMORY || text->held + whole > ZOID_TEXT_MEMORY)
            zoid_refuse(text, 0, "the nest takes more memory than it may; make it shorter");
        chunk = calloc(1, sizeof *chunk + whole);
        if (!chunk)
            zoid_refuse(text, 0, "memory ran out; free some");
        chunk->size = whole;
        chunk->next = text->chunk;
        text->chunk = chunk;
        text->held += whole;
    }
    new = (char *)chunk->bytes + chunk->used;
    chunk->used += size;
    return new;
}

char *zoid_text_copy(struct zoid_text *text, const char *bytes, size_t size)
{
    char *new = zoid_text_new(text, size + 1);

    memcpy(new, bytes, size);
    return new;
}

char *zoid_text_print(struct zoid_text *text, const char *format, ...)
{
    va_list list;
    char *new;
    int size;

    va_start(list, format);
    size = vsnprintf(NULL, 0, format, list);
    va_end(list);
    new = zoid_text_new(text, (size_t)size + 1);
    va_start(list, format);
    vsnprintf(new, (size_t)size + 1, format, list);
    va_end(list);
    return new;
}

void zoid_text_free(struct zoid_text *text)
{
    while (text->chunk) {
        struct zoid_text_chunk *next = text->chunk->next;

        free(text->chunk);
        text->chunk = next;
    }
    text->held = 0;
}

/* Appends what fits. */
static void append(struct zoid_text *text, const char *bytes, size_t size)
{
    const size_t used = strlen(text->refusal), most = sizeof text->refusal - 1 - used;

    memcpy(text->refusal + used, bytes, size < most ? size : most);
    text->refusal[used + (size < most ? size : most)] = 0;
}

/* The line around `at`, of which a part is shown if it is long, and a caret below the byte. */
static void show(struct zoid_text *text, size_t line, size_t at)
{
    size_t end = at, from = at - line > LINE_SHOWN / 2 ? at - LINE_SHOWN / 2 : line;
    char shown[LINE_SHOWN + 1], below[LINE_SHOWN + 1];
    size_t n = 0;

    while (end < text->size && text->bytes[end] != '\n' && end - from < LINE_SHOWN)
        end++;
    for (size_t i = from; i < end; i++, n++) {
        const char c = text->bytes[i];

        shown[n] = (char)(c == '\t' || (c >= ' ' && c <= '~') ? c : '?');
        below[n] = c == '\t' ? '\t' : ' ';
    }
    if (n && end > from && text->bytes[end - 1] == '\r')
        n--;
    append(text, shown, n);
    append(text, "\n", 1);
    append(text, below, at - from < n ? at - from : n);
    append(text, "^\n", 2);
}

void zoid_refuse(struct zoid_text *text, size_t at, const char *format, ...)
{
    char message[1024];
    size_t number = 1, line = 0;
    va_list list;

    if (at > text->size)
        at = text->size;
    for (size_t i = 0; i < at; i++)
        if (text->bytes[i] == '\n') {
            number++;
            line = i + 1;
        }
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    snprintf(text->refusal, sizeof text->refusal, "%.500s:%zu:%zu: %s\n", text->file, number,
             at - line + 1, message);
    show(text, line, at);
    longjmp(text->escape, 1);
}
