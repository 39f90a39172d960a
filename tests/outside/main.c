/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs operators of outside.def by every method that can, and compares all values with a loop that
 * is written here. Prints a line a run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <zoid/runtime/zoid.h>

#include "runner.h"

enum { NX = 21, NY = 10, NZ = 37, POINTS = NX * NY * NZ, STEPS = 11 };

/* The table that zoid_add_operators makes. */
const struct zoid_op *outside_op(size_t i);

/* All values of a field, as doubles. */
static void widen(const struct zoid_op *op, const void *values, size_t n, double *wide)
{
    for (size_t i = 0; i < n; i++)
        wide[i] =
            op->type == ZOID_F32 ? (double)((const float *)values)[i] : ((const double *)values)[i];
}

double fused(const struct zoid_op *op, double a, double b, double c)
{
    return op->type == ZOID_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

double times(const struct zoid_op *op, double a, double b)
{
    return op->type == ZOID_F32 ? (double)((float)a * (float)b) : a * b;
}

double less(const struct zoid_op *op, double a, double b)
{
    return op->type == ZOID_F32 ? (double)((float)a - (float)b) : a - b;
}

/* One step of what upwind.h says: points within the radius of a low face stay. The update takes c
 * times `wind`. */
static void step(const struct zoid_op *op, double wind, const double *u, const double *c,
                 double *next)
{
    static const int stride[] = {1, NX, NX * NY};
    const int r = op->radius;

    memcpy(next, u, POINTS * sizeof *u);
    for (int z = r; z < NZ; z++)
        for (int y = r; y < NY; y++)
            for (int x = r; x < NX; x++) {
                const int i = x + NX * (y + NY * z);

                for (int a = 0; a < 3; a++)
                    next[i] = fused(op, times(op, wind, c[i]), less(op, u[i - r * stride[a]], u[i]),
                                    next[i]);
            }
}

/* One step of what relax.h says: in place, each point after those before it. */
static void relax(const struct zoid_op *op, double *u, const double *b)
{
    static const int stride[] = {1, NX, NX * NY};
    const int r = op->radius;
    const double part = times(op, 1, 0.5 / (r * 3));

    for (int z = r; z < NZ - r; z++)
        for (int y = r; y < NY - r; y++)
            for (int x = r; x < NX - r; x++) {
                const int i = x + NX * (y + NY * z);
                double sum = b[i];

                for (int a = 0; a < 3; a++)
                    for (int k = 1; k <= r; k++)
                        sum = fused(op, part, less(op, u[i + k * stride[a]], -u[i - k * stride[a]]),
                                    sum);
                u[i] = fused(op, 0.25, u[i], times(op, 0.75, sum));
            }
}

static bool in_order(const struct zoid_op *op)
{
    return strcmp(op->family, "relax") == 0;
}

/* What the row of the second field makes of a value. */
static double filled(const struct zoid_op *op, double v)
{
    return in_order(op) ? 0.02 * v : 0.02 + 0.05 * v;
}

/* Whether the second field is what the row makes of random values: those of u in the state whose
 * seed is as much larger as u has points. */
static enum zoid_status check_fill(const struct zoid_op *op)
{
    const struct zoid_problem problem = {.op = op, .n = {NX, NY, NZ}};
    struct zoid_initial raw = {.problem = &problem, .seed = 5 + POINTS},
                        initial = {.problem = &problem, .seed = 5};
    double plane[NX * NY], v[NX * NY], c[NX * NY];

    for (int z = 0; z < NZ; z++) {
        const struct zoid_box box = zoid_problem_planes(&problem, z, z + 1);
        const struct zoid_values to = zoid_values_packed(&box, plane);

        zoid_initial_box(&raw, 0, &box, &to);
        widen(op, plane, NX * NY, v);
        zoid_initial_box(&initial, 1, &box, &to);
        widen(op, plane, NX * NY, c);
        for (int i = 0; i < NX * NY; i++) {
            const double value = filled(op, v[i]);

            if (c[i] != (op->type == ZOID_F32 ? (double)(float)value : value))
                return zoid_fail(ZOID_CHECK_FAILED, "%s: %s is not filled as its row says",
                                 op->name, op->field[1]);
        }
    }
    return ZOID_OK;
}

/* The final state in u; `spare` is as large. */
static void by_hand(struct zoid_initial *initial, double *u, double *spare)
{
    static double c[POINTS];
    const struct zoid_op *op = initial->problem->op;
    const double *param = initial->problem->params.value;
    const struct zoid_box all = zoid_problem_planes(initial->problem, 0, NZ);
    const struct zoid_values to = zoid_values_packed(&all, spare);

    zoid_initial_box(initial, 0, &all, &to);
    widen(op, spare, POINTS, u);
    zoid_initial_box(initial, 1, &all, &to);
    widen(op, spare, POINTS, c);
    for (int s = 0; s < STEPS && in_order(op); s++)
        relax(op, u, c);
    for (int s = 0; s < STEPS && !in_order(op); s++) {
        step(op, param[0] / (1 + param[1] * (s + 1)), u, c, spare);
        memcpy(u, spare, POINTS * sizeof *u);
    }
}

static enum zoid_status compare(const struct zoid_job *job, struct zoid_initial *initial)
{
    static double u[POINTS], spare[POINTS];
    double plane[NX * NY];
    enum zoid_status status;

    by_hand(initial, u, spare);
    for (int z = 0; z < NZ; z++) {
        const struct zoid_box box = zoid_problem_planes(initial->problem, z, z + 1);
        const struct zoid_values to = zoid_values_packed(&box, plane);

        status = zoid_job_read(job, 0, &box, &to);
        if (status)
            return status;
        widen(initial->problem->op, plane, NX * NY, spare + z * NX * NY);
    }
    if (memcmp(u, spare, sizeof u))
        return zoid_fail(ZOID_CHECK_FAILED, "other values than by hand");
    return ZOID_OK;
}

static enum zoid_status run(struct zoid_context *context, const struct zoid_op *op,
                            const struct zoid_method *method, const struct zoid_params *params)
{
    const struct zoid_problem problem = {
        .op = op, .n = {NX, NY, NZ}, .steps = STEPS, .params = *params};
    const struct zoid_request request = {.method = method->name, .block = 9, .depth = 4};
    struct zoid_initial initial = {.problem = &problem, .seed = 5};
    struct zoid_job *job = NULL;
    struct zoid_report report = {.seed = 5};
    struct zoid_plan plan;
    enum zoid_status status = zoid_plan_make(context, &problem, &request, &plan);

    if (!status)
        status = zoid_job_create(context, &plan, &job);
    if (!status)
        status = zoid_job_fill(job, zoid_initial_box, &initial);
    if (!status)
        status = zoid_job_run(job, false, &report);
    if (!status)
        status = compare(job, &initial);
    /* The plain loop nest of a row looks no further than the row says. */
    if (!status && op->radius <= ZOID_MAX_REACH)
        status = zoid_check(job, &initial);
    zoid_job_destroy(&job);
    printf("%s %s %s: %s\n", op->name, method->name,
           plan.place[0].kind == ZOID_GPUS ? "cuda" : "cpu", status ? zoid_error() : "right");
    return status;
}

/* What the row says of its parameters is what a problem is held to. */
static enum zoid_status refuses(const struct zoid_op *op)
{
    static const struct {
        double wind, lull;
        const char *range;
    } bad[] = {{0, 0, "above 0, at most 1"},
               {1.5, 0, "above 0, at most 1"},
               {1, -1, "at least 0, below 2"},
               {1, 2, "at least 0, below 2"}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct zoid_problem problem = {
            .op = op, .n = {NX, NY, NZ}, .steps = STEPS, .params = {{bad[i].wind, bad[i].lull}}};

        if (zoid_problem_check(&problem) != ZOID_BAD_ARGUMENT ||
            !strstr(zoid_error(), bad[i].range))
            return zoid_fail(ZOID_CHECK_FAILED, "%s: bad parameters %zu pass, or without '%s'",
                             op->name, i, bad[i].range);
    }
    return ZOID_OK;
}

static enum zoid_status run_all(struct zoid_context *context, const struct zoid_op *op)
{
    const struct zoid_params params[] = {zoid_op_defaults(op), {{1, 0}}};
    enum zoid_status status = refuses(op);

    if (!status)
        status = check_fill(op);
    for (size_t p = 0; p < sizeof params / sizeof *params; p++)
        for (size_t m = 0; !status && zoid_methods[m]; m++)
            status = run(context, op, zoid_methods[m], &params[p]);
    return status;
}

/* A plan is refused, and the message has some words. */
static enum zoid_status no_plan(struct zoid_context *context, const struct zoid_problem *problem,
                                const struct zoid_request *request, const char *words)
{
    struct zoid_plan plan;

    if (zoid_plan_make(context, problem, request, &plan) != ZOID_BAD_ARGUMENT ||
        !strstr(zoid_error(), words))
        return zoid_fail(ZOID_CHECK_FAILED, "%s: not refused, or without '%s': %s",
                         problem->op->name, words, zoid_error());
    return ZOID_OK;
}

/* In order: by one method, over whole planes, between closed faces, upwards. */
static enum zoid_status one_way(struct zoid_context *context, const struct zoid_op *op)
{
    struct zoid_op down = *op;
    const struct zoid_problem problem = {
        .op = op, .n = {NX, NY, NZ}, .steps = STEPS, .params = zoid_op_defaults(op)};
    const struct zoid_request any = {.depth = 4}, strips = {.strip = 3}, cells = {.cells = {2, 2}};
    struct zoid_problem mirrored = problem, descending = problem;
    struct zoid_plan plan;
    enum zoid_status status = ZOID_OK;

    mirrored.face[1][ZOID_HIGH] = ZOID_NEUMANN;
    down.stage[0].order = ZOID_DESCENDING;
    descending.op = &down;
    for (size_t m = 0; !status && zoid_methods[m]; m++) {
        const struct zoid_request request = {.method = zoid_methods[m]->name};

        if (strcmp(request.method, "leaning"))
            status = no_plan(context, &problem, &request,
                             "cannot do sweeps in order; use method=leaning");
    }
    if (!status)
        status = no_plan(context, &problem, &strips, "cannot be cut along y: it sweeps in order");
    if (!status)
        status = no_plan(context, &problem, &cells, "cannot be cut along x: it sweeps in order");
    if (!status)
        status = no_plan(context, &mirrored, &any, "choose dirichlet");
    if (!status)
        status = no_plan(context, &descending, &any, "in descending order");
    if (!status)
        status = zoid_plan_make(context, &problem, &any, &plan);
    if (!status && (strcmp(plan.graph.method->name, "leaning") || plan.place[0].kind != ZOID_CORES))
        return zoid_fail(ZOID_CHECK_FAILED, "%s goes elsewhere than to leaning blocks on cores",
                         op->name);
    return status ? status : run(context, op, plan.graph.method, &problem.params);
}

/* Blocks that a runner of the operator's own computes, where it predicts that it takes less than
 * sweeps, and an operator for which there is nothing else, or nothing at all. */
static enum zoid_status own_runner(struct zoid_context *context, const struct zoid_op *op)
{
    struct zoid_op own = *op, far = *op;
    const struct zoid_params params = zoid_op_defaults(op);
    const struct zoid_problem problem = {.op = &far, .n = {NX, NY, NZ}, .params = params};
    enum zoid_status status = ZOID_OK;

    own.runner = runners;
    for (int isa = 0; isa < ZOID_ISAS; isa++)
        far.cpu[isa] = NULL;
    for (size_t m = 0; !status && zoid_methods[m]; m++) {
        const long before = runner_blocks();

        status = run(context, &own, zoid_methods[m], &params);
        if (!status && runner_blocks() == before)
            return zoid_fail(ZOID_CHECK_FAILED, "%s: sweeps ran, not the runner", op->name);
    }
    if (!status && (zoid_problem_check(&problem) != ZOID_BAD_ARGUMENT ||
                    !strstr(zoid_error(), "a runner of its own")))
        return zoid_fail(ZOID_CHECK_FAILED, "%s: passes with nothing to run it", op->name);
    far.runner = runners;
    if (!status)
        status = run(context, &far, zoid_method_find("leaning"), &params);
    /* Further than any sweep looks. */
    far.radius = ZOID_MAX_REACH + 1;
    for (int a = 0; a < ZOID_AXES; a++)
        far.stage[0].read[0].reach.lo[a] = far.radius;
    for (size_t m = 0; !status && zoid_methods[m]; m++)
        status = run(context, &far, zoid_methods[m], &params);
    return status;
}

/* Cut along y alone, for a reason of its own. */
static enum zoid_status whole_rows(struct zoid_context *context, const struct zoid_op *op)
{
    struct zoid_op whole = *op;
    const struct zoid_problem problem = {
        .op = &whole, .n = {NX, NY, NZ}, .steps = STEPS, .params = zoid_op_defaults(op)};
    const struct zoid_request along_x = {.cells = {2, 1}}, along_y = {.cells = {1, 3}};
    struct zoid_plan plan;
    enum zoid_status status;

    whole.grain[0] = ZOID_UNCUT;
    whole.grain[1] = 4;
    whole.grain_reason = "its rows are whole";
    status = no_plan(context, &problem, &along_x, "cannot be cut along x: its rows are whole");
    if (!status)
        status = zoid_plan_make(context, &problem, &along_y, &plan);
    if (!status && (zoid_cell_own(&plan.graph, 0, 0).axis[1].hi != 4 ||
                    zoid_cell_own(&plan.graph, 1, 0).axis[1].hi != 8))
        return zoid_fail(ZOID_CHECK_FAILED, "%s is not cut at multiples of 4", op->name);
    return status;
}

/* Checks the operators that are written here too. */
static enum zoid_status try(struct zoid_context *context, const struct zoid_op *op, bool cores)
{
    if (strcmp(op->family, "upwind") == 0) {
        enum zoid_status status = whole_rows(context, op);

        if (!status && cores)
            status = own_runner(context, op);
        return status ? status : run_all(context, op);
    }
    return in_order(op) && op->dims == 3 && cores ? one_way(context, op) : ZOID_OK;
}

int main(void)
{
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_context_open(NULL, &context);
    const struct zoid_op *op;

    for (size_t i = 0; !status && (op = outside_op(i)); i++)
        status = try(context, op, zoid_context_machine(context)->cpu_workers > 0);
    if (status)
        fprintf(stderr, "zoid-outside: %s\n", zoid_error());
    zoid_context_close(&context);
    return status;
}
