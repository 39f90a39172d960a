/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/generate.h"

#include <limits.h>
#include <string.h>

#include "runtime/random.h"
#include "runtime/session/number.h"

enum { DEFAULT_ROWS = 1 << 16 };

/* ---- rows ---------------------------------------------------------------------------------- */

/* Distance between the draws for the presence of an entry and those for its value. */
static const uint64_t elsewhere = 1ull << 63;

static void band_row(const void *user, long i, zoid_entry_fn *put, void *into)
{
    const struct zoid_band_rule *r = &((const struct zoid_rule *)user)->band;
    const long full = 2 * r->width + 1;
    const long lo = i < r->width ? 0 : i - r->width;
    const long hi = r->n - 1 - i < r->width ? r->n - 1 : i + r->width;

    for (long j = lo; j <= hi; j++) {
        const uint64_t draw = r->seed + (uint64_t)i * (uint64_t)full + (uint64_t)(j - i + r->width);

        if (r->density >= 1 || i == j || zoid_random(draw + elsewhere) < r->density)
            put(into, j, (0.5 + zoid_random(draw)) / (double)full);
    }
}

static void grid_row(const void *user, long i, zoid_entry_fn *put, void *into)
{
    const struct zoid_grid_rule *r = &((const struct zoid_rule *)user)->grid;
    const double side = -1.0 / (4 * r->dims);
    long step[ZOID_AXES] = {1}, at[ZOID_AXES] = {i % r->size[0]};

    for (int a = 1; a < r->dims; a++) {
        step[a] = step[a - 1] * r->size[a - 1];
        at[a] = i / step[a] % r->size[a];
    }
    for (int a = r->dims - 1; a >= 0; a--)
        if (at[a] > 0)
            put(into, i - step[a], side);
    put(into, i, 0.5);
    for (int a = 0; a < r->dims; a++)
        if (at[a] < r->size[a] - 1)
            put(into, i + step[a], side);
}

struct zoid_matrix_rows zoid_rule_rows(const struct zoid_rule *rule)
{
    struct zoid_matrix_rows rows = {.n = rule->band.n, .entries = band_row, .user = rule};

    if (rule->kind != ZOID_RULE_GRID)
        return rows;
    rows.entries = grid_row;
    rows.n = 1;
    for (int a = 0; a < rule->grid.dims; a++)
        rows.n *= rule->grid.size[a];
    return rows;
}

/* ---- the text ------------------------------------------------------------------------------ */

/* The index of an entry, over all rows of a band, must have at most 63 bits. */
static enum zoid_status check_band(const char *text, const struct zoid_band_rule *r)
{
    if (r->width < (1l << 31) && r->n <= LONG_MAX / (2 * r->width + 1))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{matrix=%s} of %ld rows has more entries than can be counted; give fewer "
                     "{rows} or a narrower band",
                     text, r->n);
}

static enum zoid_status read_band(const char *text, const char *numbers, bool density,
                                  struct zoid_band_rule *r)
{
    const char *comma = density ? strchr(numbers, ',') : NULL;
    const size_t length = comma ? (size_t)(comma - numbers) : strlen(numbers);
    char width[32] = "";
    uint64_t w;

    if (density && !comma)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{matrix=%s} has no density; give it as in random:64,0.1", text);
    if (length < sizeof width)
        memcpy(width, numbers, length);
    if (zoid_number_count("matrix", width, (struct zoid_number_range){.most = LONG_MAX}, &w) ||
        (density && zoid_number_real("matrix", comma + 1, &r->density)))
        return ZOID_BAD_ARGUMENT;
    if (!(r->density >= 0 && r->density <= 1))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{matrix=%s}: a density is 0 to 1", text);
    r->width = (long)w;
    return check_band(text, r);
}

static enum zoid_status read_grid(const char *text, const char *numbers, long rows,
                                  struct zoid_grid_rule *r)
{
    long n = 1;

    if (zoid_number_axes("matrix", numbers, r->size, &r->dims))
        return ZOID_BAD_ARGUMENT;
    for (int a = 0; a < r->dims; a++)
        if (__builtin_mul_overflow(n, r->size[a], &n))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{matrix=%s} has more rows than can be counted; give a smaller grid",
                             text);
    if (rows && rows != n)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{matrix=%s} has %ld rows, not %ld; drop {rows}", text,
                         n, rows);
    return ZOID_OK;
}

enum zoid_status zoid_rule_read(const char *text, long rows, uint64_t seed, struct zoid_rule *rule)
{
    struct zoid_rule r = {.band = {.n = rows ? rows : DEFAULT_ROWS, .seed = seed, .density = 1}};
    const char *numbers = strchr(text, ':');
    const bool band = !strncmp(text, "band:", 5), random = !strncmp(text, "random:", 7);
    enum zoid_status status = ZOID_OK;

    if (band || random) {
        r.kind = ZOID_RULE_BAND;
        status = read_band(text, numbers + 1, random, &r.band);
    } else if (!strncmp(text, "laplace:", 8)) {
        r.kind = ZOID_RULE_GRID;
        status = read_grid(text, numbers + 1, rows, &r.grid);
    }
    if (!status)
        *rule = r;
    return status;
}
