/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market: a header, comments, a line of sizes, and then a line for each entry. */
#include "runtime/matrices/market.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "runtime/matrices/entries.h"
#include "runtime/matrices/lines.h"
#include "runtime/matrices/real.h"

enum symmetry { GENERAL, SYMMETRIC, SKEW };

struct market {
    struct zoid_lines lines;
    bool array, integer;
    enum symmetry symmetry;
    long n;
    int64_t count;                   /* entries to come */
    const struct zoid_twice *wanted; /* only count the lines of this position; or NULL */
    long seen;                       /* lines counted */
    struct zoid_entries entries;
};

/* ---- words of a line ----------------------------------------------------------------------- */

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip(const char *at, const char *end)
{
    while (at < end && blank(*at))
        at++;
    return at;
}

/* The next word, up to the new *at. Returns its length; 0: there is no other word. */
static size_t next_word(const char **word, const char **at, const char *end)
{
    *word = skip(*at, end);
    for (*at = *word; *at < end && !blank(**at);)
        ++*at;
    return (size_t)(*at - *word);
}

/* The next line that is neither blank nor, with `comments`, a comment. */
static enum zoid_status next_line(struct market *m, bool comments, const char **at,
                                  const char **end)
{
    enum zoid_status status;

    do {
        status = zoid_lines_next(&m->lines, at, end);
        if (status || !*at)
            return status;
        *at = skip(*at, *end);
    } while (*at == *end || (comments && **at == '%'));
    return ZOID_OK;
}

/* A whole number without a sign; NULL: it is missing or too large. */
static const char *read_count(const char *at, const char *end, int64_t *value)
{
    const char *from = at = skip(at, end);
    int64_t v = 0;

    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        if (v > (INT64_MAX - 9) / 10)
            return NULL;
        v = 10 * v + (*at - '0');
    }
    *value = v;
    return at == from || (at < end && !blank(*at)) ? NULL : at;
}

/* ---- header and sizes ------------------------------------------------------------------------ */

static int find_word(const char *word, size_t length, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strlen(words[i]) == length && !strncasecmp(words[i], word, length))
            return i;
    return -1;
}

static const char *const formats[] = {"coordinate", "array", NULL};
static const char *const fields[] = {"real", "integer", "double", NULL};
static const char *const symmetries[] = {
    [GENERAL] = "general", [SYMMETRIC] = "symmetric", [SKEW] = "skew-symmetric", NULL};

static enum zoid_status read_header(struct market *m)
{
    static const char *const banner[] = {"%%MatrixMarket", NULL}, *const object[] = {"matrix",
                                                                                     NULL};
    const char *const *const words[] = {banner, object, formats, fields, symmetries};
    int found[5];
    const char *at, *end, *word;
    enum zoid_status status = zoid_lines_next(&m->lines, &at, &end);

    if (status)
        return status;
    for (int i = 0; i < 5; i++) {
        const size_t length = at ? next_word(&word, &at, end) : 0;

        found[i] = length ? find_word(word, length, words[i]) : -1;
        if (found[i] < 0)
            return zoid_lines_refuse(
                &m->lines,
                "'%.*s' is none of what is read here; let the header be %%%%MatrixMarket matrix "
                "coordinate|array real|integer general|symmetric|skew-symmetric",
                length < 40 ? (int)length : 40, length ? word : "");
    }
    if (next_word(&word, &at, end))
        return zoid_lines_refuse(&m->lines, "there is text after the header; drop it");
    m->array = found[2] == 1;
    m->integer = found[3] == 1;
    m->symmetry = (enum symmetry)found[4];
    return ZOID_OK;
}

static int64_t array_entries(const struct market *m)
{
    const int64_t n = m->n;

    return m->symmetry == GENERAL     ? n * n
           : m->symmetry == SYMMETRIC ? n * (n + 1) / 2
                                      : n * (n - 1) / 2;
}

static enum zoid_status read_sizes(struct market *m)
{
    const char *at, *end;
    int64_t size[3] = {0};
    const int sizes = m->array ? 2 : 3;
    enum zoid_status status = next_line(m, true, &at, &end);

    if (status)
        return status;
    for (int i = 0; i < sizes && at; i++)
        at = read_count(at, end, &size[i]);
    if (!at || skip(at, end) != end)
        return zoid_lines_refuse(&m->lines, "there should be %s, and nothing else",
                                 m->array ? "two sizes, rows and columns"
                                          : "three sizes, rows, columns and entries");
    if (size[0] != size[1])
        return zoid_lines_refuse(
            &m->lines, "%" PRId64 " rows and %" PRId64 " columns; only square matrices have powers",
            size[0], size[1]);
    if (size[0] < 1 || size[0] > ZOID_ROWS_MOST)
        return zoid_lines_refuse(&m->lines, "%" PRId64 " rows; a file has 1 to %d", size[0],
                                 ZOID_ROWS_MOST);
    m->n = m->entries.n = (long)size[0];
    m->count = m->array ? array_entries(m) : size[2];
    return ZOID_OK;
}

/* ---- entries ------------------------------------------------------------------------------- */

static enum zoid_status add(struct market *m, int64_t row, int64_t column, double value)
{
    if (m->wanted) {
        if (row == m->wanted->row && column == m->wanted->column)
            m->seen++;
        return ZOID_OK;
    }
    return zoid_entries_add(&m->entries, (struct zoid_entry){(int32_t)row, (int32_t)column, value});
}

/* Add an entry, and the one that follows from it by symmetry. */
static enum zoid_status put(struct market *m, int64_t row, int64_t column, double value)
{
    enum zoid_status status = add(m, row, column, value);

