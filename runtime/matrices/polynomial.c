/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/polynomial.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/matrices/lines.h"
#include "runtime/matrices/real.h"

/* ---- parsing --------------------------------------------------------------------------------- */

static enum zoid_status refuse(const char *text, const char *what)
{
    return zoid_fail(ZOID_BAD_ARGUMENT, "{polynomial=%s} %s", text, what);
}

/* Parses a finite number at *at and advances, or returns false. */
static bool take(const char **at, double *value)
{
    const char *after = zoid_real_read(*at, *at + strlen(*at), value);

    if (!after || !isfinite(*value))
        return false;
    *at = after;
    return true;
}

static enum zoid_status read_interval(const char *text, const char *at, struct zoid_polynomial *p)
{
    if (!take(&at, &p->lo) || *at++ != ',' || !take(&at, &p->hi) || *at)
        return refuse(text, "names no interval; give it as in chebyshev:0,2");
    return p->lo < p->hi ? ZOID_OK
                         : refuse(text, "names an empty interval; give the lower end first");
}

static enum zoid_status read_omega(const char *text, const char *at, struct zoid_polynomial *p)
{
    if (!take(&at, &p->omega) || *at || p->omega == 0)
        return refuse(text, "names no number other than 0; give it as in richardson:0.5");
    return ZOID_OK;
}

/* Parses X, or X+Yi for the pair X + Yi and X - Yi. */
static bool read_shift(const char **at, struct zoid_shift *shift)
{
    *shift = (struct zoid_shift){.imaginary = 0};
    if (!take(at, &shift->real))
        return false;
    if (**at == '+' || **at == '-') {
        if (!take(at, &shift->imaginary) || *(*at)++ != 'i')
            return false;
    }
    return !**at || *(*at)++ == ',';
}

static enum zoid_status read_shifts(const char *text, const char *at, struct zoid_polynomial *p)
{
    p->shift = calloc(strlen(at) + 1, sizeof *p->shift);
    if (!p->shift)
        return zoid_no_memory();
    while (*at)
        if (!read_shift(&at, &p->shift[p->shifts++]))
            return refuse(text, "names a shift that is none; give them as in newton:1,0.5+0.25i");
    return p->shifts ? ZOID_OK : refuse(text, "names no shifts; give them as in newton:1,0.5");
}

enum zoid_status zoid_polynomial_read(const char *text, struct zoid_polynomial *p)
{
    static const struct {
        const char *name;
        enum zoid_basis basis;
        enum zoid_status (*read)(const char *text, const char *at, struct zoid_polynomial *p);
    } bases[] = {{"chebyshev:", ZOID_CHEBYSHEV, read_interval},
                 {"newton:", ZOID_NEWTON, read_shifts},
                 {"richardson:", ZOID_RICHARDSON, read_omega}};

    free(p->shift);
    p->shift = NULL;
    p->shifts = 0;
    p->basis = ZOID_POWER;
    if (!strcmp(text, "power"))
        return ZOID_OK;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (!strncmp(text, bases[i].name, strlen(bases[i].name))) {
            p->basis = bases[i].basis;
            return bases[i].read(text, text + strlen(bases[i].name), p);
        }
    return refuse(text, "does not exist; choose from power, chebyshev:LO,HI, newton:SHIFTS, "
                        "richardson:OMEGA");
}

static enum zoid_status add_number(struct zoid_polynomial *p, double value)
{
    double *more = realloc(p->number, ((size_t)p->numbers + 1) * sizeof *more);

    if (!more)
        return zoid_no_memory();
    p->number = more;
    p->number[p->numbers++] = value;
    return ZOID_OK;
}

static enum zoid_status read_line(const struct zoid_lines *lines, const char *at, const char *end,
                                  struct zoid_polynomial *p)
{
    enum zoid_status status = ZOID_OK;

