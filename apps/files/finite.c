/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/finite.h"

#include <math.h>
#include <starpu.h>
#include <stdatomic.h>
#include <string.h>

#include "codelets/parallel.h"

/* An exponent of ones is that of no number. So many values are looked at side by side, as bits. */
enum { TOGETHER = 16 };

/* `ones`: the exponent, in the last four bytes of a value of so many bytes. */
static inline bool any(const char *values, long n, const size_t bytes, const uint32_t ones)
{
    uint32_t seen[TOGETHER] = {0}, found = 0;

    for (long i = 0; i < n; i += TOGETHER) {
        char some[TOGETHER * sizeof(zoid_f64)] = {0};

        if (n - i < TOGETHER)
            memcpy(some, values + (size_t)i * bytes, (size_t)(n - i) * bytes);
        else
            memcpy(some, values + (size_t)i * bytes, TOGETHER * bytes);
        for (int j = 0; j < TOGETHER; j++) {
            uint32_t bits;

            memcpy(&bits, some + ((size_t)j + 1) * bytes - sizeof bits, sizeof bits);
            seen[j] |= (bits & ones) == ones;
        }
    }
    for (int j = 0; j < TOGETHER; j++)
        found |= seen[j];
    return found;
}

static bool any_of(enum zoid_type type, const void *values, long n)
{
    if (type == ZOID_F32)
        return any(values, n, sizeof(zoid_f32), 0x7f800000);
    return type == ZOID_F64 && any(values, n, sizeof(zoid_f64), 0x7ff00000);
}

/* Parts of values that threads look at. */
struct look {
    const struct zoid_op *op;
    const char *values;
    long n, parts;
    atomic_bool found;
};

static void look_at_part(void *arg, int thread, long i)
{
    struct look *l = arg;
    const long lo = l->n / l->parts * i, hi = i + 1 < l->parts ? l->n / l->parts * (i + 1) : l->n;

    (void)thread;
    if (any_of(l->op->type, l->values + (size_t)lo * zoid_type_size(l->op->type), hi - lo))
        l->found = true;
}

/* All cores, where that is worth waking threads for; StarPU's idle workers poll, so these get out
 * of their way. */
static bool any_at_all(const struct zoid_op *op, const void *values, long n)
{
    static const long worth = 1 << 20;
    struct look l = {.op = op, .values = values, .n = n, .parts = 4l * zoid_cores()};

    if (n < worth || !(op->type == ZOID_F32 || op->type == ZOID_F64))
        return any_of(op->type, values, n);
    starpu_pause();
    zoid_parallel(zoid_cores(), l.parts, look_at_part, &l);
    starpu_resume();
    return l.found;
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

    if (!any_at_all(op, values, n))
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
