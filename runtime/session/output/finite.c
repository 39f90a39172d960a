/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/finite.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/job.h"

/* Values with an exponent of ones are non-finite. This number of values is tested at a time, as
 * bits. */
enum { TOGETHER = 16 };

/* `ones`: the exponent, in the last four bytes of a value of `bytes` bytes. */
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

static double value_of(enum zoid_type type, const void *values, long i)
{
    return type == ZOID_F32 ? (double)((const zoid_f32 *)values)[i] : ((const zoid_f64 *)values)[i];
}

/* The position of value i, as in "3, 4, 5". */
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

/* Fail, with the first non-finite value of a box in the message. */
static enum zoid_status refuse(const struct zoid_finite *of, const struct zoid_box *box,
                               const void *values)
{
    const struct zoid_op *op = of->problem->op;
    char place[96] = "";
    long i = 0;

    while (isfinite(value_of(op->type, values, i)))
        i++;
    name_place(op, box, i, place, sizeof place);
    return zoid_fail(
        ZOID_CHECK_FAILED,
        "%s is %g at %s after %ld steps, so the run is not stable; take a shorter time "
        "step, or other parameters or values",
        op->field[of->field], value_of(op->type, values, i), place, of->step);
}

enum zoid_status zoid_finite_look(const struct zoid_finite *of, const struct zoid_box *box,
                                  const void *values)
{
    const struct zoid_op *op = of->problem->op;

    return any_of(op->type, values, zoid_box_volume(box) * zoid_op_width(op))
               ? refuse(of, box, values)
               : ZOID_OK;
}

/* Shared by threads that check parts of a box. */
struct look {
    const struct zoid_op *op;
    atomic_bool found;
};

/* Contiguous rows are tested as one. */
static void look_at_part(void *user, int field, const struct zoid_box *box,
                         const struct zoid_values *values)
{
    struct look *l = user;
    long n[ZOID_AXES];

    (void)field;
    for (int a = 0; a < ZOID_AXES; a++)
        n[a] = box->hi[a] - box->lo[a];
    for (int a = 1; a < ZOID_AXES && n[0] == values->stride[a]; a++) {
        n[0] *= n[a];
        n[a] = 1;
    }
    for (long z = 0; z < n[2]; z++)
        for (long y = 0; y < n[1]; y++)
            if (any_of(l->op->type, zoid_values_row(values, zoid_op_point_bytes(l->op), y, z),
                       n[0] * zoid_op_width(l->op)))
                l->found = true;
}

enum zoid_status zoid_finite_read(const struct zoid_finite *of, const struct zoid_job *job,
                                  const struct zoid_box *box, void *room)
{
    const struct zoid_values values = zoid_values_packed(box, room);
    struct look l = {.op = of->problem->op};
    enum zoid_status status = zoid_job_look(job, of->field, box, &values, look_at_part, &l);

    return !status && l.found ? refuse(of, box, room) : status;
}
