/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson's equation by relaxation: which iteration, how far it over-relaxes, from what, until
 * when; the iterating is that of apps/solve. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "apps/driver/driver.h"
#include "apps/driver/given.h"
#include "apps/driver/numbers.h"
#include "apps/driver/problem.h"
#include "apps/solve/omega.h"
#include "apps/solve/solve.h"
#include "apps/solve/visits.h"
#include "runtime/context.h"
#include "runtime/ranks/ranks.h"

/* Each is a family of operators, and one with a right-hand side. The operator of mlsor is made for
 * its problem, which is known as sor has it; ssor is sor in legs. */
enum solver { JACOBI, SOR, RBSOR, MLSOR, SSOR };
static const char *const solvers[] = {[JACOBI] = "jacobi", [SOR] = "sor",   [RBSOR] = "rbsor",
                                      [MLSOR] = "mlsor",   [SSOR] = "ssor", NULL};
static const char *const family_of[] = {
    [JACOBI] = "jacobi", [SOR] = "sor", [RBSOR] = "rbsor", [MLSOR] = "sor", [SSOR] = "sor"};
static const char *const families[] = {"sor",     "jacobi",    "rbsor", "jacobi_rhs",
                                       "sor_rhs", "rbsor_rhs", NULL};

/* What the command line says beside what it says to every program. */
static struct {
    int solver;
    bool chosen, bordered; /* omega, border */
    double omega, border, tolerance;
    bool right;             /* there is a right-hand side: */
    char rhs[PATH_MAX + 2]; /* as --coefficient takes it */
    const char *history;
    long every, sweeps;     /* every: 0: not given */
    long subdomain, layers; /* 0: not given */
    bool forward;
} wanted = {.solver = SOR};

/* The problem as the command line has it, and what runs it. */
static struct zoid_problem asked;
static struct zoid_mlsor mlsor;
static struct zoid_domain domain = {.problem = &asked};

/* ---- options ----------------------------------------------------------------------------- */

static enum zoid_status read_solver(const struct zoid_option *option, const char *value, void *into)
{
    const int i = zoid_read_name(option, value, solvers);

