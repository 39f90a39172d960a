/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/poly.h"

#include <stdio.h>
#include <string.h>

static int degree(const struct zoid_poly_term *t)
{
    int sum = 0;

    for (int s = 0; s < ZOID_POLY_SYMBOLS; s++)
        sum += t->power[s];
    return sum;
}

/* Positive: a precedes b. The order of degrees, then of powers, is kept by products. */
static int before(const struct zoid_poly_term *a, const struct zoid_poly_term *b)
{
    const int by_degree = degree(a) - degree(b);

    return by_degree ? by_degree : memcmp(a->power, b->power, sizeof a->power);
}

struct zoid_poly zoid_poly_integer(int64_t value)
{
    struct zoid_poly a = {.n = value != 0};

    a.term[0].factor = value;
    return a;
}

struct zoid_poly zoid_poly_symbol(int symbol)
{
    struct zoid_poly a = zoid_poly_integer(1);

    a.term[0].power[symbol] = 1;
    return a;
}

/* Adds a term in its place. */
static bool add_term(struct zoid_poly *a, const struct zoid_poly_term *t)
{
    int i = 0;

    while (i < a->n && before(&a->term[i], t) > 0)
        i++;
    if (i < a->n && before(&a->term[i], t) == 0) {
        if (__builtin_add_overflow(a->term[i].factor, t->factor, &a->term[i].factor))
            return false;
        if (!a->term[i].factor)
            memmove(&a->term[i], &a->term[i + 1], (size_t)(--a->n - i) * sizeof *t);
        return true;
    }
    if (a->n == ZOID_POLY_TERMS)
        return false;
    memmove(&a->term[i + 1], &a->term[i], (size_t)(a->n++ - i) * sizeof *t);
    a->term[i] = *t;
    return true;
}

bool zoid_poly_add(const struct zoid_poly *a, const struct zoid_poly *b, int64_t factor,
                   struct zoid_poly *to)
{
    struct zoid_poly sum = *a;

    for (int i = 0; i < b->n && factor; i++) {
        struct zoid_poly_term t = b->term[i];

        if (__builtin_mul_overflow(t.factor, factor, &t.factor) || !add_term(&sum, &t))
            return false;
    }
    *to = sum;
    return true;
}

static bool multiply_terms(const struct zoid_poly_term *a, const struct zoid_poly_term *b,
                           struct zoid_poly_term *to)
{
    struct zoid_poly_term t = *a;

    for (int s = 0; s < ZOID_POLY_SYMBOLS; s++)
        t.power[s] = (unsigned char)(a->power[s] + b->power[s]);
    if (degree(&t) > ZOID_POLY_DEGREE || __builtin_mul_overflow(a->factor, b->factor, &t.factor))
        return false;
    *to = t;
    return true;
}

bool zoid_poly_multiply(const struct zoid_poly *a, const struct zoid_poly *b, struct zoid_poly *to)
{
    struct zoid_poly product = {.n = 0};
    struct zoid_poly_term t;

    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < b->n; j++)
            if (!multiply_terms(&a->term[i], &b->term[j], &t) || !add_term(&product, &t))
                return false;
    *to = product;
    return true;
}

bool zoid_poly_difference(const struct zoid_poly *a, const struct zoid_poly *b, int64_t *value)
{
    struct zoid_poly rest;

    return zoid_poly_add(a, b, -1, &rest) && zoid_poly_constant(&rest, value);
}

bool zoid_poly_equal(const struct zoid_poly *a, const struct zoid_poly *b)
{
    int64_t value;

    return zoid_poly_difference(a, b, &value) && value == 0;
}

bool zoid_poly_constant(const struct zoid_poly *a, int64_t *value)
{
    *value = a->n ? a->term[0].factor : 0;
    return a->n == 0 || (a->n == 1 && degree(&a->term[0]) == 0);
}

bool zoid_poly_has(const struct zoid_poly *a, int from, int to)
{
    for (int i = 0; i < a->n; i++)
        for (int s = from; s < to; s++)
            if (a->term[i].power[s])
                return true;
    return false;
}

bool zoid_poly_factor(const struct zoid_poly *a, int symbol, struct zoid_poly *factor)
{
    factor->n = 0;
    for (int i = 0; i < a->n; i++) {
        struct zoid_poly_term t = a->term[i];

        if (!t.power[symbol])
            continue;
        if (t.power[symbol] > 1)
            return false;
        t.power[symbol] = 0;
        for (int s = ZOID_POLY_TIME; s < ZOID_POLY_SYMBOLS; s++)
            if (t.power[s])
                return false;
        if (!add_term(factor, &t))
            return false;
    }
    return true;
}

/* The quotient of two terms; false if it is 0. */
static bool divide_terms(const struct zoid_poly_term *a, const struct zoid_poly_term *b,
                         struct zoid_poly_term *quotient)
{
    *quotient = *a;
    for (int s = 0; s < ZOID_POLY_SYMBOLS; s++) {
        if (a->power[s] < b->power[s])
            return false;
        quotient->power[s] = (unsigned char)(a->power[s] - b->power[s]);
    }
    if (a->factor == INT64_MIN || b->factor == INT64_MIN)
        return false;
    quotient->factor = a->factor / b->factor;
    if (degree(b) == 0 && degree(a) == 0) {
        const int64_t rest = a->factor % b->factor, most = b->factor < 0 ? -b->factor : b->factor;

        if (2 * (rest < 0 ? -rest : rest) > most)
            quotient->factor += (rest < 0) == (b->factor < 0) ? 1 : -1;
    }
    return quotient->factor != 0;
}

void zoid_poly_divide(const struct zoid_poly *a, const struct zoid_poly *b,
                      struct zoid_poly *quotient, struct zoid_poly *rest)
{
    struct zoid_poly left = *a;

    quotient->n = rest->n = 0;
    for (int tries = 0; left.n && tries < 4 * ZOID_POLY_TERMS; tries++) {
        struct zoid_poly piece = {.n = 1}, product, next;

        if (b->n && divide_terms(&left.term[0], &b->term[0], &piece.term[0]) &&
            zoid_poly_multiply(&piece, b, &product) && zoid_poly_add(&left, &product, -1, &next) &&
            add_term(quotient, &piece.term[0])) {
            left = next;
            if (left.n && before(&left.term[0], &product.term[0]) < 0)
                continue;
            if (!left.n)
                break;
        }
        if (!add_term(rest, &left.term[0]))
            break;
        memmove(&left.term[0], &left.term[1], (size_t)--left.n * sizeof left.term[0]);
    }
}

void zoid_poly_print(const struct zoid_poly *a, const char *const *names, char *to, int size)
{
    int used = 0;

#define PRINT(...) used += used < size ? snprintf(to + used, (size_t)(size - used), __VA_ARGS__) : 0
    if (!a->n)
        PRINT("0");
    for (int i = 0; i < a->n; i++) {
        const struct zoid_poly_term *t = &a->term[i];
        const uint64_t much = t->factor < 0 ? -(uint64_t)t->factor : (uint64_t)t->factor;
        bool first = true;

        PRINT("%s", t->factor < 0 ? (i ? " - " : "-") : (i ? " + " : ""));
        if (much != 1 || degree(t) == 0) {
            PRINT("%llu", (unsigned long long)much);
            first = false;
        }
        for (int s = 0; s < ZOID_POLY_SYMBOLS; s++)
            for (int k = 0; k < t->power[s]; k++, first = false)
                PRINT("%s%s", first ? "" : "*", names[s] ? names[s] : "?");
    }
#undef PRINT
}
