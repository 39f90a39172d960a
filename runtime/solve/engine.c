/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/solve/engine.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "graphs/cell.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/memory/mirror.h"
#include "runtime/session/problem.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"
#include "runtime/solve/omega.h"
#include "runtime/solve/visits.h"

enum { SWEEPS = 100 };

static const char *const family_of[] = {[ZOID_JACOBI] = "jacobi",
                                        [ZOID_SOR] = "sor",
                                        [ZOID_RBSOR] = "rbsor",
                                        [ZOID_MLSOR] = "sor",
                                        [ZOID_SSOR] = "sor"};

struct state {
    struct zoid_problem asked; /* the equation's */
    struct zoid_mlsor mlsor;   /* an operator that solves it */
    struct zoid_domain domain;
    long every, subdomain, layers; /* defaults included */
    char rhs[PATH_MAX + 2];        /* right-hand side as a coefficient */
    struct zoid_solved solved;
};

static enum zoid_solver solver_of(const struct zoid_session *s)
{
    return (enum zoid_solver)s->settings.solver;
}

/* ---- settings ------------------------------------------------------------------------------ */

/* Refuses settings that the solver would ignore. */
static enum zoid_status check_own(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    const enum zoid_solver solver = solver_of(s);
    const struct {
        const char *name;
        bool given, own;
        const char *whose;
    } option[] = {
        {"subdomain", k->subdomain > 0, solver == ZOID_MLSOR, "mlsor"},
        {"layers", k->layers > 0, solver == ZOID_MLSOR || solver == ZOID_SSOR, "mlsor and ssor"},
        {"forward_only", k->forward_only, solver == ZOID_MLSOR, "mlsor"},
    };

    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i].given && !option[i].own)
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} is for %s, and %s has none; drop it",
                             option[i].name, option[i].whose, zoid_solver_name(solver));
    return ZOID_OK;
}

/* Sets defaults. */
static enum zoid_status settle(struct zoid_session *s)
{
    struct zoid_settings *k = &s->settings;
    struct state *own = s->own;
    const bool mlsor = solver_of(s) == ZOID_MLSOR;

    if (!k->has_steps)
        k->steps = SWEEPS;
    own->subdomain = k->subdomain ? k->subdomain : 16;
    own->layers = k->layers ? k->layers : mlsor ? own->subdomain / 2 : 1;
    own->every = k->residual_every;
    if (!own->every)
        own->every = mlsor ? (64 + own->layers - 1) / own->layers * own->layers : 64;
    if (k->rhs && snprintf(own->rhs, sizeof own->rhs, "b=%s", k->rhs) >= (int)sizeof own->rhs)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rhs} names no file; name one");
    s->rhs = k->rhs ? own->rhs : NULL;
    return check_own(s);
}

/* Checks the faces of mlsor and ssor here, in terms of the equation: errors of the operator would
 * name other faces. */
static enum zoid_status check_faces(const struct zoid_session *s)
{
    const enum zoid_solver solver = solver_of(s);

    for (int face = 0; face < ZOID_AXES * ZOID_SIDES && solver >= ZOID_MLSOR; face++)
        if (s->settings.boundary.face[face / ZOID_SIDES][face % ZOID_SIDES] != ZOID_DIRICHLET)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s relaxes points in order, and whether other faces stand for points "
                             "before or after their turn is not defined; choose dirichlet",
                             zoid_solver_name(solver));
    return ZOID_OK;
}

static enum zoid_status check_direction(const struct zoid_session *s)
{
    if (solver_of(s) == ZOID_SSOR && s->settings.check)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{check} is for sweeps that all go the same way, and "
                                            "half of those of ssor go down; drop it");
    if (solver_of(s) == ZOID_SSOR && s->settings.balance == ZOID_BALANCE_SPLIT)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{balance=split} is for sweeps that all go the same "
                                            "way, and half of those of ssor go down; use "
                                            "{balance=auto}");
    return ZOID_OK;
}

/* Checks that the type can represent the boundary value as a finite number. */
static enum zoid_status check_border(const struct zoid_session *s, const struct zoid_problem *p)
{
    if (p->op->type != ZOID_F32 || isfinite((float)s->settings.border))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{border=%g} is more than type f32 holds; choose {type=f64}",
                     s->settings.border);
}

/* Checkpoints are possible between visits only. */
static enum zoid_status check_every(const struct zoid_session *s)
{
    const struct state *own = s->own;
    const long every = s->settings.checkpoint_every, layers = own->layers;