    (void)into;
    if (i >= 0)
        wanted.solver = i;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_omega(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    wanted.chosen = strcmp(value, "auto") != 0;
    return wanted.chosen ? zoid_number_real(option->name, value, &wanted.omega) : ZOID_OK;
}

static enum zoid_status read_rhs(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_given_text text;
    const int length = snprintf(wanted.rhs, sizeof wanted.rhs, "b=%s", value);

    (void)into;
    wanted.right = true;
    if (length >= (int)sizeof wanted.rhs || !*value)
        return zoid_fail(ZOID_BAD_ARGUMENT, "--%s names no file; name one", option->name);
    return zoid_given_read(option->name, value, &text);
}

static enum zoid_status read_tolerance(const struct zoid_option *option, const char *value,
                                       void *into)
{
    enum zoid_status status = zoid_number_real(option->name, value, &wanted.tolerance);

    (void)into;
    if (!status && !(wanted.tolerance > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "--%s %s is never reached; give more than 0",
                           option->name, value);
    return status;
}

static enum zoid_status read_every(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_long(option, value, &wanted.every);
}

static enum zoid_status read_subdomain(const struct zoid_option *option, const char *value,
                                       void *into)
{
    (void)into;
    return zoid_read_long(option, value, &wanted.subdomain);
}

static enum zoid_status read_layers(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_long(option, value, &wanted.layers);
}

static enum zoid_status read_forward(const struct zoid_option *option, const char *value,
                                     void *into)
{
    (void)into;
    return zoid_read_flag(option, value, &wanted.forward);
}

static enum zoid_status read_history(const struct zoid_option *option, const char *value,
                                     void *into)
{
    (void)into;
    return zoid_read_path(option, value, &wanted.history);
}

static enum zoid_status read_border(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    wanted.bordered = true;
    return zoid_number_real(option->name, value, &wanted.border);
}

static const struct zoid_option options[] = {
    {.doc = "The iteration:"},
    {.name = "solver",
     .arg = "jacobi|sor|rbsor|mlsor|ssor",
     .doc = "in which order points are relaxed [sor]: jacobi, all at once; sor, one after the "
            "other; rbsor, every other one, then the others; mlsor, one after the other in each "
            "of many subdomains, several sweeps at a time; ssor, as sor, some sweeps up, some down",
     .read = read_solver},
    {.name = "omega",
     .arg = "X|auto",
     .doc = "how far a point goes to where its neighbours have it: above 0 and below 2, by jacobi "
            "at most 1; auto, what is best for Laplace's equation on such a domain [auto]",
     .read = read_omega},
    {.name = "rhs",
     .arg = "FILE[:DATASET]|X",
     .doc = "the right-hand side, times the square of the distance of points: one number for each "
            "point from a file (HDF5, .npy, raw), or one for all [none]",
     .read = read_rhs},
    {.name = "border",
     .arg = "X",
     .doc = "what the outermost layer holds, whatever --init says [what --init says]",
     .read = read_border},
    {.name = "tolerance",
     .arg = "X",
     .doc = "be done when the residual is less than X times the initial one; exit with 1 if it "
            "never is [all sweeps are done]",
     .read = read_tolerance},
    {.name = "residual-every",
     .arg = "N",
     .doc = "sweeps from one look at the residual to the next; after the first that is low enough "
            "as many sweeps follow; by mlsor a multiple of --layers [64, or the next such]",
     .read = read_every,
     .least = 1},
    {.name = "subdomain",
     .arg = "P",
     .doc = "mlsor: points of a subdomain along each axis [16]",
     .read = read_subdomain,
     .least = 2},
    {.name = "layers",
     .arg = "K",
     .doc = "mlsor: sweeps that a subdomain goes through before its neighbours hear of it, at most "
            "half of --subdomain [as many]; ssor: sweeps up, and then as many down [1]",
     .read = read_layers,
     .least = 1},
    {.name = "forward-only",
     .doc = "mlsor: never go back through the domain [every other time]",
     .read = read_forward},
    {.name = "history",
     .arg = "FILE.csv",
     .doc = "write every residual that was looked at",
     .read = read_history},
    {.name = NULL},
};

/* ---- the problem ------------------------------------------------------------------------- */

/* The best one of the solver's. */
static enum zoid_status choose_omega(const struct zoid_problem *p)
{
    double radius;
    enum zoid_status status = zoid_omega_radius(p, &radius);

    if (status)
        return status;
    wanted.omega = 1;
    if (wanted.solver == SOR || wanted.solver == RBSOR)
        wanted.omega = zoid_omega_sor(radius);
    if (wanted.solver == SSOR)
        wanted.omega = zoid_omega_ssor(radius);
    return ZOID_OK;
}

static enum zoid_status set_omega(struct zoid_problem *p)
{
    enum zoid_status status = wanted.chosen ? ZOID_OK : choose_omega(p);

    p->params.value[zoid_op_param(p->op, "omega")] = wanted.omega;
    return status ? status : zoid_problem_check(p);
}

/* Whether the type holds it as a finite number. */
static enum zoid_status check_border(const struct zoid_problem *p)
{
    if (p->op->type != ZOID_F32 || isfinite((float)wanted.border))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "--border %g is more than type f32 holds; choose --type f64", wanted.border);
}

/* ---- what is planned --------------------------------------------------------------------- */

/* What some solvers have, and the others would leave out in silence. */
static enum zoid_status check_own(void)
{
    const struct {
        const char *name;
        bool given, own;
        const char *whose;
    } option[] = {
        {"subdomain", wanted.subdomain > 0, wanted.solver == MLSOR, "mlsor"},
        {"layers", wanted.layers > 0, wanted.solver == MLSOR || wanted.solver == SSOR,
         "mlsor and ssor"},
        {"forward-only", wanted.forward, wanted.solver == MLSOR, "mlsor"},
    };

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i].given && !option[i].own)
            return zoid_fail(ZOID_BAD_ARGUMENT, "--%s is for %s, and %s has none; drop it",
                             option[i].name, option[i].whose, solvers[wanted.solver]);
    return ZOID_OK;
}

