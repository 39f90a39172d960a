/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson's equation by relaxation: settings, and the choice of problem and operator; apps/solve
 * iterates. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "apps/driver/driver.h"
#include "apps/driver/problem.h"
#include "apps/solve/omega.h"
#include "apps/solve/options.h"
#include "apps/solve/solve.h"
#include "apps/solve/visits.h"
#include "runtime/context.h"
#include "runtime/memory/turn.h"

static const char *const family_of[] = {[ZOID_JACOBI] = "jacobi",
                                        [ZOID_SOR] = "sor",
                                        [ZOID_RBSOR] = "rbsor",
                                        [ZOID_MLSOR] = "sor",
                                        [ZOID_SSOR] = "sor"};
static const char *const families[] = {"sor",     "jacobi",    "rbsor", "jacobi_rhs",
                                       "sor_rhs", "rbsor_rhs", NULL};

static struct zoid_sor_said own, *const said = &own;

/* The problem of the command line, and the operator that solves it. */
static struct zoid_problem asked;
static struct zoid_mlsor mlsor;
static struct zoid_domain domain = {.problem = &asked};
static long leg; /* steps between residual checks or changes of direction; 0: the run is one leg */

/* ---- the problem ------------------------------------------------------------------------- */

/* Sets the optimal omega of the solver. */
static enum zoid_status choose_omega(const struct zoid_problem *p)
{
    double radius;
    enum zoid_status status = zoid_omega_radius(p, &radius);

    if (status)
        return status;
    said->omega = 1;
    if (said->solver == ZOID_SOR || said->solver == ZOID_RBSOR)
        said->omega = zoid_omega_sor(radius);
    if (said->solver == ZOID_SSOR)
        said->omega = zoid_omega_ssor(radius);
    return ZOID_OK;
}

static enum zoid_status set_omega(struct zoid_problem *p)
{
    enum zoid_status status = said->chosen ? ZOID_OK : choose_omega(p);

    p->params.value[zoid_op_param(p->op, "omega")] = said->omega;
    return status ? status : zoid_problem_check(p);
}

/* Checks that the type can represent the boundary value as a finite number. */
static enum zoid_status check_border(const struct zoid_problem *p)
{
    if (p->op->type != ZOID_F32 || isfinite((float)said->border))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{border=%g} is more than type f32 holds; choose {type=f64}", said->border);
}

/* ---- settings ---------------------------------------------------------------------------- */

static enum zoid_status take_settings(const struct zoid_settings *s)
{
    *said = (struct zoid_sor_said){.solver = (enum zoid_solver)s->solver,
                                   .name = zoid_solver_name((enum zoid_solver)s->solver),
                                   .chosen = !s->omega.automatic,
                                   .bordered = s->has_border,
                                   .omega = s->omega.value,
                                   .border = s->border,
                                   .tolerance = s->tolerance,
                                   .right = s->has_rhs,
                                   .history = s->history,
                                   .every = s->residual_every,
                                   .subdomain = s->subdomain,
                                   .layers = s->layers,
                                   .forward = s->forward_only};
    if (s->has_rhs &&
        snprintf(said->rhs, sizeof said->rhs, "b=%s", s->rhs) >= (int)sizeof said->rhs)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rhs} names no file; name one");
    return ZOID_OK;
}

/* Refuses options that the solver would ignore. */
static enum zoid_status check_own(void)
{
    const struct {
        const char *name;
        bool given, own;
        const char *whose;
    } option[] = {
        {"subdomain", said->subdomain > 0, said->solver == ZOID_MLSOR, "mlsor"},
        {"layers", said->layers > 0, said->solver == ZOID_MLSOR || said->solver == ZOID_SSOR,
         "mlsor and ssor"},
        {"forward-only", said->forward, said->solver == ZOID_MLSOR, "mlsor"},
    };

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i].given && !option[i].own)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} is for %s, and %s has none; drop it",
                             option[i].name, option[i].whose, said->name);
    return ZOID_OK;
}

/* Sets defaults. */
static enum zoid_status settle(void)
{
    enum zoid_status status = check_own();

    if (!said->subdomain)
        said->subdomain = 16;
    if (!said->layers)
        said->layers = said->solver == ZOID_MLSOR ? said->subdomain / 2 : 1;
    if (!said->every)
        said->every =
            said->solver == ZOID_MLSOR ? (64 + said->layers - 1) / said->layers * said->layers : 64;
    return status;
}

