/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/finite.h"

#include <math.h>
#include <string.h>

/* An exponent of ones is that of no number. Of so many values at a time, as bits, a core looks at
 * them as fast as memory brings them. */
enum { TOGETHER = 16 };

static bool any_f32(const char *values, long n)
{
    const uint32_t ones = 0x7f800000;
    uint32_t seen[TOGETHER] = {0}, any = 0;

    for (long i = 0; i < n; i += TOGETHER) {
        uint32_t bits[TOGETHER] = {0};

        if (n - i < TOGETHER)
            memcpy(bits, values + i * (long)sizeof *bits, (size_t)(n - i) * sizeof *bits);
        else
            memcpy(bits, values + i * (long)sizeof *bits, sizeof bits);
        for (int j = 0; j < TOGETHER; j++)
            seen[j] |= (bits[j] & ones) == ones;
    }
    for (int j = 0; j < TOGETHER; j++)
        any |= seen[j];
    return any;
}

static bool any_f64(const char *values, long n)
{
    const uint64_t ones = 0x7ff0000000000000;
    uint64_t seen[TOGETHER] = {0}, any = 0;

    for (long i = 0; i < n; i += TOGETHER) {
        uint64_t bits[TOGETHER] = {0};

        if (n - i < TOGETHER)
            memcpy(bits, values + i * (long)sizeof *bits, (size_t)(n - i) * sizeof *bits);
        else
            memcpy(bits, values + i * (long)sizeof *bits, sizeof bits);
        for (int j = 0; j < TOGETHER; j++)
            seen[j] |= (bits[j] & ones) == ones;
    }
    for (int j = 0; j < TOGETHER; j++)
        any |= seen[j];
    return any;
}

static double value_of(enum zoid_type type, const void *values, long i)
{
    return type == ZOID_F32 ? (double)((const zoid_f32 *)values)[i] : ((const zoid_f64 *)values)[i];
}

/* The place of value i, as in "3, 4, 5". */
static void name_place(const struct zoid_op *op, const struct zoid_box *box, long i, char *text,
                       size_t room)
{
    size_t n = 0;

    i /= zoid_op_width(op);
    for (int a = 0; a < op->dims && n < room; a++) {
        const long width = box->hi[a] - box->lo[a];

        n += (size_t)snprintf(text + n, room - n, "%s%ld", a ? ", " : "", box->lo[a] + i % width);
        i /= width;
    }
}

enum zoid_status zoid_finite_look(const struct zoid_finite *of, const struct zoid_box *box,
                                  const void *values)
{
    const struct zoid_op *op = of->problem->op;
    const long n = zoid_box_volume(box) * zoid_op_width(op);
    char place[96] = "";
    long i = 0;

    if ((op->type != ZOID_F32 || !any_f32(values, n)) &&
        (op->type != ZOID_F64 || !any_f64(values, n)))
        return ZOID_OK;
    while (isfinite(value_of(op->type, values, i)))
        i++;
    name_place(op, box, i, place, sizeof place);
    return zoid_fail(
        ZOID_CHECK_FAILED,
        "%s is %g at %s after %ld steps, so the run is not stable; take a shorter time "
        "step, or other parameters or values",
        op->field[of->field], value_of(op->type, values, i), place, of->step);
}