/* What was not given. */
static enum zoid_status settle(void)
{
    enum zoid_status status = check_own();

    if (!wanted.subdomain)
        wanted.subdomain = 16;
    if (!wanted.layers)
        wanted.layers = wanted.solver == MLSOR ? wanted.subdomain / 2 : 1;
    if (!wanted.every)
        wanted.every =
            wanted.solver == MLSOR ? (64 + wanted.layers - 1) / wanted.layers * wanted.layers : 64;
    return status;
}

static struct zoid_solve solve_of(const struct zoid_initial *initial, bool progress)
{
    return (struct zoid_solve){.domain = &domain,
                               .turns = wanted.solver == SSOR ? wanted.layers : 0,
                               .initial = initial,
                               .sweeps = wanted.sweeps,
                               .tolerance = wanted.tolerance,
                               .every = wanted.every,
                               .history = wanted.history,
                               .progress = progress};
}

/* The problem that was asked for, but for its sweeps: planned is what runs between two looks. */
static enum zoid_status ask(struct zoid_options *o)
{
    const struct zoid_solve solve = solve_of(NULL, false);
    const char *family = family_of[wanted.solver];
    enum zoid_status status;

    for (size_t f = 0; families[f]; f++)
        if (!strncmp(families[f], family, strlen(family)) &&
            !strcmp(families[f] + strlen(family), wanted.right ? "_rhs" : ""))
            o->family = families[f];
    if (wanted.right && o->given.coefficients.n < ZOID_MAX_GIVEN)
        o->given.coefficients.text[o->given.coefficients.n++] = wanted.rhs;
    wanted.sweeps = o->steps;
    o->again = true;
    status = zoid_problem_make(o->family, o, &asked);
    if (!status)
        status = set_omega(&asked);
    if (!status)
        status = check_border(&asked);
    if (!status && zoid_solve_looks(&solve) && asked.steps > wanted.every)
        asked.steps = wanted.every;
    if (!status && solve.turns && asked.steps > solve.turns)
        asked.steps = solve.turns;
    return status;
}

/* Of those whose operator is another one, which would be named. */
static enum zoid_status check_faces(const struct zoid_options *o)
{
    for (int face = 0; face < ZOID_AXES * ZOID_SIDES && wanted.solver >= MLSOR; face++)
        if (o->face[face / ZOID_SIDES][face % ZOID_SIDES] != ZOID_DIRICHLET)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s relaxes points in order, and whether other faces stand for points "
                             "before or after their turn is not defined; choose dirichlet",
                             solvers[wanted.solver]);
    return ZOID_OK;
}

/* A sweep down begins at the other end, where a turn would bring every rank another one's planes.
 */
static enum zoid_status check_ranks(const struct zoid_options *o)
{
    bool several = zoid_ranks_here()->size > 1;

    for (int a = 0; a < ZOID_AXES; a++)
        several |= o->ranks[a] > 1;
    if (wanted.solver == SSOR && several)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "ssor sweeps down as well, for which ranks cannot take turns; start one, "
                         "or use --solver sor or rbsor");
    return ZOID_OK;
}

static enum zoid_status check_way(const struct zoid_options *o)
{
    if (wanted.solver == SSOR && o->check)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--check is for sweeps that all go the same way, and half of those of "
                         "ssor go down; drop it");
    return ZOID_OK;
}

/* From the problem that was asked for to that of the operator that runs it. */
static enum zoid_status make_mlsor(struct zoid_options *o, struct zoid_problem *p)
{
    const struct zoid_visits visits = {.subdomain = wanted.subdomain,
                                       .layers = wanted.layers,
                                       .forward = wanted.forward,
                                       .sweeps = wanted.sweeps,
                                       .every = wanted.every};
    enum zoid_status status = zoid_visits_make(&visits, &asked, wanted.omega, &mlsor, p);

