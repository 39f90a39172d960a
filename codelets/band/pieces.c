/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces of a band matrix: their sizes, and writing them from the matrix's rows. Only
 * zoid_band_count allocates memory. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/band/band.h"

static size_t value_bytes(const struct zoid_band *b)
{
    return zoid_type_size(b->op.type);
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + ZOID_LINE - 1) / ZOID_LINE * ZOID_LINE;
}

struct zoid_band_piece zoid_band_piece_of(const struct zoid_band *b, long lo, long hi)
{
    const long first = lo / b->lanes, end = (hi + b->lanes - 1) / b->lanes;
    struct zoid_band_piece p = {.first = first, .groups = end - first};
    size_t lines = (size_t)(p.groups * b->diagonals);

    if (b->format == ZOID_FORMAT_SELL) {
        const struct zoid_sell_head *from = &b->before[first], *to = &b->before[end];

        lines = to->line - from->line;
        p.values = whole_lines((size_t)(p.groups + 1) * sizeof *from);
        p.numbers = (to->number - from->number) * (b->wide ? sizeof(uint32_t) : sizeof(uint16_t));
    }
    p.rhs = whole_lines(p.values + lines * ZOID_LINE + p.numbers);
    p.numbers = p.values + lines * ZOID_LINE;
    p.bytes = p.rhs;
    if (b->rhs)
        p.bytes += (size_t)(p.groups * b->lanes * b->vectors) * value_bytes(b);
    return p;
}

size_t zoid_band_bytes(const struct zoid_op *op, long lo, long hi)
{
    return zoid_band_piece_of(zoid_band_of(op), lo, hi).bytes;
}

static void store(enum zoid_type type, void *values, long i, double value)
{
    if (type == ZOID_F32)
        ((zoid_f32 *)values)[i] = (zoid_f32)value;
    else
        ((zoid_f64 *)values)[i] = value;
}

/* ---- DIA ----------------------------------------------------------------------------------- */

/* A row of a group: its value of diagonal d is d lines further on. */
struct dia_row {
    enum zoid_type type;
    void *values;
    long lanes, lane, first; /* first: column of its first diagonal */
};

static void put_dia(void *into, long column, double value)
{
    const struct dia_row *r = into;

    store(r->type, r->values, (column - r->first) * r->lanes + r->lane, value);
}

/* Values beyond the matrix are -0, for an x of +0: their products change no sum. */
static void write_dia_group(const struct zoid_band *b, long group, void *values)
{
    const long n = b->matrix->about.n, lower = b->matrix->about.lower;
    const bool inside =
        group * b->lanes >= lower && (group + 1) * b->lanes + b->matrix->about.upper <= n;

    memset(values, 0, (size_t)b->diagonals * ZOID_LINE);
    for (long lane = 0; lane < b->lanes; lane++) {
        const long i = group * b->lanes + lane;
        struct dia_row row = {b->op.type, values, b->lanes, lane, i - lower};

        for (long d = 0; !inside && d < b->diagonals; d++)
            store(b->op.type, values, d * b->lanes + lane,
                  i >= n || i - lower + d < 0 || i - lower + d >= n ? -0.0 : 0.0);
        if (i < n)
            b->matrix->rows.entries(b->matrix->rows.user, i, put_dia, &row);
    }
}

/* ---- SELL ---------------------------------------------------------------------------------- */

/* A group that is being written, row by row. */
struct sell_group {
    const struct zoid_band *band;
    void *values;
    void *numbers; /* one per line, followed by those of scattered lines, one per row */
    long lanes, lane, lines;
    long first, entry, scattered; /* entry: next one of the row; scattered: such lines before it */
};

static void set_number(const struct sell_group *g, long i, uint32_t number)
{
    if (g->band->wide)
        ((uint32_t *)g->numbers)[i] = number;
    else
        ((uint16_t *)g->numbers)[i] = (uint16_t)number;
}

static uint32_t number(const struct sell_group *g, long i)
{
    if (g->band->wide)
        return ((uint32_t *)g->numbers)[i];
    return ((uint16_t *)g->numbers)[i];
}

static uint32_t none(const struct sell_group *g)
{
    return g->band->wide ? ZOID_SELL_NONE_32 : ZOID_SELL_NONE_16;
}

/* Stores the value, and keeps the number of a line while its columns are consecutive. */
static void put_entry(void *into, long column, double value)
{
    struct sell_group *g = into;
    const long i = g->entry++;

    store(g->band->op.type, g->values, i * g->lanes + g->lane, value);
    if (g->lane == 0)
        set_number(g, i, (uint32_t)(column - g->first));
    else if (number(g, i) != none(g) && column - g->first != (long)number(g, i) + g->lane)
        set_number(g, i, none(g));
}

/* Stores the row's column in a scattered line. */
static void put_column(void *into, long column, double value)
{
    struct sell_group *g = into;

    (void)value;
    if (number(g, g->entry++) == none(g))
        set_number(g, g->lines + g->scattered++ * g->lanes + g->lane,
                   (uint32_t)(column - g->first));
}

/* Calls `put` for every entry of a row of a group; rows beyond the matrix's last have no entries.
 */
