/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/traits.h"
#include "runtime/boundary.h"
#include "runtime/calibrate/missing.h"
#include "runtime/calibrate/refine.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/job.h"
#include "runtime/machine/clock.h"
#include "runtime/machine/rates.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/family.h"
#include "runtime/session/number.h"
#include "runtime/session/places.h"
#include "runtime/session/points_list.h"
#include "runtime/session/problem.h"
#include "runtime/session/request.h"
#include "runtime/session/results.h"
#include "runtime/session/shared.h"
#include "runtime/submit/due.h"

enum zoid_status zoid_session_open(struct zoid_session *s)
{
    s->begun = zoid_machine_clock();
    return zoid_settings_open(&s->settings);
}

const char *const *zoid_session_families(const struct zoid_session *s)
{
    return s->families ? s->families : zoid_families();
}

/* ---- the problem --------------------------------------------------------------------------- */

/* Returns the groups whose settings are set; 0, if they name an operator, whose parameters may
 * have rows in other groups. */
static unsigned groups_set(const struct zoid_session *s)
{
    unsigned groups = s->matrix ? ZOID_GROUP_matrix : 0;

    for (const struct zoid_setting *row = zoid_settings_table; row->key; row++)
        if (zoid_setting_has(row, &s->settings))
            groups |= row->group->bit;
    return s->settings.operator? 0 : groups;
}

static bool is_one_of(const char *key, const char *const *keys)
{
    while (keys && *keys && strcmp(*keys, key) != 0)
        keys++;
    return keys && *keys;
}

/* Refuses settings that mean nothing to the engine. */
static enum zoid_status check_taken(const struct zoid_session *s)
{
    const struct zoid_engine *e = s->engine;

    for (const struct zoid_setting *row = zoid_settings_table; row->key; row++)
        if (row->group->bit & e->refuses && zoid_setting_has(row, &s->settings) &&
            !is_one_of(row->key, e->also))
            return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} means nothing to a run of %s; drop it",
                             row->key, e->name);
    return ZOID_OK;
}

static enum zoid_status choose_engine(struct zoid_session *s)
{
    const unsigned groups = s->groups ? s->groups : groups_set(s);
    size_t i = 0;

    while (zoid_engines[i]->groups && !(zoid_engines[i]->groups & groups))
        i++;
    s->engine = zoid_engines[i];
    s->own = calloc(1, s->engine->state + 1);
    return s->own ? check_taken(s) : zoid_no_memory();
}

static enum zoid_status make_problem(struct zoid_session *s)
{
    struct zoid_settings *k = &s->settings;
    enum zoid_status status = zoid_settings_check(k);

    if (k->dt.automatic)
        k->dt.value = 1;

    s->request = zoid_settings_request(k);
    s->request.again = s->resumable || k->resumable || zoid_run_loop_wanted(k);
    s->every = k->checkpoint_every;
    if (!status)
        status = choose_engine(s);
    if (!status)
        status = s->engine->make(s);
    s->initial = (struct zoid_initial){
        .problem = &s->problem, .kind = (enum zoid_init)k->init.kind, .seed = k->seed};
    s->record = (struct zoid_record){.problem = &s->problem};
    if (!status && s->engine->start)
        s->engine->start(s);
    return status;
}

/* Sets the length of a step to 0.95 of the longest that is stable: the stability number of a length
 * of 1, to which it is proportional, says which that is. */
static enum zoid_status choose_step(struct zoid_session *s)
{
    struct zoid_settings any = s->settings;
    double number = NAN;
    enum zoid_status status;

    if (!s->settings.dt.automatic)
        return ZOID_OK;
    any.force = true;
    status = zoid_fields_check(&any, s->fields, &s->initial, &number);
    if (status)
        return status;
    if (!(number > 0) || !isfinite(number))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{dt=auto}: %s has no bound of stable steps with these values; give a "
                         "number",
                         s->problem.op->family);
    s->settings.dt.automatic = false;
    s->step_chosen = true;
    s->settings.dt.value = 0.95 / number;
    return zoid_problem_retime(&s->settings, &s->problem);
}

