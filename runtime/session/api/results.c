/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of a session, as arrays, texts and files. */
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/array_stage.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/about.h"
#include "runtime/session/api/api.h"
#include "runtime/session/results.h"

/* ---- arrays -------------------------------------------------------------------------------- */

/* Stores a value of a type of floats or bytes into an element. */
static void put_value(const struct zoid_element *e, double value, char *to)
{
    const float f = (float)value;
    const unsigned char u = (unsigned char)value;
    const void *from = e->kind == 'u' ? (const void *)&u
                       : e->size == 4 ? (const void *)&f
                                      : (const void *)&value;
    char bytes[sizeof value];

    memcpy(bytes, from, (size_t)e->size);
    for (int i = 0; i < e->size; i++)
        to[e->big ? e->size - 1 - i : i] = bytes[i];
}

static double value_at(enum zoid_type type, const void *values, size_t i)
{
    return type == ZOID_F32   ? (double)((const zoid_f32 *)values)[i]
           : type == ZOID_F64 ? ((const zoid_f64 *)values)[i]
                              : ((const zoid_u8 *)values)[i];
}

static enum zoid_status check_element(const struct zoid_element *e, enum zoid_type type)
{
    const bool whole = type == ZOID_U8;

    if (whole ? e->kind == 'u' && e->size == 1 : e->kind == 'f' && (e->size == 4 || e->size == 8))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "values of type %s are read into arrays of type %s",
                     zoid_type_name(type), whole ? "|u1" : "f4 or f8");
}

/* Writes values into an array one after the other, the last axis fastest. */
struct writer {
    struct zoid_array_stage stage;
    enum zoid_type type;
    size_t left;             /* values that the piece lacks */
    long at[ZOID_FILE_AXES]; /* of the next value in the piece, whose address is `to` */
    char *to, *room;
    struct zoid_failure failure;
};

/* Bytes in main memory for values on their way to a GPU. */
enum { ROOM = 1 << 20 };

static enum zoid_status open_writer(struct writer *w, enum zoid_type type,
                                    const struct zoid_array_view *to)
{
    *w = (struct writer){.type = type, .room = to->device < 0 ? NULL : malloc(ROOM)};
    if (to->device >= 0 && !w->room)
        return zoid_no_memory();
    zoid_array_stage_begin(&w->stage, to, w->room, ROOM);
    return ZOID_OK;
}

static void next_piece(struct writer *w)
{
    if (!zoid_array_stage_next(&w->stage))
        return;
    w->left = 1;
    for (int a = 0; a < w->stage.piece.axes; a++)
        w->left *= (size_t)w->stage.piece.n[a];
    w->to = (char *)w->stage.piece.at;
}

/* Goes on by n values of the last axis, of which the piece has as many. */
static void step(struct writer *w, size_t n)
{
    const struct zoid_array_view *v = &w->stage.piece;
    long some = (long)n;

    for (int a = v->axes - 1; a >= 0; a--, some = 1) {
        w->to += some * v->stride[a];
        w->at[a] += some;
        if (w->at[a] < v->n[a])
            return;
        w->to -= v->n[a] * v->stride[a];
        w->at[a] = 0;
    }
}

/* Writes n values of the last axis, from value i on. */
static void put_row(const struct writer *w, const void *values, size_t i, size_t n)
{
    const struct zoid_array_view *v = &w->stage.piece;
    const size_t size = zoid_type_size(w->type);
    const long stride = v->axes ? v->stride[v->axes - 1] : 0;

    if (stride == (long)size && v->element.size == (int)size && !v->element.big) {
        memcpy(w->to, (const char *)values + i * size, n * size);
        return;
    }
    for (size_t k = 0; k < n; k++)
        put_value(&v->element, value_at(w->type, values, i + k), w->to + (long)k * stride);
}

/* A failure is kept: other ranks go on. */
static void write_values(struct writer *w, const void *values, size_t n)
{
    size_t some;

    for (size_t i = 0; i < n && !w->failure.status; i += some) {
        int last;

        if (!w->left)
            next_piece(w);
        last = w->stage.piece.axes - 1;
        some = last < 0 ? 1 : (size_t)(w->stage.piece.n[last] - w->at[last]);
        some = some < n - i ? some : n - i;
        put_row(w, values, i, some);
        step(w, some);
        w->left -= some;
        if (w->left == 0)
            zoid_failure_keep(&w->failure, zoid_array_stage_send(&w->stage));
    }
}

/* Returns `status`, or else the writer's own. */
static enum zoid_status close_writer(struct writer *w, enum zoid_status status)
{
    free(w->room);
    return status ? status : zoid_failure_raise(&w->failure);
}