    if (every % layers == 0)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{checkpoint_every=%ld} is no multiple of {layers=%ld}, so that it would fall "
                     "into a visit; give %ld",
                     every, layers, (every / layers + 1) * layers);
}

/* ---- the problem --------------------------------------------------------------------------- */

/* Returns the optimal omega of the solver, or the one that is set. */
static enum zoid_status choose_omega(const struct zoid_session *s, const struct zoid_problem *p,
                                     double *omega)
{
    const enum zoid_solver solver = solver_of(s);
    double radius;
    enum zoid_status status = ZOID_OK;

    *omega = s->settings.omega.value;
    if (!s->settings.omega.automatic)
        return ZOID_OK;
    status = zoid_omega_radius(p, &radius);
    if (status)
        return status;
    *omega = 1;
    if (solver == ZOID_SOR || solver == ZOID_RBSOR)
        *omega = zoid_omega_sor(radius);
    if (solver == ZOID_SSOR)
        *omega = zoid_omega_ssor(radius);
    return ZOID_OK;
}

static struct zoid_solve solve_of(struct zoid_session *s)
{
    struct state *own = s->own;

    return (struct zoid_solve){.domain = &own->domain,
                               .turns = solver_of(s) == ZOID_SSOR ? own->layers : 0,
                               .loop = &s->loop,
                               .sweeps = s->settings.steps,
                               .tolerance = s->settings.tolerance,
                               .every = own->every,
                               .history = s->settings.history};
}

/* Makes the problem of the equation. */
static enum zoid_status make_equation(struct zoid_session *s)
{
    struct state *own = s->own;
    struct zoid_problem *p = &own->asked;
    const struct zoid_solve solve = solve_of(s);
    char family[32];
    double omega = 1;
    enum zoid_status status;

    snprintf(family, sizeof family, "%s%s", family_of[solver_of(s)], s->rhs ? "_rhs" : "");
    s->request.again = true;
    status = zoid_problem_make(family, &s->settings, p);
    if (!status)
        status = choose_omega(s, p, &omega);
    if (p->op)
        p->params.value[zoid_op_param(p->op, "omega")] = omega;
    if (!status)
        status = zoid_problem_check(p);
    if (!status)
        status = check_border(s, p);
    s->leg = zoid_solve_looks(&solve) ? own->every : 0;
    if (solve.turns && (s->leg == 0 || s->leg > solve.turns))
        s->leg = solve.turns;
    return status;
}

/* Translates the problem, numbers of steps and numbers along axes to those of the mlsor operator.
 */
static enum zoid_status make_mlsor(struct zoid_session *s)
{
    struct state *own = s->own;
    const struct zoid_visits visits = {.subdomain = own->subdomain,
                                       .layers = own->layers,
                                       .forward = s->settings.forward_only,
                                       .sweeps = s->settings.steps,
                                       .every = own->every};
    const double omega = own->asked.params.value[zoid_op_param(own->asked.op, "omega")];
    enum zoid_status status =
        zoid_visits_make(&visits, &own->asked, omega, &own->mlsor, &s->problem);

    own->domain.mlsor = &own->mlsor;
    if (!status)
        status = check_every(s);
    s->every /= own->layers;
    s->leg = (s->leg + own->layers - 1) / own->layers;
    if (!status)
        status = zoid_visits_fold("cells", own->asked.op->dims, s->request.cells);
    return status ? status : zoid_visits_fold("ranks", own->asked.op->dims, s->request.ranks);
}

static enum zoid_status each(const void *session, const struct zoid_job *job, zoid_part_fn *part,
                             void *user)
{
    const struct state *own = ((const struct zoid_session *)session)->own;

    return zoid_domain_each(&own->domain, job, part, user);
}

static enum zoid_status make(struct zoid_session *s)
{
    struct state *own = s->own;
    enum zoid_status status = settle(s);

    own->domain.problem = &own->asked;
    s->reader = s->kept = (struct zoid_reader){.each = each, .of = s};
    if (!status)
        status = check_faces(s);
    if (!status)
        status = check_direction(s);
    if (!status)
        status = make_equation(s);
    if (!status)
        s->problem = own->asked;
    return status || solver_of(s) != ZOID_MLSOR ? status : make_mlsor(s);
}