/* Opens the field sources, and checks values and stability. */
static enum zoid_status take_fields(struct zoid_session *s)
{
    const struct zoid_fields_wish wish = {.settings = &s->settings,
                                          .arrays = &s->arrays,
                                          .rhs = s->rhs,
                                          .problem = s->initial.problem};
    enum zoid_status status = zoid_ranks_agree(zoid_fields_check_step(&s->settings));

    if (!status)
        status = zoid_fields_open(&wish, &s->fields);
    if (!status && s->fields)
        zoid_fields_start(s->fields, &s->initial);
    if (!status)
        status = zoid_ranks_agree(choose_step(s));
    return status ? status : zoid_fields_check(&s->settings, s->fields, &s->initial, &s->stability);
}

/* Sets the shift of layers that match: that of the settings, or else a tenth of the frequency of
 * the first Ricker wavelet, or the operator's default. A checkpoint has cycles a step. */
static enum zoid_status take_shift(struct zoid_session *s)
{
    const struct zoid_stored *then = s->restart.then;
    const struct zoid_stored_value *stored = then ? zoid_stored_find(then, "pml_shift") : NULL;
    struct zoid_units units = zoid_settings_units(&s->settings);
    const char *given = s->settings.pml_shift;
    double *shift = &s->problem.params.pml.shift;
    enum zoid_status status;

    if (!zoid_problem_remembers(&s->problem))
        return ZOID_OK;
    *shift = zoid_op_defaults(s->problem.op).pml.shift;
    for (size_t i = 0; s->points && i < s->points->points.sources; i++)
        if (s->points->recipe[i].frequency > 0 && !s->points->recipe[i].sine) {
            *shift = s->points->recipe[i].frequency / 10;
            break;
        }
    if (!given)
        return zoid_problem_check(&s->problem);
    units.physical = units.physical && !(stored && !strcmp(stored->text, given));
    status = zoid_number_in_units("pml_shift", given, ZOID_FREQUENCY, &units, shift);
    return status ? status : zoid_problem_check(&s->problem);
}

/* Sets the largest speed of waves, which faces that absorb and layers that match go by. */
static enum zoid_status take_speed(struct zoid_session *s)
{
    if (!zoid_problem_absorbs(&s->problem) && !zoid_problem_remembers(&s->problem))
        return ZOID_OK;
    return zoid_fields_speed(s->fields, &s->initial, &s->problem.params.speed);
}

/* Sets up the run loop. The plan is made for the longest leg. */
static void prepare_loop(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    struct zoid_problem *p = &s->problem;

    s->loop = (struct zoid_run_loop){.settings = k,
                                     .initial = &s->initial,
                                     .reader = s->kept,
                                     .about = &s->restart.about,
                                     .record = &s->record,
                                     .every = s->every,
                                     .start = p->start,
                                     .total = p->start + p->steps,
                                     .until = k->walltime > 0 ? s->begun + k->walltime : 0,
                                     .stop = &s->stop};
    if (s->restart.from) {
        const struct zoid_checkpoint *then = zoid_checkpoint_about(s->restart.from);

        s->loop.before = (struct zoid_engine_state){then->numbers, then->number};
    }
    p->steps = zoid_run_loop_longest(&s->loop);
    if (s->leg)
        p->steps = zoid_min(p->steps, s->leg);
}

enum zoid_status zoid_session_prepare(struct zoid_session *s)
{
    enum zoid_status status = zoid_ranks_agree(make_problem(s));

    if (!status)
        status = take_fields(s);
    if (!status)
        status = zoid_run_tables_open(s);
    if (!status)
        status = zoid_held_open(s);
    if (!status)
        status = zoid_point_list_open(s, &s->points);
    if (!status)
        status = zoid_ranks_agree(take_shift(s));
    if (!status)
        status = zoid_restart_problem(s);
    if (!status)
        status = take_speed(s);
    if (!status)
        prepare_loop(s);
    return status;
}

/* ---- the plan ------------------------------------------------------------------------------ */

static struct zoid_calibration_request calibration_request(const struct zoid_session *s)
{
    return (struct zoid_calibration_request){.program = s->name,
                                             .op = s->problem.op,
                                             .state = (double)zoid_problem_bytes(&s->problem),
                                             .ram = s->settings.ram,
                                             .disk = s->settings.disk};
}

