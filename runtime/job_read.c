/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads of a job's state, in boxes and as a whole. */
#include <stdlib.h>

#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/ranks/ranks.h"

static bool in_domain(const struct zoid_problem *p, const struct zoid_box *box)
{
    bool inside = true;

    for (int a = 0; a < ZOID_AXES; a++)
        inside = inside && box->lo[a] >= 0 && box->lo[a] <= box->hi[a] && box->hi[a] <= p->n[a];
    return inside;
}

/* Each point is owned by one part. */
static void read_parts(const struct zoid_job *job, int field, const struct zoid_box *box,
                       const struct zoid_values *to, zoid_box_fn *look, void *user)
{
    for (int i = 0; i < job->parts; i++)
        zoid_fill_read(&job->part[i].state, field, box, to, look, user);
}

/* Read a box on all ranks: each of its points is owned by one rank. */
static enum zoid_status read_together(const struct zoid_job *job, int field,
                                      const struct zoid_box *box, const struct zoid_values *to)
{
    const size_t size = zoid_op_point_bytes(job->part->plan.problem.op);
    const size_t bytes = (size_t)zoid_box_volume(box) * size;
    char *room = calloc(bytes + 1, 1);
    const struct zoid_values packed = zoid_values_packed(box, room);
    enum zoid_status status = ZOID_OK;

    if (room)
        read_parts(job, field, box, &packed, NULL, NULL);
    else
        status = zoid_no_memory();
    status = zoid_ranks_agree(status ? status : zoid_job_disk_status(job));
    if (!status) {
        zoid_ranks_combine(room, bytes);
        zoid_values_copy(box, size, &packed, to);
    }
    free(room);
    return status;
}

enum zoid_status zoid_job_look(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to, zoid_box_fn *look, void *user)
{
    const struct zoid_problem *p = &job->part->plan.problem;
    enum zoid_status status;

    if (field < 0 || field >= p->op->nstate || !in_domain(p, box))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "cannot read field %d from (%ld, %ld, %ld) up to (%ld, %ld, %ld); give one "
            "of %d state fields and a box of the domain",
            field, box->lo[0], box->lo[1], box->lo[2], box->hi[0], box->hi[1], box->hi[2],
            p->op->nstate);
    zoid_jobs_enter(job->memory);
    if (zoid_ranks_here()->size == 1) {
        read_parts(job, field, box, to, look, user);
        status = zoid_job_disk_status(job);
    } else {
        status = read_together(job, field, box, to);
        if (!status && look)
            look(user, field, box, to);
    }
    zoid_jobs_leave(job->memory);
    return status;
}

enum zoid_status zoid_job_read(const struct zoid_job *job, int field, const struct zoid_box *box,
                               const struct zoid_values *to)
{
    return zoid_job_look(job, field, box, to, NULL, NULL);
}

/* Partition of the domain in the order of its values: parts have `layers` layers along an axis, all
 * points along the axes below it, and one index along the axes above. */
struct parts {
    const long *n;
    int axis;
    long layers;
    size_t bytes; /* of the largest part */
};

static struct parts parts_of(const struct zoid_problem *p)
{
    /* Large enough to hide the overhead of a call, and small compared with a state. */
    static const size_t most = 1 << 18;
    struct parts parts = {.n = p->n, .layers = 1};
    size_t layer = zoid_op_point_bytes(p->op);

    while (parts.axis < p->op->dims - 1 && layer * (size_t)p->n[parts.axis] <= most)
        layer *= (size_t)p->n[parts.axis++];
    if (layer < most)
        parts.layers = (long)(most / layer);
    if (parts.layers > p->n[parts.axis])
        parts.layers = p->n[parts.axis];
    parts.bytes = (size_t)parts.layers * layer;
    return parts;
}

/* Set the box to the part that begins at its lowest point, or if that is beyond the end of an axis,
 * to the next part; false: no more parts. */
static bool find_part(const struct parts *parts, struct zoid_box *box)
{
    for (int a = 0; a < ZOID_AXES; a++) {
        const long layers = a < parts->axis ? parts->n[a] : a == parts->axis ? parts->layers : 1;

        if (box->lo[a] >= parts->n[a]) {
            if (a + 1 == ZOID_AXES)
                return false;
            box->lo[a] = 0;
            box->lo[a + 1]++;
        }
        box->hi[a] = box->lo[a] + layers;
        box->hi[a] = box->hi[a] < parts->n[a] ? box->hi[a] : parts->n[a];
    }
    return true;
}

enum zoid_status zoid_job_each(const struct zoid_job *job, int field, zoid_part_fn *part,
                               void *user)
{
    const struct zoid_problem *p = &job->part->plan.problem;
    const struct parts parts = parts_of(p);
    struct zoid_box box = {.lo = {0, 0, 0}};
    void *room = malloc(parts.bytes);
    /* Either all ranks read, or no rank does. */
    enum zoid_status status = zoid_ranks_agree(room ? ZOID_OK : zoid_no_memory());

    for (; !status && find_part(&parts, &box); box.lo[parts.axis] = box.hi[parts.axis]) {
        const struct zoid_values values = zoid_values_packed(&box, room);

        status = zoid_job_read(job, field, &box, &values);
        if (!status)
            status = zoid_ranks_agree(
                part(user, &box, room, (size_t)zoid_box_volume(&box) * zoid_op_point_bytes(p->op)));
    }
    free(room);
    return status;
}
