/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/number.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum reading { READ, NOT_A_NUMBER, TOO_LARGE };

/* Parse the number at the start of *text, and move *text past it. */
static enum reading read_unsigned(const char **text, uint64_t *value)
{
    static const char suffixes[] = "KMGT";
    const char *c = *text, *suffix;
    uint64_t v = 0;

    if (!isdigit((unsigned char)*c))
        return NOT_A_NUMBER;
    for (; isdigit((unsigned char)*c); c++)
        if (__builtin_mul_overflow(v, 10u, &v) ||
            __builtin_add_overflow(v, (unsigned)(*c - '0'), &v))
            return TOO_LARGE;
    if (*c && (suffix = strchr(suffixes, *c))) {
        if (__builtin_mul_overflow(v, UINT64_C(1) << 10 * (suffix - suffixes + 1), &v))
            return TOO_LARGE;
        c++;
    }
    *text = c;
    *value = v;
    return READ;
}

static enum zoid_status not_a_number(const char *option, const char *text)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{%s} '%s' is not a whole number; give digits, and K, M, G or T behind them "
                     "for powers of 1024",
                     option, text);
}

static enum zoid_status outside(const char *option, const char *text,
                                struct zoid_number_range range)
{
    return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is out of range; give %llu to %llu", option,
                     text, (unsigned long long)range.least, (unsigned long long)range.most);
}

enum zoid_status zoid_number_unsigned(const char *option, const char *text,
                                      struct zoid_number_range range, uint64_t *value)
{
    const char *end = text;
    uint64_t v = 0;
    enum reading reading = read_unsigned(&end, &v);

    if (reading == NOT_A_NUMBER || (reading == READ && *end))
        return not_a_number(option, text);
    if (reading == TOO_LARGE || v < range.least || v > range.most)
        return outside(option, text, range);
    *value = v;
    return ZOID_OK;
}

enum zoid_status zoid_number_axes(const char *option, const char *text, long value[ZOID_AXES],
                                  int *axes)
{
    static const struct zoid_number_range range = {.least = 1, .most = LONG_MAX};
    const char *c = text;
    uint64_t v[ZOID_AXES] = {0};
    int n = 0;

    for (;;) {
        enum reading reading = read_unsigned(&c, &v[n]);

        if (reading == NOT_A_NUMBER || (reading == READ && *c && *c != 'x'))
            return not_a_number(option, text);
        if (reading == TOO_LARGE || v[n] < range.least || v[n] > range.most)
            return outside(option, text, range);
        n++;
        if (!*c)
            break;
        if (n == ZOID_AXES)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' has more than %d axes; give at most %d",
                             option, text, ZOID_AXES, ZOID_AXES);
        c++;
    }
    for (int a = 0; a < n; a++)
        value[a] = (long)v[a];
    *axes = n;
    return ZOID_OK;
}

enum zoid_status zoid_number_real(const char *option, const char *text, double *value)
{
    char *end;
    double v = strtod(text, &end);

    if (!*text || isspace((unsigned char)*text) || *end || !isfinite(v))
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is not a finite number; give one like 0.08",
                         option, text);
    *value = v;
    return ZOID_OK;
}

enum zoid_status zoid_number_time(const char *option, const char *text, double *seconds)
{
    const char *c = text;
    uint64_t sum = 0, part = 0;
    int parts = 0;
    bool good = text[strspn(text, "0123456789:")] == '\0';

    /* The first part, hours or minutes, may have more than 59. */
    while (good && read_unsigned(&c, &part) == READ && part < (parts ? 60 : 1 << 20)) {
        sum = 60 * sum + part;
        parts++;
        if (*c != ':')
            break;
        c++;
    }
    if (!good || *c || c == text || c[-1] == ':' || parts < 2 || parts > 3 || !sum)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' is no time; give one like 1:30:00 or 05:00",
                         option, text);
    *seconds = (double)sum;
    return ZOID_OK;
}