static int field_of(const struct zoid_op *op, const char *name)
{
    int f = 0;

    while (f < op->nstate && strcmp(op->field[f], name) != 0)
        f++;
    return f < op->nstate ? f : -1;
}

/* The array has an axis for each of the domain, and one for values of a point if it has several. */
static enum zoid_status check_shape(const struct zoid_problem *p, const struct zoid_box *box,
                                    const struct zoid_array_view *to)
{
    const int dims = p->op->dims, width = (int)zoid_op_width(p->op);
    bool fits = to->axes == dims + (width > 1);

    for (int a = 0; a < dims && fits; a++)
        fits = to->n[a] == box->hi[dims - 1 - a] - box->lo[dims - 1 - a];
    if (fits && (width == 1 || to->n[dims] == width))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "the array has another shape than what is read into it");
}

/* Reads a box in layers of the slowest axis, of about a MiB. */
static enum zoid_status read_box(struct zoid_session *s, int field, const struct zoid_box *box,
                                 const struct zoid_array_view *to)
{
    const struct zoid_problem *p = &s->problem;
    const int chain = p->op->dims - 1;
    const size_t point = zoid_op_point_bytes(p->op), size = zoid_type_size(p->op->type);
    struct zoid_box part = *box;
    struct writer writer;
    size_t layer;
    long layers;
    enum zoid_status status = open_writer(&writer, p->op->type, to);
    char *room;

    part.hi[chain] = box->lo[chain] + 1;
    layer = (size_t)zoid_box_volume(&part) * point;
    layers = layer && layer < 1 << 20 ? (1 << 20) / (long)layer : 1;
    room = malloc((size_t)layers * layer + 1);
    status = zoid_ranks_agree(room || status ? status : zoid_no_memory());
    for (long at = box->lo[chain]; at < box->hi[chain] && !status; at = part.hi[chain]) {
        struct zoid_values values;

        part.lo[chain] = at;
        part.hi[chain] = zoid_min(at + layers, box->hi[chain]);
        values = zoid_values_packed(&part, room);
        status = zoid_job_read(s->job, field, &part, &values);
        if (!status)
            write_values(&writer, room, (size_t)zoid_box_volume(&part) * point / size);
    }
    free(room);
    return zoid_ranks_agree(close_writer(&writer, status));
}

/* Passes a state in another layout than the job's, whole. */
static enum zoid_status take_part(void *writer, const struct zoid_box *box, const void *values,
                                  size_t bytes)
{
    struct writer *w = writer;

    (void)box;
    write_values(w, values, bytes / zoid_type_size(w->type));
    return ZOID_OK;
}

static enum zoid_status read_shown(struct zoid_session *s, const struct zoid_problem *p,
                                   const struct zoid_array_view *to)
{
    struct writer writer;
    long n = 1, have = to->axes ? 1 : 0;
    enum zoid_status status;

    for (int a = 0; a < p->op->dims; a++)
        n *= p->n[a];
    for (int a = 0; a < to->axes; a++)
        have *= to->n[a];
    if (n != have)
        return zoid_fail(ZOID_BAD_ARGUMENT, "the array has another shape than what is read into "
                                            "it");
    status = zoid_ranks_agree(open_writer(&writer, p->op->type, to));
    if (!status)
        status = zoid_reader_each(&s->reader, s->job, 0, take_part, &writer);
    return zoid_ranks_agree(close_writer(&writer, status));
}

/* Describes an array that is written. */
static enum zoid_status view_output(const struct zoid_array *to, enum zoid_type type,
                                    struct zoid_array_view *view)
{
    char why[ZOID_STAGE_WHY];
    enum zoid_status status = zoid_api_view(to, "", view);

    if (!status)
        status = check_element(&view->element, type);
    if (status || to->device < 0)
        return status;
    status = zoid_array_stage_check(to->device, to->data, why);
    return status ? zoid_fail(status, "the array that is read into %s", why) : ZOID_OK;
}