    if (!status && m->symmetry != GENERAL && row != column)
        status = add(m, column, row, m->symmetry == SKEW ? -value : value);
    return status;
}

static enum zoid_status read_value(struct market *m, const char *at, const char *end, double *value)
{
    const char *from = skip(at, end), *after = zoid_real_read(from, end, value);
    const int length = end - from < 40 ? (int)(end - from) : 40;

    if (!after || (after < end && !blank(*after)))
        return zoid_lines_refuse(&m->lines, "'%.*s' is no real number; write one", length, from);
    if (skip(after, end) != end)
        return zoid_lines_refuse(&m->lines, "there is text after the entry; drop it");
    if (m->integer)
        for (const char *c = from; c < after; c++)
            if ((*c < '0' || *c > '9') && !(c == from && strchr("+-", *c)))
                return zoid_lines_refuse(
                    &m->lines, "'%.*s' is no integer, which the header promises; call them real",
                    length, from);
    if (!isfinite(*value))
        return zoid_lines_refuse(&m->lines, "'%.*s' is no finite number of 64 bits; scale it",
                                 length, from);
    return ZOID_OK;
}

static enum zoid_status check_place(const struct market *m, int64_t row, int64_t column)
{
    if (row < 1 || row > m->n || column < 1 || column > m->n)
        return zoid_lines_refuse(&m->lines,
                                 "an entry in row %" PRId64 ", column %" PRId64
                                 " of a matrix of %ld rows, counted from 1; correct it",
                                 row, column, m->n);
    if (m->symmetry != GENERAL && column > row)
        return zoid_lines_refuse(&m->lines,
                                 "an entry above the diagonal of a %s matrix, whose lower half is "
                                 "written alone; drop it",
                                 symmetries[m->symmetry]);
    if (m->symmetry == SKEW && column == row)
        return zoid_lines_refuse(
            &m->lines, "an entry on the diagonal of a skew-symmetric matrix, which is 0; drop it");
    return ZOID_OK;
}

static enum zoid_status read_coordinate(struct market *m, const char *at, const char *end)
{
    int64_t row = 0, column = 0;
    double value = 0;
    enum zoid_status status;

    at = read_count(at, end, &row);
    if (at)
        at = read_count(at, end, &column);
    if (!at || skip(at, end) == end)
        return zoid_lines_refuse(&m->lines,
                                 "an entry is a row, a column and a value; write all three");
    status = check_place(m, row, column);
    if (!status)
        status = read_value(m, at, end, &value);
    return status ? status : put(m, row - 1, column - 1, value);
}

/* Values of an array go down the columns, from the diagonal or below it if the other half follows
 * from symmetry. Zeros must be written there, and are no entries. */
struct cursor {
    int64_t row, column;
};

static void begin_column(const struct market *m, struct cursor *c)
{
    c->row = m->symmetry == GENERAL ? 0 : c->column + (m->symmetry == SKEW);
}

static enum zoid_status read_array(struct market *m, const char *at, const char *end,
                                   struct cursor *c)
{
    double value = 0;
    enum zoid_status status = read_value(m, at, end, &value);

    if (!status && value != 0)
        status = put(m, c->row, c->column, value);
    if (++c->row == m->n) {
        c->column++;
        begin_column(m, c);
    }
    return status;
}

static enum zoid_status read_entries(struct market *m)
{
    struct cursor cursor = {0, 0};
    const char *at, *end;
    int64_t n = 0;
    enum zoid_status status = next_line(m, false, &at, &end);

    begin_column(m, &cursor);
    for (; !status && at && m->seen < 2; n++) {
        if (n == m->count)
            return zoid_lines_refuse(&m->lines,
                                     "there is more than the %" PRId64
                                     " entries of the sizes; let them agree",
                                     m->count);
        status = m->array ? read_array(m, at, end, &cursor) : read_coordinate(m, at, end);
        if (!status && m->seen < 2)
            status = next_line(m, false, &at, &end);
    }
    if (!status && !at && n < m->count)
        return zoid_lines_refuse(&m->lines,
                                 "the file ends after %" PRId64 " of %" PRId64
                                 " entries; let the sizes agree with it",
                                 n, m->count);
    return status;
}

static enum zoid_status read_all(const char *path, struct market *m)
{
    enum zoid_status status = zoid_lines_open(path, &m->lines);

    if (!status)
        status = read_header(m);
    if (!status)
        status = read_sizes(m);
    return status ? status : read_entries(m);
}

static void close_market(struct market *m)
{
    zoid_entries_free(&m->entries);
    zoid_lines_close(&m->lines);
}

/* Read the file once more, up to the line that repeats an entry. */
static enum zoid_status refuse_twice(const char *path, const struct zoid_twice *twice)
{
    struct market m = {.wanted = twice};
    enum zoid_status status = read_all(path, &m);

    if (!status)
        status = zoid_lines_refuse(
            &m.lines, "row %ld, column %ld is there twice; drop one, or give {duplicates=sum}",
            twice->row + 1, twice->column + 1);
    close_market(&m);
    return status;
}

enum zoid_status zoid_market_read(const char *path, bool sum, struct zoid_matrix **matrix)
{
    struct market m = {.n = 0};
    struct zoid_twice twice = {.row = -1};
    enum zoid_status status = read_all(path, &m);

    zoid_lines_close(&m.lines);
    if (!status)
        status = zoid_entries_matrix(&m.entries, sum, &twice, matrix);
    close_market(&m);
    return !status && twice.row >= 0 ? refuse_twice(path, &twice) : status;
}