    domain.mlsor = &mlsor;
    if (!status)
        status = zoid_visits_fold("cells", asked.op->dims, o->cells);
    return status ? status : zoid_visits_fold("ranks", asked.op->dims, o->ranks);
}

static enum zoid_status make(struct zoid_options *o, struct zoid_problem *p)
{
    enum zoid_status status = settle();

    if (!status)
        status = check_faces(o);
    if (!status)
        status = check_way(o);
    if (!status)
        status = check_ranks(o);
    if (!status)
        status = ask(o);
    if (!status)
        *p = asked;
    return status || wanted.solver != MLSOR ? status : make_mlsor(o, p);
}

/* ---- the run ----------------------------------------------------------------------------- */

static void start(struct zoid_initial *initial)
{
    initial->problem = &asked;
    initial->bordered = wanted.bordered;
    initial->border = wanted.border;
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

/* A turn reads and writes all that there is. */
static void show(const struct zoid_context *context, const struct zoid_plan *plan, FILE *out)
{
    const struct zoid_rates *rates = &context->rates;
    const struct zoid_tier *home = &plan->tier[plan->home];
    const double bytes = (double)asked.n[0] * (double)asked.n[1] * (double)asked.n[2] *
                         (double)zoid_type_size(asked.op->type) *
                         (asked.op->nstate + asked.op->ncoef);
    const double way =
        plan->home == ZOID_RAM ? 2 * rates->cost[rates->costs - 1].seconds : home->up + home->down;

    if (wanted.solver == SSOR)
        fprintf(out, "turns.every %ld\nturns.bytes %.0f\nturns.seconds %.6g\n", wanted.layers,
                bytes, bytes * way);
}

static void derive(const struct zoid_solved *solved, struct zoid_derived *derived)
{
    const struct zoid_derived all[] = {
        {.name = "solver", .text = solvers[wanted.solver]},
        {.name = "omega", .value = wanted.omega},
        {.name = "sweeps", .value = (double)solved->sweeps},
        {.name = "first_below", .value = solved->below < 0 ? NAN : (double)solved->below},
        {.name = "residual", .value = solved->initial > 0 ? solved->residual / solved->initial : 0},
        {.name = "initial_residual", .value = solved->initial}};
    struct zoid_derived *next = derived + sizeof all / sizeof *all;

    memcpy(derived, all, sizeof all);
    if (wanted.solver == SSOR)
        *next = (struct zoid_derived){.name = "turning", .value = solved->turning};
    if (wanted.solver == MLSOR && wanted.omega > 1.3)
        *next = (struct zoid_derived){.name = "note",
                                      .text = "an omega beyond 1.3 does not help mlsor"};
}

static enum zoid_status run(struct zoid_job *job, const struct zoid_initial *initial, bool progress,
                            struct zoid_report *report)
{
    const struct zoid_solve solve = solve_of(initial, progress);
    struct zoid_solved solved;
    enum zoid_status status = zoid_solve_run(&solve, job, report, &solved);

    derive(&solved, report->derived);
    if (domain.mlsor)
        zoid_visits_count(&domain, solved.sweeps, report);
    return status;
}

int main(int argc, char **argv)
{
    static const struct zoid_app app = {
        .name = "zoid-sor",
        .families = families,
        .summary = "Solves Poisson's equation, -(the sum of the second derivatives of u) = f, by "
                   "relaxing one point after another, or in another order, on a grid that may be "
                   "larger than the memory next to the processor.",
        .options = options,
        .own_params = true,
        .steps = "sweeps, with a tolerance the most there are",
        .default_steps = 100,
        .make = make,
        .start = start,
        .fill = fill,
        .each = each,
        .show = show,
        .run = run,
    };

    return zoid_app_main(&app, argc, argv);
}
