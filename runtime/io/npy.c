/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/bytes.h"

static const char magic[] = "\x93NUMPY";

/* Limit of a header's bytes: arrays that can be read here have a few hundred. */
enum { MOST_HEADER = 1 << 16 };

/* ---- the dictionary ---------------------------------------------------------------------- */

/* A Python literal, of which `at` is the unread part. */
struct literal {
    const char *at;
    bool order, shape, type; /* entries that were read */
};

static void skip_blanks(struct literal *l)
{
    l->at += strspn(l->at, " \t\r\n");
}

static bool take(struct literal *l, char c)
{
    skip_blanks(l);
    if (*l->at != c)
        return false;
    l->at++;
    return true;
}

/* A string between quotes of either kind, without quotes inside. */
static bool take_string(struct literal *l, char *text, size_t room)
{
    size_t length;
    char quote;

    skip_blanks(l);
    quote = *l->at;
    if (quote != '\'' && quote != '"')
        return false;
    length = strcspn(l->at + 1, quote == '"' ? "\"" : "'");
    if (length >= room || l->at[1 + length] != quote)
        return false;
    memcpy(text, l->at + 1, length);
    text[length] = '\0';
    l->at += length + 2;
    return true;
}

static bool take_bool(struct literal *l, bool *value)
{
    static const char *const names[] = {"False", "True"};

    skip_blanks(l);
    for (int i = 0; i < 2; i++)
        if (!strncmp(l->at, names[i], strlen(names[i]))) {
            l->at += strlen(names[i]);
            *value = i;
            return true;
        }
    return false;
}

/* "(3, 4, 5)", "(3,)", "()". */
static bool take_shape(struct literal *l, struct zoid_npy *npy)
{
    if (!take(l, '('))
        return false;
    for (npy->axes = 0; !take(l, ')'); npy->axes++) {
        char *rest;
        long n;

        errno = 0;
        n = strtol(l->at, &rest, 10);
        if (rest == l->at || errno || n < 0)
            return false;
        if (npy->axes < ZOID_FILE_AXES)
            npy->n[npy->axes] = n;
        l->at = rest;
        skip_blanks(l);
        if (*l->at != ',' && *l->at != ')')
            return false;
        l->at += *l->at == ',';
    }
    return true;
}

struct zoid_element zoid_npy_element(const char *text)
{
    if (*text && strchr("<>|=", *text) && text[1] && strchr("fiu", text[1]) && text[2] &&
        strchr("1248", text[2]) && !text[3])
        return (struct zoid_element){
            .kind = text[1], .size = text[2] - '0', .big = text[0] == '>' && text[2] != '1'};
    return (struct zoid_element){.kind = '?'};
}

/* The types of records are lists, which are skipped. */
static bool take_type(struct literal *l, struct zoid_element *element)
{
    char text[32] = "";

    *element = (struct zoid_element){.kind = '?'};
    skip_blanks(l);
    if (*l->at == '[') {
        const char *end = strrchr(l->at, ']');

        l->at = end ? end + 1 : l->at;
        return end;
    }
    if (!take_string(l, text, sizeof text))
        return false;
    *element = zoid_npy_element(text);
    return true;
}

static bool take_entry(struct literal *l, struct zoid_npy *npy)
{
    char key[32] = "";

    if (!take_string(l, key, sizeof key) || !take(l, ':'))
        return false;
    if (!strcmp(key, "descr"))
        return l->type = take_type(l, &npy->element);
    if (!strcmp(key, "fortran_order"))
        return l->order = take_bool(l, &npy->fortran);
    return !strcmp(key, "shape") && (l->shape = take_shape(l, npy));
}

static bool take_dictionary(const char *text, struct zoid_npy *npy)
{
    struct literal l = {.at = text};

    if (!take(&l, '{'))
        return false;
    while (!take(&l, '}')) {
        if (!take_entry(&l, npy))
            return false;
        skip_blanks(&l);
        if (*l.at != ',' && *l.at != '}')
            return false;
        l.at += *l.at == ',';
    }
    return l.type && l.order && l.shape;
}

/* ---- the file ---------------------------------------------------------------------------- */

static enum zoid_status no_array(const char *called)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s is no whole array of NumPy's: its header is damaged or lacks an entry; "
                     "save it with numpy.save",
                     called);
}

static enum zoid_status cannot_read(const char *called)
{
    return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", called,
                     strerror(errno));
}

enum zoid_status zoid_npy_read(int file, const char *called, struct zoid_npy *npy)
{
    unsigned char b[12] = {0};
    struct zoid_npy found = {.axes = 0};
    const ssize_t have = zoid_bytes_read(file, b, sizeof b, 0);
    const bool old = b[6] == 1;
    uint32_t length = b[8] + 256u * b[9];
    enum zoid_status status = ZOID_OK;
    char *text;

    if (have < 0)
        return cannot_read(called);
    if (!old)
        length += 65536u * b[10] + 16777216u * b[11];
    if (have < 10 || memcmp(b, magic, 6) != 0 || b[6] < 1 || b[6] > 3 || length > MOST_HEADER)
        return no_array(called);
    found.first = (old ? 10 : 12) + (long)length;
    text = calloc(1, length + 1);
    if (!text)
        return zoid_no_memory();
    if (zoid_bytes_read(file, text, length, old ? 10 : 12) != (ssize_t)length ||
        !take_dictionary(text, &found))
        status = no_array(called);
    free(text);
    if (!status)
        *npy = found;
    return status;
}

size_t zoid_npy_header(const struct zoid_npy *npy, char header[ZOID_NPY_HEADER])
{
    const size_t before = 10;
    FILE *text;
    size_t length;

    memset(header, ' ', ZOID_NPY_HEADER);
    text = fmemopen(header + before, ZOID_NPY_HEADER - before, "w");
    if (!text)
        return 0;
    fprintf(text, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (",
            npy->element.size > 1 ? '<' : '|', npy->element.kind, npy->element.size);
    for (int a = 0; a < npy->axes; a++)
        fprintf(text, "%ld,%s", npy->n[a], a + 1 < npy->axes ? " " : "");
    fputs("), }", text);
    length = before + (size_t)ftell(text);
    fclose(text);
    header[length] = ' '; /* where the stream has put its NUL */
    length = (length + 1 + 63) / 64 * 64;
    header[length - 1] = '\n';
    memcpy(header, magic, 6);
    header[6] = 1, header[7] = 0;
    header[8] = (char)((length - before) & 255), header[9] = (char)((length - before) >> 8);
    return length;
}