static struct zoid_solve solve_of(struct zoid_march *march)
{
    return (struct zoid_solve){.domain = &domain,
                               .turns = said->solver == ZOID_SSOR ? said->layers : 0,
                               .march = march,
                               .sweeps = said->sweeps,
                               .tolerance = said->tolerance,
                               .every = said->every,
                               .history = said->history};
}

/* Makes the problem of the equation. */
static enum zoid_status ask(struct zoid_options *o)
{
    const struct zoid_solve solve = solve_of(NULL);
    const char *family = family_of[said->solver];
    enum zoid_status status;

    for (size_t f = 0; families[f]; f++)
        if (!strncmp(families[f], family, strlen(family)) &&
            !strcmp(families[f] + strlen(family), said->right ? "_rhs" : ""))
            o->family = families[f];
    if (said->right && o->given.coefficients.n < ZOID_MAX_GIVEN)
        o->given.coefficients.text[o->given.coefficients.n++] = said->rhs;
    said->sweeps = o->steps;
    o->again = true;
    status = zoid_problem_make(o->family, o, &asked);
    if (!status)
        status = set_omega(&asked);
    if (!status)
        status = check_border(&asked);
    leg = zoid_solve_looks(&solve) ? said->every : 0;
    if (solve.turns && (leg == 0 || leg > solve.turns))
        leg = solve.turns;
    return status;
}

/* Checks the faces of mlsor and ssor here, in terms of the equation: errors of the operator would
 * name other faces. */
static enum zoid_status check_faces(const struct zoid_options *o)
{
    for (int face = 0; face < ZOID_AXES * ZOID_SIDES && said->solver >= ZOID_MLSOR; face++)
        if (o->face[face / ZOID_SIDES][face % ZOID_SIDES] != ZOID_DIRICHLET)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s relaxes points in order, and whether other faces stand for points "
                             "before or after their turn is not defined; choose dirichlet",
                             said->name);
    return ZOID_OK;
}

static enum zoid_status check_way(const struct zoid_options *o)
{
    if (said->solver == ZOID_SSOR && o->check)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{check} is for sweeps that all go the same way, and "
                                            "half of those of ssor go down; drop it");
    return ZOID_OK;
}

/* Checkpoints are possible between visits only. */
static enum zoid_status check_every(const struct zoid_options *o)
{
    const long every = o->keep.every, layers = said->layers;

    if (every % layers == 0)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{checkpoint_every=%ld} is no multiple of {layers=%ld}, so that it would fall "
                     "into a visit; give %ld",
                     every, layers, (every / layers + 1) * layers);
}

/* Translates the problem and its options to those of the mlsor operator. */
static enum zoid_status make_mlsor(struct zoid_options *o, struct zoid_problem *p)
{
    const struct zoid_visits visits = {.subdomain = said->subdomain,
                                       .layers = said->layers,
                                       .forward = said->forward,
                                       .sweeps = said->sweeps,
                                       .every = said->every};
    enum zoid_status status = zoid_visits_make(&visits, &asked, said->omega, &mlsor, p);

    domain.mlsor = &mlsor;
    if (!status)
        status = check_every(o);
    o->keep.every /= said->layers;
    leg = (leg + said->layers - 1) / said->layers;
    if (!status)
        status = zoid_visits_fold("cells", asked.op->dims, o->cells);
    return status ? status : zoid_visits_fold("ranks", asked.op->dims, o->ranks);
}

static enum zoid_status make(struct zoid_options *o, struct zoid_problem *p)
{
    enum zoid_status status = take_settings(o->settings);

    if (!status)
        status = settle();
    if (!status)
        status = check_faces(o);
    if (!status)
        status = check_way(o);
    if (!status)
        status = ask(o);
    if (!status)
        *p = asked;
    return status || said->solver != ZOID_MLSOR ? status : make_mlsor(o, p);
}

/* Omega is stored as a parameter, and the right-hand side as a coefficient. */
static enum zoid_status say(FILE *out)
{
    fprintf(out, "solver=%s\ntolerance=%.17g\n", said->name, said->tolerance);
    if (said->tolerance > 0)
        fprintf(out, "residual-every=%ld\n", said->every);
    if (said->bordered)
        fprintf(out, "border=%.17g\n", said->border);
    else
        fputs("border=none\n", out);
    if (said->solver == ZOID_MLSOR || said->solver == ZOID_SSOR)
        fprintf(out, "layers=%ld\n", said->layers);
    if (said->solver == ZOID_MLSOR)
        fprintf(out, "subdomain=%ld\nforward-only=%s\n", said->subdomain,
                said->forward ? "yes" : "no");
    return ZOID_OK;
}