static void row_of(struct sell_group *g, long group, long lane, zoid_entry_fn *put)
{
    const struct zoid_matrix *m = g->band->matrix;
    const long i = group * g->lanes + lane;

    g->lane = lane;
    g->entry = g->scattered = 0;
    if (i < m->about.n)
        m->rows.entries(m->rows.user, i, put, g);
}

/* Writes values and numbers of all lines; returns the number of scattered lines. Short rows have no
 * value in some lines. */
static long write_lines(struct sell_group *g, long group)
{
    long scattered = 0;

    memset(g->values, 0, (size_t)g->lines * ZOID_LINE);
    for (long lane = 0; lane < g->lanes; lane++) {
        row_of(g, group, lane, put_entry);
        for (; g->entry < g->lines; g->entry++)
            set_number(g, g->entry, none(g));
    }
    for (long i = 0; i < g->lines; i++)
        scattered += number(g, i) == none(g);
    return scattered;
}

/* Writes the columns of scattered lines; short rows lack entries in some. */
static void write_columns(struct sell_group *g, long group, long scattered)
{
    for (long i = 0; i < scattered * g->lanes; i++)
        set_number(g, g->lines + i, none(g));
    for (long lane = 0; scattered && lane < g->lanes; lane++)
        row_of(g, group, lane, put_column);
}

static void write_sell(const struct zoid_band *b, const struct zoid_band_piece *p, char *piece)
{
    const struct zoid_sell_head *from = &b->before[p->first];
    const size_t size = b->wide ? sizeof(uint32_t) : sizeof(uint16_t);
    struct zoid_sell_head *head = (struct zoid_sell_head *)piece;

    for (long i = 0; i <= p->groups; i++) {
        struct sell_group g = {.band = b, .lanes = b->lanes};

        head[i] = (struct zoid_sell_head){.line = from[i].line - from->line,
                                          .number = from[i].number - from->number};
        if (i == p->groups)
            break;
        g.values = piece + p->values + head[i].line * ZOID_LINE;
        g.numbers = piece + p->numbers + head[i].number * size;
        g.first = head[i].first = from[i].first;
        g.lines = (long)(from[i + 1].line - from[i].line);
        write_columns(&g, p->first + i, write_lines(&g, p->first + i));
    }
}

/* A group that is being counted, row by row: `column` of a line is that of the first row while
 * those of the others follow it, else INT64_MIN. */
struct counted {
    int64_t *column;
    long lane, entry, first;
};

static void put_count(void *into, long column, double value)
{
    struct counted *c = into;
    int64_t *line = &c->column[c->entry++];

    (void)value;
    c->first = zoid_min(c->first, column);
    if (c->lane == 0)
        *line = column;
    else if (*line != column - c->lane)
        *line = INT64_MIN;
}

/* Returns the group's first column, its number of lines, and its number of column numbers: one per
 * line, and one per row for each line in which a row has no entry or whose columns are not
 * consecutive. */
static struct zoid_sell_head count_group(const struct zoid_band *b, long group, int64_t *column)
{
    const struct zoid_matrix *m = b->matrix;
    struct counted c = {.column = column, .first = LONG_MAX};
    long most = 0, least = LONG_MAX, scattered;

    for (; c.lane < b->lanes; c.lane++) {
        const long i = group * b->lanes + c.lane;

        c.entry = 0;
        if (i < m->about.n)
            m->rows.entries(m->rows.user, i, put_count, &c);
        most = zoid_max(most, c.entry);
        least = zoid_min(least, c.entry);
    }
    scattered = most - least;
    for (long i = 0; i < least; i++)
        scattered += column[i] == INT64_MIN;
    return (struct zoid_sell_head){.first = most ? c.first : 0,
                                   .line = (uint64_t)most,
                                   .number = (uint64_t)(most + scattered * b->lanes)};
}

bool zoid_band_count(struct zoid_band *b)
{
    const long groups = (b->matrix->about.n + b->lanes - 1) / b->lanes;
    int64_t *column = calloc((size_t)b->matrix->about.longest + 1, sizeof *column);
    bool room;

    b->before = calloc((size_t)groups + 1, sizeof *b->before);
    room = b->before && column;
    for (long i = 0; room && i < groups; i++) {
        const struct zoid_sell_head group = count_group(b, i, column);

        b->before[i].first = group.first;
        b->before[i + 1].line = b->before[i].line + group.line;
        b->before[i + 1].number = b->before[i].number + group.number;
    }
    free(column);
    return room;
}

/* ---- a piece ------------------------------------------------------------------------------- */

void zoid_band_write(void *band, long lo, long hi, void *bytes)
{
    const struct zoid_band *b = band;
    const struct zoid_band_piece p = zoid_band_piece_of(b, lo, hi);
    const size_t row = (size_t)b->vectors * value_bytes(b);
    const long first = p.first * b->lanes;

    if (b->format == ZOID_FORMAT_SELL)
        write_sell(b, &p, bytes);
    for (long i = 0; b->format == ZOID_FORMAT_DIA && i < p.groups; i++)
        write_dia_group(b, p.first + i, (char *)bytes + (size_t)(i * b->diagonals) * ZOID_LINE);
    if (b->rhs)
        b->rhs(b->rhs_user, lo, hi, (char *)bytes + p.rhs + (size_t)(lo - first) * row);
}