/* Opens a context, with rates that are measured first if the session learns and they are missing.
 */
static enum zoid_status open_own(void *session, const struct zoid_context_options *wanted,
                                 struct zoid_context **context)
{
    const struct zoid_session *s = session;
    struct zoid_calibration_request request = calibration_request(s);

    request.wanted = wanted;
    return s->learns ? zoid_calibrate_missing(&request, context)
                     : zoid_context_open(wanted, context);
}

static bool serves(void *session, const struct zoid_context *context)
{
    const struct zoid_session *s = session;
    const struct zoid_calibration_request request = calibration_request(s);

    return !s->learns || zoid_calibration_complete(&request, context);
}

static enum zoid_status open_context(struct zoid_session *s,
                                     const struct zoid_context_options *wanted)
{
    const struct zoid_opener opener = {.open = open_own, .serves = serves, .user = s};
    enum zoid_rates_use use;
    enum zoid_status status = zoid_rates_use(wanted->rates, ZOID_RATES_LEARN, &use);

    if (status)
        return status;
    /* Concurrent measurements of several ranks would disturb each other. */
    s->refines = use == ZOID_RATES_LEARN && !wanted->machine;
    s->learns = s->refines && zoid_ranks_here()->size == 1;
    return s->shares ? zoid_shared_take(wanted, &opener, &s->context)
                     : open_own(s, wanted, &s->context);
}

/* Default limit of a stop in seconds, except for runs on a disk, where shallow passes are
 * expensive. */
static const double patience = 60;

/* The final checkpoint may have to wait for the previous one. */
double zoid_session_stop_seconds(const struct zoid_session *s)
{
    const double passes = zoid_plan_stop_seconds(s->plan);
    const double writes = ZOID_DUE_CARE * s->loop.write_seconds;

    if (!zoid_run_loop_repeats(&s->settings))
        return passes + writes;
    return (zoid_results_staging(s) ? fmax(passes, writes) : passes + writes) + writes;
}

/* Returns the default limit of a stop. A run of a single pass would write no checkpoint. */
static double usual_limit(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    double most = s->plan->home == ZOID_RAM ? patience : INFINITY;

    if (k->walltime > 0)
        most = fmin(most, k->walltime / 2);
    return k->checkpoint_minutes > 0 ? fmin(most, 60 * k->checkpoint_minutes) : most;
}

static bool too_slow(const struct zoid_session *s)
{
    const double within = s->settings.stop_within;

    return within > 0 ? zoid_session_stop_seconds(s) > within
                      : zoid_plan_stop_seconds(s->plan) > usual_limit(s);
}

void zoid_session_planned(struct zoid_session *s)
{
    s->loop.plan = s->plan = &s->plans.part[s->plans.parts - 1];
}

static enum zoid_status plan_once(struct zoid_session *s, const struct zoid_request *request)
{
    const enum zoid_status status = zoid_plans_make(s->context, &s->problem, request, &s->plans);

    if (!status)
        zoid_session_planned(s);
    return status;
}

enum zoid_status zoid_session_plan_within(struct zoid_session *s, struct zoid_request *request)
{
    const struct zoid_settings *k = &s->settings;
    enum zoid_status status = plan_once(s, request);

    while (!status && k->checkpoint && too_slow(s) && !k->depth && s->plan->graph.depth > 1) {
        request->depth = s->plan->graph.depth / 2;
        status = plan_once(s, request);
    }
    if (status || !(k->stop_within > 0) || !too_slow(s))
        return status;
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "a stop may take %.1f s here, %.1f s of them for the checkpoint; give "
                     "{stop_within} more than that%s",
                     zoid_session_stop_seconds(s), ZOID_DUE_CARE * s->loop.write_seconds,
                     k->depth > 1 ? ", or a smaller " ZOID_KEY("depth") : "");
}

double zoid_session_checkpoint_bytes(const struct zoid_session *s)
{
    const struct zoid_points *points = s->problem.points;
    const double seen = points ? (double)points->receivers * sizeof(double) : 0;

    return zoid_checkpoint_bytes(s->initial.problem, s->settings.checkpoint_coefficients) +
           seen * (double)(s->loop.total + 1);
}