/* ---- the run ----------------------------------------------------------------------------- */

static void start(struct zoid_initial *initial)
{
    initial->problem = &asked;
    initial->bordered = said->bordered;
    initial->border = said->border;
}

static void fill(void *user, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    if (domain.mlsor)
        zoid_domain_fill(&domain, user, field, box, to);
    else
        zoid_initial_box(user, field, box, to);
}

static enum zoid_status each(const struct zoid_job *job, zoid_part_fn *part, void *user)
{
    return zoid_domain_each(&domain, job, part, user);
}

/* Prints the cost of mirroring, which reads and writes state and coefficients, each rank its part.
 */
static void show(const struct zoid_context *context, const struct zoid_plan *plan, FILE *out)
{
    const struct zoid_rates *rates = &context->rates;
    const struct zoid_tier *home = &plan->tier[plan->home];
    const double bytes = (double)asked.n[0] * (double)asked.n[1] * (double)asked.n[2] *
                         (double)zoid_type_size(asked.op->type) *
                         (asked.op->nstate + asked.op->ncoef);
    const double way =
        plan->home == ZOID_RAM ? 2 * rates->cost[rates->costs - 1].seconds : home->up + home->down;

    const struct zoid_turn_sends sends = zoid_turn_sends(plan);
    const double ranks = (double)zoid_ranks(&plan->graph);

    if (said->solver != ZOID_SSOR)
        return;
    fprintf(out, "turns.every %ld\nturns.bytes %.0f\nturns.seconds %.6g\n", said->layers, bytes,
            bytes * way / ranks);
    if (ranks > 1)
        fprintf(out, "turns.messages %ld\nturns.sent %.0f\n", sends.messages, sends.bytes);
}

static void derive(const struct zoid_solved *solved, struct zoid_derived *derived)
{
    const struct zoid_derived all[] = {
        {.name = "solver", .text = said->name},
        {.name = "omega", .value = said->omega},
        {.name = "sweeps", .value = (double)solved->sweeps},
        {.name = "first_below", .value = solved->below < 0 ? NAN : (double)solved->below},
        {.name = "residual", .value = solved->initial > 0 ? solved->residual / solved->initial : 0},
        {.name = "initial_residual", .value = solved->initial}};
    struct zoid_derived *next = derived + sizeof all / sizeof *all;

    memcpy(derived, all, sizeof all);
    if (said->solver == ZOID_SSOR)
        *next = (struct zoid_derived){.name = "turning", .value = solved->turning};
    if (said->solver == ZOID_MLSOR && said->omega > 1.3)
        *next = (struct zoid_derived){.name = "note",
                                      .text = "an omega beyond 1.3 does not help mlsor"};
}

static enum zoid_status run(struct zoid_march *march, struct zoid_job *job,
                            struct zoid_report *report)
{
    const struct zoid_solve solve = solve_of(march);
    struct zoid_solved solved;
    enum zoid_status status = zoid_solve_run(&solve, job, report, &solved);

    derive(&solved, report->derived);
    if (domain.mlsor)
        zoid_visits_count(&domain, solved.sweeps, report);
    return status;
}

int main(int argc, char **argv)
{
    static const struct zoid_row_change changes[] = {
        {.key = "steps", .fallback = "100", .doc = "sweeps, with a tolerance the most there are"},
        {.key = NULL}};
    static const struct zoid_app app = {
        .name = "zoid-sor",
        .families = families,
        .summary = "Solves Poisson's equation, -(the sum of the second derivatives of u) = f, by "
                   "relaxing one point after another, or in another order, on a grid that may be "
                   "larger than the memory next to the processor.",
        .groups = ZOID_GROUPS_FIELDS | ZOID_GROUP_solve | ZOID_GROUPS_RUN,
        .no_params = true,
        .changes = changes,
        .make = make,
        .leg = &leg,
        .say = say,
        .start = start,
        .fill = fill,
        .each = each,
        .show = show,
        .run = run,
    };

    return zoid_app_main(&app, argc, argv);
}