    while (!status) {
        double value;

        while (at < end && strchr(" \t,", *at))
            at++;
        if (at == end)
            break;
        at = zoid_real_read(at, end, &value);
        if (!at || (at < end && !strchr(" \t,", *at)) || !isfinite(value))
            return zoid_lines_refuse(lines, "there is something that is no finite number; {terms} "
                                            "has one for each step, and one before these");
        status = add_number(p, value);
    }
    return status;
}

enum zoid_status zoid_polynomial_read_coefficients(const char *path, struct zoid_polynomial *p)
{
    struct zoid_lines lines;
    const char *at = path, *end;
    enum zoid_status status = zoid_lines_open(path, &lines);

    free(p->number);
    p->number = NULL;
    p->numbers = 0;
    while (!status && at) {
        status = zoid_lines_next(&lines, &at, &end);
        if (!status && at)
            status = read_line(&lines, at, end, p);
    }
    if (!status && !p->numbers)
        status = zoid_lines_refuse(
            &lines, "there is no number; {terms} has one for each step, and one before these");
    zoid_lines_close(&lines);
    return status;
}

void zoid_polynomial_free(struct zoid_polynomial *p)
{
    free(p->shift);
    free(p->number);
    *p = (struct zoid_polynomial){.basis = ZOID_POWER};
}

/* ---- terms --------------------------------------------------------------------------------- */

static long shift_steps(const struct zoid_polynomial *p)
{
    long steps = 0;

    for (long i = 0; i < p->shifts; i++)
        steps += p->shift[i].imaginary != 0 ? 2 : 1;
    return steps;
}

long zoid_polynomial_most(const struct zoid_polynomial *p)
{
    const long shifts = p->basis == ZOID_NEWTON ? shift_steps(p) : LONG_MAX;
    const long numbers = p->number ? p->numbers - 1 : LONG_MAX;

    return shifts < numbers ? shifts : numbers;
}

bool zoid_polynomial_looks_back(const struct zoid_polynomial *p)
{
    return p->basis == ZOID_CHEBYSHEV || (p->basis == ZOID_NEWTON && shift_steps(p) > p->shifts);
}

static void newton(const struct zoid_polynomial *p, long steps, struct zoid_term *term)
{
    for (long i = 0, s = 0; i < steps; s++) {
        const struct zoid_shift *shift = &p->shift[s];

        term[i++] = (struct zoid_term){.a = 1, .b = -shift->real};
        if (shift->imaginary != 0 && i < steps)
            term[i++] = (struct zoid_term){
                .a = 1, .b = -shift->real, .c = shift->imaginary * shift->imaginary};
    }
}

static void same(const struct zoid_polynomial *p, long steps, bool rhs, struct zoid_term *term)
{
    const double e = (p->hi - p->lo) / 2, m = (p->hi + p->lo) / 2;
    struct zoid_term each = {.a = 1};

    if (p->basis == ZOID_RICHARDSON)
        each = (struct zoid_term){.a = -p->omega, .b = 1, .d = rhs ? p->omega : 0};
    if (p->basis == ZOID_CHEBYSHEV)
        each = (struct zoid_term){.a = 2 / e, .b = -2 * m / e, .c = -1};
    for (long i = 0; i < steps; i++)
        term[i] = each;
    if (p->basis == ZOID_CHEBYSHEV)
        term[0] = (struct zoid_term){.a = 1 / e, .b = -m / e};
}

enum zoid_status zoid_polynomial_terms(const struct zoid_polynomial *p, long steps, bool rhs,
                                       struct zoid_term **term)
{
    const long terms = steps > 0 ? steps : 1;
    struct zoid_term *t = calloc((size_t)terms, sizeof *t);

    if (!t)
        return zoid_no_memory();
    if (p->basis == ZOID_NEWTON)
        newton(p, steps, t);
    else
        same(p, terms, rhs, t);
    for (long i = 0; i < steps && p->number; i++)
        t[i].s = p->number[i + 1];
    *term = t;
    return ZOID_OK;
}