static enum zoid_status make_plan(struct zoid_session *s, struct zoid_request *request)
{
    enum zoid_status status;

    if (s->settings.checkpoint)
        s->loop.write_seconds = zoid_session_checkpoint_bytes(s) * s->context->rates.disk_write;
    status = zoid_session_plan_within(s, request);
    if (!status && s->settings.check)
        status = zoid_check_fits(s->context, s->plan);
    return status;
}

enum zoid_status zoid_session_make_plan(struct zoid_session *s, const char *trace,
                                        void (*each)(void *self, const struct zoid_plan *plan),
                                        void *self)
{
    struct zoid_context_options wanted = zoid_settings_context(&s->settings);
    struct zoid_request request = s->request;
    enum zoid_status status;

    wanted.trace = trace;
    wanted.rates = wanted.rates ? wanted.rates : s->rates;
    request.each = zoid_ranks_here()->rank == 0 ? each : NULL;
    request.self = self;
    status = open_context(s, &wanted);
    return status ? status : zoid_ranks_agree(make_plan(s, &request));
}

/* ---- the run ------------------------------------------------------------------------------- */

static enum zoid_status fill(struct zoid_session *s)
{
    zoid_box_fn *box = s->engine->fill;
    enum zoid_status status =
        zoid_job_fill(s->job, box ? box : zoid_initial_box, box ? (void *)s : (void *)&s->initial);

    if (!status && s->initial.memory)
        status = zoid_job_fill_memory(s->job, s->initial.memory, s->initial.of);
    if (!status && s->fields)
        status = zoid_fields_status(s->fields);
    if (!status && s->restart.from)
        status = zoid_checkpoint_status(s->restart.from);
    return zoid_ranks_agree(status);
}

enum zoid_status zoid_session_fill(struct zoid_session *s)
{
    const double begun = zoid_machine_clock();
    enum zoid_status status = zoid_job_create_parts(s->context, &s->plans, &s->job);

    s->record.job = s->job;
    if (!status)
        status = fill(s);
    if (!status && s->engine->pieces)
        status = zoid_ranks_agree(s->engine->pieces(s));
    s->report = (struct zoid_report){.seed = s->settings.seed, .check = "off"};
    snprintf(s->report.app, sizeof s->report.app, "%s", s->name);
    s->filled = !status;
    s->fill_seconds = zoid_machine_clock() - begun;
    if (!status)
        zoid_places_settle(s);
    return status;
}

/* Reads sources and receivers anew; series are as long as the whole run. */
static enum zoid_status reopen_points(struct zoid_session *s)
{
    struct zoid_problem *p = &s->problem;
    const long leg = p->steps;
    enum zoid_status status;

    p->points = NULL;
    p->steps = s->loop.total;
    status = zoid_point_list_open(s, &s->points);
    p->steps = leg;
    return zoid_ranks_agree(status);
}

/* Output files of another run, with the names that the settings have now. */
static void reopen_results(struct zoid_session *s)
{
    zoid_results_discard(s);
    zoid_checkpoints_close(&s->loop.checkpoints);
    zoid_snapshots_close(&s->loop.snapshots);
    zoid_stored_free(&s->restart.about.settings);
    s->every = s->settings.checkpoint_every;
    s->loop.every = s->every;
}

enum zoid_status zoid_session_refill(struct zoid_session *s)
{
    static const struct zoid_points none;
    struct zoid_point_list *before = s->points;
    zoid_box_fn *box = s->engine->fill;
    enum zoid_status status;

