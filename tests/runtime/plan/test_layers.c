/* SPDX-License-Identifier: BSD-3-Clause */
/* Perfectly matched layers in predictions on cores: their points are counted, their operations and
 * their memory take time, and the planner chooses by it. */
#include "codelets/block/layer.h"
#include "graphs/cell.h"
#include "runtime/context.h"
#include "runtime/plan/estimate.h"
#include "tests/check.h"
#include "tests/suite.h"

/* Two cores of an EPYC, wherever this runs. */
static struct zoid_context *open_context(void)
{
    const struct zoid_context_options options = {.machine = "epyc2"};
    struct zoid_context *context = NULL;

    ck_assert_msg(!zoid_context_open(&options, &context), "%s", zoid_error());
    return context;
}

/* wave with `face` at all boundaries, and layers of that many points. */
static struct zoid_problem problem_of(int dims, int radius, long n, enum zoid_boundary face,
                                      long points)
{
    struct zoid_problem p = {
        .op = zoid_op_find("wave", dims, radius, ZOID_F32), .n = {1, 1, 1}, .steps = 24};

    p.params = zoid_op_defaults(p.op);
    p.params.speed = 0.4;
    p.params.pml.points = points;
    for (int a = 0; a < dims; a++) {
        p.n[a] = n + a;
        p.face[a][ZOID_LOW] = p.face[a][ZOID_HIGH] = (unsigned char)face;
    }
    return p;
}

static struct zoid_plan planned(struct zoid_context *context, const struct zoid_problem *p,
                                const struct zoid_request *request)
{
    struct zoid_plan plan;

    ck_assert_msg(!zoid_plan_make(context, p, request, &plan), "%s", zoid_error());
    return plan;
}

/* Points of layers, and rows of them along x, of the domain, a plane on average. */
static struct zoid_estimate_layers counted(const struct zoid_problem *p)
{
    const int dims = p->op->dims;
    const double planes = (double)p->n[dims - 1];
    struct zoid_estimate_layers l = {.points = 0};

    for (int a = 0; a < dims; a++) {
        const double thick = 2 * (double)p->params.pml.points, n = (double)p->n[a];
        const double points = (double)(p->n[0] * p->n[1] * p->n[2]) * thick / n;

        l.points += points / planes;
        l.rows += points / planes / (dims == 1 ? 1 : a == 0 ? thick / 2 : (double)p->n[0]);
        l.layers += a < dims - 1 ? 2 : thick / planes;
    }
    return l;
}

START_TEST(layers_are_counted)
{
    struct zoid_context *context = open_context();

    for (int dims = 1; dims <= 3; dims++) {
        const struct zoid_problem p = problem_of(dims, 1 + _i, 150, ZOID_PML, 5 + 10 * _i);
        const struct zoid_plan plan =
            planned(context, &p, &(struct zoid_request){.method = "auto"});
        const struct zoid_estimate_layers l = zoid_estimate_layers(&plan), all = counted(&p);

        ck_assert_msg(l.points >= all.points * 0.99 && l.points < all.points * 1.35,
                      "%d-D: %g points of %g", dims, l.points, all.points);
        ck_assert_msg(fabs(l.rows / all.rows - 1) < 0.1, "%d-D: %g rows of %g", dims, l.rows,
                      all.rows);
        ck_assert(fabs(l.layers - all.layers) < 1e-9);
        ck_assert(l.flops == 6 * p.op->radius + 17);
        ck_assert(2 * l.memory + l.beside == 40);
    }
    zoid_context_close(&context);
}
END_TEST

/* Cells in the middle of a cut have fewer; rows of layers of y and z are cut into three. */
START_TEST(cells_share_layers)
{
    struct zoid_context *context = open_context();
    const struct zoid_problem p = problem_of(3, 1, 60, ZOID_PML, 10);
    struct zoid_request request = {.method = "naive", .block = 61};
    struct zoid_plan plan = planned(context, &p, &request);
    const struct zoid_estimate_layers whole = zoid_estimate_layers(&plan);
    struct zoid_estimate_layers cut;
    double rows;

    request.epoch = 1;
    request.cells[0] = 3;
    request.cells[1] = 2;
    request.cells[2] = 1;
    plan = planned(context, &p, &request);
    cut = zoid_estimate_layers(&plan);
    ck_assert_msg(cut.points * 6 >= whole.points && cut.points * 6 < whole.points * 1.5,
                  "%g of %g points", cut.points * 6, whole.points);
    rows = 2 * (double)p.n[1] + 3 * (whole.rows - 2 * (double)p.n[1]);
    ck_assert_msg(fabs(cut.rows * 6 / rows - 1) < 0.1, "%g of %g rows", cut.rows * 6, rows);
    zoid_context_close(&context);
}
END_TEST