enum zoid_status zoid_session_read(struct zoid_session *s, const char *field, const int64_t lo[3],
                                   const int64_t hi[3], const struct zoid_array *to)
{
    const struct zoid_problem *p = &s->problem;
    const struct zoid_problem *shown = s->shown ? s->shown : s->initial.problem;
    struct zoid_box box;
    struct zoid_array_view view;
    int f;
    enum zoid_status status = zoid_api_ready(s);

    if (!status)
        status = zoid_ranks_agree(view_output(to, p->op->type, &view));
    if (status)
        return status;
    f = field_of(s->reader.each ? shown->op : p->op, field);
    if (f < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "there is no field %s", field);
    if (s->reader.each)
        return lo || hi ? zoid_fail(ZOID_BAD_ARGUMENT, "%s is read whole", field)
                        : read_shown(s, shown, &view);
    box = zoid_problem_planes(p, 0, p->n[p->op->dims - 1]);
    for (int a = 0; a < p->op->dims; a++) {
        box.lo[a] = lo ? (long)lo[a] : box.lo[a];
        box.hi[a] = hi ? (long)hi[a] : box.hi[a];
        if (box.lo[a] < 0 || box.hi[a] > p->n[a] || box.lo[a] >= box.hi[a])
            return zoid_fail(ZOID_BAD_ARGUMENT, "[%ld, %ld) is no part of %ld points along %c",
                             box.lo[a], box.hi[a], p->n[a], "xyz"[a]);
    }
    status = check_shape(p, &box, &view);
    return status ? status : read_box(s, f, &box, &view);
}

/* ---- records ------------------------------------------------------------------------------- */

int64_t zoid_session_record_rows(const struct zoid_session *s)
{
    const struct zoid_points *points = s->problem.points;

    if (s->state != ZOID_SESSION_READY || s->rewound || !points || !points->receivers)
        return 0;
    return zoid_job_steps(s->job) - s->record.first + 1;
}

enum zoid_status zoid_session_record(struct zoid_session *s, const struct zoid_array *to)
{
    struct zoid_array_view view;
    struct writer writer;
    double *seen = NULL;
    long numbers = 0;
    enum zoid_status status = zoid_api_ready(s);

    if (!status)
        status = view_output(to, ZOID_F64, &view);
    if (!status)
        status = zoid_record_rows(&s->record, &numbers, &seen);
    if (!status && (view.axes != 2 || view.n[0] * view.n[1] != numbers ||
                    view.n[0] != zoid_session_record_rows(s)))
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "the array has another shape than the record: a row a step, and a "
                           "column a receiver");
    if (!status)
        status = open_writer(&writer, ZOID_F64, &view);
    if (!status) {
        write_values(&writer, seen, (size_t)numbers);
        status = close_writer(&writer, ZOID_OK);
    }
    free(seen);
    return status;
}

/* ---- steps and texts ----------------------------------------------------------------------- */

int64_t zoid_session_step(const struct zoid_session *s)
{
    if (s->state != ZOID_SESSION_READY)
        return -1;
    return s->rewound ? 0 : zoid_job_steps(s->job);
}

int64_t zoid_session_steps(const struct zoid_session *s)
{
    return s->state == ZOID_SESSION_NEW ? s->settings.steps : s->loop.total;
}

const char *zoid_api_text(struct zoid_session *s, char *text)
{
    free(s->text);
    return s->text = text;
}

const char *zoid_session_about_json(struct zoid_session *s)
{
    const struct zoid_problem *p = s->shown ? s->shown : s->initial.problem;
    struct zoid_problem shown;

    if (s->state == ZOID_SESSION_NEW)
        return NULL;
    shown = *p;
    shown.start = s->problem.start;
    shown.points = s->problem.points;
    return zoid_api_text(s, zoid_about_problem(&shown, s->loop.total));
}

const char *zoid_session_plan_text(struct zoid_session *s)
{
    char *text = NULL;
    size_t length;
    FILE *out = s->state < ZOID_SESSION_PLANNED ? NULL : open_memstream(&text, &length);

    if (!out)
        return NULL;
    zoid_context_print_machine(s->context, out);
    zoid_plans_print(&s->plans, out);
    if (s->engine->show)
        s->engine->show(s, out);
    fclose(out);
    return zoid_api_text(s, text);
}

const char *zoid_session_report_json(struct zoid_session *s)
{
    char *text = NULL;
    size_t length;
    FILE *out = s->filled ? open_memstream(&text, &length) : NULL;

    if (!out)
        return NULL;
    zoid_report_json(zoid_session_report_of(s), out);
    fclose(out);
    return zoid_api_text(s, text);
}

/* ---- files --------------------------------------------------------------------------------- */

enum zoid_status zoid_session_write(struct zoid_session *s, const char *path)
{
    enum zoid_status status = zoid_api_ready(s);

    return status ? status : zoid_results_dump(s, path);
}

enum zoid_status zoid_session_checkpoint(struct zoid_session *s, const char *folder)
{
    enum zoid_status status = zoid_api_ready(s);

    return status ? status : zoid_results_checkpoint(s, folder);
}