    reopen_results(s);
    s->points = NULL;
    status = zoid_results_open(s);
    if (!status)
        status = reopen_points(s);
    if (!status)
        status = zoid_ranks_agree(take_shift(s));
    if (!status && s->settings.checkpoint)
        status = zoid_ranks_agree(zoid_restart_describe(s));
    if (!status)
        zoid_job_set_shift(s->job, s->problem.params.pml.shift);
    if (!status)
        status =
            zoid_job_refill(s->job, 0, s->problem.points ? s->problem.points : &none,
                            box ? box : zoid_initial_box, box ? (void *)s : (void *)&s->initial);
    if (!status && s->fields)
        status = zoid_fields_status(s->fields);
    zoid_point_list_close(&before);
    s->record = (struct zoid_record){.problem = &s->problem, .job = s->job};
    s->opened = false;
    s->report = (struct zoid_report){.seed = s->settings.seed, .check = "off"};
    snprintf(s->report.app, sizeof s->report.app, "%s", s->name);
    free(s->given);
    s->given = NULL;
    return zoid_ranks_agree(status);
}

static enum zoid_status begin(struct zoid_session *s)
{
    if (s->opened)
        return ZOID_OK;
    s->opened = true;
    zoid_run_loop_open(&s->loop, s->job);
    return zoid_run_loop_first(&s->loop);
}

enum zoid_status zoid_session_until(struct zoid_session *s, long step)
{
    enum zoid_status status = begin(s);

    if (!status)
        status = zoid_places_try(s, step);
    if (!status)
        status = zoid_run_loop_until(&s->loop, step, &s->report);
    return zoid_run_loop_finish(&s->loop, status, &s->report);
}

static bool iterates(const struct zoid_session *s)
{
    return s->engine->iterates && s->engine->iterates(s);
}

enum zoid_status zoid_session_compute(struct zoid_session *s)
{
    enum zoid_status status;

    if (iterates(s))
        return s->engine->run(s);
    status = zoid_session_until(s, s->loop.total);
    return s->engine->derive ? s->engine->derive(s, status) : status;
}

const struct zoid_report *zoid_session_report_of(struct zoid_session *s)
{
    if (!s->given)
        s->given = zoid_settings_given(&s->settings);
    s->report.settings = s->given;
    return &s->report;
}

void zoid_session_derive(struct zoid_session *s, const struct zoid_derived *derived)
{
    struct zoid_derived *d = s->report.derived;
    int i = 0;

    while (i < ZOID_MAX_DERIVED && d[i].name)
        i++;
    if (i < ZOID_MAX_DERIVED)
        d[i] = *derived;
}

bool zoid_session_lost(const struct zoid_session *s, enum zoid_status ended)
{
    return ended == ZOID_CHECK_FAILED && !iterates(s) && zoid_job_steps(s->job) < s->loop.total;
}

enum zoid_status zoid_session_check(struct zoid_session *s)
{
    enum zoid_status status;

    if (!s->settings.check)
        return ZOID_OK;
    status = zoid_check(s->job, &s->initial);
    if (!status)
        s->report.check = "passed";
    else if (status == ZOID_CHECK_FAILED)
        s->report.check = "failed";
    return status;
}

enum zoid_status zoid_session_refine(const struct zoid_session *s)
{
    return s->refines && zoid_op_plain(s->problem.op) ? zoid_refine(s->context, s->plan, &s->report)
                                                      : ZOID_OK;
}

void zoid_session_halt(struct zoid_session *s)
{
    s->stop = true;
    if (s->job)
        zoid_job_stop(s->job);
}

/* Of several failures the first one counts. */
enum zoid_status zoid_session_close(struct zoid_session *s, enum zoid_status before)
{
    struct zoid_failure failure = {.status = ZOID_OK};

    zoid_failure_keep(&failure, before);
    zoid_checkpoints_close(&s->loop.checkpoints);
    zoid_job_destroy(&s->job);
    zoid_point_list_close(&s->points);
    zoid_fields_close(&s->fields);
    zoid_run_tables_close(&s->tables);
    zoid_held_close(&s->held);
    zoid_failure_keep(&failure, s->shares ? zoid_shared_give_back(&s->context)
                                          : zoid_context_close(&s->context));
    zoid_results_discard(s);
    zoid_snapshots_close(&s->loop.snapshots);
    zoid_restart_close(&s->restart);
    if (s->own && s->engine->close)
        s->engine->close(s);
    free(s->own);
    free(s->given);
    s->own = NULL;
    s->given = NULL;
    s->state = ZOID_SESSION_BROKEN;
    return zoid_failure_raise(&failure);
}
