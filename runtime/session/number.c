/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/number.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum reading { READ, NOT_A_NUMBER, TOO_LARGE };

static const char suffixes[] = "KMGT";

/* The factor of a suffix of bytes; 0: it is none. */
static uint64_t factor_of(char suffix)
{
    const char *found = suffix ? strchr(suffixes, suffix) : NULL;

    return found ? UINT64_C(1) << 10 * (found - suffixes + 1) : 0;
}

/* Reads the digits that *text starts with and moves *text behind them. */
static enum reading read_digits(const char **text, uint64_t *value)
{
    const char *c = *text;
    uint64_t v = 0;

    if (!isdigit((unsigned char)*c))
        return NOT_A_NUMBER;
    for (; isdigit((unsigned char)*c); c++)
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (unsigned)(*c - '0'), &v))
            return TOO_LARGE;
    *text = c;
    *value = v;
    return READ;
}

static enum zoid_status outside(const char *key, const char *text, struct zoid_number_range range)
{
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is out of range; give %llu to %llu", key, text,
                     (unsigned long long)range.least, (unsigned long long)range.most);
}

/* `rest` follows the digits of a value `v`. */
static enum zoid_status no_count(const char *key, const char *text, const char *rest, uint64_t v)
{
    const uint64_t factor = *rest ? factor_of(*rest) : 0;
    uint64_t binary, decimal = v;

    if (!factor || __builtin_mul_overflow(v, factor, &binary))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is not a whole number; give digits", key,
                         text);
    for (uint64_t f = factor; f > 1; f >>= 10)
        decimal *= 1000;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{%s} '%s': %c is %llu, and for bytes only; write %llu or %llu", key, text,
                     *rest, (unsigned long long)factor, (unsigned long long)decimal,
                     (unsigned long long)binary);
}

enum zoid_status zoid_number_count(const char *key, const char *text,
                                   struct zoid_number_range range, uint64_t *value)
{
    const char *end = text;
    uint64_t v = 0;
    const enum reading reading = read_digits(&end, &v);

    if (reading == NOT_A_NUMBER || (reading == READ && *end))
        return no_count(key, text, end, v);
    if (reading == TOO_LARGE || v < range.least || v > range.most)
        return outside(key, text, range);
    *value = v;
    return ZOID_OK;
}

enum zoid_status zoid_number_axes(const char *key, const char *text, long value[ZOID_AXES],
                                  int *axes)
{
    static const struct zoid_number_range range = {.least = 1, .most = LONG_MAX};
    const char *c = text;
    uint64_t v[ZOID_AXES] = {0};
    int n = 0;

    for (;;) {
        enum reading reading = read_digits(&c, &v[n]);

        if (reading == NOT_A_NUMBER || (reading == READ && *c && *c != 'x'))
            return no_count(key, text, c, v[n]);
        if (reading == TOO_LARGE || v[n] < range.least || v[n] > range.most)
            return outside(key, text, range);
        n++;
        if (!*c)
            break;
        if (n == ZOID_AXES)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' has more than %d axes; give at most %d",
                             key, text, ZOID_AXES, ZOID_AXES);
        c++;
    }
    for (int a = 0; a < n; a++)
        value[a] = (long)v[a];
    *axes = n;
    return ZOID_OK;
}

/* What is behind a decimal point, times the factor, rounded down. */
static uint64_t read_fraction(const char *c, uint64_t factor)
{
    double part = 0, place = 1;

    for (; isdigit((unsigned char)*c); c++)
        part += (*c - '0') * (place /= 10);
    return (uint64_t)(part * (double)factor);
}

static enum reading read_bytes(const char *text, uint64_t *value)
{
    const char *c = text, *fraction;
    enum reading reading = read_digits(&c, value);
    uint64_t factor;

    if (reading != READ)
        return reading;
    fraction = *c == '.' && isdigit((unsigned char)c[1]) ? c + 1 : NULL;
    c += fraction ? 1 + strspn(c + 1, "0123456789") : 0;
    factor = factor_of(*c);
    if (factor)
        c += c[1] != 'i' ? 1 : c[2] != 'B' ? 2 : 3;
    if (*c || (fraction && !factor))
        return NOT_A_NUMBER;
    if (__builtin_mul_overflow(*value, factor ? factor : 1, value) ||
        (fraction && __builtin_add_overflow(*value, read_fraction(fraction, factor), value)))
        return TOO_LARGE;
    return READ;
}