/* A part of the domain counts the planes that it has, with a layer along z at one end, and not
 * those that it has room for. */
START_TEST(parts_share_layers)
{
    const struct zoid_problem p = problem_of(3, 1, 60, ZOID_PML, 10);
    const struct zoid_request request = {
        .places = "cores:1+cores:1", .balance = ZOID_BALANCE_SPLIT, .split_at = 25, .epoch = 2};
    const double plane = (double)(p.n[0] * p.n[1]);
    const double beside = 2 * 10 * (double)(p.n[0] + p.n[1]);
    struct zoid_context *context = open_context();
    struct zoid_plans plans;

    ck_assert_msg(!zoid_plans_make(context, &p, &request, &plans), "%s", zoid_error());
    ck_assert_int_eq(plans.parts, 2);
    for (int i = 0; i < plans.parts; i++) {
        const struct zoid_plan now = zoid_estimate_present(&plans.part[i]);
        const double planes = (double)zoid_cell_line(&now.graph);
        const double all = beside + 10 * plane / planes;
        const double points = zoid_estimate_layers(&now).points;

        ck_assert(planes < (double)zoid_cell_line(&plans.part[i].graph));
        ck_assert_msg(points >= all * 0.99 && points < all * 1.35, "%g points of %g", points, all);
    }
    zoid_context_close(&context);
}
END_TEST

/* More than their operations would at 5 ps each, and less than on slow cores. */
START_TEST(layers_take_time)
{
    struct zoid_context *context = open_context();
    static const char *const methods[] = {"naive", "leaning", "trapezoid", "recursive"};

    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int dims = 2; dims <= 3; dims++) {
            const struct zoid_request request = {
                .method = methods[m], .block = 12, .depth = m == 0 ? 1 : 4};
            const struct zoid_problem open = problem_of(dims, _i, 96, ZOID_DIRICHLET, 10);
            const struct zoid_problem p = problem_of(dims, _i, 96, ZOID_PML, 10);
            const struct zoid_problem thick = problem_of(dims, _i, 96, ZOID_PML, 20);
            const struct zoid_plan plan = planned(context, &p, &request);
            const struct zoid_plan without = planned(context, &open, &request);
            const struct zoid_plan more = planned(context, &thick, &request);
            const double took =
                plan.cost.near + plan.cost.far - without.cost.near - without.cost.far;
            const struct zoid_estimate_layers all = counted(&p);
            const double planes = (double)(p.steps * p.n[dims - 1]);
            const double least = planes * all.points * (6 * _i + 17) * 5e-12;
            const double most = planes * (all.points * 20e-9 + (all.rows + all.layers) * 200e-9);

            ck_assert_msg(took > least && took < most, "%s %d-D: %g, from %g to %g", methods[m],
                          dims, took, least, most);
            ck_assert(plan.cost.seconds >= without.cost.seconds);
            ck_assert(more.cost.near + more.cost.far > plan.cost.near + plan.cost.far);
        }
    zoid_context_close(&context);
}
END_TEST

/* No method is predicted to take less than the chosen one; and another plan is chosen than without
 * layers, which would be slower with them. */
START_TEST(plans_are_chosen_by_it)
{
    struct zoid_context *context = open_context();
    int others = 0;

    for (int dims = 2; dims <= 3; dims++)
        for (int radius = 1; radius <= 4; radius += 3) {
            const long n = dims == 2 ? 700 : 110;
            const struct zoid_problem p = problem_of(dims, radius, n, ZOID_PML, 10);
            const struct zoid_problem open = problem_of(dims, radius, n, ZOID_DIRICHLET, 10);
            const struct zoid_plan best =
                planned(context, &p, &(struct zoid_request){.method = "auto"});
            static const char *const methods[] = {"naive", "leaning", "trapezoid", "recursive"};

            for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
                struct zoid_request request = {.method = methods[m]};
                const struct zoid_plan without = planned(context, &open, &request);
                struct zoid_plan plan = planned(context, &p, &request);

                ck_assert(plan.cost.seconds >= best.cost.seconds * (1 - 1e-9));
                if (without.graph.leaf)
                    continue;
                request.block = without.graph.block;
                request.depth = without.graph.depth;
                ck_assert(plan.cost.seconds <=
                          planned(context, &p, &request).cost.seconds * (1 + 1e-9));
                others += plan.graph.block != without.graph.block ||
                          plan.graph.depth != without.graph.depth;
            }
        }
    ck_assert_int_gt(others, 0);
    zoid_context_close(&context);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, layers_are_counted, 0, 4);
    tcase_add_test(tests, cells_share_layers);
    tcase_add_test(tests, parts_share_layers);
    tcase_add_loop_test(tests, layers_take_time, 1, 5);
    tcase_add_test(tests, plans_are_chosen_by_it);
}

int main(void)
{
    return run_suite("layers", 120, add);
}
