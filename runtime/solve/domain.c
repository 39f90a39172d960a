/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/solve/domain.h"

#include <stdlib.h>
#include <string.h>

static size_t size_of(const struct zoid_domain *d)
{
    return zoid_type_size(d->problem->op->type);
}

/* Returns the number of points in a plane of the domain. */
static long plane_of(const struct zoid_domain *d)
{
    const struct zoid_box plane = zoid_problem_planes(d->problem, 0, 1);

    return zoid_box_volume(&plane);
}

static long planes_of(const struct zoid_domain *d)
{
    return d->problem->n[d->problem->op->dims - 1];
}

/* ---- into a job -------------------------------------------------------------------------- */

/* Initialises points [lo, hi) of the domain, numbered x fastest, contiguous: row by row, since the
 * range may begin and end within one. */
static void fill_points(const struct zoid_domain *d, const struct zoid_initial *initial, int field,
                        struct zoid_range points, char *to)
{
    const long *n = d->problem->n;

    for (long at = points.lo, end; at < points.hi; at = end) {
        const long x = at % n[0], row = at / n[0], y = row % n[1], z = row / n[1];
        struct zoid_box box = {.lo = {x, y, z}, .hi = {n[0], y + 1, z + 1}};
        struct zoid_values values;

        end = zoid_min(at - x + n[0], points.hi);
        box.hi[0] = x + end - at;
        values = zoid_values_packed(&box, to + (size_t)(at - points.lo) * size_of(d));
        zoid_initial_box((void *)initial, field, &box, &values);
    }
}

void zoid_domain_fill(const struct zoid_domain *d, const struct zoid_initial *initial, int field,
                      const struct zoid_box *box, const struct zoid_values *to)
{
    const long first = zoid_mlsor_at(d->mlsor, 0), all = plane_of(d) * planes_of(d);

    for (long plane = box->lo[1]; plane < box->hi[1]; plane++) {
        const long at = plane * d->mlsor->n[0] - first;
        const long lo = at + box->lo[0], hi = at + box->hi[0];
        const struct zoid_range inside = {zoid_max(lo, 0), zoid_min(hi, all)};
        char *row = zoid_values_row(to, size_of(d), plane - box->lo[1], 0);

        memset(row, 0, (size_t)(hi - lo) * size_of(d));
        fill_points(d, initial, field, inside, row + (size_t)(inside.lo - lo) * size_of(d));
    }
}

/* ---- out of a job ------------------------------------------------------------------------ */

/* Reads points [lo, hi) of the operator, numbered x fastest, contiguous: partial planes, and whole
 * planes at once. */
static enum zoid_status read_points(const struct zoid_mlsor *m, const struct zoid_job *job,
                                    struct zoid_range points, char *to)
{
    const size_t size = zoid_type_size(m->kind.type);
    enum zoid_status status = ZOID_OK;

    for (long at = points.lo, end; at < points.hi && !status; at = end) {
        const long x = at % m->n[0], plane = at / m->n[0], whole = (points.hi - at) / m->n[0];
        struct zoid_box box = {.lo = {x, plane, 0}, .hi = {m->n[0], plane + 1, 1}};
        struct zoid_values values;

        if (x == 0 && whole > 0)
            box.hi[1] = plane + whole;
        else
            box.hi[0] = x + zoid_min(m->n[0] - x, points.hi - at);
        end = at + zoid_box_volume(&box);
        values = zoid_values_packed(&box, to + (size_t)(at - points.lo) * size);
        status = zoid_job_read(job, 0, &box, &values);
    }
    return status;
}

/* Reverses n values. */
static void reverse(enum zoid_type type, void *values, long n)
{
    for (long i = 0; i < n / 2; i++)
        if (type == ZOID_F32) {
            zoid_f32 *v = values, value = v[i];

            v[i] = v[n - 1 - i];
            v[n - 1 - i] = value;
        } else {
            zoid_f64 *v = values, value = v[i];

            v[i] = v[n - 1 - i];
            v[n - 1 - i] = value;
        }
}

static enum zoid_status read_turned(const struct zoid_domain *d, const struct zoid_job *job,
                                    long lo, long hi, void *to)
{
    const long n = planes_of(d);
    const struct zoid_box box = zoid_problem_planes(d->problem, n - hi, n - lo);
    const struct zoid_values values = zoid_values_packed(&box, to);
    enum zoid_status status = zoid_job_read(job, 0, &box, &values);

    if (!status)
        reverse(d->problem->op->type, to, zoid_box_volume(&box));
    return status;
}

enum zoid_status zoid_domain_read(const struct zoid_domain *d, const struct zoid_job *job, long lo,
                                  long hi, void *to)
{
    const struct zoid_box box = zoid_problem_planes(d->problem, lo, hi);
    const struct zoid_values values = zoid_values_packed(&box, to);

    if (d->mlsor)
        return read_points(
            d->mlsor, job,
            (struct zoid_range){zoid_mlsor_at(d->mlsor, lo), zoid_mlsor_at(d->mlsor, hi)}, to);
    if (d->turned)
        return read_turned(d, job, lo, hi, to);
    return zoid_job_read(job, 0, &box, &values);
}

enum zoid_status zoid_domain_each(const struct zoid_domain *d, const struct zoid_job *job,
                                  zoid_part_fn *part, void *user)
{
    /* Amortises the call, and is small compared with a state. */
    static const long worth = 1 << 16; /* points */
    const long planes = zoid_max(worth / plane_of(d), 1);
    const size_t bytes = (size_t)plane_of(d) * size_of(d);
    void *room = malloc((size_t)planes * bytes);
    enum zoid_status status =
        room ? ZOID_OK : zoid_fail(ZOID_RESOURCE, "out of memory for %ld planes", planes);

    for (long lo = 0, hi; lo < planes_of(d) && !status; lo = hi) {
        struct zoid_box box;

        hi = zoid_min(lo + planes, planes_of(d));
        box = zoid_problem_planes(d->problem, lo, hi);
        status = zoid_domain_read(d, job, lo, hi, room);
        if (!status)
            status = part(user, &box, room, (size_t)(hi - lo) * bytes);
    }
    free(room);
    return status;
}