enum zoid_status zoid_number_bytes(const char *key, const char *text,
                                   struct zoid_number_range range, uint64_t *value)
{
    const size_t digits = strspn(text, "0123456789.");
    uint64_t v = 0;
    const enum reading reading = read_bytes(text, &v);

    if (reading == NOT_A_NUMBER && digits && factor_of(text[digits]) &&
        !strcmp(text + digits + 1, "B"))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} '%s': %s may be powers of 1000 or of 1024; write %ciB, or digits",
                         key, text, text + digits, text[digits]);
    if (reading == NOT_A_NUMBER)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} '%s' is not a whole number; give digits, and K, M, G or T behind "
                         "them for powers of 1024",
                         key, text);
    if (reading == TOO_LARGE || v < range.least || v > range.most)
        return outside(key, text, range);
    *value = v;
    return ZOID_OK;
}

enum zoid_status zoid_number_real(const char *key, const char *text, double *value)
{
    char *end = NULL;
    double v = strtod(text, &end);

    if (!*text || isspace((unsigned char)*text) || *end || !isfinite(v))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is not a finite number; give one like 0.08",
                         key, text);
    *value = v;
    return ZOID_OK;
}

/* ---- units --------------------------------------------------------------------------------- */

enum zoid_status zoid_number_convert(const char *key, enum zoid_dimension dimension,
                                     const struct zoid_units *units, double *value)
{
    const bool length = dimension < ZOID_DURATION;
    const double unit = length ? units->h[dimension - ZOID_LENGTH] : units->dt;

    if (!(unit > 0))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} has a unit, which needs {%s}; give that, too",
                         key, length ? "dx" : "dt");
    *value = dimension == ZOID_FREQUENCY ? *value * unit : *value / unit;
    return ZOID_OK;
}

enum zoid_status zoid_number_in_units(const char *key, const char *text,
                                      enum zoid_dimension dimension, const struct zoid_units *units,
                                      double *value)
{
    static const struct {
        const char *name;
        enum zoid_dimension dimension;
        double size;
    } known[] = {
        {"m", ZOID_LENGTH, 1},     {"km", ZOID_LENGTH, 1e3},     {"mm", ZOID_LENGTH, 1e-3},
        {"s", ZOID_DURATION, 1},   {"ms", ZOID_DURATION, 1e-3},  {"us", ZOID_DURATION, 1e-6},
        {"Hz", ZOID_FREQUENCY, 1}, {"kHz", ZOID_FREQUENCY, 1e3}, {"MHz", ZOID_FREQUENCY, 1e6}};
    const enum zoid_dimension kind = dimension < ZOID_DURATION ? ZOID_LENGTH : dimension;
    enum zoid_status status;
    char *end = NULL;
    double v = strtod(text, &end);

    for (size_t i = 0; end > text && i < sizeof known / sizeof *known; i++) {
        if (strcmp(end, known[i].name) != 0 || isspace((unsigned char)*text) ||
            !isfinite(v * known[i].size))
            continue;
        if (known[i].dimension != kind)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is in %s; give it in %s", key, text,
                             known[i].name,
                             kind == ZOID_LENGTH     ? "mm, m or km"
                             : kind == ZOID_DURATION ? "us, ms or s"
                                                     : "Hz, kHz or MHz");
        *value = v * known[i].size;
        return zoid_number_convert(key, dimension, units, value);
    }
    status = zoid_number_real(key, text, value);
    return status || !units->physical ? status : zoid_number_convert(key, dimension, units, value);
}

/* A number with a unit. */
static bool read_unit(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    char *end = NULL;
    const double v = isdigit((unsigned char)*text) ? strtod(text, &end) : 0;

    for (size_t i = 0; v > 0 && isfinite(v) && i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].name)) {
            *seconds = v * units[i].seconds;
            return true;
        }
    return false;
}

enum zoid_status zoid_number_time(const char *key, const char *text, double *seconds)
{
    const char *c = text;
    uint64_t sum = 0, part = 0;
    int parts = 0;
    bool good = text[strspn(text, "0123456789:")] == '\0';

    if (read_unit(text, seconds))
        return ZOID_OK;
    /* Hours, or minutes where there are none, may be many. */
    while (good && read_digits(&c, &part) == READ && part < (parts ? 60 : 1 << 20)) {
        sum = 60 * sum + part;
        parts++;
        if (*c != ':')
            break;
        c++;
    }
    if (!good || *c || c == text || c[-1] == ':' || parts < 2 || parts > 3 || !sum)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is no time; give one like 1:30:00 or 05:00",
                         key, text);
    *seconds = (double)sum;
    return ZOID_OK;
}
