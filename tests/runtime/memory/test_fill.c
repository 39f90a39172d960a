/* SPDX-License-Identifier: BSD-3-Clause */
/* Values filled into a job box by box are read back from it: any box, also one that begins and ends
 * in the middle of slabs, cells and rows, from main memory and from a disk. After a run they are
 * those of the plain loop nest, whichever cell computed them. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/block/scratch.h"
#include "codelets/cpu/run.h"
#include "codelets/threads/parallel.h"
#include "runtime/job.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/parts.h"
#include "runtime/zoid_advanced.h"
#include "tests/graphs/cases.h"
#include "tests/suite.h"

enum { BOXES = 30, BOXES_FROM_DISK = 6, MARGIN = 3, MOST_CELLS = 5, STEPS = 7 };

static const struct kind {
    const char *family;
    int dims;
    long n[ZOID_AXES];
    enum zoid_boundary boundary; /* at all faces */
    const char *method;
    long block, depth, strip;
    bool disk;
    long cells[ZOID_PLANE_AXES], epoch; /* 0: planes are not cut */
} kinds[] = {
    {"heat", 1, {100003, 1, 1}, ZOID_DIRICHLET, "leaning", .block = 777},
    {"wave", 1, {5003, 1, 1}, ZOID_PERIODIC, "overlapped", .block = 64},
    {"heat", 1, {1, 1, 1}, ZOID_NEUMANN, "naive", .block = 1},
    {"heat", 2, {37, 901, 1}, ZOID_NEUMANN, "trapezoid", .block = 40},
    {"heat", 2, {301, 211, 1}, ZOID_PERIODIC, NULL, .block = 20, .depth = 3, .strip = 29},
    {"wave", 3, {21, 47, 53}, ZOID_NEUMANN, NULL, .block = 9, .depth = 2, .strip = 11},
    {"heat", 3, {19, 33, 41}, ZOID_PERIODIC, NULL, .block = 7, .depth = 4, .strip = 5},
    {"wave", 3, {300, 500, 3}, ZOID_DIRICHLET, "naive", .block = 1},
    {"wave", 3, {1, 5, 1}, ZOID_PERIODIC, "overlapped", .depth = 2},
    {"heat", 3, {120, 120, 850}, ZOID_DIRICHLET, "leaning", .depth = 2, .disk = true},
    {"heat", 2, {53, 67, 1}, ZOID_PERIODIC, "overlapped", .cells = {4}},
    {"wave", 3, {37, 41, 29}, ZOID_NEUMANN, "leaning", .cells = {3, 4}, .epoch = 2},
    {"heat", 3, {41, 31, 23}, ZOID_PERIODIC, "trapezoid", .cells = {3, 2}, .epoch = 4},
    {"heat", 3, {5, 33, 1}, ZOID_DIRICHLET, "naive", .cells = {5, 5}, .epoch = 1},
    {"heat", 3, {29, 1, 31}, ZOID_PERIODIC, "overlapped", .cells = {4, 1}, .epoch = 2},
    {"wave", 3, {35, 43, 19}, ZOID_SPONGE, "recursive", .cells = {2, 3}, .epoch = 4},
    {"seismic", 3, {17, 25, 27}, ZOID_SPONGE, "leaning", .cells = {3, 2}, .epoch = 2},
    {"heat", 3, {120, 120, 850}, ZOID_NEUMANN, "leaning", 40, 1, .disk = true, .cells = {2, 2}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A filled job, and the number of times that each point of each field was requested. */
struct filled {
    struct zoid_problem problem;
    struct zoid_context *context;
    struct zoid_plan plan;
    struct zoid_job *job;
    long border[ZOID_PLANE_AXES][STEPS * (MOST_CELLS + 1)];
    _Atomic unsigned char *asked;
    _Atomic long calls, outside;
};

static size_t points(const struct zoid_problem *p)
{
    return (size_t)(p->n[0] * p->n[1] * p->n[2]);
}

static size_t index_of(const struct zoid_problem *p, int field, long x, long y, long z)
{
    return (size_t)field * points(p) + (size_t)((z * p->n[1] + y) * p->n[0] + x);
}

/* A value exact in single precision, different for all nearby points. */
static float value_of(size_t index)
{
    return (float)(index * 2654435761u % (1u << 24));
}

static void fill(void *user, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    struct filled *f = user;
    const struct zoid_problem *p = &f->problem;
    bool outside = false;

    for (int a = 0; a < ZOID_AXES; a++)
        outside = outside || box->lo[a] < 0 || box->lo[a] >= box->hi[a] || box->hi[a] > p->n[a];
    atomic_fetch_add(&f->calls, 1);
    atomic_fetch_add(&f->outside, outside);
    for (long z = box->lo[2]; z < box->hi[2] && !outside; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++) {
            float *row = zoid_values_row(to, sizeof *row, y - box->lo[1], z - box->lo[2]);

            for (long x = box->lo[0]; x < box->hi[0]; x++) {
                const size_t i = index_of(p, field, x, y, z);

                row[x - box->lo[0]] = value_of(i);
                atomic_store_explicit(&f->asked[i], 1, memory_order_relaxed);
            }
        }
}

/* Main memory for some of the slabs, with a disk for the rest. */
static uint64_t little_ram(const struct zoid_problem *p)
{
    return (42 << 20) + (uint64_t)zoid_cores() * (uint64_t)(p->n[0] * p->n[1]) * sizeof(float);
}

/* Cells as even as possible, whose borders move to and fro by a point if there is room. */
static void place_borders(struct zoid_axis_cells *cut, long n, long *border)
{
    const bool moves = n >= 2 * cut->cells;

    cut->epochs = STEPS;
    cut->border = border;
    for (long e = 0; e < cut->epochs; e++)
        for (long i = 0; i <= cut->cells; i++)
            *border++ = i * n / cut->cells + (moves && i > 0 && i < cut->cells ? e % 2 : 0);
}

/* Updates the plan of a graph as the planner does. */
static void cut_planes(struct filled *f, const struct kind *kind)
{
    struct zoid_plan *p = &f->plan;
    struct zoid_graph *g = &p->graph;

    g->epoch = kind->epoch;
    for (int a = 0; a < zoid_chain(&g->shape); a++) {
        g->cut[a].cells = kind->cells[a];
        if (kind->cells[a] > 1)
            place_borders(&g->cut[a], g->shape.n[a], f->border[a]);
    }
    ck_assert_int_eq(zoid_graph_init(g, &p->clamped), 0);
    p->layout = zoid_plan_layout(p, 0);
    zoid_graph_census(g, &p->census);
    p->scratch_planes =
        zoid_scratch_planes(&g->shape, p->census.box_planes, zoid_cpu_batch(&g->shape));
    zoid_budget_count(p);
    ck_assert_uint_le(p->tier[ZOID_RAM].bytes, p->tier[ZOID_RAM].capacity);
}

/* Makes a job of a kind, ready to be filled. */
static void set_up(struct filled *f, const struct kind *kind)
{
    const int radius = strcmp(kind->family, "seismic") ? 1 : 2;
    const struct zoid_op *op = zoid_op_find(kind->family, kind->dims, radius, ZOID_F32);
    const struct zoid_context_options options = {.folder = {[ZOID_DISK] = kind->disk ? "." : NULL}};
    struct zoid_request request = {
        .method = kind->method, .block = kind->block, .depth = kind->depth, .strip = kind->strip};

    ck_assert_ptr_nonnull(op);
    *f = (struct filled){.problem = {.op = op, .steps = STEPS, .params = zoid_op_defaults(op)}};
    memcpy(f->problem.n, kind->n, sizeof kind->n);
    memset(f->problem.face, (int)kind->boundary, (size_t)kind->dims * sizeof *f->problem.face);
    f->asked = calloc((size_t)(op->nstate + op->ncoef), points(&f->problem));
    ck_assert_ptr_nonnull(f->asked);
    request.budget[ZOID_RAM] = kind->disk ? little_ram(&f->problem) : 0;
    ck_assert_int_eq(zoid_context_open(&options, &f->context), ZOID_OK);
    ck_assert_msg(!zoid_plan_make(f->context, &f->problem, &request, &f->plan), "%s", zoid_error());
    ck_assert(kind->disk == (f->plan.home == ZOID_DISK));
    if (kind->cells[0])
        cut_planes(f, kind);
    ck_assert_int_eq(zoid_job_create(f->context, &f->plan, &f->job), ZOID_OK);
}

static void set_up_filled(struct filled *f, const struct kind *kind)
{
    set_up(f, kind);
    ck_assert_int_eq(zoid_job_fill(f->job, fill, f), ZOID_OK);
}

static void tear_down(struct filled *f)
{
    zoid_job_destroy(&f->job);
    ck_assert_int_eq(zoid_context_close(&f->context), ZOID_OK);
    free((void *)f->asked);
}

static void all_points_are_asked_for(const struct filled *f)
{
    const size_t fields = (size_t)(f->problem.op->nstate + f->problem.op->ncoef);
    size_t missed = 0;

    for (size_t i = 0; i < fields * points(&f->problem); i++)
        missed += !f->asked[i];
    ck_assert_uint_eq(missed, 0);
    ck_assert_int_eq(f->outside, 0);
}

/* One call fills many points, also if a plane is a single point. */
START_TEST(boxes_of_a_line_are_long)
{
    static const struct kind line = {"heat",         1,         {3000000, 1, 1},
                                     ZOID_DIRICHLET, "leaning", .block = 100000};
    struct filled f;

    set_up_filled(&f, &line);
    ck_assert_int_le(f.calls, 3000000 / 10000);
    tear_down(&f);
}
END_TEST

/* Checks that the box's values were read into the middle of `room`, and that nothing else was
 * written. */
static void compare(const struct filled *f, int field, const struct zoid_box *box,
                    const long room[ZOID_AXES], const float *read)
{
    long wrong = 0;

    for (long z = 0; z < room[2]; z++)
        for (long y = 0; y < room[1]; y++)
            for (long x = 0; x < room[0]; x++, read++) {
                const long at[] = {box->lo[0] + x - MARGIN, box->lo[1] + y - MARGIN,
                                   box->lo[2] + z - MARGIN};
                bool inside = true;

                for (int a = 0; a < ZOID_AXES; a++)
                    inside = inside && at[a] >= box->lo[a] && at[a] < box->hi[a];
                wrong +=
                    *read !=
                    (inside ? value_of(index_of(&f->problem, field, at[0], at[1], at[2])) : -1);
            }
    ck_assert_int_eq(wrong, 0);
}

/* Counters of a callback that views a box while it is read. */
struct seen {
    const struct filled *f;
    atomic_long points, wrong;
};

static void see(void *user, int field, const struct zoid_box *box, const struct zoid_values *values)
{
    struct seen *s = user;
    long wrong = 0;

    for (long z = 0; z < box->hi[2] - box->lo[2]; z++)
        for (long y = 0; y < box->hi[1] - box->lo[1]; y++) {
            const float *row = zoid_values_row(values, sizeof *row, y, z);

            for (long x = 0; x < box->hi[0] - box->lo[0]; x++)
                wrong += row[x] != value_of(index_of(&s->f->problem, field, box->lo[0] + x,
                                                     box->lo[1] + y, box->lo[2] + z));
        }
    s->points += zoid_box_volume(box);
    s->wrong += wrong;
}

static void read_box(const struct filled *f, int field, const struct zoid_box *box)
{
    struct zoid_values to = {.stride = {1}};
    struct seen seen = {.f = f};
    long room[ZOID_AXES];
    float *memory;
    size_t count = 1;

    for (int a = 0; a < ZOID_AXES; a++) {
        room[a] = box->hi[a] - box->lo[a] + 2 * MARGIN;
        count *= (size_t)room[a];
    }
    memory = malloc(count * sizeof *memory);
    ck_assert_ptr_nonnull(memory);
    for (size_t i = 0; i < count; i++)
        memory[i] = -1;
    to.stride[1] = room[0];
    to.stride[2] = room[0] * room[1];
    to.at = memory + MARGIN * (1 + to.stride[1] + to.stride[2]);
    ck_assert_int_eq(zoid_job_look(f->job, field, box, &to, see, &seen), ZOID_OK);
    ck_assert_int_eq(seen.points, zoid_box_volume(box));
    ck_assert_int_eq(seen.wrong, 0);
    compare(f, field, box, room, memory);
    free(memory);
}

/* Number of boxes; a disk loads the slabs for each. */
static int boxes(const struct filled *f)
{
    return f->plan.home == ZOID_DISK ? BOXES_FROM_DISK : BOXES;
}

/* Random box of a domain, possibly empty. */
static struct zoid_box box_between(uint64_t *seed, const long n[ZOID_AXES])
{
    struct zoid_box box;

    for (int a = 0; a < ZOID_AXES; a++) {
        box.lo[a] = case_between(seed, 0, n[a] - 1);
        box.hi[a] = case_between(seed, box.lo[a], n[a]);
    }
    return box;
}

static void any_box_is_read(const struct filled *f, uint64_t seed)
{
    for (int i = 0; i < boxes(f); i++) {
        const struct zoid_box box = box_between(&seed, f->problem.n);

        read_box(f, (int)case_between(&seed, 0, f->problem.op->nstate - 1), &box);
    }
}

/* The unread rest of a field that is viewed part by part. */
struct rest {
    const struct filled *filled;
    int field;
    size_t next;
    bool stop;
};

static enum zoid_status look(void *user, const struct zoid_box *box, const void *values,
                             size_t bytes)
{
    struct rest *rest = user;
    const struct zoid_problem *p = &rest->filled->problem;
    const float *value = values;
    long wrong = 0;

    ck_assert_uint_eq(bytes, (size_t)zoid_box_volume(box) * sizeof *value);
    ck_assert_uint_eq(rest->next, index_of(p, rest->field, box->lo[0], box->lo[1], box->lo[2]));
    for (size_t i = 0; i < bytes / sizeof *value; i++)
        wrong += value[i] != value_of(rest->next++);
    ck_assert_int_eq(wrong, 0);
    return rest->stop ? ZOID_CHECK_FAILED : ZOID_OK;
}

static void fields_are_looked_at_in_order(const struct filled *f)
{
    for (int field = 0; field < f->problem.op->nstate; field++) {
        struct rest rest = {.filled = f, .field = field};

        rest.next = index_of(&f->problem, field, 0, 0, 0);
        ck_assert_int_eq(zoid_job_each(f->job, field, look, &rest), ZOID_OK);
        ck_assert_uint_eq(rest.next, index_of(&f->problem, field + 1, 0, 0, 0));
        rest = (struct rest){.filled = f, .field = field, .stop = true};
        rest.next = index_of(&f->problem, field, 0, 0, 0);
        ck_assert_int_eq(zoid_job_each(f->job, field, look, &rest), ZOID_CHECK_FAILED);
    }
}

START_TEST(what_is_filled_is_read)
{
    struct filled f;

    set_up_filled(&f, &kinds[_i]);
    all_points_are_asked_for(&f);
    any_box_is_read(&f, 7 + (uint64_t)_i);
    fields_are_looked_at_in_order(&f);
    tear_down(&f);
}
END_TEST

START_TEST(no_other_box_is_read)
{
    static const struct zoid_box bad[] = {{.lo = {-1, 0, 0}, .hi = {1, 1, 1}},
                                          {.lo = {0, 0, 0}, .hi = {100004, 1, 1}},
                                          {.lo = {0, 0, 0}, .hi = {1, 1, 2}},
                                          {.lo = {2, 0, 0}, .hi = {1, 1, 1}}};
    struct zoid_box good = {.hi = {1, 1, 1}};
    struct filled f;
    float value = -1;
    const struct zoid_values to = zoid_values_packed(&good, &value);

    set_up_filled(&f, &kinds[0]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(zoid_job_read(f.job, 0, &bad[i], &to), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_job_read(f.job, -1, &good, &to), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_job_read(f.job, f.problem.op->nstate, &good, &to), ZOID_BAD_ARGUMENT);
    ck_assert(value == -1);
    ck_assert_int_eq(zoid_job_read(f.job, 0, &good, &to), ZOID_OK);
    ck_assert(value == value_of(0));
    tear_down(&f);
}
END_TEST

/* Reads a field plane by plane. */
static void read_planes(const struct filled *f, int field, float *values)
{
    const struct zoid_problem *p = &f->problem;
    const long planes = p->n[p->op->dims - 1];

    for (long z = 0; z < planes; z++) {
        const struct zoid_box box = zoid_problem_planes(p, z, z + 1);
        const struct zoid_values to = zoid_values_packed(&box, values);

        ck_assert_int_eq(zoid_job_read(f->job, field, &box, &to), ZOID_OK);
        values += zoid_box_volume(&box);
    }
}

static void compare_box(const struct filled *f, int field, const struct zoid_box *box,
                        const float *all)
{
    const size_t count = (size_t)zoid_box_volume(box);
    float *values = malloc((count + 1) * sizeof *values), *value = values;
    const struct zoid_values to = zoid_values_packed(box, values);
    long wrong = 0;

    ck_assert_ptr_nonnull(values);
    ck_assert_int_eq(zoid_job_read(f->job, field, box, &to), ZOID_OK);
    for (long z = box->lo[2]; z < box->hi[2]; z++)
        for (long y = box->lo[1]; y < box->hi[1]; y++)
            for (long x = box->lo[0]; x < box->hi[0]; x++)
                wrong += *value++ != all[index_of(&f->problem, 0, x, y, z)];
    ck_assert_int_eq(wrong, 0);
    free(values);
}

START_TEST(runs_go_on_from_what_is_filled)
{
    uint64_t seed = 70 + (uint64_t)_i;
    struct zoid_report report = {.op = NULL};
    struct filled f;
    struct zoid_initial initial = {.problem = &f.problem, .seed = 5};
    float *all;

    set_up(&f, &kinds[_i]);
    all = malloc(points(&f.problem) * sizeof *all);
    ck_assert_ptr_nonnull(all);
    ck_assert_int_eq(zoid_job_fill(f.job, zoid_initial_box, &initial), ZOID_OK);
    ck_assert_int_eq(zoid_job_run(f.job, false, &report), ZOID_OK);
    ck_assert_msg(!zoid_check(f.job, &initial), "%s", zoid_error());
    read_planes(&f, 0, all);
    for (int i = 0; i < boxes(&f); i++) {
        const struct zoid_box box = box_between(&seed, f.problem.n);

        compare_box(&f, 0, &box, all);
    }
    free(all);
    tear_down(&f);
}
END_TEST

static void add(TCase *tests)
{
    add_over_kinds(tests, what_is_filled_is_read, KINDS, 0);
    tcase_add_test(tests, boxes_of_a_line_are_long);
    tcase_add_test(tests, no_other_box_is_read);
    add_over_kinds(tests, runs_go_on_from_what_is_filled, KINDS, 1);
}

int main(void)
{
    return run_suite("fill", 120, add);
}