static enum zoid_status store(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct state *own = s->own;
    const enum zoid_solver solver = solver_of(s);
    enum zoid_status status = zoid_store_text(stored, "solver", zoid_solver_name(solver));

    if (!status)
        status = zoid_store_problem(&own->asked, stored);
    if (!status && s->settings.tolerance > 0)
        status = zoid_store_whole(stored, "residual_every", (uint64_t)own->every);
    if (!status && (solver == ZOID_MLSOR || solver == ZOID_SSOR))
        status = zoid_store_whole(stored, "layers", (uint64_t)own->layers);
    if (!status && solver == ZOID_MLSOR)
        status = zoid_store_whole(stored, "subdomain", (uint64_t)own->subdomain);
    return status;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void start(struct zoid_session *s)
{
    const struct state *own = s->own;

    s->initial.problem = &own->asked;
    s->initial.bordered = s->settings.has_border;
    s->initial.border = s->settings.border;
}

static void fill(void *session, int field, const struct zoid_box *box, const struct zoid_values *to)
{
    struct zoid_session *s = session;
    const struct state *own = s->own;

    if (own->domain.mlsor)
        zoid_domain_fill(&own->domain, &s->initial, field, box, to);
    else
        zoid_initial_box(&s->initial, field, box, to);
}

/* Prints the cost of mirroring, which reads and writes state and coefficients, each rank its part.
 */
static void show(const struct zoid_session *s, FILE *out)
{
    const struct state *own = s->own;
    const struct zoid_problem *p = &own->asked;
    const struct zoid_plan *plan = s->plan;
    const struct zoid_rates *rates = &s->context->rates;
    const struct zoid_tier *home = &plan->tier[plan->home];
    const double bytes = (double)p->n[0] * (double)p->n[1] * (double)p->n[2] *
                         (double)zoid_type_size(p->op->type) * (p->op->nstate + p->op->ncoef);
    const double way =
        plan->home == ZOID_RAM ? 2 * rates->cost[rates->costs - 1].seconds : home->up + home->down;
    const struct zoid_mirror_sends sends = zoid_mirror_sends(plan);
    const double ranks = (double)zoid_ranks(&plan->graph);

    if (solver_of(s) != ZOID_SSOR)
        return;
    fprintf(out, "turns.every %ld\nturns.bytes %.0f\nturns.seconds %.6g\n", own->layers, bytes,
            bytes * way / ranks);
    if (ranks > 1)
        fprintf(out, "turns.messages %ld\nturns.sent %.0f\n", sends.messages, sends.bytes);
}

static bool iterates(const struct zoid_session *s)
{
    (void)s;
    return true;
}

static void derive(struct zoid_session *s)
{
    const struct state *own = s->own;
    const struct zoid_solved *solved = &own->solved;
    const double omega = own->asked.params.value[zoid_op_param(own->asked.op, "omega")];
    const struct zoid_derived
        all[] = {{.name = "solver", .text = zoid_solver_name(solver_of(s))},
                 {.name = "omega", .value = omega},
                 {.name = "sweeps", .value = (double)solved->sweeps},
                 {.name = "first_below", .value = solved->below < 0 ? NAN : (double)solved->below},
                 {.name = "residual",
                  .value = solved->initial > 0 ? solved->residual / solved->initial : 0},
                 {.name = "initial_residual", .value = solved->initial}},
        mirroring = {.name = "turning", .value = solved->mirroring},
        note = {.name = "note", .text = "an omega beyond 1.3 does not help mlsor"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        zoid_session_derive(s, &all[i]);
    if (solver_of(s) == ZOID_SSOR)
        zoid_session_derive(s, &mirroring);
    if (solver_of(s) == ZOID_MLSOR && omega > 1.3)
        zoid_session_derive(s, &note);
}

static enum zoid_status run(struct zoid_session *s)
{
    struct state *own = s->own;
    const struct zoid_solve solve = solve_of(s);
    enum zoid_status status = zoid_solve_run(&solve, s->job, &s->report, &own->solved);

    derive(s);
    if (own->domain.mlsor)
        zoid_visits_count(&own->domain, own->solved.sweeps, &s->report);
    return status;
}

const struct zoid_solved *zoid_solve_result(const struct zoid_session *s)
{
    const struct state *own = s->own;

    return &own->solved;
}

const struct zoid_engine zoid_solve_engine = {.name = "a solver",
                                              .groups = ZOID_GROUP_solve,
                                              .refuses = ZOID_GROUP_matrix | ZOID_GROUP_power |
                                                         ZOID_GROUP_snapshots,
                                              .state = sizeof(struct state),
                                              .make = make,
                                              .start = start,
                                              .fill = fill,
                                              .store = store,
                                              .show = show,
                                              .iterates = iterates,
                                              .run = run};
